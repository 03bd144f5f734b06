// The SQL of the dispatcher: which endpoints have something to do, what, and what came of it.
import type { ReceiverHealth } from "../../../lib/delivery-policy.ts";
import { unlessFull } from "../../caps/index.ts";
import { type Db, jsonb, toIso, toMs, type Tx } from "../../../store/db.ts";
import { createGroupCommit } from "../../../store/group-commit.ts";
import { appendEvents, type EventRow, type NewEvent, readEvents } from "../../events/index.ts";
import { type InboxMessage, putInInbox } from "../../inbox/index.ts";
import type { NewAttempt } from "./attempts.ts";
import { giveUpRetries, type WebhookRow } from "./webhooks.ts";

const MAX_DUE = 500;

/** One event on its way to one endpoint. */
export interface Item {
  event: EventRow;
  /** How often it was tried before. */
  attempts: number;
  /** From the retries rather than fresh from the log. */
  queued: boolean;
}

export interface DueWork {
  webhooks: { id: string; tenantId: number }[];
  /** The earliest time at which something that is not due yet will be; null when nothing waits. */
  nextMs: number | null;
}

/** Tenants take turns, and healthy endpoints come first, so that many broken ones cannot crowd them out. */
export async function findDue(db: Db, horizon: bigint, now: number, max = MAX_DUE): Promise<DueWork> {
  const at = toIso(now);
  const rows: { id: string; tenant_id: number }[] = await db.sql`
    select w.id, w.tenant_id from webhooks w
    where w.status = 'enabled' and (w.throttled_until is null or w.throttled_until <= ${at}::timestamptz) and (
      exists (select 1 from webhook_retries r where r.webhook_id = w.id and r.next_at <= ${at}::timestamptz)
      or exists (
        select 1 from events e where e.tenant_id = w.tenant_id and e.seq > w.position
          and e.seq <= ${String(horizon)}::text::bigint))
    order by row_number() over (partition by w.tenant_id order by w.failures, w.id), w.failures, w.id limit ${max}`;
  const [{ next }] = await db.sql`
    select least(
      (select min(r.next_at) from webhook_retries r join webhooks w on w.id = r.webhook_id
       where r.next_at > ${at}::timestamptz and w.status = 'enabled'),
      (select min(throttled_until) from webhooks
       where throttled_until > ${at}::timestamptz and status = 'enabled')) as next`;
  return { webhooks: rows.map((row) => ({ id: row.id, tenantId: row.tenant_id })), nextMs: toMs(next) };
}

/** Retries that are due, in the order of their events. Those whose event is no longer kept are given up. */
export async function readDueRetries(db: Db, webhook: WebhookRow, now: number, count: number): Promise<Item[]> {
  const due: { event_id: string; attempts: number }[] = await db.sql`
    select event_id, attempts from webhook_retries
    where webhook_id = ${webhook.id} and next_at <= ${toIso(now)}::timestamptz order by next_at, seq limit ${count}`;
  if (due.length === 0) return [];
  const ids = due.map((row) => row.event_id);
  const kept = await readEvents(db, ids);
  const lost = ids.filter((id) => !kept.has(id));
  if (lost.length > 0) {
    await db.sql`
      update webhook_retries set next_at = null where webhook_id = ${webhook.id} and event_id = any(${lost}::text[])`;
  }
  return due.flatMap(({ event_id, attempts }) => {
    const event = kept.get(event_id);
    return event ? [{ event, attempts, queued: true }] : [];
  });
}

export interface WaitingItem {
  eventId: string;
  seq: bigint;
  attempts: number;
  /** Null when it was given up. */
  nextMs: number | null;
}

export interface Report {
  webhook: WebhookRow;
  attempts: NewAttempt[];
  /** Of the items that were tried: those to forget and those to keep for later (or as given up). */
  settled: string[];
  waiting: WaitingItem[];
  position: bigint;
  health: ReceiverHealth;
  disable: { reason: string; atMs: number; event: NewEvent } | null;
  inbox: InboxMessage[];
}

/** A report on its way into the store. */
interface Move {
  report: Report;
  isMoved: boolean;
}

const MAX_TOGETHER = 40;

export type Recorder = (report: Report) => Promise<boolean>;

/**
 * Writes what came of some attempts in one transaction. False when another process has moved the endpoint on meanwhile:
 * then this one must let go of it.
 */
export function createRecorder(db: Db): Recorder {
  const write = createGroupCommit<Move>((moves) => moveOn(db.sql, moves), { maxRows: MAX_TOGETHER });
  return async (report) => {
    const { settled, waiting, inbox, disable } = report;
    const move = { report, isMoved: false };
    // All was delivered at the first attempt: the rule, and one statement for all endpoints that have something to write.
    if (settled.length + waiting.length + inbox.length === 0 && !disable) await write(move);
    else await db.sql.begin((tx: Tx) => writeTrouble(tx, move));
    return move.isMoved;
  };
}

async function writeTrouble(tx: Tx, move: Move): Promise<void> {
  const { webhook, settled, waiting, inbox, disable } = move.report;
  await moveOn(tx, [move]);
  if (!move.isMoved) return;
  if (settled.length > 0) {
    await tx`
      delete from webhook_retries where webhook_id = ${webhook.id} and event_id = any(${settled}::text[])`;
  }
  if (waiting.length > 0) await keepWaiting(tx, webhook.id, waiting);
  // A full sandbox inbox keeps no webhook from moving on; the attempts say what was sent.
  if (inbox.length > 0) await unlessFull(tx, (inner) => putInInbox(inner, inbox));
  if (!disable) return;
  await tx`
    update webhooks set status = 'disabled', disabled_reason = ${disable.reason}, disabled_at = ${toIso(disable.atMs)}
    where id = ${webhook.id}`;
  await giveUpRetries(tx, webhook.id);
  await appendEvents(tx, [disable.event]);
}

/** Position, health and attempts of each; nothing at all where an endpoint is no longer where this process found it. */
async function moveOn(tx: Tx, moves: Move[]): Promise<void> {
  const ends = moves.map(({ report: { webhook, position, health } }) => ({
    id: webhook.id,
    found: String(webhook.position),
    position: String(position),
    since: toIso(health.failingSinceMs),
    failures: health.failures,
    until: toIso(health.throttledUntilMs),
  }));
  const attempts = moves.flatMap(({ report }) =>
    report.attempts.map(({ atMs, nextMs, ...rest }, n) => ({
      n,
      webhookId: report.webhook.id,
      ...rest,
      at: toIso(atMs),
      next: toIso(nextMs),
    })),
  );
  const moved: { id: string }[] = await tx`
    with moved as (
      update webhooks w set position = e.position, failing_since = e.since, failures = e.failures, throttled_until = e.until
      from json_to_recordset(${JSON.stringify(ends)}::text::json)
        as e (id text, found bigint, position bigint, since timestamptz, failures int, until timestamptz)
      where w.id = e.id and w.position = e.found returning w.id),
    written as (
      insert into webhook_attempts
        (webhook_id, event_id, event_type, attempt, at, outcome, status, duration_ms, error, next_at, request_body, answer_body)
      select "webhookId", "eventId", "eventType", attempt, at, outcome, status, "durationMs", error, next, "requestBody", "answerBody"
      from json_to_recordset(${JSON.stringify(attempts)}::text::json) as a (n int, "webhookId" text, "eventId" text,
        "eventType" text, attempt int, at timestamptz, outcome text, status smallint, "durationMs" int, error text,
        next timestamptz, "requestBody" text, "answerBody" text)
      where "webhookId" in (select id from moved) order by n)
    select id from moved`;
  const ids = new Set(moved.map(({ id }) => id));
  for (const move of moves) move.isMoved = ids.has(move.report.webhook.id);
}

async function keepWaiting(tx: Tx, webhookId: string, items: WaitingItem[]): Promise<void> {
  const rows = items.map((item) => ({ ...item, seq: String(item.seq), next: toIso(item.nextMs) }));
  await tx`
    insert into webhook_retries (webhook_id, event_id, seq, attempts, next_at)
    select ${webhookId}, "eventId", seq::bigint, attempts, next
    from jsonb_to_recordset(${jsonb(rows)}::text::jsonb)
      as r ("eventId" text, seq text, attempts int, next timestamptz)
    on conflict (webhook_id, event_id) do update set attempts = excluded.attempts, next_at = excluded.next_at`;
}
