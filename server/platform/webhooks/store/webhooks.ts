// The SQL of webhooks as a person sees and changes them. What the dispatcher reads and writes is in outbox.ts.
import type { Mode } from "../../../contract/define.ts";
import type { ReceiverHealth } from "../../../lib/delivery-policy.ts";
import { type Db, toIso, toMs, type Tx } from "../../../store/db.ts";
import { splitTypes } from "../../events/index.ts";

export interface WebhookRow {
  id: string;
  tenantId: number;
  mode: Mode;
  url: string;
  types: string[];
  description: string | null;
  /** Sealed, like the old one. */
  secret: string;
  oldSecret: string | null;
  oldSecretUntilMs: number | null;
  status: "enabled" | "disabled";
  disabledReason: string | null;
  disabledMs: number | null;
  health: ReceiverHealth;
  /** Everything up to this seq has had its first attempt. */
  position: bigint;
  createdMs: number;
  updatedMs: number;
}

const MAX_REPLAYED = 10_000;

export async function insertWebhook(tx: Tx, row: WebhookRow): Promise<void> {
  await tx`
    insert into webhooks (id, tenant_id, mode, url, types, description, secret, status, position, created_at, updated_at)
    values (${row.id}, ${row.tenantId}, ${row.mode}, ${row.url}, ${row.types}::text[], ${row.description}, ${row.secret}, ${row.status},
      ${String(row.position)}::text::bigint, ${toIso(row.createdMs)}, ${toIso(row.updatedMs)})`;
}

/** Without a tenant, whosever it is: for the dispatcher. */
export async function findWebhook(tx: Tx, id: string, tenantId: number | null): Promise<WebhookRow | null> {
  const [raw] = await tx`
    select *, position::text from webhooks
    where id = ${id} and (${tenantId}::int is null or tenant_id = ${tenantId})`;
  return raw ? rowOf(raw) : null;
}

/** Locks the row until the transaction ends. */
export async function lockWebhook(tx: Tx, id: string, tenantId: number): Promise<WebhookRow | null> {
  const [raw] = await tx`
    select *, position::text from webhooks where id = ${id} and tenant_id = ${tenantId} for update`;
  return raw ? rowOf(raw) : null;
}

export async function listWebhookRows(
  db: Db,
  tenantId: number,
  after: string | null,
  count: number,
): Promise<WebhookRow[]> {
  const rows = await db.sql`
    select *, position::text from webhooks
    where tenant_id = ${tenantId} and (${after}::text is null or id < ${after}) order by id desc limit ${count}`;
  return rows.map(rowOf);
}

/** What a person may change; the dispatcher's position is left alone unless a new one is given. */
export async function updateWebhook(tx: Tx, row: WebhookRow, position: bigint | null): Promise<void> {
  const { failingSinceMs, failures, throttledUntilMs } = row.health;
  await tx`
    update webhooks set url = ${row.url}, types = ${row.types}::text[], description = ${row.description}, secret = ${row.secret},
      old_secret = ${row.oldSecret}, old_secret_until = ${toIso(row.oldSecretUntilMs)}, status = ${row.status},
      disabled_reason = ${row.disabledReason}, disabled_at = ${toIso(row.disabledMs)},
      failing_since = ${toIso(failingSinceMs)}, failures = ${failures}, throttled_until = ${toIso(throttledUntilMs)},
      updated_at = ${toIso(row.updatedMs)},
      position = coalesce(${position === null ? null : String(position)}::text::bigint, position)
    where id = ${row.id}`;
}

export async function deleteWebhookRow(tx: Tx, id: string): Promise<void> {
  await tx`delete from webhook_attempts where webhook_id = ${id}`;
  await tx`delete from webhooks where id = ${id}`;
}

/** Nothing more is tried for a disabled webhook; what waited counts as given up, and can be replayed. */
export async function giveUpRetries(tx: Tx, id: string): Promise<void> {
  await tx`update webhook_retries set next_at = null where webhook_id = ${id} and next_at is not null`;
}

export interface ReplayOrder {
  webhook: WebhookRow;
  eventId: string | null;
  sinceMs: number | null;
  untilMs: number;
  failedOnly: boolean;
  now: number;
}

/** Queues past events as if they had never been tried. Only what was already dispatched: the rest is on its way. */
export async function queueReplay(tx: Tx, order: ReplayOrder): Promise<number> {
  const { webhook, eventId, failedOnly } = order;
  const since = toIso(order.sinceMs);
  const { exact, families } = splitTypes(webhook.types);
  const all = webhook.types.length === 0 || webhook.types.includes("*");
  const { count } = await tx`
    insert into webhook_retries (webhook_id, event_id, seq, attempts, next_at)
    select ${webhook.id}, e.id, e.seq, 0, ${toIso(order.now)}::timestamptz from events e
    where e.tenant_id = ${webhook.tenantId} and e.created_at <= ${toIso(order.untilMs)}::timestamptz
      and (${since}::timestamptz is null or e.created_at >= ${since}::timestamptz)
      and (${eventId}::text is null or e.id = ${eventId})
      and (${eventId}::text is not null or ${all} or e.type = any(${exact}::text[]) or e.type like any(${families}::text[]))
      and (not ${failedOnly} or exists (
        select 1 from webhook_retries r where r.webhook_id = ${webhook.id} and r.event_id = e.id and r.next_at is null))
      and e.seq <= ${String(webhook.position)}::text::bigint
    order by e.seq limit ${MAX_REPLAYED}
    on conflict (webhook_id, event_id) do update set attempts = 0, next_at = excluded.next_at`;
  return count;
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

function rowOf(raw: any): WebhookRow {
  return {
    id: raw.id,
    tenantId: raw.tenant_id,
    mode: raw.mode,
    url: raw.url,
    types: raw.types,
    description: raw.description,
    secret: raw.secret,
    oldSecret: raw.old_secret,
    oldSecretUntilMs: toMs(raw.old_secret_until),
    status: raw.status,
    disabledReason: raw.disabled_reason,
    disabledMs: toMs(raw.disabled_at),
    health: {
      failingSinceMs: toMs(raw.failing_since),
      failures: raw.failures,
      throttledUntilMs: toMs(raw.throttled_until),
    },
    position: BigInt(raw.position),
    createdMs: toMs(raw.created_at)!,
    updatedMs: toMs(raw.updated_at)!,
  };
}
