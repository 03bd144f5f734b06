// The SQL of delivery attempts.
import { type Db, toIso, toMs, type Tx } from "../../../store/db.ts";

export type AttemptOutcome = "delivered" | "kept_in_inbox" | "retrying" | "failed";

export interface NewAttempt {
  eventId: string;
  eventType: string;
  attempt: number;
  atMs: number;
  outcome: AttemptOutcome;
  status: number | null;
  durationMs: number;
  error: string | null;
  nextMs: number | null;
  /** Only for what is not in the event log (tests); the body of an event is read from there. */
  requestBody: string | null;
  /** The beginning of the answer's body. */
  answerBody: string | null;
}

export interface AttemptRow extends NewAttempt {
  seq: string;
}

export async function insertAttempt(tx: Tx, webhookId: string, a: NewAttempt): Promise<void> {
  await tx`
    insert into webhook_attempts
      (webhook_id, event_id, event_type, attempt, at, outcome, status, duration_ms, error, next_at, request_body, answer_body)
    values (${webhookId}, ${a.eventId}, ${a.eventType}, ${a.attempt}, ${toIso(a.atMs)}, ${a.outcome}, ${a.status}, ${a.durationMs},
      ${a.error}, ${toIso(a.nextMs)}, ${a.requestBody}, ${a.answerBody})`;
}

export interface AttemptQuery {
  webhookId: string;
  outcome: string | null;
  eventId: string | null;
  /** Newest first, behind this seq. */
  before: string | null;
  count: number;
}

export async function listAttemptRows(db: Db, query: AttemptQuery): Promise<AttemptRow[]> {
  const rows = await db.sql`
    select *, seq::text from webhook_attempts
    where webhook_id = ${query.webhookId} and (${query.outcome}::text is null or outcome = ${query.outcome})
      and (${query.eventId}::text is null or event_id = ${query.eventId})
      and (${query.before}::bigint is null or seq < ${query.before}::bigint)
    order by webhook_attempts.seq desc limit ${query.count}`;
  return rows.map((raw: any) => ({
    seq: raw.seq,
    eventId: raw.event_id,
    eventType: raw.event_type,
    attempt: raw.attempt,
    atMs: toMs(raw.at as Date),
    outcome: raw.outcome,
    status: raw.status,
    durationMs: raw.duration_ms,
    error: raw.error,
    nextMs: toMs(raw.next_at),
    requestBody: raw.request_body,
    answerBody: raw.answer_body,
  }));
}

export async function forgetAttempts(db: Db, beforeMs: number): Promise<void> {
  await db.sql`delete from webhook_attempts where at < ${toIso(beforeMs)}`;
  await db.sql`
    delete from webhook_retries r where r.next_at is null and not exists (select 1 from events e where e.id = r.event_id)`;
}
