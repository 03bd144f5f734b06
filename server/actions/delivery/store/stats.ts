// SQL of the statistics: what was promised and what came true, per tenant and period.
import { type Db, toIso } from "../../../store/db.ts";

export interface Arrival {
  pickupMs: number;
  promisedMs: number;
  actualMs: number;
  windowFromMs: number;
  windowToMs: number;
}

export interface PeriodRows {
  arrivals: Arrival[];
  failed: number;
  rating: { average: number; count: number } | null;
}

const MAX_ARRIVALS = 100_000;

export function createStatsStore(db: Db) {
  return {
    async read(tenantId: number, fromMs: number, toMs: number): Promise<PeriodRows> {
      const rows = await db.sql`
        select view #>> '{pickup,scheduled_time}' as pickup, view #>> '{dropoff,promised_arrival}' as promised,
          view #>> '{dropoff,actual_arrival}' as actual, details -> 'promise' as promise
        from deliveries
        where tenant_id = ${tenantId} and status = 'delivered'
          and (view #>> '{dropoff,actual_arrival}')::timestamptz >= ${toIso(fromMs)}::timestamptz
          and (view #>> '{dropoff,actual_arrival}')::timestamptz <= ${toIso(toMs)}::timestamptz
        order by id desc limit ${MAX_ARRIVALS}`;
      const [counts] = await db.sql`
        select count(*) filter (where status in ('failed', 'returned'))::int as failed,
          avg((view #>> '{rating,stars}')::int)::float8 as average,
          count(*) filter (where view #>> '{rating,stars}' is not null)::int as rated
        from deliveries where tenant_id = ${tenantId} and pickup_at >= ${toIso(fromMs)}::timestamptz
          and pickup_at < ${toIso(toMs)}::timestamptz`;
      return {
        arrivals: rows.map(arrivalRow),
        failed: counts.failed,
        rating: counts.rated > 0 ? { average: Math.round(counts.average * 100) / 100, count: counts.rated } : null,
      };
    },
  };
}

/** A simulated delivery is judged on the simulated clock (`details.promise.actualMs`). */
function arrivalRow(r: any): Arrival {
  const promised = Date.parse(r.promised);
  return {
    pickupMs: Date.parse(r.pickup),
    promisedMs: promised,
    actualMs: r.promise?.actualMs ?? Date.parse(r.actual),
    windowFromMs: r.promise?.fromMs ?? promised,
    windowToMs: r.promise?.toMs ?? promised,
  };
}
