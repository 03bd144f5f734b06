// SQL of following the event log: how far it has been matched, and what comes next.
import { toMs, type Tx } from "../../../store/db.ts";
import type { LoggedEvent } from "../rows.ts";

/** Locks the position, so that one replica at a time matches events. Null before the first run. */
export async function lockPosition(tx: Tx): Promise<bigint | null> {
  const [row] = await tx`select seq::text from alert_position for update`;
  return row ? BigInt(row.seq) : null;
}

export async function savePosition(tx: Tx, seq: bigint): Promise<void> {
  await tx`
    insert into alert_position (seq) values (${String(seq)}::bigint)
    on conflict (one) do update set seq = excluded.seq`;
}

/** Events of all tenants, except those of alerts themselves. */
export async function readEventsAfter(tx: Tx, after: bigint, horizon: bigint, count: number): Promise<LoggedEvent[]> {
  const rows = await tx`
    select e.seq::text, e.id, e.tenant_id, e.type, e.tags, e.data, e.created_at from events e
    where e.seq > ${String(after)}::bigint and e.seq <= ${String(horizon)}::bigint and e.type not like 'alert.%'
    order by e.seq limit ${count}`;
  return rows.map(loggedEventOf);
}

export const loggedEventOf = (r: any): LoggedEvent => ({
  seq: BigInt(r.seq),
  id: r.id,
  tenantId: r.tenant_id,
  type: r.type,
  tags: r.tags,
  data: r.data,
  atMs: toMs(r.created_at),
});
