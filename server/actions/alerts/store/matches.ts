// SQL of matches: what was seen, what matched, what is held and until when.
import type { Db, Tx } from "../../../store/db.ts";
import type { Item } from "../contract/index.ts";
import { iso, isoOrNull, json } from "./alerts.ts";

/** Remembers the keys; returns those that were new, as "number key". Old ones that have run out count as new. */
export async function remember(
  tx: Tx,
  keys: { number: number; key: string; untilMs: number }[],
  now: number,
): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await tx`
    insert into alert_seen (alert_number, key, until)
    select * from unnest(${keys.map((k) => k.number)}::int[], ${keys.map((k) => k.key)}::text[],
      ${keys.map((k) => iso(k.untilMs))}::timestamptz[])
    on conflict (alert_number, key) do update set until = excluded.until where alert_seen.until <= ${iso(now)}
    returning alert_number, key`;
  return new Set(rows.map((r: any) => `${r.alert_number} ${r.key}`));
}

export interface NewMatch {
  id: string;
  tenantId: number;
  number: number;
  item: Item;
  terms: string[];
  highlights: unknown[];
  state: "held" | "notified" | "suppressed";
  reason: string | null;
  group: string;
  dueMs: number | null;
  atMs: number;
}

export async function insertMatches(tx: Tx, matches: NewMatch[]): Promise<void> {
  if (matches.length === 0) return;
  const rows = matches.map((m) => ({
    id: m.id,
    tenant_id: m.tenantId,
    alert_number: m.number,
    item: m.item,
    terms: m.terms,
    highlights: m.highlights,
    state: m.state,
    reason: m.reason,
    group_key: m.group,
    due_at: isoOrNull(m.dueMs),
    created_at: iso(m.atMs),
  }));
  await tx`
    insert into alert_matches (id, tenant_id, alert_number, item, terms, highlights, state, reason, group_key, due_at, created_at)
    select id, tenant_id, alert_number, item, terms, highlights, state, reason, group_key, due_at, created_at
    from jsonb_to_recordset(${json(rows)}::text::jsonb) as m (id text, tenant_id int, alert_number int, item jsonb,
      terms text[], highlights jsonb,
      state text, reason text, group_key text, due_at timestamptz, created_at timestamptz)`;
}

export async function readDueGroups(db: Db, now: number, count: number): Promise<{ number: number; group: string }[]> {
  const rows = await db.sql`
    select alert_number, group_key from alert_matches where state = 'held' and due_at <= ${iso(now)}
    group by alert_number, group_key order by min(due_at) limit ${count}`;
  return rows.map((r: any) => ({ number: r.alert_number, group: r.group_key }));
}

export interface HeldMatch {
  id: string;
  item: Item;
  terms: string[];
  highlights: any[];
  createdMs: number;
}

/** The first of the held matches of a group, and how many there are. */
export async function readHeld(
  tx: Tx,
  number: number,
  group: string,
  most: number,
): Promise<{ matches: HeldMatch[]; total: number }> {
  const rows = await tx`
    select *, count(*) over ()::int as total from alert_matches
    where alert_number = ${number} and group_key = ${group} and state = 'held' order by seq limit ${most}`;
  const matches = rows.map((r: any) => ({
    id: r.id,
    item: r.item,
    terms: r.terms,
    highlights: r.highlights,
    createdMs: new Date(r.created_at).getTime(),
  }));
  return { matches, total: rows[0]?.total ?? 0 };
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
    update alert_matches set due_at = ${iso(dueMs)}, reason = ${reason}
    where alert_number = ${number} and group_key = ${group} and state = 'held'`;
}

export async function readEmptyDigests(db: Db, now: number, count: number): Promise<number[]> {
  const rows =
    await db.sql`select number from alerts where due_at <= ${iso(now)} and status = 'active' order by due_at limit ${count}`;
  return rows.map((r: any) => r.number);
}

export async function expireAlerts(db: Db, now: number): Promise<number[]> {
  const rows = await db.sql`
    update alerts set status = 'expired', updated_at = ${iso(now)} where expires_at <= ${iso(now)} and status <>
      'expired' returning number`;
  return rows.map((r: any) => r.number);
}
