// The SQL of the sandbox inbox.
import { type Db, jsonb, toIso, toMs, type Tx } from "../../store/db.ts";

export interface InboxMessage {
  id: string;
  tenantId: number;
  /** `webhook`, `email`, `slack`, … */
  channel: string;
  recipient: string;
  content: unknown;
  /** Milliseconds since the epoch. */
  at: number;
}

export interface InboxRow {
  seq: string;
  id: string;
  channel: string;
  recipient: string;
  content: unknown;
  createdMs: number;
}

/** Keeps messages in the caller's transaction. */
export async function putInInbox(tx: Tx, messages: InboxMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const rows = messages.map((m) => ({ ...m, tenant_id: m.tenantId, created_at: toIso(m.at) }));
  await tx`
    insert into sandbox_inbox (id, tenant_id, channel, recipient, content, created_at)
    select id, tenant_id, channel, recipient, content, created_at
    from jsonb_to_recordset(${jsonb(rows)}::text::jsonb)
      as m (id text, tenant_id int, channel text, recipient text, content jsonb, created_at timestamptz)`;
}

export interface InboxQuery {
  tenantId: number;
  channel: string | null;
  /** Newest first, behind this seq. */
  before: string | null;
  count: number;
}

export async function listMessages(db: Db, { tenantId, channel, before, count }: InboxQuery): Promise<InboxRow[]> {
  const rows = await db.sql`
    select seq::text, id, channel, recipient, content, created_at from sandbox_inbox
    where tenant_id = ${tenantId} and (${channel}::text is null or channel = ${channel})
      and (${before}::bigint is null or seq < ${before}::bigint)
    order by sandbox_inbox.seq desc limit ${count}`;
  return rows.map(({ created_at, ...rest }: any) => ({ ...rest, createdMs: toMs(created_at as Date) }));
}

/** How many went. */
export async function clearMessages(tx: Tx, tenantId: number): Promise<number> {
  const { count } = await tx`delete from sandbox_inbox where tenant_id = ${tenantId}`;
  return count;
}

export async function forgetMessages(db: Db, beforeMs: number): Promise<void> {
  await db.sql`delete from sandbox_inbox where created_at < ${toIso(beforeMs)}`;
}
