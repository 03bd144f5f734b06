// Carries events from the log to the endpoints: in order while an endpoint is healthy, on the retry policy when it is not.
// One process at a time serves an endpoint; the database drops its claim the moment that process is gone.
import type { Logger } from "pino";
import type { Clock } from "../../lib/clock.ts";
import { DeadlineError, within } from "../../lib/deadline.ts";
import { createLoop } from "../../lib/loop.ts";
import { SECOND_MS } from "../../lib/time.ts";
import { type Db, openSession, type Session } from "../../store/db.ts";
import { tryLockInSession, unlockInSession } from "../../store/locks.ts";
import type { Follower } from "../events/index.ts";
import { findDue } from "./store/outbox.ts";

export interface DispatcherOptions {
  db: Db;
  clock: Clock;
  log: Logger;
  follower: Follower;
  /** Works off what is due for one endpoint. */
  serve(webhookId: string, signal: AbortSignal): Promise<void>;
}

/** Enough that endpoints which hang for 15 seconds do not keep the healthy ones waiting. */
const MAX_AT_ONCE = 200;
/** One account whose endpoints all hang leaves room for the others. */
const MAX_OF_TENANT = 20;
const MAX_REST_MS = 500;
const BROKEN_MS = 60_000;
const LOOK_MS = 15_000;

/** The endpoints that are being served, by id. */
type Serving = Map<string, { tenantId: number; done: Promise<void> }>;

export function createDispatcher({ db, clock, log, follower, serve }: DispatcherOptions) {
  const claims = createClaims(db);
  const serving: Serving = new Map();
  /** Endpoints whose serving broke on our side, and until when they are left alone. */
  const broken = new Map<string, { times: number; untilMs: number }>();
  let stopTimer = () => {};
  let stopFollowing = () => {};
  /** Looking at very many endpoints takes a while, so it takes at most a fifth of the time. */
  let restUntilMs = -Infinity;
  let wakesLater = false;

  const looking = createLoop({
    clock,
    everyMs: null,
    run: (signal) => within(LOOK_MS, "a look", look(signal)),
    onError(error) {
      // A session that does not answer would not answer the next time either.
      if (error instanceof DeadlineError) claims.drop();
      log.warn({ error: String(error) }, "webhooks could not be looked after; tried again shortly");
    },
  });

  /** Looks now, or as soon as the rest after the last look is over. */
  function wake(): void {
    const restMs = restUntilMs - clock.monotonic();
    if (restMs <= 0) return looking.wake();
    if (wakesLater) return;
    wakesLater = true;
    clock.after(restMs, () => {
      wakesLater = false;
      looking.wake();
    });
  }

  /** Looks for endpoints with something to do and starts to serve them. */
  async function look(signal: AbortSignal): Promise<void> {
    const startedMs = clock.monotonic();
    const { webhooks, nextMs } = await findDue(db, await follower.horizon(), clock.now());
    stopTimer();
    if (nextMs !== null) stopTimer = clock.after(Math.max(1, nextMs - clock.now()), looking.wake);
    for (const { id, tenantId } of webhooks) {
      if (serving.size >= MAX_AT_ONCE) break;
      const resting = (broken.get(id)?.untilMs ?? 0) > clock.monotonic();
      if (serving.has(id) || resting || countOf(serving, tenantId) >= MAX_OF_TENANT) continue;
      if (await claims.take(id)) serving.set(id, { tenantId, done: serveClaimed(id, signal) });
    }
    const nowMs = clock.monotonic();
    restUntilMs = nowMs + Math.min(MAX_REST_MS, 4 * (nowMs - startedMs));
  }

  async function serveClaimed(id: string, signal: AbortSignal): Promise<void> {
    try {
      await serve(id, signal);
      broken.delete(id);
    } catch (error) {
      const times = (broken.get(id)?.times ?? 0) + 1;
      const restMs = Math.min(SECOND_MS * 2 ** Math.min(times - 1, 10), BROKEN_MS);
      broken.set(id, { times, untilMs: clock.monotonic() + restMs });
      log.error({ webhook: id, error: String(error), rest_ms: restMs }, "a webhook could not be served; tried again");
    }
    await claims.release(id);
    serving.delete(id);
    wake();
  }

  return {
    /** Works off everything that is due now; for tests, which own the clock. */
    async settle(): Promise<void> {
      for (;;) {
        await looking.settle();
        if (serving.size === 0) return;
        await Promise.all([...serving.values()].map(({ done }) => done));
      }
    },
    start(): void {
      stopFollowing = follower.onNews(wake);
      looking.start();
    },
    async stop(): Promise<void> {
      stopFollowing();
      stopTimer();
      await looking.stop();
      await Promise.all([...serving.values()].map(({ done }) => done));
      await claims.close();
    },
  };
}

function countOf(serving: Serving, tenantId: number): number {
  let count = 0;
  for (const other of serving.values()) if (other.tenantId === tenantId) count += 1;
  return count;
}

/** Which endpoints this process serves: locks of one database session, so that they end with the process. */
function createClaims(db: Db) {
  let session: Session | null = null;

  async function take(id: string): Promise<boolean> {
    try {
      session ??= await openSession(db);
      return await tryLockInSession(session.sql, "webhook", id);
    } catch (error) {
      drop();
      throw error;
    }
  }

  async function release(id: string): Promise<void> {
    if (session) await unlockInSession(session.sql, "webhook", id).catch(() => {});
  }

  async function close(): Promise<void> {
    await session?.close();
    session = null;
  }

  /** Gives all claims up without waiting: for a session that may never answer. */
  function drop(): void {
    void session?.close();
    session = null;
  }

  return { take, release, close, drop };
}
