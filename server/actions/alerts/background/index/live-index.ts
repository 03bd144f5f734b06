// The stored alerts in memory, in step with the store: filled at start, changed as soon as an alert changes here, and by
// notification when it changes on another replica. A lost notification is made good within half a minute.
import type { Logger } from "pino";
import type { Clock } from "../../../../lib/clock.ts";
import type { Db } from "../../../../store/db.ts";
import type { Content } from "../../engine/query/ast.ts";
import { createOwnHolder, type Holder } from "./index-port.ts";
import { readChanged, readGone, readOne } from "../../store/index-rows.ts";
import { createCrew } from "./sharded-index.ts";

/** Should a notification be lost, the store is asked this often for what changed lately. */
const CHECK_MS = 30_000;
const KNOWN_MS = 4 * CHECK_MS;
const GONE = -1;
const AT_ONCE = 20;

export interface LiveIndexParts {
  db: Db;
  clock: Clock;
  log: Logger;
  /** Threads that share the alerts; 0: this one holds them all. */
  threads?: number;
}

export type LiveIndex = ReturnType<typeof createLiveIndex>;

export function createLiveIndex({ db, clock, log, threads = 0 }: LiveIndexParts) {
  const holder: Holder = threads > 0 ? createCrew({ databaseUrl: db.url, threads, clock, log }) : createOwnHolder(db);
  const stops: (() => unknown)[] = [];
  const refreshing = new Map<number, Promise<void>>();
  /** What was taken over lately: which version, and when. A deleted alert's version is GONE. */
  const known = new Map<number, { version: number; atMs: number }>();
  let checkedMs = 0;

  async function readAndPut(number: number): Promise<void> {
    const entry = await readOne(db, number);
    if (entry) {
      const { updatedMs, ...rest } = entry;
      await holder.put(rest);
      known.set(number, { version: updatedMs, atMs: clock.now() });
    } else {
      await holder.forget(number);
      known.set(number, { version: GONE, atMs: clock.now() });
    }
  }

  /** Takes over what the store now says of one alert. One at a time, or an older answer could come in last. */
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

  /** What changed or went since the last check that succeeded, with room for clocks that differ. */
  async function check(): Promise<void> {
    const from = checkedMs - 2 * CHECK_MS;
    const started = clock.now();
    const gone = (await readGone(db, from)).filter((number) => known.get(number)?.version !== GONE);
    const changed = (await readChanged(db, from))
      .filter(({ number, updatedMs }) => known.get(number)?.version !== updatedMs)
      .map(({ number }) => number);
    const missed = [...gone, ...changed];
    while (missed.length > 0) await Promise.all(missed.splice(0, AT_ONCE).map(refresh));
    checkedMs = started;
    for (const [number, { atMs }] of known) if (atMs < started - KNOWN_MS) known.delete(number);
  }

  const quietly = (work: Promise<void>) =>
    work.catch((error) => log.warn({ error: String(error) }, "alerts could not be brought in step; tried again"));

  return {
    refresh,
    countOf: (tenantId: number) => holder.countOf(tenantId),
    get size() {
      return holder.size;
    },
    /** For each content the alerts of its tenant that take this kind (1 ingest, 2 events) and match it. */
    ofTenants: (tenants: number[], kind: number, contents: Content[]) => holder.match({ tenants, kind, contents }),
    /** For each item of the feed the alerts that read the feed and match it. */
    ofFeed: (feed: string, contents: Content[]) => holder.match({ feed, contents }),
    async start(): Promise<void> {
      const sql = db.sql as unknown as {
        listen(channel: string, on: (payload: string) => void): Promise<{ unlisten(): Promise<void> }>;
      };
      checkedMs = clock.now();
      // Listening begins before loading: what changes in between is read twice rather than never.
      const early = new Set<number>();
      let loaded = false;
      const subscription = await sql.listen("connector_alerts", (payload) => {
        const number = Number(payload);
        if (!(number > 0)) return;
        if (loaded) void quietly(refresh(number));
        else early.add(number);
      });
      stops.push(() => subscription.unlisten().catch(() => {}));
      await holder.load();
      loaded = true;
      for (const number of early) await refresh(number);
      stops.push(clock.every(CHECK_MS, () => void quietly(check())));
    },
    async stop(): Promise<void> {
      for (const stop of stops.splice(0)) await stop();
      holder.stop();
    },
  };
}
