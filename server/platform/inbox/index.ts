// Keeps what a test key would have sent, so that a program can be tested end to end without reaching anybody.
import { handle } from "../../contract/define.ts";
import { formatTime } from "../../lib/time.ts";
import type { Db, Tx } from "../../store/db.ts";
import { transact } from "../idempotency/index.ts";
import { type Module, type Platform, readPage } from "../platform.ts";
import { clearInbox, listInbox } from "./contract.ts";

export interface InboxMessage {
  id: string;
  tenantId: number;
  /** `webhook`, `email`, `slack`, … */
  channel: string;
  recipient: string;
  content: unknown;
  at: number;
}

/** Keeps messages in the caller's transaction. */
export async function putInInbox(tx: Tx, messages: InboxMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const rows = messages.map((m) => ({ ...m, tenant_id: m.tenantId, created_at: new Date(m.at).toISOString() }));
  await tx`
    insert into sandbox_inbox (id, tenant_id, channel, recipient, content, created_at)
    select id, tenant_id, channel, recipient, content, created_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as m (id text, tenant_id int, channel text, recipient text, content jsonb, created_at timestamptz)`;
}

interface Row {
  seq: string;
  id: string;
  channel: string;
  recipient: string;
  content: unknown;
  created_at: Date;
}

export function createInbox({ db, cursors, clock }: Platform, retentionDays: number): Module {
  return {
    handlers: [
      handle(listInbox, (call) => {
        const { tenantId } = call.caller;
        const channel = call.query.channel ?? null;
        const read = (before: string | null, count: number) => listRows(db, tenantId, channel, before, count);
        return readPage(cursors, `inbox ${tenantId} ${channel}`, call.query, read, (row) => row.seq, view);
      }),
      handle(clearInbox, (call) =>
        transact(db, call, async (tx) => {
          const { count } = await tx`delete from sandbox_inbox where tenant_id = ${call.caller.tenantId}`;
          return { removed: count as number };
        }),
      ),
    ],
    jobs: [
      {
        name: "sandbox.forget",
        cron: "37 * * * *",
        async run() {
          await db.sql`delete from sandbox_inbox where created_at < ${new Date(clock.now() - retentionDays * 86_400_000)}`;
        },
      },
    ],
  };
}

function listRows(
  db: Db,
  tenantId: number,
  channel: string | null,
  before: string | null,
  count: number,
): Promise<Row[]> {
  return db.sql`
    select seq::text, id, channel, recipient, content, created_at from sandbox_inbox
    where tenant_id = ${tenantId} and (${channel}::text is null or channel = ${channel})
      and (${before}::bigint is null or seq < ${before}::bigint)
    order by sandbox_inbox.seq desc limit ${count}` as unknown as Promise<Row[]>;
}

function view({ id, channel, recipient, content, created_at }: Row) {
  return { id, channel, recipient, content, created_at: formatTime(created_at.getTime()) };
}
