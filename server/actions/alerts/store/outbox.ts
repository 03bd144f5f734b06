// SQL of the outbox: notifications on their way to channels. Whoever sends one leases it first.
import type { Mode } from "../../../contract/define.ts";
import { jsonb, toIso, toMs, type Tx } from "../../../store/db.ts";
import type { Message, VerifyMessage } from "../engine/channel/message.ts";
import type { ChannelRow, NewNotification, NotificationRow } from "../rows.ts";
import { channelOf } from "./channels.ts";

export async function insertNotifications(tx: Tx, notifications: NewNotification[]): Promise<void> {
  if (notifications.length === 0) return;
  const rows = notifications.map((n) => ({
    id: n.id,
    tenant_id: n.tenantId,
    alert_number: n.alertNumber,
    channel_id: n.channelId,
    message: n.message,
    at: toIso(n.createdMs),
    due: toIso(n.dueMs ?? n.createdMs),
  }));
  await tx`
    insert into alert_outbox (id, tenant_id, alert_number, channel_id, message, status, next_at, created_at)
    select id, tenant_id, alert_number, channel_id, message, 'queued', due, at
    from jsonb_to_recordset(${jsonb(rows)}::text::jsonb)
      as s (id text, tenant_id int, alert_number int, channel_id text, message jsonb, at timestamptz, due timestamptz)`;
}

export interface LeasedNotification {
  id: string;
  seq: string;
  tenantId: number;
  alertNumber: number;
  alertId: string;
  message: Message | VerifyMessage;
  attempts: number;
  channel: ChannelRow;
  mode: Mode;
}

/** What is not to be leased. */
export interface Skipped {
  tenantIds: number[];
  channelIds: string[];
}

/** Leases what is due, the tenants in turns: if this process dies, it falls due again when the lease ends. */
export async function leaseNotifications(
  tx: Tx,
  now: number,
  leaseMs: number,
  count: number,
  skipped: Skipped = { tenantIds: [], channelIds: [] },
): Promise<LeasedNotification[]> {
  const rows = await tx`
    with due as (
      select o.id from alert_outbox o join (
        select id from alert_outbox where next_at <= ${toIso(now)}
          and tenant_id <> all(${skipped.tenantIds}::int[]) and channel_id <> all(${skipped.channelIds}::text[])
        order by row_number() over (partition by tenant_id order by next_at, seq), next_at, seq limit ${count}) first using (id)
      where o.next_at <= ${toIso(now)} for update of o skip locked
    ), taken as (
      update alert_outbox o set next_at = ${toIso(now + leaseMs)}, attempts = attempts + 1 from due where o.id = due.id
      returning o.id, o.seq, o.tenant_id, o.alert_number, o.message, o.attempts, o.channel_id
    )
    select t.id as notification_id, t.seq::text, t.message, t.attempts, c.*, n.mode, a.id as alert_id
    from taken t join alert_channels c on c.id = t.channel_id join tenants n on n.id = t.tenant_id
      join alerts a on a.number = t.alert_number
    order by t.seq`;
  return rows.map((r: any) => ({
    id: r.notification_id,
    seq: r.seq,
    tenantId: r.tenant_id,
    alertNumber: r.alert_number,
    alertId: r.alert_id,
    message: r.message,
    attempts: r.attempts,
    mode: r.mode,
    channel: channelOf(r),
  }));
}

export async function saveAttempt(
  tx: Tx,
  id: string,
  status: NotificationRow["status"],
  nextMs: number | null,
  error: string | null,
  now: number,
): Promise<void> {
  await tx`
    update alert_outbox set status = ${status}, next_at = ${toIso(nextMs)}, last_error = ${error},
      finished_at = ${nextMs === null ? toIso(now) : null}
    where id = ${id}`;
}

export async function listNotifications(
  tx: Tx,
  number: number,
  status: string | null,
  before: string | null,
  count: number,
): Promise<NotificationRow[]> {
  const rows = await tx`
    select *, seq::text as place from alert_outbox
    where alert_number = ${number} and (${status}::text is null or status = ${status})
      and (${before}::bigint is null or seq < ${before}::bigint)
    order by seq desc limit ${count}`;
  return rows.map((r: any) => ({
    seq: r.place,
    id: r.id,
    channelId: r.channel_id,
    message: r.message,
    status: r.status,
    attempts: r.attempts,
    nextMs: toMs(r.next_at),
    lastError: r.last_error,
    createdMs: toMs(r.created_at),
  }));
}

/** Makes finished notifications due again, under the same ids. */
export async function requeueNotifications(
  tx: Tx,
  number: number,
  sinceMs: number | null,
  ids: string[] | null,
  now: number,
): Promise<number> {
  const since = toIso(sinceMs);
  const { count } = await tx`
    update alert_outbox
    set status = 'queued', attempts = 0, next_at = ${toIso(now)}, last_error = null, finished_at = null
    where alert_number = ${number} and status in ('delivered', 'dead')
      and (${since}::timestamptz is null or created_at >= ${since})
      and (${ids === null} or id = any(${ids ?? []}::text[]))`;
  return count as number;
}
