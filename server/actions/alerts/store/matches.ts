// SQL of matches: what an alert has seen before, what matched, what is held and until when.
import { jsonb, toIso, toMs, type Tx } from "../../../store/db.ts";
import type { Item } from "../contract/index.ts";
import type { MatchedItem, MatchRow } from "../rows.ts";

/** Records the keys; returns those that were new, as "number key". An expired key counts as new. */
export async function insertSeenKeys(
  tx: Tx,
  keys: { number: number; key: string; untilMs: number }[],
  now: number,
): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await tx`
    insert into alert_seen (alert_number, key, until)
    select * from unnest(${keys.map((k) => k.number)}::int[], ${keys.map((k) => k.key)}::text[],
      ${keys.map((k) => toIso(k.untilMs))}::timestamptz[])
    on conflict (alert_number, key) do update set until = excluded.until where alert_seen.until <= ${toIso(now)}
    returning alert_number, key`;
  return new Set(rows.map((r: any) => `${r.alert_number} ${r.key}`));
}

export interface NewMatch {
  id: string;
  tenantId: number;
  alertNumber: number;
  item: Item;
  terms: string[];
  highlights: unknown[];
  state: "held" | "notified" | "suppressed";
  reason: string | null;
  group: string;
  dueMs: number | null;
  createdMs: number;
}

export async function insertMatches(tx: Tx, matches: NewMatch[]): Promise<void> {
  if (matches.length === 0) return;
  const rows = matches.map((m) => ({
    id: m.id,
    tenant_id: m.tenantId,
    alert_number: m.alertNumber,
    item: m.item,
    terms: m.terms,
    highlights: m.highlights,
    state: m.state,
    reason: m.reason,
    group_key: m.group,
    due_at: toIso(m.dueMs),
    created_at: toIso(m.createdMs),
  }));
  await tx`
    insert into alert_matches (id, tenant_id, alert_number, item, terms, highlights, state, reason, group_key, due_at, created_at)
    select id, tenant_id, alert_number, item, terms, highlights, state, reason, group_key, due_at, created_at
    from jsonb_to_recordset(${jsonb(rows)}::text::jsonb) as m (id text, tenant_id int, alert_number int, item jsonb,
      terms text[], highlights jsonb, state text, reason text, group_key text, due_at timestamptz, created_at timestamptz)`;
}

export async function listMatches(
  tx: Tx,
  number: number,
  state: string | null,
  before: string | null,
  count: number,
): Promise<MatchRow[]> {
  const rows = await tx`
    select *, seq::text as place from alert_matches
    where alert_number = ${number} and (${state}::text is null or state = ${state})
      and (${before}::bigint is null or seq < ${before}::bigint)
    order by seq desc limit ${count}`;
  return rows.map((r: any) => ({
    ...matchedItemOf(r),
    seq: r.place,
    state: r.state,
    reason: r.reason,
    dueMs: toMs(r.due_at),
  }));
}

/** How many matches each alert holds back. */
export async function countHeld(tx: Tx, numbers: number[]): Promise<Map<number, number>> {
  const rows = await tx`
    select alert_number, count(*)::int as held from alert_matches
    where alert_number = any(${numbers}::int[]) and state = 'held' group by alert_number`;
  return new Map(rows.map((r: any) => [r.alert_number, r.held]));
}

export async function readDueGroups(tx: Tx, now: number, count: number): Promise<{ number: number; group: string }[]> {
  const rows = await tx`
    select alert_number, group_key from alert_matches where state = 'held' and due_at <= ${toIso(now)}
    group by alert_number, group_key order by min(due_at) limit ${count}`;
  return rows.map((r: any) => ({ number: r.alert_number, group: r.group_key }));
}

/** The first held matches of a group, and how many there are in all. */
export async function readHeld(
  tx: Tx,
  number: number,
  group: string,
  max: number,
): Promise<{ matches: MatchedItem[]; total: number }> {
  const rows = await tx`
    select *, count(*) over ()::int as total from alert_matches
    where alert_number = ${number} and group_key = ${group} and state = 'held' order by seq limit ${max}`;
  return { matches: rows.map(matchedItemOf), total: rows[0]?.total ?? 0 };
}

export async function closeHeld(
  tx: Tx,
  number: number,
  group: string,
  state: "notified" | "suppressed",
  reason: string | null,
): Promise<void> {
  await tx`
    update alert_matches set state = ${state}, reason = coalesce(${reason}, reason), due_at = null
    where alert_number = ${number} and group_key = ${group} and state = 'held'`;
}

export async function postponeHeld(
  tx: Tx,
  number: number,
  group: string,
  dueMs: number,
  reason: string,
): Promise<void> {
  await tx`
    update alert_matches set due_at = ${toIso(dueMs)}, reason = ${reason}
    where alert_number = ${number} and group_key = ${group} and state = 'held'`;
}

const matchedItemOf = (r: any): MatchedItem => ({
  id: r.id,
  item: r.item,
  terms: r.terms,
  highlights: r.highlights,
  createdMs: toMs(r.created_at),
});
