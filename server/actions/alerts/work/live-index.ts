// The matcher in step with the store: filled at start, changed as soon as an alert changes here, and by notification
// when it changes on another replica. Says which alerts of which tenant a content matches.
import type { Logger } from "pino";
import type { Clock } from "../../../lib/clock.ts";
import type { Db } from "../../../store/db.ts";
import { grown } from "../engine/match/terms/growing.ts";
import { TAG_TERM, WORD_TERM } from "../engine/match/terms/record.ts";
import { Matcher } from "../engine/match/matcher.ts";
import type { Content } from "../engine/query/ast.ts";
import { nodeOf } from "../order/wanted.ts";
import { type IndexRow, lastNumber, readChanged, readFeedLinks, readOne, readQueries, readTerms } from "./store.ts";

const PAGE = 50_000;
/** Should a notification be lost, the store is asked this often for what changed lately. */
const CHECK_MS = 30_000;

export type LiveIndex = ReturnType<typeof createLiveIndex>;

export function createLiveIndex({ db, clock, log }: { db: Db; clock: Clock; log: Logger }) {
  const matcher = new Matcher();
  let tenants = new Int32Array(1024);
  let sources = new Uint8Array(1024);
  const counts = new Map<number, number>();
  const feeds = new Map<string, Set<number>>();
  const stops: (() => unknown)[] = [];
  let checkedMs = 0;

  function forget(number: number): void {
    if (!matcher.remove(number)) return;
    counts.set(tenants[number], (counts.get(tenants[number]) ?? 1) - 1);
    for (const set of feeds.values()) set.delete(number);
  }

  function put(row: IndexRow): void {
    forget(row.number);
    if (row.status !== "active") return;
    tenants = grown(tenants, row.number + 1);
    sources = grown(sources, row.number + 1);
    tenants[row.number] = row.tenantId;
    sources[row.number] = row.sources;
    counts.set(row.tenantId, (counts.get(row.tenantId) ?? 0) + 1);
    if (row.term !== null) matcher.addTerm(row.number, row.term[0] === "t" ? TAG_TERM : WORD_TERM, row.term.slice(2));
    else matcher.add(row.number, nodeOf(row.given!));
    for (const feed of row.feeds) link(feed, row.number);
  }

  function link(feed: string, number: number): void {
    const set = feeds.get(feed);
    if (set) set.add(number);
    else feeds.set(feed, new Set([number]));
  }

  /** Takes over what the store now says of one alert. */
  async function refresh(number: number): Promise<void> {
    const row = await readOne(db, number);
    if (row) put(row);
    else forget(number);
  }

  async function load(): Promise<void> {
    checkedMs = clock.now();
    const last = await lastNumber(db);
    if (last > PAGE) matcher.reserve(last);
    tenants = grown(tenants, last + 1);
    sources = grown(sources, last + 1);
    // The next page is on its way while this one is filed.
    let next = readTerms(db, 0, PAGE);
    for (let after = 0; after < last; after += PAGE) {
      const lines = await next;
      if (after + PAGE < last) next = readTerms(db, after + PAGE, after + 2 * PAGE);
      if (lines !== "") for (const line of lines.split("\n")) putLine(line);
    }
    for (let after = 0; ; ) {
      const rows = await readQueries(db, after, PAGE);
      for (const row of rows) put(row);
      if (rows.length < PAGE) break;
      after = rows.at(-1)!.number;
    }
    for (const { feedId, number } of await readFeedLinks(db)) if (matcher.has(number)) link(feedId, number);
  }

  function putLine(line: string): void {
    const [number, tenantId, bits] = line.split(" ", 3);
    const term = line.slice(number.length + tenantId.length + bits.length + 3);
    const feedsComeLater: string[] = [];
    put({
      number: Number(number),
      tenantId: Number(tenantId),
      sources: Number(bits),
      status: "active",
      term,
      given: null,
      feeds: feedsComeLater,
    });
  }

  async function check(): Promise<void> {
    const from = checkedMs - 2 * CHECK_MS;
    checkedMs = clock.now();
    for (const row of await readChanged(db, from)) put(row);
  }

  const quietly = (work: Promise<void>) =>
    work.catch((error) => log.warn({ error: String(error) }, "alerts could not be brought in step; tried again"));

  return {
    refresh,
    countOf: (tenantId: number) => counts.get(tenantId) ?? 0,
    get size() {
      return matcher.size;
    },
    /** Alerts of the tenant that take content of this kind (1 ingest, 2 events) and match it. */
    ofTenant(tenantId: number, kind: number, content: Content): number[] {
      if ((counts.get(tenantId) ?? 0) === 0) return [];
      const found: number[] = [];
      const count = matcher.match(content);
      for (let k = 0; k < count; k++) {
        const number = matcher.results[k];
        if (tenants[number] === tenantId && (sources[number] & kind) !== 0) found.push(number);
      }
      return found;
    },
    /** Alerts that read the feed and match its item. */
    ofFeed(feedId: string, content: Content): number[] {
      const readers = feeds.get(feedId);
      if (!readers || readers.size === 0) return [];
      const count = matcher.match(content);
      const found: number[] = [];
      for (let k = 0; k < count; k++) if (readers.has(matcher.results[k])) found.push(matcher.results[k]);
      return found;
    },
    async start(): Promise<void> {
      const sql = db.sql as unknown as {
        listen(channel: string, on: (payload: string) => void): Promise<{ unlisten(): Promise<void> }>;
      };
      // Listening begins before loading: what changes in between is read twice rather than never.
      const subscription = await sql.listen("connector_alerts", (payload) => {
        const number = Number(payload);
        if (number > 0) void quietly(refresh(number));
      });
      stops.push(() => subscription.unlisten().catch(() => {}));
      await load();
      stops.push(clock.every(CHECK_MS, () => void quietly(check())));
    },
    async stop(): Promise<void> {
      for (const stop of stops.splice(0)) await stop();
    },
  };
}
