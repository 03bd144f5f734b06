// SQL of the table alert_channels.
import { jsonb, toIso, toMs, type Tx } from "../../../store/db.ts";
import type { ChannelRow } from "../rows.ts";

export async function insertChannels(tx: Tx, rows: ChannelRow[]): Promise<void> {
  for (const c of rows) {
    await tx`
      insert into alert_channels (id, alert_number, tenant_id, position, type, target, sealed, status, token)
      values (${c.id}, ${c.alertNumber}, ${c.tenantId}, ${c.position}, ${c.type}, ${jsonb(c.target)}::text::jsonb,
        ${c.sealed}, ${c.status}, ${c.token})`;
  }
}

export const deleteChannels = (tx: Tx, number: number) => tx`delete from alert_channels where alert_number = ${number}`;

export async function readChannels(tx: Tx, numbers: number[]): Promise<ChannelRow[]> {
  const rows = await tx`
    select * from alert_channels where alert_number = any(${numbers}::int[]) order by alert_number, position`;
  return rows.map(channelOf);
}

export async function findChannelByToken(tx: Tx, token: string): Promise<ChannelRow | null> {
  const [row] = await tx`select * from alert_channels where token = ${token}`;
  return row ? channelOf(row) : null;
}

/** Saves what an attempt says of a channel's health; one that was disabled meanwhile, e.g. by its receiver, stays so. */
export async function saveHealth(tx: Tx, c: ChannelRow): Promise<void> {
  await tx`
    update alert_channels set status = ${c.status}, failures = ${c.failures},
      failing_since = ${toIso(c.failingSinceMs)}, last_error = ${c.lastError}
    where id = ${c.id} and status <> 'disabled'`;
}

export async function saveChannel(tx: Tx, c: ChannelRow): Promise<void> {
  await tx`
    update alert_channels set status = ${c.status}, failures = ${c.failures},
      failing_since = ${toIso(c.failingSinceMs)}, last_error = ${c.lastError}
    where id = ${c.id}`;
}

export function channelOf(r: any): ChannelRow {
  return {
    id: r.id,
    alertNumber: r.alert_number,
    tenantId: r.tenant_id,
    position: r.position,
    type: r.type,
    target: r.target,
    sealed: r.sealed,
    status: r.status,
    failures: r.failures,
    failingSinceMs: toMs(r.failing_since),
    lastError: r.last_error,
    token: r.token,
  };
}
