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
  let pending = new Map<string, Count>();
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
      for (const [id, at] of [...keys].sort()) {
        await tx`update keys set last_used_at = greatest(last_used_at, ${new Date(at)}) where id = ${id}`;
      }
    });
  }

  async function flush(): Promise<void> {
    if (flushing) await flushing;
    if (pending.size === 0 && used.size === 0) return;
    const counts = pending;
    const keys = new Map(used);
    pending = new Map();
    used.clear();
    flushing = write([...counts.values()], keys).catch((error) => {
      for (const count of counts.values()) add(count);
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

  function add(count: Count): void {
    const name = `${count.tenantId} ${count.minuteMs} ${count.route}`;
    const found = pending.get(name);
    if (!found) return void pending.set(name, { ...count });
    found.requests += count.requests;
    found.failures += count.failures;
  }

  const stop = clock.every(flushMs, () => void flush());
  return {
    count(tenantId: number, keyId: string, route: string, status: number, now: number): void {
      const minute = now - (now % minuteMs);
      const name = `${tenantId} ${minute} ${route}`;
      const found = pending.get(name);
      if (found) {
        found.requests++;
        if (status >= 400) found.failures++;
      } else pending.set(name, { tenantId, route, minuteMs: minute, requests: 1, failures: status >= 400 ? 1 : 0 });
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
