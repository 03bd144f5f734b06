// WebSub: where a feed names a hub and this service has a public address, the hub is asked to push, and is believed only
// with the right signature. Polling goes on, more slowly, so that a silent hub loses nothing.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Logger } from "pino";
import { type Call, type Handler, handle } from "../../../contract/define.ts";
import type { Clock } from "../../../lib/clock.ts";
import { GuardError, type GuardFetch } from "../../../lib/guard-fetch/index.ts";
import type { Random } from "../../../lib/random.ts";
import type { Seal } from "../../../lib/seal.ts";
import { notFound } from "../../../platform/platform.ts";
import type { Db, Tx } from "../../../store/db.ts";
import { pushFromHub, verifyHub } from "../contract/index.ts";
import { readFeed } from "../engine/feed/read.ts";
import type { Feed } from "../engine/feed/model.ts";
import type { FeedRow, WebSub } from "../store/alerts.ts";
import { feedByHubToken, saveWebSub } from "../store/feeds.ts";

interface Parts {
  db: Db;
  clock: Clock;
  random: Random;
  seal: Seal;
  log: Logger;
  guard: Pick<GuardFetch, "fetch">;
  /** Null when nobody outside can reach us. */
  publicUrl(): string | null;
}

const LEASE_SECONDS = 10 * 86_400;
const RENEW_BEFORE_MS = 86_400_000;
const ASK_AGAIN_MS = 6 * 3_600_000;
const ALGORITHMS = new Set(["sha1", "sha256", "sha384", "sha512"]);

export type TakeItems = (tx: Tx, row: FeedRow, feed: Feed, first: boolean, now: number) => Promise<void>;

export function createWebSub(
  { db, clock, random, seal, log, guard, publicUrl }: Parts,
  takeItems: TakeItems,
  kick: () => void,
) {
  /** Asks the hub to push, when that is possible and due. */
  async function subscribe(row: FeedRow, found: { hub: string; topic: string } | null): Promise<void> {
    const base = publicUrl();
    const now = clock.now();
    if (!base || !found || row.simulated) return;
    const old = row.websub?.hub === found.hub && row.websub.topic === found.topic ? row.websub : null;
    if (old?.untilMs && old.untilMs - RENEW_BEFORE_MS > now) return;
    if (old && now - old.askedMs < ASK_AGAIN_MS) return;
    const token = old?.token ?? Buffer.from(random.bytes(new Uint8Array(24))).toString("base64url");
    const secret = old ? seal.open(old.sealed, row.id) : Buffer.from(random.bytes(new Uint8Array(32))).toString("hex");
    const websub: WebSub = {
      ...found,
      token,
      sealed: old?.sealed ?? seal.seal(secret, row.id),
      askedMs: now,
      untilMs: old?.untilMs ?? null,
    };
    // Kept first: the hub may confirm before it has answered.
    await saveWebSub(db.sql, row.id, websub);
    const body = new URLSearchParams({
      "hub.callback": `${base}/alerts/websub/${token}`,
      "hub.mode": "subscribe",
      "hub.topic": found.topic,
      "hub.secret": secret,
      "hub.lease_seconds": String(LEASE_SECONDS),
    }).toString();
    try {
      const headers = { "Content-Type": "application/x-www-form-urlencoded" };
      const answer = await guard.fetch(found.hub, { method: "POST", headers, body, redirects: 0, idempotent: true });
      if (answer.status >= 300) log.info({ feed: row.id, status: answer.status }, "a hub refused; the feed is polled");
    } catch (error) {
      if (!(error instanceof GuardError)) throw error;
      log.info({ feed: row.id, error: error.code }, "a hub could not be reached; the feed is polled");
    }
  }

  async function confirm(call: Call): Promise<Response> {
    const mode = call.query["hub.mode"];
    const challenge = await db.sql.begin(async (tx) => {
      const row = await feedByHubToken(tx, call.params.token);
      if (!row?.websub || row.websub.topic !== call.query["hub.topic"]) throw notFound("subscription");
      // We never end a subscription ourselves: such a question is not ours, and a refusal leaves us polling.
      if (mode !== "subscribe") {
        if (mode === "denied") await saveWebSub(tx, row.id, { ...row.websub, untilMs: null });
        else throw notFound("subscription");
        return "";
      }
      const seconds = Math.min(Number(call.query["hub.lease_seconds"] ?? LEASE_SECONDS) || LEASE_SECONDS, 90 * 86_400);
      await saveWebSub(tx, row.id, { ...row.websub, untilMs: call.now + seconds * 1000 });
      return call.query["hub.challenge"] ?? "";
    });
    return new Response(challenge, { headers: { "Content-Type": "text/plain; charset=utf-8" } });
  }

  /** Always 202: a wrong signature must not tell a stranger anything, and must not make a hub give up. */
  async function push(call: Call): Promise<Response> {
    await db.sql.begin(async (tx) => {
      const row = await feedByHubToken(tx, call.params.token);
      if (!row?.websub) throw notFound("subscription");
      const signature = call.request.headers.get("x-hub-signature");
      if (!isSigned(signature, seal.open(row.websub.sealed, row.id), call.raw.bytes)) return;
      const feed = readFeed(call.raw.bytes, { contentType: call.raw.contentType, url: row.state.url });
      if (feed.format !== "") await takeItems(tx, row, feed, row.state.bodyHash === null, call.now);
    });
    kick();
    return new Response(null, { status: 202 });
  }

  const handlers: Handler[] = [handle(verifyHub, confirm), handle(pushFromHub, push)];
  return { subscribe, handlers };
}

function isSigned(header: string | null, secret: string, bytes: Uint8Array): boolean {
  const [algorithm, given] = (header ?? "").split("=");
  if (!ALGORITHMS.has(algorithm) || !given) return false;
  const right = createHmac(algorithm, secret).update(bytes).digest();
  const sent = Buffer.from(given, "hex");
  return sent.length === right.length && timingSafeEqual(sent, right);
}

/** While a hub pushes, looking once in six hours is enough to notice that it no longer does. */
export function pollSlower(row: FeedRow, now: number, nextAt: number | null): number | null {
  if (nextAt === null || row.websub?.untilMs == null || row.websub.untilMs < now) return nextAt;
  return Math.max(nextAt, now + ASK_AGAIN_MS);
}
