// SQL of shopping: hosts, pages, trackers, points. The only file that knows these tables.
import type { Db, Tx } from "../../store/db.ts";
import type { Point } from "./engine/history/statistics.ts";
import type { ExtractedPage } from "./engine/page/result.ts";
import type { RobotsState } from "./engine/schedule/interval.ts";
import type { TrackerState } from "./machine.ts";
import type { Settings } from "./settings.ts";

export interface HostRow {
  host: string;
  free_at: Date;
  crawl_delay_s: number | null;
  failures: number;
  robots: RobotsState | null;
  robots_at: Date | null;
}

export interface PageRow {
  id: string;
  key: string;
  url: string;
  host: string;
  simulated: boolean;
  asked_ms: string;
  due_at: Date;
  etag: string | null;
  last_modified: string | null;
  body_hash: string | null;
  result: ExtractedPage | null;
  checked_at: Date | null;
  changed_at: Date | null;
  checks: number;
  failures: number;
  http_status: number | null;
  not_modified: boolean;
  bytes: number | null;
  duration_ms: number | null;
  robots: string | null;
  error: string | null;
  created_at: Date;
}

export interface TrackerRow {
  id: string;
  tenant_id: number;
  page_id: string;
  variant: string;
  settings: Settings;
  state: { machine: TrackerState; result: ExtractedPage | null };
  status: string;
  tags: string[];
  created_at: Date;
}

export type PageUpdate = Pick<
  PageRow,
  | "etag"
  | "last_modified"
  | "body_hash"
  | "result"
  | "http_status"
  | "not_modified"
  | "bytes"
  | "duration_ms"
  | "robots"
  | "error"
  | "failures"
> & { checkedAt: Date; changedAt: Date | null; dueAt: Date };

export type ShoppingStore = ReturnType<typeof createStore>;

export function createStore(db: Db) {
  const sql = db.sql;
  return {
    /** The page row, made if it is new; the shortest interval anyone asked for counts. */
    async openPage(
      tx: Tx,
      page: { key: string; url: string; host: string; simulated: boolean; askedMs: number },
      now: number,
    ): Promise<PageRow> {
      const at = new Date(now);
      await tx`insert into shopping_hosts (host, free_at) values (${page.host}, ${at}) on conflict (host) do nothing`;
      const [row] = await tx`
        insert into shopping_pages (key, url, host, simulated, asked_ms, due_at, created_at)
        values (${page.key}, ${page.url}, ${page.host}, ${page.simulated}, ${page.askedMs}, ${at}, ${at})
        on conflict (key) do update set asked_ms = least(shopping_pages.asked_ms, excluded.asked_ms) returning *`;
      return row as PageRow;
    },
    /** The next look must bring the whole page: someone asks for it in a way nobody did before. */
    async forgetValidators(tx: Tx, pageId: string): Promise<void> {
      await tx`update shopping_pages set etag = null, last_modified = null, body_hash = null where id = ${pageId}`;
    },
    async countTrackers(tx: Tx, tenantId: number): Promise<number> {
      const [row] = await tx`select count(*)::int as n from shopping_trackers where tenant_id = ${tenantId}`;
      return row.n;
    },
    async findTracker(tx: Tx, tenantId: number, pageId: string, variant: string): Promise<TrackerRow | null> {
      const [row] =
        await tx`select * from shopping_trackers where tenant_id = ${tenantId} and page_id = ${pageId} and variant =
          ${variant} for update`;
      return row ?? null;
    },
    /** Another request may have made it at the same time: then that one is the tracker. */
    async insertTracker(tx: Tx, t: TrackerRow): Promise<TrackerRow> {
      const [row] = await tx`
        insert into shopping_trackers (id, tenant_id, page_id, variant, settings, state, status, tags, created_at)
        values (${t.id}, ${t.tenant_id}, ${t.page_id}, ${t.variant}, ${JSON.stringify(t.settings)}::text::jsonb,
          ${JSON.stringify(t.state)}::text::jsonb, ${t.status}, ${t.tags}::text[], ${t.created_at})
        on conflict (tenant_id, page_id, variant) do update set tags = shopping_trackers.tags returning *`;
      return row as TrackerRow;
    },
    async trackerById(tx: Tx, tenantId: number, id: string): Promise<(TrackerRow & { page: PageRow }) | null> {
      const [row] =
        await tx`select t.*, to_jsonb(p) as page from shopping_trackers t join shopping_pages p on p.id = t.page_id
          where t.id = ${id} and t.tenant_id = ${tenantId}`;
      return row ? withPage(row) : null;
    },
    async listTrackers(
      tenantId: number,
      filter: { status?: string; tag?: string },
      after: string | null,
      count: number,
    ): Promise<(TrackerRow & { page: PageRow })[]> {
      const rows = await sql`
        select t.*, to_jsonb(p) as page from shopping_trackers t join shopping_pages p on p.id = t.page_id
        where t.tenant_id = ${tenantId} and (${after}::text is null or t.id < ${after}) and
          (${filter.status ?? null}::text is null or t.status = ${filter.status ?? null})
          and (${filter.tag ?? null}::text is null or ${filter.tag ?? null} = any(t.tags))
        order by t.id desc limit ${count}`;
      return rows.map(withPage);
    },
    async updateTracker(tx: Tx, t: TrackerRow): Promise<void> {
      await tx`update shopping_trackers set settings = ${JSON.stringify(t.settings)}::text::jsonb, state =
        ${JSON.stringify(t.state)}::text::jsonb, status = ${t.status}, tags = ${t.tags}::text[] where id = ${t.id}`;
    },
    /** The shortest interval of those that are left; a page nobody tracks any more is forgotten. */
    async settlePage(tx: Tx, pageId: string): Promise<void> {
      await tx`delete from shopping_pages p where p.id = ${pageId} and not exists (select 1 from shopping_trackers t
        where t.page_id = p.id)`;
      await tx`update shopping_pages p set asked_ms = coalesce((select min((t.settings ->> 'interval_s')::bigint *
        1000) from shopping_trackers t where t.page_id = p.id), p.asked_ms) where p.id = ${pageId}`;
    },
    async deleteTracker(tx: Tx, tenantId: number, id: string): Promise<string | null> {
      const [row] =
        await tx`delete from shopping_trackers where id = ${id} and tenant_id = ${tenantId} returning page_id`;
      return row ? String(row.page_id) : null;
    },
    async trackersOfPage(tx: Tx, pageId: string): Promise<TrackerRow[]> {
      return (await tx`select * from shopping_trackers where page_id = ${pageId} order by id
        for update`) as TrackerRow[];
    },
    async addPoint(tx: Tx, trackerId: string, point: Point): Promise<void> {
      await tx`
        insert into shopping_points (tracker_id, at, amount, list_amount, currency, availability)
        values (${trackerId}, ${new Date(point.atMs)}, ${point.amount}, ${point.listAmount}, ${point.currency},
          ${point.availability})
        on conflict do nothing`;
    },
    async points(trackerId: string): Promise<Point[]> {
      const rows =
        await sql`select at, amount, list_amount, currency, availability from shopping_points where tracker_id =
          ${trackerId} order by at`;
      return rows.map((r: any) => ({
        atMs: r.at.getTime(),
        amount: r.amount,
        listAmount: r.list_amount,
        currency: r.currency,
        availability: r.availability,
      }));
    },
    async pointsOf(trackerIds: string[]): Promise<Map<string, Point[]>> {
      const out = new Map<string, Point[]>(trackerIds.map((id) => [id, []]));
      if (trackerIds.length === 0) return out;
      for (const r of await sql`select tracker_id, at, amount, list_amount, currency, availability from
        shopping_points where tracker_id = any(${trackerIds}::text[]) order by tracker_id, at`) {
        out.get(r.tracker_id)!.push({
          atMs: r.at.getTime(),
          amount: r.amount,
          listAmount: r.list_amount,
          currency: r.currency,
          availability: r.availability,
        });
      }
      return out;
    },
    /**
     * Takes due pages, at most one of each host that is free now, and closes both until the lease ends: a host has one
     * visitor at a time, and what a killed worker held comes back by itself. `only` takes one page, due or not.
     */
    async claim(
      now: number,
      options: { limit: number; leaseMs: number; only?: string },
    ): Promise<{ page: PageRow; host: HostRow }[]> {
      const at = new Date(now);
      const lease = new Date(now + options.leaseMs);
      const only = options.only ?? null;
      const rows = await sql`
        with free as (
          select h.host from shopping_hosts h
          where h.free_at <= ${at} and exists (
            select 1 from shopping_pages p
            where p.host = h.host and case when ${only}::bigint is null then p.due_at <= ${at} else p.id = ${only}::bigint end)
          order by h.free_at limit ${options.limit} for update skip locked
        ), picked as (
          select distinct on (q.host) q.id from shopping_pages q join free using (host)
          where case when ${only}::bigint is null then q.due_at <= ${at} else q.id = ${only}::bigint end
          order by q.host, q.due_at, q.id
        ), taken as (
          update shopping_pages p set due_at = ${lease} from picked where p.id = picked.id returning p.*
        ), closed as (
          update shopping_hosts h set free_at = ${lease} from taken where h.host = taken.host returning h.*
        )
        select to_jsonb(t) as page, to_jsonb(c) as host from taken t join closed c using (host)`;
      return rows.map((row: any) => ({ page: pageOf(row.page), host: hostOf(row.host) }));
    },
    /** The host's next turn, for a look that belongs to no page; null while it is not free. */
    async claimHost(name: string, now: number, leaseMs: number): Promise<HostRow | null> {
      const [host] = await sql`
        insert into shopping_hosts (host, free_at) values (${name}, ${new Date(now + leaseMs)})
        on conflict (host) do update set free_at = excluded.free_at where shopping_hosts.free_at <= ${new Date(now)}
        returning *`;
      return host ?? null;
    },
    async freeHost(name: string, freeAt: number): Promise<void> {
      await sql`update shopping_hosts set free_at = ${new Date(freeAt)} where host = ${name}`;
    },
    async release(pageId: string, dueAt: number): Promise<void> {
      await sql`update shopping_pages set due_at = ${new Date(dueAt)} where id = ${pageId}`;
    },
    async keepRobots(host: string, robots: RobotsState, crawlDelayS: number | null, now: number): Promise<void> {
      await sql`update shopping_hosts set robots = ${JSON.stringify(robots)}::text::jsonb, robots_at =
        ${new Date(now)}, crawl_delay_s = ${crawlDelayS} where host = ${host}`;
    },
    /** The page after a look, and when its host may be visited again. */
    async finish(
      tx: Tx,
      page: Pick<PageRow, "id" | "host">,
      u: PageUpdate,
      host: { failures: number; freeAt: number },
    ): Promise<void> {
      await tx`
        with freed as (
          update shopping_hosts set failures = ${host.failures}, free_at = ${new Date(host.freeAt)} where host = ${page.host}
        )
        update shopping_pages set etag = ${u.etag}, last_modified = ${u.last_modified}, body_hash = ${u.body_hash},
          result = ${u.result === null ? null : JSON.stringify(u.result)}::text::jsonb, checked_at = ${u.checkedAt},
          changed_at = ${u.changedAt}, due_at = ${u.dueAt}, checks = checks + 1, failures = ${u.failures},
          http_status = ${u.http_status}, not_modified = ${u.not_modified}, bytes = ${u.bytes},
          duration_ms = ${u.duration_ms}, robots = ${u.robots}, error = ${u.error}
        where id = ${page.id}`;
    },
  };
}

/** A row that came as JSON has its times as text. */
function pageOf(page: any): PageRow {
  for (const name of ["due_at", "checked_at", "changed_at", "created_at"])
    if (page[name] !== null) page[name] = new Date(page[name]);
  page.id = String(page.id);
  return page;
}

function hostOf(host: any): HostRow {
  for (const name of ["free_at", "robots_at"]) if (host[name] !== null) host[name] = new Date(host[name]);
  return host;
}

function withPage(row: any): TrackerRow & { page: PageRow } {
  row.page = pageOf(row.page);
  row.page_id = String(row.page_id);
  return row;
}
