// The SQL of webhooks: the rows a person sees. What the dispatcher reads and writes is in outbox.ts.
import type { Mode } from "../../contract/define.ts";
import type { Db, Tx } from "../../store/db.ts";
import { splitTypes } from "../events/index.ts";

export interface WebhookRow {
  id: string;
  tenant_id: number;
  mode: Mode;
  url: string;
  types: string[];
  description: string | null;
  secret: string;
  old_secret: string | null;
  old_secret_until: Date | null;
  status: "enabled" | "disabled";
  disabled_reason: string | null;
  disabled_at: Date | null;
  failing_since: Date | null;
  failures: number;
  throttled_until: Date | null;
  /** Everything up to this seq has had its first attempt. */
  position: string;
  created_at: Date;
  updated_at: Date;
}

export interface AttemptRow {
  seq: string;
  event_id: string;
  event_type: string;
  attempt: number;
  at: Date;
  outcome: "delivered" | "retrying" | "failed";
  status: number | null;
  duration_ms: number;
  error: string | null;
  next_at: Date | null;
}

const MAX_REPLAYED = 10_000;

export async function insertWebhook(tx: Tx, row: WebhookRow): Promise<void> {
  await tx`
    insert into webhooks (id, tenant_id, mode, url, types, description, secret, status, position, created_at, updated_at)
    values (${row.id}, ${row.tenant_id}, ${row.mode}, ${row.url}, ${row.types}::text[], ${row.description}, ${row.secret}, ${row.status},
      ${row.position}::text::bigint, ${row.created_at}, ${row.updated_at})`;
}

export async function countWebhooks(tx: Tx, tenantId: number): Promise<number> {
  const [{ count }] = await tx`select count(*)::int as count from webhooks where tenant_id = ${tenantId}`;
  return count;
}

export async function findWebhook(
  tx: Tx,
  id: string,
  tenantId: number | null,
  lock = false,
): Promise<WebhookRow | null> {
  const rows = lock
    ? await tx`select *, position::text from webhooks where id = ${id} and tenant_id = ${tenantId} for update`
    : await tx`
        select *, position::text from webhooks
        where id = ${id} and (${tenantId}::int is null or tenant_id = ${tenantId})`;
  return rows[0] ?? null;
}

export function listWebhookRows(db: Db, tenantId: number, after: string | null, count: number): Promise<WebhookRow[]> {
  return db.sql`
    select *, position::text from webhooks
    where tenant_id = ${tenantId} and (${after}::text is null or id < ${after}) order by id desc limit ${count}` as never;
}

/** What a person may change; the dispatcher's columns are left alone unless a new position is given. */
export async function updateWebhook(tx: Tx, row: WebhookRow, position: bigint | null): Promise<void> {
  await tx`
    update webhooks set url = ${row.url}, types = ${row.types}::text[], description = ${row.description}, secret = ${row.secret},
      old_secret = ${row.old_secret}, old_secret_until = ${row.old_secret_until}, status = ${row.status},
      disabled_reason = ${row.disabled_reason}, disabled_at = ${row.disabled_at}, failing_since = ${row.failing_since},
      failures = ${row.failures}, throttled_until = ${row.throttled_until}, updated_at = ${row.updated_at},
      position = coalesce(${position === null ? null : String(position)}::text::bigint, position)
    where id = ${row.id}`;
}

export async function deleteWebhookRow(tx: Tx, id: string): Promise<void> {
  await tx`delete from webhooks where id = ${id}`;
}

/** Nothing more is tried for a disabled webhook; what waited counts as given up, and can be replayed. */
export async function giveUpRetries(tx: Tx, id: string): Promise<void> {
  await tx`update webhook_retries set next_at = null where webhook_id = ${id} and next_at is not null`;
}

export interface AttemptQuery {
  webhookId: string;
  outcome: string | null;
  eventId: string | null;
  before: string | null;
  count: number;
}

export function listAttemptRows(db: Db, query: AttemptQuery): Promise<AttemptRow[]> {
  return db.sql`
    select seq::text, event_id, event_type, attempt, at, outcome, status, duration_ms, error, next_at from webhook_attempts
    where webhook_id = ${query.webhookId} and (${query.outcome}::text is null or outcome = ${query.outcome})
      and (${query.eventId}::text is null or event_id = ${query.eventId})
      and (${query.before}::bigint is null or seq < ${query.before}::bigint)
    order by webhook_attempts.seq desc limit ${query.count}` as never;
}

export async function insertAttempts(tx: Tx, webhookId: string, rows: Omit<AttemptRow, "seq">[]): Promise<void> {
  await tx`
    insert into webhook_attempts (webhook_id, event_id, event_type, attempt, at, outcome, status, duration_ms, error, next_at)
    select ${webhookId}, event_id, event_type, attempt, at, outcome, status, duration_ms, error, next_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as a (event_id text, event_type text, attempt int,
      at timestamptz, outcome text, status smallint, duration_ms int, error text, next_at timestamptz)`;
}

export interface ReplayOrder {
  webhook: WebhookRow;
  eventId: string | null;
  since: Date | null;
  until: Date;
  failedOnly: boolean;
  now: Date;
}

/** Queues past events as if they had never been tried. Only what was already dispatched: the rest is on its way. */
export async function queueReplay(
  tx: Tx,
  { webhook, eventId, since, until, failedOnly, now }: ReplayOrder,
): Promise<number> {
  const { exact, families } = splitTypes(webhook.types);
  const all = webhook.types.length === 0 || webhook.types.includes("*");
  const { count } = await tx`
    insert into webhook_retries (webhook_id, event_id, seq, attempts, next_at)
    select ${webhook.id}, e.id, e.seq, 0, ${now} from events e
    where e.tenant_id = ${webhook.tenant_id} and e.created_at <= ${until}
      and (${since}::timestamptz is null or e.created_at >= ${since}) and (${eventId}::text is null or e.id = ${eventId})
      and (${eventId}::text is not null or ${all} or e.type = any(${exact}::text[]) or e.type like any(${families}::text[]))
      and (not ${failedOnly} or exists (
        select 1 from webhook_retries r where r.webhook_id = ${webhook.id} and r.event_id = e.id and r.next_at is null))
      and e.seq <= ${webhook.position}::text::bigint
    order by e.seq limit ${MAX_REPLAYED}
    on conflict (webhook_id, event_id) do update set attempts = 0, next_at = excluded.next_at`;
  return count;
}

export async function forgetAttempts(db: Db, before: Date): Promise<void> {
  await db.sql`delete from webhook_attempts where at < ${before}`;
  await db.sql`
    delete from webhook_retries r where r.next_at is null and not exists (select 1 from events e where e.id = r.event_id)`;
}

/** A restored log may number its events anew from below; an endpoint must not wait for numbers that were given out before. */
export async function clampPositions(db: Db): Promise<void> {
  await db.sql`update webhooks set position = h.last from event_horizon() h where position > h.last`;
}

/** Deliveries that wait for another attempt. */
export async function countWaiting(db: Db): Promise<number> {
  const [{ count }] = await db.sql`select count(*)::int as count from webhook_retries where next_at is not null`;
  return count;
}
