// WebSub subscriptions: where a feed names a hub and this service has a public address, the hub is asked to push.
// Polling goes on, less often, so that a silent hub loses nothing. What a hub pushes arrives in routes/websub.ts.
import type { Logger } from "pino";
import type { Clock } from "../../../lib/clock.ts";
import { GuardError, type GuardFetch } from "../../../lib/guard-fetch/index.ts";
import type { Random } from "../../../lib/random.ts";
import type { Seal } from "../../../lib/seal.ts";
import { DAY_MS, HOUR_MS } from "../../../lib/time.ts";
import type { Db } from "../../../store/db.ts";
import type { FeedRow, WebSub } from "../rows.ts";
import { saveWebSub } from "../store/feeds.ts";

export interface WebSubDeps {
  db: Db;
  clock: Clock;
  random: Random;
  seal: Seal;
  log: Logger;
  guard: Pick<GuardFetch, "fetch">;
  /** The address for hubs; null when nobody outside can reach this service. */
  hubCallbackUrl(): string | null;
}

export const LEASE_SECONDS = 10 * 86_400;
const RENEW_BEFORE_MS = DAY_MS;
const ASK_AGAIN_MS = 6 * HOUR_MS;

/** Asks the hub to push, when that is possible and due. */
export async function subscribe(
  deps: WebSubDeps,
  row: FeedRow,
  found: { hub: string; topic: string } | null,
): Promise<void> {
  const { db, clock, guard, log } = deps;
  const base = deps.hubCallbackUrl();
  const now = clock.now();
  if (!base || !found || row.simulated) return;
  const { hub, topic } = found;
  const old = row.websub?.hub === hub && row.websub.topic === topic ? row.websub : null;
  if (old?.untilMs && old.untilMs - RENEW_BEFORE_MS > now) return;
  if (old && now - old.askedMs < ASK_AGAIN_MS) return;
  const { websub, secret } = newSubscription(deps, row.id, old, { hub, topic }, now);
  // Saved before the request: the hub may confirm before it has answered.
  await saveWebSub(db.sql, row.id, websub);
  const body = new URLSearchParams({
    "hub.callback": `${base}/alerts/websub/${websub.token}`,
    "hub.mode": "subscribe",
    "hub.topic": topic,
    "hub.secret": secret,
    "hub.lease_seconds": String(LEASE_SECONDS),
  }).toString();
  try {
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const answer = await guard.fetch(hub, { method: "POST", headers, body, redirects: 0, idempotent: true });
    if (answer.status >= 300) log.info({ feed: row.id, status: answer.status }, "a hub refused; the feed is polled");
  } catch (error) {
    if (!(error instanceof GuardError)) throw error;
    log.info({ feed: row.id, error: error.code }, "a hub could not be reached; the feed is polled");
  }
}

/** A renewal keeps token and secret, so that pushes under way still arrive. */
function newSubscription(
  { random, seal }: WebSubDeps,
  feedId: string,
  old: WebSub | null,
  found: { hub: string; topic: string },
  now: number,
): { websub: WebSub; secret: string } {
  const token = old?.token ?? Buffer.from(random.bytes(new Uint8Array(24))).toString("base64url");
  const secret = old ? seal.open(old.sealed, feedId) : Buffer.from(random.bytes(new Uint8Array(32))).toString("hex");
  const sealed = old?.sealed ?? seal.seal(secret, feedId);
  return { websub: { ...found, token, sealed, askedMs: now, untilMs: old?.untilMs ?? null }, secret };
}

/** While a hub pushes, one poll in six hours is enough to notice that it has stopped. */
export function pollSlower(row: FeedRow, now: number, nextAt: number | null): number | null {
  if (nextAt === null || row.websub?.untilMs == null || row.websub.untilMs < now) return nextAt;
  return Math.max(nextAt, now + ASK_AGAIN_MS);
}
