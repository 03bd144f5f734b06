// The in-memory index, kept in step with the store: loaded at start, refreshed as soon as an alert changes here, and by
// notification when it changes on another replica. A lost notification is made up for within half a minute.
import type { Logger } from "pino";
import type { Clock } from "../../../../lib/clock.ts";
import { type Db, listen } from "../../../../store/db.ts";
import type { Content } from "../../engine/query/ast.ts";
import { EVENTS } from "../../spec/rules.ts";
import { readChanged, readDeleted, readEntry } from "../../store/index-rows.ts";
import { createLocalIndex, type Found, type IndexPort } from "./index-port.ts";
import { createShardedIndex } from "./sharded-index.ts";

/** How often the store is asked for changes whose notification was lost. */
const CHECK_MS = 30_000;
const KNOWN_MS = 4 * CHECK_MS;
const DELETED = -1;
const MAX_PARALLEL = 20;
const NOTHING: Promise<Found> = Promise.resolve({ numbers: [], exceeded: 0 });

export interface LiveIndexDeps {
  db: Db;
  clock: Clock;
  log: Logger;
  /** Threads that share the alerts; 0: this one holds them all. */
  threads?: number;
}

export type LiveIndex = ReturnType<typeof createLiveIndex>;

export function createLiveIndex({ db, clock, log, threads = 0 }: LiveIndexDeps) {
  const index: IndexPort =
    threads > 0 ? createShardedIndex({ databaseUrl: db.url, threads, clock, log }) : createLocalIndex(db);
  const stops: (() => unknown)[] = [];
  const refreshing = new Map<number, Promise<void>>();
  /** Which version of an alert was read lately, and when. A deleted alert has version DELETED. */
  const known = new Map<number, { version: number; atMs: number }>();
  let checkedMs = 0;

  async function readAndPut(number: number): Promise<void> {
    const entry = await readEntry(db, number);
    if (entry) {
      const { updatedMs, ...rest } = entry;
      await index.put(rest);
      known.set(number, { version: updatedMs, atMs: clock.now() });
    } else {
      await index.remove(number);
      known.set(number, { version: DELETED, atMs: clock.now() });
    }
  }

  /** Reads one alert again. One refresh at a time, or an older answer could overwrite a newer one. */
  function refresh(number: number): Promise<void> {
    const before = refreshing.get(number) ?? Promise.resolve();
    const work = before.catch(() => {}).then(() => readAndPut(number));
    refreshing.set(number, work);
    const done = () => {
      if (refreshing.get(number) === work) refreshing.delete(number);
    };
    work.then(done, done);
    return work;
  }

  /** Refreshes what changed since the last successful check, with a margin for clocks that differ. */
  async function check(): Promise<void> {
    const from = checkedMs - 2 * CHECK_MS;
    const started = clock.now();
    const deleted = (await readDeleted(db, from)).filter((number) => known.get(number)?.version !== DELETED);
    const changed = (await readChanged(db, from))
      .filter(({ number, updatedMs }) => known.get(number)?.version !== updatedMs)
      .map(({ number }) => number);
    const missed = [...deleted, ...changed];
    while (missed.length > 0) await Promise.all(missed.splice(0, MAX_PARALLEL).map(refresh));
    checkedMs = started;
    for (const [number, { atMs }] of known) if (atMs < started - KNOWN_MS) known.delete(number);
  }

  const logFailure = (error: unknown) =>
    log.warn({ error: String(error) }, "the alert index could not be refreshed; tried again");

  async function start(): Promise<void> {
    checkedMs = clock.now();
    // Listens before it loads: what changes in between is read twice rather than never.
    const early = new Set<number>();
    let loaded = false;
    const unlisten = await listen(db, "connector_alerts", (payload) => {
      const number = Number(payload);
      if (!(number > 0)) return;
      if (loaded) refresh(number).catch(logFailure);
      else early.add(number);
    });
    stops.push(unlisten);
    await index.load();
    loaded = true;
    for (const number of early) await refresh(number);
    stops.push(clock.every(CHECK_MS, () => void check().catch(logFailure)));
  }

  async function stop(): Promise<void> {
    for (const stopOne of stops.splice(0)) await stopOne();
    index.stop();
  }

  return {
    refresh,
    countOf: (tenantId: number) => index.countOf(tenantId),
    get size() {
      return index.size;
    },
    /** For each content the alerts of its tenant that read this kind of source (INGEST or EVENTS) and match it. */
    matchForTenants: (tenants: number[], kind: number, contents: Content[]) =>
      contents.length === 0 ? NOTHING : logEvents(log, kind, index.match({ tenants, kind, contents })),
    /** For each item of the feed the alerts that read the feed and match it. */
    matchForFeed: (feed: string, contents: Content[]) =>
      contents.length === 0 ? NOTHING : logExceeded(log, `feed ${feed}`, index.match({ feed, contents })),
    start,
    stop,
  };
}

const logEvents = (log: Logger, kind: number, found: Promise<Found>): Promise<Found> =>
  kind === EVENTS ? logExceeded(log, "events", found) : found;

/** A request is refused instead; here nobody waits for an answer, so the log is where it is said. */
async function logExceeded(log: Logger, source: string, found: Promise<Found>): Promise<Found> {
  const { exceeded } = await found;
  if (exceeded > 0)
    log.warn({ source, contents: exceeded }, "phrases of alerts took too many steps; some were not looked for");
  return found;
}
