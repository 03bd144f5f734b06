// Usage: requests per tenant, route and minute. Counted in memory and written every few seconds, so a request costs
// no write; a kill -9 loses at most the counts of the last flush interval.
import type { Clock } from "../../lib/clock.ts";
import type { Db } from "../../store/db.ts";

interface Count {
  tenantId: number;
  route: string;
  minuteMs: number;
  requests: number;
  failures: number;
}

interface Totals {
  today: number;
  this_month: number;
}

const minuteMs = 60_000;
const totalsStaleMs = 30_000;

export type Usage = ReturnType<typeof createUsage>;

export function createUsage(db: Db, clock: Clock, flushMs: number, onError: (error: unknown) => void) {
  /** By minute, then by route, then by tenant: a request finds its count without writing a name for it. */
  let pending = new Map<number, Map<string, Map<number, Count>>>();
  const used = new Map<string, number>();
  const totals = new Map<number, { readAt: number; value: Totals }>();
  let flushing: Promise<void> | null = null;

  async function write(counts: Count[], keys: Map<string, number>): Promise<void> {
    const rows = counts.map((c) => ({ ...c, minute: new Date(c.minuteMs).toISOString() }));
    await db.sql.begin(async (tx) => {
      // A fixed order keeps two replicas that write the same rows from waiting on each other in a circle.
      await tx`
        insert into usage (tenant_id, minute, route, requests, failures)
        select "tenantId", minute, route, requests, failures
        from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
          as u ("tenantId" int, minute timestamptz, route text, requests int, failures int)
        order by 1, 2, 3
        on conflict (tenant_id, minute, route) do update
          set requests = usage.requests + excluded.requests, failures = usage.failures + excluded.failures`;
      const used = JSON.stringify([...keys].map(([id, at]) => ({ id, at: new Date(at).toISOString() })));
      await tx`
        with used as (select * from jsonb_to_recordset(${used}::text::jsonb) as u (id text, at timestamptz)),
          held as (select k.id, used.at from keys k join used on used.id = k.id order by k.id for no key update of k)
        update keys set last_used_at = greatest(last_used_at, held.at) from held where keys.id = held.id`;
    });
  }

  async function flush(): Promise<void> {
    if (flushing) await flushing;
    if (pending.size === 0 && used.size === 0) return;
    const counts = pending;
    const keys = new Map(used);
    pending = new Map();
    used.clear();
    const rows = [...counts.values()].flatMap((routes) => [...routes.values()].flatMap((each) => [...each.values()]));
    flushing = write(rows, keys).catch((error) => {
      for (const row of rows) {
        const count = countOf(row.minuteMs, row.route, row.tenantId);
        count.requests += row.requests;
        count.failures += row.failures;
      }
      for (const [id, at] of keys) used.set(id, Math.max(at, used.get(id) ?? 0));
      onError(error);
    });
    await flushing;
    flushing = null;
  }

  async function readTotals(tenantId: number, now: number): Promise<Totals> {
    await flush();
    const day = new Date(now).toISOString().slice(0, 10);
    const [row] = await db.sql`
      select coalesce(sum(requests) filter (where minute >= ${day}::timestamptz), 0)::int as today,
        coalesce(sum(requests), 0)::int as this_month
      from usage where tenant_id = ${tenantId} and minute >= ${`${day.slice(0, 7)}-01`}::timestamptz`;
    const value = { today: row.today, this_month: row.this_month };
    totals.set(tenantId, { readAt: now, value });
    return value;
  }

  function countOf(minute: number, route: string, tenantId: number): Count {
    let routes = pending.get(minute);
    if (!routes) pending.set(minute, (routes = new Map()));
    let tenants = routes.get(route);
    if (!tenants) routes.set(route, (tenants = new Map()));
    let count = tenants.get(tenantId);
    if (!count) tenants.set(tenantId, (count = { tenantId, route, minuteMs: minute, requests: 0, failures: 0 }));
    return count;
  }

  const stop = clock.every(flushMs, () => void flush());
  return {
    count(tenantId: number, keyId: string, route: string, status: number, now: number): void {
      const count = countOf(now - (now % minuteMs), route, tenantId);
      count.requests++;
      if (status >= 400) count.failures++;
      used.set(keyId, now);
      const known = totals.get(tenantId);
      if (known) {
        known.value.today++;
        known.value.this_month++;
      }
    },
    /** Today's and this month's requests in UTC; read at most twice a minute and counted on from there. */
    totals(tenantId: number, now: number): Totals | Promise<Totals> {
      const known = totals.get(tenantId);
      return known && now - known.readAt < totalsStaleMs && now >= known.readAt
        ? known.value
        : readTotals(tenantId, now);
    },
    flush,
    async close(): Promise<void> {
      stop();
      await flush();
    },
  };
}
