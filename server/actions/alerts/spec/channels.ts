// Makes channels of what was ordered: what may be shown apart from what may not, each with its own secret and token.
import { Failure } from "../../../contract/errors.ts";
import type { Caller } from "../../../contract/define.ts";
import { GuardError, type GuardFetch } from "../../../lib/guard-fetch/index.ts";
import { newSecret } from "../../../lib/sign.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { ChannelOrder, SourceOrder } from "../contract/index.ts";
import { freshPoll } from "../engine/feed/schedule.ts";
import { DEMO_FEEDS } from "../providers/simulated.ts";
import type { ChannelRow, FeedRow } from "../store/alerts.ts";

/** A chat webhook's address is itself the key to it, so it is kept like one. */
const SECRET_URLS = new Set(["slack", "discord", "teams", "mattermost"]);

export interface MadeChannel {
  row: Omit<ChannelRow, "alertNumber">;
  secret: string | null;
}

export function makeChannels(
  { makeId, random, seal }: Platform,
  caller: Caller,
  orders: ChannelOrder[],
): MadeChannel[] {
  return orders.map((order, position) => {
    const id = makeId("chn");
    const secrets: Record<string, string> = {};
    const target: Record<string, string | number> = {};
    for (const [field, value] of Object.entries(order)) {
      if (field === "type" || value === undefined) continue;
      const hidden =
        field === "secret" ||
        field === "token" ||
        field === "routing_key" ||
        (field === "url" && SECRET_URLS.has(order.type));
      if (hidden) secrets[field] = String(value);
      else target[field] = value as string | number;
    }
    if (order.type === "webhook") secrets.secret ??= newSecret(random);
    // Enough of the address to know it again.
    if (secrets.url) target.host = new URL(secrets.url).host;
    const token = Buffer.from(random.bytes(new Uint8Array(24))).toString("base64url");
    const status = order.type === "email" ? "pending_verification" : "active";
    const row: MadeChannel["row"] = {
      id,
      tenantId: caller.tenantId,
      position,
      type: order.type,
      target,
      sealed: seal.seal(JSON.stringify(secrets), id),
      status,
      failures: 0,
      failingSinceMs: null,
      lastError: null,
      token,
    };
    return { row, secret: order.type === "webhook" && order.secret === undefined ? secrets.secret : null };
  });
}

/** Refuses addresses that must not be called. A name is resolved only for live keys: test keys work without a network. */
export async function refuseTargets(
  guard: Pick<GuardFetch, "check" | "parse">,
  mode: Caller["mode"],
  order: { sources?: SourceOrder[]; channels?: ChannelOrder[] },
  hasMail: boolean,
): Promise<void> {
  const addresses: [pointer: string, url: string][] = [
    ...(order.sources ?? []).flatMap((s, i): [string, string][] =>
      s.url === undefined ? [] : [[`/sources/${i}/url`, s.url]],
    ),
    ...(order.channels ?? []).flatMap((c, i): [string, string][] => [
      ...(c.url === undefined ? [] : [[`/channels/${i}/url`, c.url] as [string, string]]),
      ...(c.base_url === undefined ? [] : [[`/channels/${i}/base_url`, c.base_url] as [string, string]]),
    ]),
  ];
  for (const [pointer, url] of addresses) {
    try {
      guard.parse(url);
      if (mode === "live") await guard.check(url);
    } catch (error) {
      if (!(error instanceof GuardError)) throw error;
      // A name that does not resolve just now may do so later; every request checks again.
      if (error.retryable) continue;
      throw new Failure("target_not_allowed", error.detail, {
        hint: error.hint,
        errors: [{ pointer, code: error.code, detail: error.detail, hint: error.hint }],
      });
    }
    if (mode === "test" && pointer.startsWith("/sources") && !DEMO_FEEDS.test(url)) {
      const hint = "Use https://feeds.demo.test/news.xml, or a live key.";
      throw new Failure("target_not_allowed", "Test keys read only the demo feeds.", {
        hint,
        errors: [{ pointer, code: "target_not_allowed", detail: "Not a demo feed.", hint }],
      });
    }
  }
  if (mode === "live" && !hasMail && order.channels?.some((c) => c.type === "email")) {
    throw new Failure("provider_not_configured", "No mail server is set up.", {
      hint: "Set CONNECTOR_ALERTS_SMTP_URL and CONNECTOR_ALERTS_MAIL_FROM, or use another channel.",
    });
  }
}

/** Feeds of test keys are simulated, so the two worlds never share one. */
export const feedKey = (url: string, mode: Caller["mode"]) => `${mode} ${url}`;

export function feedOfSource(source: SourceOrder, mode: Caller["mode"], id: string, now: number): FeedRow {
  const url = source.url!;
  return {
    id,
    key: feedKey(url, mode),
    url,
    simulated: mode === "test",
    format: null,
    title: null,
    hub: null,
    websub: null,
    state: freshPoll(url, now),
  };
}
