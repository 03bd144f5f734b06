// Tells this process that new events may have been committed, here or on another replica, and up to where the log may be
// read without missing one. Reads no events itself.
import type { Logger } from "pino";
import type { Clock } from "../../lib/clock.ts";
import { within } from "../../lib/deadline.ts";
import { type Db, listen } from "../../store/db.ts";
import { onLocalSignal } from "./local-signal.ts";
import { notifyReplicas, readHorizon } from "./store.ts";

const CHANNEL = "connector_events";
/** A writer signals before it commits; the first call comes when it most likely has, the second when it surely should. */
const SOON_MS = 4;
const SURELY_MS = 60;
/** Should a notification ever be lost, this is the longest an event waits. */
const POLL_MS = 1000;
/** A database that restarts can leave a query without any answer; the next look must not wait for it for ever. */
const QUERY_MS = 10_000;

/** How often in a row the horizon is looked for before the next news; a writer is rarely older than a few looks. */
const MAX_LOOKS = 50;

export interface Follower {
  /** Nothing can appear in the log at or before this seq any more. */
  horizon(): Promise<bigint>;
  /** The last horizon that was found, without asking the store. */
  knownHorizon(): bigint;
  /** Calls back when there may be something new; the returned function ends it. */
  onNews(listener: () => void): () => void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function createFollower({ db, clock, log }: { db: Db; clock: Clock; log: Logger }): Follower {
  const listeners = new Set<() => void>();
  const stops: Array<() => unknown> = [];
  let soon = false;
  let surely = false;

  let known = 0n;
  let looking: Promise<bigint> | null = null;

  async function look(): Promise<bigint> {
    const first = await readHorizon(db);
    let open = new Set(first.writers);
    for (let looks = 0; open.size > 0 && looks < MAX_LOOKS; looks++) {
      const { writers } = await readHorizon(db);
      open = new Set(writers.filter((writer) => open.has(writer)));
    }
    if (open.size === 0 && first.last > known) known = first.last;
    return known;
  }

  const wake = () => {
    for (const listener of listeners) listener();
  };

  // Notifying inside the writers' transactions would make them commit one after the other; so the process signals
  // afterwards, once for all that was written meanwhile.
  function notify(): void {
    notifyReplicas(db, CHANNEL).catch((error: unknown) => {
      log.warn({ error: String(error) }, "other replicas could not be notified of new events; they poll");
      wake();
    });
  }

  function onAppend(): void {
    if (!soon) {
      soon = true;
      clock.after(SOON_MS, () => {
        soon = false;
        notify();
      });
    }
    if (!surely) {
      surely = true;
      clock.after(SURELY_MS, () => {
        surely = false;
        notify();
      });
    }
  }

  return {
    // One look serves all who ask after it began: whoever joins a running one asks again.
    async horizon() {
      await looking?.catch(() => {});
      looking ??= within(QUERY_MS, "the horizon", look()).finally(() => (looking = null));
      return looking;
    },
    knownHorizon: () => known,
    onNews(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async start() {
      stops.push(await listen(db, CHANNEL, wake), clock.every(POLL_MS, wake), onLocalSignal(onAppend));
    },
    async stop() {
      for (const stop of stops.splice(0)) await stop();
    },
  };
}
