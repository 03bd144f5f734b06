// Usage: requests per tenant, key, route and minute. Counted in memory and written every few seconds, so a request
// costs no write; a kill -9 loses at most the counts of the last flush interval.
import type { Caller } from "../../contract/define.ts";
import type { Clock } from "../../lib/clock.ts";
import { createLoop } from "../../lib/loop.ts";
import { MINUTE_MS, SECOND_MS } from "../../lib/time.ts";
import { readTogether } from "../../lib/together.ts";
import type { Db } from "../../store/db.ts";
import { addCounts, readTotals, type Totals, type TransactionId, type UsageCount, wasCommitted } from "./store.ts";

const TOTALS_FRESH_MS = 30 * SECOND_MS;

export type { Totals } from "./store.ts";
export type Usage = ReturnType<typeof createUsage>;

interface Batch {
  counts: UsageCount[];
  transaction: TransactionId | null;
}

/** Whose requests are counted. */
type Counted = Pick<Caller, "tenantId" | "keyId">;

/** By minute, then by route, then by key. */
type Pending = Map<number, Map<string, Map<string, UsageCount>>>;

interface KnownTotals {
  readMs: number;
  value: Totals;
}

/** Where the next request of a caller is most likely counted, so that it looks nothing else up. */
interface Meter {
  /** What the count is part of: one that was written is not added to again. */
  pending: Pending;
  count: UsageCount;
  totals: KnownTotals;
}

export function createUsage(db: Db, clock: Clock, flushMs: number, onError: (error: unknown) => void) {
  let pending: Pending = new Map();
  let unconfirmed: Batch | null = null;
  const totals = new Map<number, KnownTotals>();
  const meters = new WeakMap<Counted, Meter>();
  const loop = createLoop({ clock, everyMs: flushMs, run: write, onError });

  async function write(): Promise<void> {
    await resolveUnconfirmed();
    if (pending.size === 0) return;
    const counts = [...pending.values()].flatMap((routes) =>
      [...routes.values()].flatMap((keys) => [...keys.values()]),
    );
    const batch: Batch = { counts, transaction: null };
    pending = new Map();
    try {
      await addCounts(db, counts, (id) => (batch.transaction = id));
    } catch (error) {
      if (batch.transaction === null) putBack(pending, batch);
      else unconfirmed = batch;
      throw error;
    }
  }

  /** A commit whose answer was lost may have happened: its counts are added again only when it did not. */
  async function resolveUnconfirmed(): Promise<void> {
    if (!unconfirmed) return;
    const committed = await wasCommitted(db, unconfirmed.transaction!);
    if (committed === null) throw new Error("the last write of usage is still under way");
    if (!committed) putBack(pending, unconfirmed);
    unconfirmed = null;
  }

  /** Written first, then read: one flush serves all who ask at once. */
  const readFresh = readTogether((ids) => loop.settle().then(() => readTotals(db, ids, clock.now())));

  async function refreshTotals(tenantId: number, now: number): Promise<Totals> {
    const value = await readFresh(tenantId);
    return Object.assign(totalsOf(tenantId), { readMs: now, value }).value;
  }

  function totalsOf(tenantId: number): KnownTotals {
    let known = totals.get(tenantId);
    if (!known) totals.set(tenantId, (known = { readMs: -Infinity, value: { today: 0, thisMonth: 0 } }));
    return known;
  }

  function meterOf(caller: Counted, route: string, minuteMs: number): Meter {
    const count = countOf(pending, minuteMs, route, caller);
    const meter = { pending, count, totals: totalsOf(caller.tenantId) };
    meters.set(caller, meter);
    return meter;
  }

  loop.start();
  return {
    count(caller: Counted, route: string, status: number, now: number): void {
      const minuteMs = now - (now % MINUTE_MS);
      let meter = meters.get(caller);
      const fits = meter?.pending === pending && meter.count.route === route && meter.count.minuteMs === minuteMs;
      if (!meter || !fits) meter = meterOf(caller, route, minuteMs);
      const { count, totals } = meter;
      count.requests++;
      if (status >= 400) count.failures++;
      count.lastMs = now;
      totals.value.today++;
      totals.value.thisMonth++;
    },
    /** Today's and this month's requests in UTC; read at most twice a minute and counted on from there. */
    totals(tenantId: number, now: number): Totals | Promise<Totals> {
      const known = totals.get(tenantId);
      const fresh = known && now - known.readMs < TOTALS_FRESH_MS && now >= known.readMs;
      return fresh ? known.value : refreshTotals(tenantId, now);
    },
    /** Writes what was counted. */
    flush: loop.settle,
    async close(): Promise<void> {
      await loop.settle();
      await loop.stop();
    },
  };
}

function putBack(pending: Pending, { counts }: Batch): void {
  for (const { minuteMs, route, requests, failures, lastMs, ...caller } of counts) {
    const count = countOf(pending, minuteMs, route, caller);
    count.requests += requests;
    count.failures += failures;
    count.lastMs = Math.max(count.lastMs, lastMs);
  }
}

function countOf(pending: Pending, minuteMs: number, route: string, { tenantId, keyId }: Counted): UsageCount {
  let routes = pending.get(minuteMs);
  if (!routes) pending.set(minuteMs, (routes = new Map()));
  let keys = routes.get(route);
  if (!keys) routes.set(route, (keys = new Map()));
  let count = keys.get(keyId);
  if (!count) keys.set(keyId, (count = { tenantId, keyId, route, minuteMs, requests: 0, failures: 0, lastMs: 0 }));
  return count;
}
