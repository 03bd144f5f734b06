// The SQL of the request log and of refusals by error code.
import { type Db, jsonb, toIso, toMs } from "../../../store/db.ts";

export interface LoggedRequest {
  tenantId: number;
  id: string;
  atMs: number;
  method: string;
  /** The whole address as it came; its path and query are kept. */
  url: string;
  status: number;
  code: string | null;
  durationMs: number;
  keyId: string;
  route: string;
}

const MAX_PATH = 500;

/** The path and query of an absolute address, cut to what is kept. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  return url.slice(start, start + MAX_PATH);
}

export async function addRequests(db: Db, requests: LoggedRequest[]): Promise<void> {
  const rows = requests.map(({ url, atMs, durationMs, ...rest }) => ({
    ...rest,
    at: toIso(atMs),
    path: pathOf(url),
    ms: Math.round(durationMs * 10) / 10,
  }));
  await db.sql`
    insert into request_log (tenant_id, id, at, method, path, status, code, duration_ms, key_id, route)
    select "tenantId", id, at, method, path, status, code, ms, "keyId", route
    from jsonb_to_recordset(${jsonb(rows)}::text::jsonb)
      as r ("tenantId" int, id text, at timestamptz, method text, path text, status smallint, code text, ms real,
        "keyId" text, route text)
    order by at, id`;
}

/** Leaves the newest `max` requests of a tenant. */
export async function trimRequests(db: Db, tenantId: number, max: number): Promise<void> {
  await db.sql`
    delete from request_log where tenant_id = ${tenantId} and seq <= (
      select seq from request_log where tenant_id = ${tenantId} order by seq desc offset ${max} limit 1)`;
}

export async function forgetRequests(db: Db, beforeMs: number, errorsBeforeMs: number): Promise<void> {
  await db.sql`delete from request_log where at < ${toIso(beforeMs)}`;
  await db.sql`delete from usage_errors where hour < ${toIso(errorsBeforeMs)}`;
}

export interface RequestQuery {
  tenantId: number;
  failed: boolean | null;
  status: number | null;
  code: string | null;
  action: string | null;
  route: string | null;
  method: string | null;
  keyId: string | null;
  id: string | null;
  sinceMs: number | null;
  untilMs: number | null;
}

export interface RequestRow extends Omit<LoggedRequest, "url" | "tenantId"> {
  seq: string;
  path: string;
}

export async function listRequestRows(
  db: Db,
  query: RequestQuery,
  before: string | null,
  count: number,
): Promise<RequestRow[]> {
  const { failed, status, code, action, route, method, keyId, id } = query;
  const rows = await db.sql`
    select *, seq::text from request_log
    where tenant_id = ${query.tenantId} and (${before}::bigint is null or seq < ${before}::bigint)
      and (${failed}::boolean is null or (status >= 400) = ${failed})
      and (${status}::int is null or status = ${status}) and (${code}::text is null or code = ${code})
      and (${action}::text is null or split_part(route, '.', 1) = ${action})
      and (${route}::text is null or route = ${route}) and (${method}::text is null or method = ${method})
      and (${keyId}::text is null or key_id = ${keyId}) and (${id}::text is null or id = ${id})
      and (${toIso(query.sinceMs)}::timestamptz is null or at >= ${toIso(query.sinceMs)}::timestamptz)
      and (${toIso(query.untilMs)}::timestamptz is null or at < ${toIso(query.untilMs)}::timestamptz)
    order by request_log.seq desc limit ${count}`;
  return rows.map((row: any) => ({
    seq: row.seq,
    id: row.id,
    atMs: toMs(row.at as Date),
    method: row.method,
    path: row.path,
    status: row.status,
    code: row.code,
    durationMs: row.duration_ms,
    keyId: row.key_id,
    route: row.route,
  }));
}

export interface ErrorCount {
  tenantId: number;
  hourMs: number;
  route: string;
  code: string;
  requests: number;
  lastMs: number;
  lastId: string;
}

/** Adds the counts in a fixed order, so that two replicas never wait on each other in a circle. */
export async function addErrors(db: Db, counts: ErrorCount[]): Promise<void> {
  const rows = counts.map((c) => ({ ...c, hour: toIso(c.hourMs), last: toIso(c.lastMs) }));
  await db.sql`
    insert into usage_errors (tenant_id, hour, route, code, requests, last_at, last_request_id)
    select "tenantId", hour, route, code, requests, last, "lastId"
    from jsonb_to_recordset(${jsonb(rows)}::text::jsonb)
      as e ("tenantId" int, hour timestamptz, route text, code text, requests int, last timestamptz, "lastId" text)
    order by 1, 2, 3, 4
    on conflict (tenant_id, hour, route, code) do update
      set requests = usage_errors.requests + excluded.requests, last_at = excluded.last_at,
        last_request_id = excluded.last_request_id`;
}

export interface CodeCount {
  code: string;
  requests: number;
  routes: string[];
  lastMs: number;
  lastId: string;
}

/** Refusals by code, the most frequent first. */
export async function readErrors(db: Db, tenantId: number, fromMs: number, toTimeMs: number): Promise<CodeCount[]> {
  const rows = await db.sql`
    with by_route as (
      select code, route, sum(requests)::int as requests, max(last_at) as last_at,
        (array_agg(last_request_id order by last_at desc))[1] as last_id
      from usage_errors
      where tenant_id = ${tenantId} and hour >= date_trunc('hour', ${toIso(fromMs)}::timestamptz, 'UTC')
        and hour <= ${toIso(toTimeMs)}
      group by code, route)
    select code, sum(requests)::int as requests, array_agg(route order by requests desc, route) as routes,
      max(last_at) as last_at, (array_agg(last_id order by last_at desc))[1] as last_id
    from by_route group by code order by 2 desc, code`;
  return rows.map(({ last_at, last_id, ...rest }: any) => ({
    ...rest,
    lastMs: toMs(last_at as Date),
    lastId: last_id,
  }));
}
