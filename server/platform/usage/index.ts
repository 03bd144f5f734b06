// Usage: requests per tenant, key, route and minute. Counted in memory and written every few seconds, so a request
// costs no write; a kill -9 loses at most the counts of the last flush interval.
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
  used: Map<string, number>;
  transaction: TransactionId | null;
}

export function createUsage(db: Db, clock: Clock, flushMs: number, onError: (error: unknown) => void) {
  /** By minute, then by route, then by key: a request finds its count without writing a name for it. */
  let pending = new Map<number, Map<string, Map<string, UsageCount>>>();
  let lastUsed = new Map<string, number>();
  let unconfirmed: Batch | null = null;
  const totals = new Map<number, { readMs: number; value: Totals }>();
  const loop = createLoop({ clock, everyMs: flushMs, run: write, onError });

  async function write(): Promise<void> {
    await resolveUnconfirmed();
    if (pending.size === 0 && lastUsed.size === 0) return;
    const counts = [...pending.values()].flatMap((routes) =>
      [...routes.values()].flatMap((keys) => [...keys.values()]),
    );
    const batch: Batch = { counts, used: lastUsed, transaction: null };
    pending = new Map();
    lastUsed = new Map();
    try {
      await addCounts(db, counts, batch.used, (id) => (batch.transaction = id));
    } catch (error) {
      if (batch.transaction === null) putBack(batch);
      else unconfirmed = batch;
      throw error;
    }
  }

  /** A commit whose answer was lost may have happened: its counts are added again only when it did not. */
  async function resolveUnconfirmed(): Promise<void> {
    if (!unconfirmed) return;
    const committed = await wasCommitted(db, unconfirmed.transaction!);
    if (committed === null) throw new Error("the last write of usage is still under way");
    if (!committed) putBack(unconfirmed);
    unconfirmed = null;
  }

  function putBack({ counts, used }: Batch): void {
    for (const { minuteMs, route, tenantId, keyId, requests, failures } of counts) {
      const count = countOf(minuteMs, route, tenantId, keyId);
      count.requests += requests;
      count.failures += failures;
    }
    for (const [id, atMs] of used) lastUsed.set(id, Math.max(atMs, lastUsed.get(id) ?? 0));
  }

  function countOf(minuteMs: number, route: string, tenantId: number, keyId: string): UsageCount {
    let routes = pending.get(minuteMs);
    if (!routes) pending.set(minuteMs, (routes = new Map()));
    let keys = routes.get(route);
    if (!keys) routes.set(route, (keys = new Map()));
    let count = keys.get(keyId);
    if (!count) keys.set(keyId, (count = { tenantId, keyId, route, minuteMs, requests: 0, failures: 0 }));
    return count;
  }

  /** Written first, then read: one flush serves all who ask at once. */
  const readFresh = readTogether((ids) => loop.settle().then(() => readTotals(db, ids, clock.now())));

  async function refreshTotals(tenantId: number, now: number): Promise<Totals> {
    const value = await readFresh(tenantId);
    totals.set(tenantId, { readMs: now, value });
    return value;
  }

  loop.start();
  return {
    count(tenantId: number, keyId: string, route: string, status: number, now: number): void {
      const count = countOf(now - (now % MINUTE_MS), route, tenantId, keyId);
      count.requests++;
      if (status >= 400) count.failures++;
      lastUsed.set(keyId, now);
      const known = totals.get(tenantId);
      if (known) {
        known.value.today++;
        known.value.thisMonth++;
      }
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
