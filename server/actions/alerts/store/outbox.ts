// SQL of the outbox: messages on their way, each taken for a while by whoever sends it.
import type { Db, Tx } from "../../../store/db.ts";
import type { Message } from "../engine/channel/message.ts";
import { channelOf, type ChannelRow, iso, isoOrNull, json } from "./alerts.ts";

export interface NewSending {
  id: string;
  tenantId: number;
  number: number;
  channelId: string;
  message: Message | { verify: true; name: string };
  atMs: number;
}

export async function insertSendings(tx: Tx, sendings: NewSending[]): Promise<void> {
  if (sendings.length === 0) return;
  const rows = sendings.map((s) => ({
    id: s.id,
    tenant_id: s.tenantId,
    alert_number: s.number,
    channel_id: s.channelId,
    message: s.message,
    at: iso(s.atMs),
  }));
  await tx`
    insert into alert_outbox (id, tenant_id, alert_number, channel_id, message, status, next_at, created_at)
    select id, tenant_id, alert_number, channel_id, message, 'queued', at, at
    from jsonb_to_recordset(${json(rows)}::text::jsonb) as s (id text, tenant_id int, alert_number int, channel_id
      text, message jsonb, at timestamptz)`;
}

export interface Sending {
  id: string;
  seq: string;
  tenantId: number;
  number: number;
  message: any;
  attempts: number;
  channel: ChannelRow;
  mode: "live" | "test";
  alertId: string;
}

/** Takes what is due for a while: should this process die, it falls due again. */
export async function leaseSendings(db: Db, now: number, leaseMs: number, count: number): Promise<Sending[]> {
  const rows = await db.sql`
    with due as (
      select o.id from alert_outbox o where o.next_at <= ${iso(now)} order by o.next_at, o.seq limit ${count} for update skip locked
    ), taken as (
      update alert_outbox o set next_at = ${iso(now + leaseMs)}, attempts = attempts + 1 from due where o.id = due.id
      returning o.id, o.seq, o.tenant_id, o.alert_number, o.message, o.attempts, o.channel_id
    )
    select t.id as sending, t.seq::text, t.message, t.attempts, c.*, n.mode, a.id as alert_id
    from taken t join alert_channels c on c.id = t.channel_id join tenants n on n.id = t.tenant_id join alerts a on
      a.number = t.alert_number
    order by t.seq`;
  return rows.map((r: any) => ({
    id: r.sending,
    seq: r.seq,
    tenantId: r.tenant_id,
    number: r.alert_number,
    message: r.message,
    attempts: r.attempts,
    mode: r.mode,
    alertId: r.alert_id,
    channel: channelOf(r),
  }));
}

export async function finishSending(
  tx: Tx,
  id: string,
  status: string,
  nextMs: number | null,
  error: string | null,
  now: number,
): Promise<void> {
  await tx`
    update alert_outbox set status = ${status}, next_at = ${isoOrNull(nextMs)}, last_error = ${error}, finished_at =
      ${nextMs === null ? iso(now) : null}
    where id = ${id}`;
}
