// Carries events from the log to the endpoints: in order while an endpoint is well, on the schedule when it is not.
// One process at a time serves an endpoint; the database drops its claim the moment that process is gone.
import type { Logger } from "pino";
import type { Clock } from "../../lib/clock.ts";
import { DeadlineError, within } from "../../lib/deadline.ts";
import { type Db, openSession, type Session } from "../../store/db.ts";
import { tryLockInSession, unlockInSession } from "../../store/locks.ts";
import type { Follower } from "../events/index.ts";
import { findDue } from "./outbox.ts";

export interface DispatcherOptions {
  db: Db;
  clock: Clock;
  log: Logger;
  follower: Follower;
  /** Works off what is due for one endpoint. */
  serve(webhookId: string, signal: AbortSignal): Promise<void>;
}

/** Enough that endpoints which hang for 15 seconds do not keep the well ones waiting. */
const MAX_AT_ONCE = 200;
const MAX_REST_MS = 500;
const BROKEN_MS = 60_000;
const LOOK_MS = 15_000;

export function createDispatcher({ db, clock, log, follower, serve }: DispatcherOptions) {
  const serving = new Map<string, Promise<void>>();
  /** Endpoints whose serving broke on our side, and until when they are left alone. */
  const broken = new Map<string, { times: number; until: number }>();
  let session: Session | null = null;
  let stopping = new AbortController();
  let looking: Promise<void> | null = null;
  let lookAgain = false;
  let resting = false;
  let kicked = false;
  let stopTimer = () => {};
  let stopFollowing = () => {};

  /** Looks soon. A look at very many endpoints takes a while, so looking takes at most a fifth of the time. */
  function kick(): void {
    kicked = true;
    if (resting || stopping.signal.aborted) return;
    kicked = false;
    resting = true;
    const started = clock.monotonic();
    void look().then(() => {
      clock.after(Math.min(MAX_REST_MS, 4 * (clock.monotonic() - started)), () => {
        resting = false;
        if (kicked) kick();
      });
    });
  }

  /** Looks for endpoints with something to do and starts to serve them. Calls while it looks lead to one more look. */
  function look(): Promise<void> {
    lookAgain = true;
    return (looking ??= (async () => {
      try {
        while (lookAgain && !stopping.signal.aborted) {
          lookAgain = false;
          await within(LOOK_MS, "a look", lookOnce());
        }
      } catch (error) {
        // A session that does not answer would not answer the next time either.
        if (error instanceof DeadlineError) dropSession();
        log.warn({ error: String(error) }, "webhooks could not be looked after; tried again shortly");
      } finally {
        looking = null;
      }
    })());
  }

  async function lookOnce(): Promise<void> {
    const { ids, nextAt } = await findDue(db, await follower.horizon(), clock.now());
    stopTimer();
    if (nextAt !== null) stopTimer = clock.after(Math.max(1, nextAt - clock.now()), kick);
    for (const id of ids) {
      if (serving.size >= MAX_AT_ONCE) return;
      if (serving.has(id) || (broken.get(id)?.until ?? 0) > clock.monotonic() || !(await claim(id))) continue;
      const served = serve(id, stopping.signal)
        .then(() => void broken.delete(id))
        .catch((error) => {
          const times = (broken.get(id)?.times ?? 0) + 1;
          const restMs = Math.min(1000 * 2 ** Math.min(times - 1, 10), BROKEN_MS);
          broken.set(id, { times, until: clock.monotonic() + restMs });
          log.error(
            { webhook: id, error: String(error), rest_ms: restMs },
            "a webhook could not be served; tried again",
          );
        })
        .then(() => release(id))
        .finally(() => {
          serving.delete(id);
          kick();
        });
      serving.set(id, served);
    }
  }

  async function claim(id: string): Promise<boolean> {
    try {
      session ??= await openSession(db);
      return await tryLockInSession(session.sql, "webhook", id);
    } catch (error) {
      dropSession();
      throw error;
    }
  }

  function dropSession(): void {
    void session?.close();
    session = null;
  }

  async function release(id: string): Promise<void> {
    if (!session) return;
    await unlockInSession(session.sql, "webhook", id).catch(() => {});
  }

  return {
    /** Works off everything that is due now; for tests, which own the clock. */
    async settle(): Promise<void> {
      for (;;) {
        await look();
        if (serving.size === 0) return;
        await Promise.all(serving.values());
      }
    },
    start(): void {
      stopping = new AbortController();
      stopFollowing = follower.onNews(kick);
      kick();
    },
    async stop(): Promise<void> {
      stopFollowing();
      stopTimer();
      stopping.abort();
      await looking;
      await Promise.all(serving.values());
      await session?.close();
      session = null;
    },
  };
}
