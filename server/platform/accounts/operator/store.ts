// The SQL behind the operator's routes.
import type { Plan } from "../../../contract/define.ts";
import { type Db, toIso, toMs, type Tx } from "../../../store/db.ts";

export interface AccountStanding {
  id: string;
  name: string;
  email: string | null;
  plan: Plan;
  keys: number;
  requestsToday: number;
  suspendedMs: number | null;
  createdMs: number;
}

export interface AccountQuery {
  plan: string | null;
  suspended: boolean | null;
  search: string | null;
  id: string | null;
}

export async function listStandings(
  db: Db | { sql: Tx },
  query: AccountQuery,
  before: string | null,
  count: number,
  now: number,
): Promise<AccountStanding[]> {
  const { plan, suspended, search, id } = query;
  const pattern = search === null ? null : `%${search.replace(/[\\%_]/g, "\\$&")}%`;
  const rows = await db.sql`
    select a.id, a.name, a.email, a.plan, a.suspended_at, a.created_at,
      (select count(*)::int from keys k join tenants t on t.id = k.tenant_id
        where t.account_id = a.id and k.revoked_at is null
          and (k.expires_at is null or k.expires_at > ${toIso(now)})) as keys,
      (select coalesce(sum(u.requests), 0)::int from usage u join tenants t on t.id = u.tenant_id
        where t.account_id = a.id and u.minute >= ${toIso(now).slice(0, 10)}::timestamptz) as requests_today
    from accounts a
    where (${before}::text is null or a.id < ${before}) and (${id}::text is null or a.id = ${id})
      and (${plan}::text is null or a.plan = ${plan})
      and (${suspended}::boolean is null or (a.suspended_at is not null) = ${suspended})
      and (${pattern}::text is null or a.name ilike ${pattern} or a.email ilike ${pattern} or a.id ilike ${pattern})
    order by a.id desc limit ${count}`;
  return rows.map((row: any) => ({
    id: row.id,
    name: row.name,
    email: row.email,
    plan: row.plan,
    keys: row.keys,
    requestsToday: row.requests_today,
    suspendedMs: toMs(row.suspended_at as Date | null),
    createdMs: toMs(row.created_at as Date),
  }));
}

export interface AccountChange {
  name: string | null;
  plan: string | null;
  /** Null leaves it as it is. */
  suspended: boolean | null;
}

/** False when there is no such account. A suspended account keeps the time it was suspended at. */
export async function changeAccountRow(tx: Tx, id: string, change: AccountChange, now: number): Promise<boolean> {
  const { name, plan, suspended } = change;
  const rows = await tx`
    update accounts set name = coalesce(${name}, name), plan = coalesce(${plan}, plan),
      suspended_at = case when ${suspended}::boolean is null then suspended_at
        when ${suspended}::boolean then coalesce(suspended_at, ${toIso(now)}::timestamptz) end
    where id = ${id} returning id`;
  return rows.length > 0;
}

export async function countByPlan(db: Db): Promise<Map<string, number>> {
  const rows = await db.sql`select plan, count(*)::int as accounts from accounts group by plan`;
  return new Map(rows.map((row: { plan: string; accounts: number }) => [row.plan, row.accounts]));
}
