// SQL behind the lists of an alert's matches and messages.
import type { Db, Tx } from "../../../store/db.ts";
import type { Item, MatchView } from "../contract/index.ts";
import { iso, isoOrNull, msOrNull } from "./alerts.ts";

export interface ListedMatch {
  seq: string;
  id: string;
  item: Item;
  terms: string[];
  highlights: any[];
  state: MatchView["state"];
  reason: string | null;
  dueMs: number | null;
  createdMs: number;
}

export interface ListedSending {
  seq: string;
  id: string;
  channelId: string;
  message: any;
  status: "queued" | "retrying" | "delivered" | "dead";
  attempts: number;
  nextMs: number | null;
  lastError: string | null;
  createdMs: number;
}

export async function listMatches(
  db: Db,
  number: number,
  state: string | null,
  before: string | null,
  count: number,
): Promise<ListedMatch[]> {
  const rows = await db.sql`
    select *, seq::text as place from alert_matches
    where alert_number = ${number} and (${state}::text is null or state = ${state}) and (${before}::bigint is null or
      seq < ${before}::bigint)
    order by seq desc limit ${count}`;
  return rows.map((r: any) => ({
    seq: r.place as string,
    id: r.id as string,
    item: r.item,
    terms: r.terms as string[],
    highlights: r.highlights,
    state: r.state,
    reason: r.reason as string | null,
    dueMs: msOrNull(r.due_at),
    createdMs: msOrNull(r.created_at)!,
  }));
}

export async function listSendings(
  db: Db,
  number: number,
  status: string | null,
  before: string | null,
  count: number,
): Promise<ListedSending[]> {
  const rows = await db.sql`
    select *, seq::text as place from alert_outbox
    where alert_number = ${number} and (${status}::text is null or status = ${status}) and (${before}::bigint is null
      or seq < ${before}::bigint)
    order by seq desc limit ${count}`;
  return rows.map((r: any) => ({
    seq: r.place as string,
    id: r.id as string,
    channelId: r.channel_id as string,
    message: r.message,
    status: r.status,
    attempts: r.attempts as number,
    nextMs: msOrNull(r.next_at),
    lastError: r.last_error as string | null,
    createdMs: msOrNull(r.created_at)!,
  }));
}

/** Makes finished messages due again, under the ids they had. */
export async function replaySendings(
  tx: Tx,
  number: number,
  sinceMs: number | null,
  ids: string[] | null,
  now: number,
): Promise<number> {
  const { count } = await tx`
    update alert_outbox set status = 'queued', attempts = 0, next_at = ${iso(now)}, last_error = null, finished_at = null
    where alert_number = ${number} and status in ('delivered', 'dead') and (${isoOrNull(sinceMs)}::timestamptz is null
      or created_at >= ${isoOrNull(sinceMs)})
      and (${ids === null} or id = any(${ids ?? []}::text[]))`;
  return count as number;
}

export async function positionOf(db: Db, tenantId: number, eventId: string): Promise<bigint | null> {
  const [row] = await db.sql`select seq::text from events where id = ${eventId} and tenant_id = ${tenantId}`;
  return row ? BigInt(row.seq) : null;
}
