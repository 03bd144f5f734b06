// The SQL of leases; the functions are those of migration 0095.
import type { Db, Tx } from "../../../store/db.ts";
import { sqlStateOf } from "../../../store/faults.ts";
import type { CapKind } from "../../plans/caps.ts";
import type { Lease } from "../lease-book.ts";

/** What a statement stores and counts itself. */
export interface Counted {
  holder: number;
  entries: Map<CapKind, { tenantIds: number[]; bytes: number[] }>;
}

/** The holder was ended: nothing of the statement happened. */
export const isLeaseLost = (error: unknown): boolean => sqlStateOf(error) === "CP001";

/** A condition for a statement that counts what it stores: true, once the triggers leave the counting to it. */
export const countsItself = (tx: Tx, counted: Counted | null) =>
  counted ? tx`(select hold_lease(${counted.holder}::int))` : tx`true`;

/** For the same statement: the CTE that counts. */
export const countedCte = (tx: Tx, counted: Counted | null) =>
  counted
    ? tx`
  counted as (
    insert into stored_log (holder, kind, tenants, bytes)
    select ${counted.holder}::int, split_part(line, ' ', 1), split_part(line, ' ', 2)::int[], split_part(line, ' ', 3)::bigint[]
    from string_to_table(${logText(counted)}::text, ';') as line),`
    : tx``;

const logText = ({ entries }: Counted): string =>
  Array.from(entries, ([kind, { tenantIds, bytes }]) => `${kind} ${arrayText(tenantIds)} ${arrayText(bytes)}`).join(
    ";",
  );

/** Neither a kind nor a number needs quotes. */
const arrayText = (values: (string | number)[]): string => `{${values.join()}}`;

export async function openHolder(db: Db): Promise<number> {
  const [{ holder }] = await db.sql`insert into cap_holders default values returning holder`;
  return holder;
}

/** Says that the holder still lives; false when it was ended. */
export async function touchHolder(db: Db, holder: number): Promise<boolean> {
  const seen = await db.sql`update cap_holders set seen_at = now() where holder = ${holder} returning 1`;
  return seen.length > 0;
}

export async function endHolder(db: Db, holder: number): Promise<void> {
  await db.sql`select end_holder(${holder}::int)`;
}

/** What was granted; near a cap nothing is. */
export async function takeLeases(db: Db, holder: number, pairs: Pick<Lease, "tenantId" | "kind">[]): Promise<Lease[]> {
  const rows = await db.sql`
    select tenant, lease_kind, lease_rows::float8 as rows, lease_bytes::float8 as bytes
    from take_leases(${holder}::int, ${arrayText(pairs.map((pair) => pair.tenantId))}::text::int[],
      ${arrayText(pairs.map((pair) => pair.kind))}::text::text[])`;
  return rows.map((row: any) => ({ tenantId: row.tenant, kind: row.lease_kind, rows: row.rows, bytes: row.bytes }));
}

export async function giveBackLeases(db: Db, holder: number, leases: Lease[]): Promise<void> {
  await db.sql`
    select give_back_leases(${holder}::int, ${arrayText(leases.map((lease) => lease.tenantId))}::text::int[],
      ${arrayText(leases.map((lease) => lease.kind))}::text::text[], ${arrayText(leases.map((lease) => lease.rows))}::text::bigint[],
      ${arrayText(leases.map((lease) => lease.bytes))}::text::bigint[])`;
}
