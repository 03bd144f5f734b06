// What the dispatcher reads and writes: which endpoints have something to do, what, and what came of it.
import type { Db, Tx } from "../../store/db.ts";
import { appendEvents, readEvents } from "../events/index.ts";
import type { EventRow, NewEvent } from "../events/index.ts";
import { type InboxMessage, putInInbox } from "../inbox/index.ts";
import type { ReceiverHealth } from "../../lib/delivery-policy.ts";
import { type AttemptRow, giveUpRetries, insertAttempts, type WebhookRow } from "./store.ts";

/** One event on its way to one endpoint. */
export interface Item {
  event: EventRow;
  /** How often it was tried before. */
  attempts: number;
  /** From the retries rather than fresh from the log. */
  queued: boolean;
}

export interface DueWork {
  ids: string[];
  /** The earliest time at which something that is not due yet will be; null when nothing waits. */
  nextAt: number | null;
}

/** Well endpoints come first, so that many broken ones cannot crowd them out. */
export async function findDue(db: Db, horizon: bigint, now: number): Promise<DueWork> {
  const at = new Date(now);
  const rows: { id: string }[] = await db.sql`
    select w.id from webhooks w
    where w.status = 'enabled' and (w.throttled_until is null or w.throttled_until <= ${at}) and (
      exists (select 1 from webhook_retries r where r.webhook_id = w.id and r.next_at <= ${at})
      or exists (
        select 1 from events e where e.tenant_id = w.tenant_id and e.seq > w.position
          and e.seq <= ${String(horizon)}::text::bigint))
    order by w.failures, w.id limit 500`;
  const [{ next }] = await db.sql`
    select least(
      (select min(r.next_at) from webhook_retries r join webhooks w on w.id = r.webhook_id
       where r.next_at > ${at} and w.status = 'enabled'),
      (select min(throttled_until) from webhooks where throttled_until > ${at} and status = 'enabled')) as next`;
  return { ids: rows.map((row) => row.id), nextAt: next ? next.getTime() : null };
}

/** Retries that are due, in the order of their events. Those whose event is no longer kept are given up. */
export async function readDueRetries(db: Db, webhook: WebhookRow, now: number, count: number): Promise<Item[]> {
  const due: { event_id: string; attempts: number }[] = await db.sql`
    select event_id, attempts from webhook_retries
    where webhook_id = ${webhook.id} and next_at <= ${new Date(now)} order by next_at, seq limit ${count}`;
  if (due.length === 0) return [];
  const kept = await readEvents(
    db,
    due.map((row) => row.event_id),
  );
  const lost = due.filter((row) => !kept.has(row.event_id)).map((row) => row.event_id);
  if (lost.length > 0) {
    await db.sql`update webhook_retries set next_at = null where webhook_id = ${webhook.id} and event_id = any(${lost}::text[])`;
  }
  return due.flatMap(({ event_id, attempts }) => {
    const event = kept.get(event_id);
    return event ? [{ event, attempts, queued: true }] : [];
  });
}

export interface Report {
  webhook: WebhookRow;
  attempts: Omit<AttemptRow, "seq">[];
  /** Of the items that were tried: those to forget and those to keep for later (or as given up). */
  settled: string[];
  waiting: { event_id: string; seq: string; attempts: number; next_at: string | null }[];
  position: bigint;
  health: ReceiverHealth;
  disable: { reason: string; at: number; event: NewEvent } | null;
  inbox: InboxMessage[];
}

/**
 * Writes what came of some attempts in one transaction. False when another process has moved the endpoint on meanwhile:
 * then this one must let go of it.
 */
export function record(db: Db, report: Report): Promise<boolean> {
  const { webhook, position, health, disable } = report;
  return db.sql.begin(async (tx: Tx) => {
    const date = (ms: number | null) => (ms === null ? null : new Date(ms));
    const { count } = await tx`
      update webhooks set position = ${String(position)}::text::bigint,
        failing_since = ${date(health.failingSinceMs)}, failures = ${health.failures}, throttled_until = ${date(health.throttledUntilMs)}
      where id = ${webhook.id} and position = ${webhook.position}::text::bigint`;
    if (report.attempts.length > 0 && count > 0) await insertAttempts(tx, webhook.id, report.attempts);
    if (count === 0) return false;
    if (report.settled.length > 0) {
      await tx`delete from webhook_retries where webhook_id = ${webhook.id} and event_id = any(${report.settled}::text[])`;
    }
    if (report.waiting.length > 0) await keepWaiting(tx, webhook.id, report.waiting);
    await putInInbox(tx, report.inbox);
    if (disable) {
      await tx`
        update webhooks set status = 'disabled', disabled_reason = ${disable.reason}, disabled_at = ${new Date(disable.at)}
        where id = ${webhook.id}`;
      await giveUpRetries(tx, webhook.id);
      await appendEvents(tx, [disable.event]);
    }
    return true;
  });
}

async function keepWaiting(tx: Tx, webhookId: string, rows: Report["waiting"]): Promise<void> {
  await tx`
    insert into webhook_retries (webhook_id, event_id, seq, attempts, next_at)
    select ${webhookId}, event_id, seq::bigint, attempts, next_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as r (event_id text, seq text, attempts int, next_at timestamptz)
    on conflict (webhook_id, event_id) do update set attempts = excluded.attempts, next_at = excluded.next_at`;
}
