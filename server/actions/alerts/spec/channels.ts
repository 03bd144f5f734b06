// Turns requested channels and feeds into rows: secrets apart from what may be shown; refuses forbidden targets.
import { Failure } from "../../../contract/errors.ts";
import type { Caller } from "../../../contract/define.ts";
import { GuardError, type GuardFetch } from "../../../lib/guard-fetch/index.ts";
import { newSecret } from "../../../lib/sign.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { ChannelSpec, SourceSpec } from "../contract/index.ts";
import { freshPoll } from "../engine/feed/schedule.ts";
import { DEMO_FEEDS } from "../providers/simulated.ts";
import type { ChannelRow, FeedRow } from "../rows.ts";

/** The address of a chat webhook is a secret: whoever has it can post. */
const SECRET_URLS = new Set(["slack", "discord", "teams", "mattermost"]);

export interface MadeChannel {
  row: Omit<ChannelRow, "alertNumber">;
  secret: string | null;
}

export function makeChannels({ makeId, random, seal }: Platform, caller: Caller, specs: ChannelSpec[]): MadeChannel[] {
  return specs.map((spec, position) => {
    const id = makeId("chn");
    const secrets: Record<string, string> = {};
    const target: Record<string, string | number> = {};
    for (const [field, value] of Object.entries(spec)) {
      if (field === "type" || value === undefined) continue;
      const hidden =
        field === "secret" ||
        field === "token" ||
        field === "routing_key" ||
        (field === "url" && SECRET_URLS.has(spec.type));
      if (hidden) secrets[field] = String(value);
      else target[field] = value as string | number;
    }
    if (spec.type === "webhook") secrets.secret ??= newSecret(random);
    // The host is shown, so that the owner recognises the channel.
    if (secrets.url) target.host = new URL(secrets.url).host;
    const token = Buffer.from(random.bytes(new Uint8Array(24))).toString("base64url");
    const status = spec.type === "email" ? "pending_verification" : "active";
    const row: MadeChannel["row"] = {
      id,
      tenantId: caller.tenantId,
      position,
      type: spec.type,
      target,
      sealed: seal.seal(JSON.stringify(secrets), id),
      status,
      failures: 0,
      failingSinceMs: null,
      lastError: null,
      token,
    };
    return { row, secret: spec.type === "webhook" && spec.secret === undefined ? secrets.secret : null };
  });
}

/** Refuses addresses that must not be called. A name is resolved only for live keys: test keys work without a network. */
export async function refuseForbiddenTargets(
  guard: Pick<GuardFetch, "check" | "parse">,
  mode: Caller["mode"],
  request: { sources?: SourceSpec[]; channels?: ChannelSpec[] },
  hasMail: boolean,
): Promise<void> {
  const addresses: [pointer: string, url: string][] = [
    ...(request.sources ?? []).flatMap((s, i): [string, string][] =>
      s.url === undefined ? [] : [[`/sources/${i}/url`, s.url]],
    ),
    ...(request.channels ?? []).flatMap((c, i): [string, string][] => [
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
  if (mode === "live" && !hasMail && request.channels?.some((c) => c.type === "email")) {
    throw new Failure("provider_not_configured", "No mail server is set up.", {
      hint: "Set CONNECTOR_ALERTS_SMTP_URL and CONNECTOR_ALERTS_MAIL_FROM, or use another channel.",
    });
  }
}

/** Feeds of test keys are simulated, so live and test never share a feed. */
export const feedKey = (url: string, mode: Caller["mode"]) => `${mode} ${url}`;

export function feedFromSource(source: SourceSpec, mode: Caller["mode"], id: string, now: number): FeedRow {
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
