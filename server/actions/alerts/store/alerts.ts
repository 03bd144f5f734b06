// SQL of the table alerts.
import { jsonb, toIso, toMs, type Tx } from "../../../store/db.ts";
import type { AlertRow } from "../rows.ts";

export async function insertAlert(tx: Tx, row: Omit<AlertRow, "number" | "mode">): Promise<number> {
  const [{ number }] = await tx`
    insert into alerts (id, tenant_id, status, term, query, sources, spec, pace, conditions, stats, due_at,
      expires_at, created_at, updated_at)
    values (${row.id}, ${row.tenantId}, ${row.status}, ${row.term}, ${row.query}, ${row.sources},
      ${jsonb(row.spec)}::text::jsonb, ${jsonb(row.pace)}::text::jsonb, ${jsonb(row.conditions)}::text::jsonb,
      ${jsonb(row.stats)}::text::jsonb, ${toIso(row.dueMs)}, ${toIso(row.expiresMs)},
      ${toIso(row.createdMs)}, ${toIso(row.updatedMs)})
    returning number`;
  return number;
}

export async function saveAlert(tx: Tx, row: AlertRow): Promise<void> {
  await tx`
    update alerts set status = ${row.status}, term = ${row.term}, query = ${row.query}, sources = ${row.sources},
      spec = ${jsonb(row.spec)}::text::jsonb, pace = ${jsonb(row.pace)}::text::jsonb,
      conditions = ${jsonb(row.conditions)}::text::jsonb, stats = ${jsonb(row.stats)}::text::jsonb,
      due_at = ${toIso(row.dueMs)}, expires_at = ${toIso(row.expiresMs)},
      updated_at = ${toIso(row.updatedMs)}
    where number = ${row.number}`;
}

/** Saves only what matching changes, for many alerts in one statement. */
export async function saveProgress(tx: Tx, rows: AlertRow[]): Promise<void> {
  if (rows.length === 0) return;
  const values = rows.map(({ number, pace, conditions, stats, dueMs }) => {
    return { number, pace, conditions, stats, due_at: toIso(dueMs) };
  });
  await tx`
    update alerts a set pace = v.pace, conditions = v.conditions, stats = v.stats, due_at = v.due_at
    from jsonb_to_recordset(${jsonb(values)}::text::jsonb)
      as v (number int, pace jsonb, conditions jsonb, stats jsonb, due_at timestamptz)
    where a.number = v.number`;
}

export async function findAlert(tx: Tx, tenantId: number, id: string): Promise<AlertRow | null> {
  const [row] = await tx`
    select a.*, t.mode from alerts a join tenants t on t.id = a.tenant_id
    where a.id = ${id} and a.tenant_id = ${tenantId}`;
  return row ? alertOf(row) : null;
}

export async function lockAlert(tx: Tx, tenantId: number, id: string): Promise<AlertRow | null> {
  const [row] = await tx`
    select a.*, t.mode from alerts a join tenants t on t.id = a.tenant_id
    where a.id = ${id} and a.tenant_id = ${tenantId} for update of a`;
  return row ? alertOf(row) : null;
}

/** Locks in the order of the numbers, so that two transactions that match the same alerts cannot deadlock. */
export async function lockAlerts(tx: Tx, numbers: number[]): Promise<AlertRow[]> {
  const rows = await tx`
    select a.*, t.mode from alerts a join tenants t on t.id = a.tenant_id
    where a.number = any(${numbers}::int[]) order by a.number for update of a`;
  return rows.map(alertOf);
}

export interface AlertFilter {
  tenantId: number;
  /** As answers show it, i.e. also snoozed and degraded. */
  status: string | null;
  label: { name: string; value: string | null } | null;
  /** In the name or in what is watched. */
  text: string | null;
  now: number;
}

/** The CASE says in SQL what `statusOf` in view.ts says of one row. */
export async function listAlerts(
  tx: Tx,
  { tenantId, status, label, text, now }: AlertFilter,
  before: string | null,
  count: number,
): Promise<AlertRow[]> {
  const like = text === null ? null : `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
  const rows = await tx`
    select a.*, t.mode from alerts a join tenants t on t.id = a.tenant_id
    where a.tenant_id = ${tenantId} and (${before}::text is null or a.id < ${before})
      and (${label?.name ?? null}::text is null or jsonb_exists(a.spec->'labels', ${label?.name ?? ""}))
      and (${label?.value ?? null}::text is null or a.spec->'labels'->>${label?.name ?? ""} = ${label?.value ?? ""})
      and (${like}::text is null or concat_ws(' ', a.spec->>'name', a.spec->>'tag', a.spec->>'query', a.query) ilike ${like})
      and (${status}::text is null or ${status} = case
        when a.status <> 'active' then a.status
        when a.pace->>'snoozed' = 'clear' or (a.pace->>'snoozed')::numeric > ${now}::numeric then 'snoozed'
        when exists (select 1 from alert_feed_links l join alert_feeds f on f.id = l.feed_id
          where l.alert_number = a.number and f.state->>'status' in ('failing', 'gone')) then 'degraded'
        when (select bool_and(c.status = 'disabled') from alert_channels c where c.alert_number = a.number) then 'degraded'
        else 'active' end)
    order by a.id desc limit ${count}`;
  return rows.map(alertOf);
}

/** Also deletes feeds that no alert reads any more. */
export async function deleteAlert(tx: Tx, number: number, now: number): Promise<void> {
  // Before the delete, whose trigger notes it too, by the clock of the database.
  await tx`insert into alert_gone (number, gone_at) values (${number}, ${toIso(now)}) on conflict do nothing`;
  await tx`delete from alerts where number = ${number}`;
  await tx`delete from alert_feeds f where not exists (select 1 from alert_feed_links l where l.feed_id = f.id)`;
}

/** Notifies every replica when the transaction commits. */
export const notifyReplicas = (tx: Tx, number: number) => tx`select pg_notify('connector_alerts', ${String(number)})`;

export async function expireAlerts(tx: Tx, now: number): Promise<number[]> {
  const rows = await tx`
    update alerts set status = 'expired', updated_at = ${toIso(now)}
    where expires_at <= ${toIso(now)} and status <> 'expired' returning number`;
  return rows.map((r: any) => r.number);
}

/** Alerts that match nothing before the owner of a mail address has agreed. */
export async function countUnconfirmed(tx: Tx, tenantId: number): Promise<number> {
  const [{ count }] = await tx`
    select count(*)::int as count from alerts where tenant_id = ${tenantId} and status = 'pending_verification'`;
  return count;
}

/** Active alerts that owe an empty digest. */
export async function readEmptyDigests(tx: Tx, now: number, count: number): Promise<number[]> {
  const rows = await tx`
    select number from alerts where due_at <= ${toIso(now)} and status = 'active' order by due_at limit ${count}`;
  return rows.map((r: any) => r.number);
}

function alertOf(r: any): AlertRow {
  return {
    number: r.number,
    id: r.id,
    tenantId: r.tenant_id,
    mode: r.mode,
    status: r.status,
    term: r.term,
    query: r.query,
    sources: r.sources,
    spec: r.spec,
    pace: r.pace,
    conditions: r.conditions,
    stats: r.stats,
    dueMs: toMs(r.due_at),
    expiresMs: toMs(r.expires_at),
    createdMs: toMs(r.created_at),
    updatedMs: toMs(r.updated_at),
  };
}
