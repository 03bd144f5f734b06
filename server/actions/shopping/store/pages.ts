// SQL of hosts and pages: which page is due, who visits it, what came of it.
// Rows are always locked in the order host, page, tracker.
import { type Db, type Tx, jsonb, toIso } from "../../../store/db.ts";
import type { RobotsState } from "../engine/schedule/interval.ts";
import { type HostRow, type PageRow, hostOf, pageOf } from "./rows.ts";

/** What a check writes into its page. */
export type PageUpdate = Pick<
  PageRow,
  | "etag"
  | "lastModified"
  | "bodyHash"
  | "httpStatus"
  | "notModified"
  | "bytes"
  | "durationMs"
  | "robots"
  | "error"
  | "failures"
  | "changedMs"
  | "dueMs"
> & { checkedMs: number };

export const pageQueries = {
  /** The page row, made if it is new, and locked; the shortest interval anyone asked for counts. */
  async openPage(
    tx: Tx,
    page: { key: string; url: string; host: string; simulated: boolean; askedMs: number },
    nowMs: number,
  ): Promise<PageRow> {
    const at = toIso(nowMs);
    await tx`insert into shopping_hosts (host, free_at) values (${page.host}, ${at}::timestamptz) on conflict (host) do nothing`;
    // The host before the page, as a check locks them: a page changed twice in one transaction asks for its host again.
    await tx`select 1 from shopping_hosts where host = ${page.host} for key share`;
    const [row] = await tx`
      insert into shopping_pages (key, url, host, simulated, asked_ms, due_at, created_at)
      values (${page.key}, ${page.url}, ${page.host}, ${page.simulated}, ${page.askedMs}, ${at}::timestamptz, ${at}::timestamptz)
      on conflict (key) do update set asked_ms = least(shopping_pages.asked_ms, excluded.asked_ms) returning *`;
    return pageOf(row);
  },

  /** Locks the page of a tracker, before the tracker itself is locked or changed. */
  async lockPageOf(tx: Tx, tenantId: number, trackerId: string): Promise<void> {
    await tx`select 1 from shopping_pages p where p.id = (select page_id from shopping_trackers
      where id = ${trackerId} and tenant_id = ${tenantId}) for update`;
  },

  /** Locks a host and one of its pages; false when nobody tracks the page any more. */
  async lockHostAndPage(tx: Tx, page: Pick<PageRow, "id" | "host">): Promise<boolean> {
    await tx`select 1 from shopping_hosts where host = ${page.host} for update`;
    return (await tx`select 1 from shopping_pages where id = ${page.id} for update`).length > 0;
  },

  /** The next check must bring the whole page: someone asks for it in a way nobody did before. */
  async forgetValidators(tx: Tx, pageId: string): Promise<void> {
    await tx`update shopping_pages set etag = null, last_modified = null, body_hash = null where id = ${pageId}`;
  },

  /** The shortest interval of the trackers that are left; a page without trackers is deleted. */
  async settlePage(tx: Tx, pageId: string): Promise<void> {
    await tx`delete from shopping_pages p where p.id = ${pageId} and not exists (select 1 from shopping_trackers t
      where t.page_id = p.id)`;
    await tx`update shopping_pages p set asked_ms = coalesce((select min((t.settings ->> 'interval_s')::bigint *
      1000) from shopping_trackers t where t.page_id = p.id), p.asked_ms) where p.id = ${pageId}`;
  },
};

interface Claim {
  limit: number;
  leaseMs: number;
  only?: string;
  without?: number[];
}

/** Pages as the checker sees them: taken when due, given back, finished. */
export const createCheckStore = ({ sql }: Db) => ({
  /**
   * Takes due pages, at most one of each host that is free now, and closes both until the lease ends: a host has one
   * visitor at a time, and what a killed worker held comes back by itself. `only` takes one page, due or not. Pages that
   * nobody but the tenants `without` tracks are passed over.
   */
  async claim(nowMs: number, options: Claim): Promise<{ page: PageRow; host: HostRow; tenantId: number }[]> {
    const at = toIso(nowMs);
    const lease = toIso(nowMs + options.leaseMs);
    const only = options.only ?? null;
    const without = options.without ?? [];
    const isWanted = (page: "p" | "q") => sql`
      case when ${only}::bigint is null then ${sql(page)}.due_at <= ${at}::timestamptz else ${sql(page)}.id = ${only}::bigint end
      and exists (select 1 from shopping_trackers t where t.page_id = ${sql(page)}.id and t.tenant_id <> all(${without}::int[]))`;
    const rows = await sql`
      with free as (
        select h.host from shopping_hosts h
        where h.free_at <= ${at}::timestamptz and exists (
          select 1 from shopping_pages p where p.host = h.host and ${isWanted("p")})
        order by h.free_at limit ${options.limit} for update skip locked
      ), picked as (
        select distinct on (q.host) q.id from shopping_pages q join free using (host)
        where ${isWanted("q")} order by q.host, q.due_at, q.id
      ), taken as (
        update shopping_pages p set due_at = ${lease}::timestamptz from picked where p.id = picked.id returning p.*
      ), closed as (
        update shopping_hosts h set free_at = ${lease}::timestamptz from taken where h.host = taken.host returning h.*
      )
      select to_jsonb(t) as page, to_jsonb(c) as host,
        (select min(r.tenant_id) from shopping_trackers r where r.page_id = t.id) as tenant_id
      from taken t join closed c using (host)`;
    return rows.map((row: any) => ({ page: pageOf(row.page), host: hostOf(row.host), tenantId: row.tenant_id }));
  },

  async releasePage(pageId: string, dueMs: number): Promise<void> {
    await sql`update shopping_pages set due_at = ${toIso(dueMs)}::timestamptz where id = ${pageId}`;
  },

  /** The page after a check, and when its host may be visited again. */
  async finishCheck(
    tx: Tx,
    page: Pick<PageRow, "id" | "host">,
    update: PageUpdate,
    host: Pick<HostRow, "failures" | "freeMs">,
  ): Promise<void> {
    await tx`update shopping_hosts set failures = ${host.failures}, free_at = ${toIso(host.freeMs)}::timestamptz
      where host = ${page.host}`;
    await tx`
      update shopping_pages set etag = ${update.etag}, last_modified = ${update.lastModified},
        body_hash = ${update.bodyHash}, checked_at = ${toIso(update.checkedMs)}::timestamptz,
        changed_at = ${toIso(update.changedMs)}::timestamptz, due_at = ${toIso(update.dueMs)}::timestamptz,
        checks = checks + 1, failures = ${update.failures}, http_status = ${update.httpStatus},
        not_modified = ${update.notModified}, bytes = ${update.bytes}, duration_ms = ${update.durationMs},
        robots = ${update.robots}, error = ${update.error}
      where id = ${page.id}`;
  },
});

export const createHostStore = ({ sql }: Db) => ({
  /** The host's next turn, for a check that belongs to no page; null while it is not free. */
  async claimHost(name: string, nowMs: number, leaseMs: number): Promise<HostRow | null> {
    const [host] = await sql`
      insert into shopping_hosts (host, free_at) values (${name}, ${toIso(nowMs + leaseMs)}::timestamptz)
      on conflict (host) do update set free_at = excluded.free_at
        where shopping_hosts.free_at <= ${toIso(nowMs)}::timestamptz
      returning *`;
    return host ? hostOf(host) : null;
  },

  async freeHost(name: string, freeMs: number): Promise<void> {
    await sql`update shopping_hosts set free_at = ${toIso(freeMs)}::timestamptz where host = ${name}`;
  },

  async keepRobots(host: string, robots: RobotsState, crawlDelayS: number | null, nowMs: number): Promise<void> {
    await sql`update shopping_hosts set robots = ${jsonb(robots)}::text::jsonb, robots_at =
      ${toIso(nowMs)}::timestamptz, crawl_delay_s = ${crawlDelayS} where host = ${host}`;
  },
});
