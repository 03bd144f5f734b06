// SQL of trackers and their history points. A tracker is locked only after its page.
import { type Db, type Tx, toIso, toMs } from "../../../store/db.ts";
import type { Point } from "../engine/history/statistics.ts";
import { type TrackerRow, type TrackerWithPage, storableJson, trackerOf, trackerWithPageOf } from "./rows.ts";

const pointOf = (row: any): Point => ({
  atMs: toMs(row.at as Date),
  amount: row.amount,
  listAmount: row.list_amount,
  currency: row.currency,
  availability: row.availability,
});

export const createTrackerStore = ({ sql }: Db) => ({
  async countTrackers(tx: Tx, tenantId: number): Promise<number> {
    const [row] = await tx`select count(*)::int as n from shopping_trackers where tenant_id = ${tenantId}`;
    return row.n;
  },

  async findTracker(tx: Tx, tenantId: number, pageId: string, variant: string): Promise<TrackerRow | null> {
    const [row] =
      await tx`select * from shopping_trackers where tenant_id = ${tenantId} and page_id = ${pageId} and variant =
        ${variant} for update`;
    return row ? trackerOf(row) : null;
  },

  async insertTracker(tx: Tx, tracker: TrackerRow): Promise<void> {
    await tx`
      insert into shopping_trackers (id, tenant_id, page_id, variant, settings, state, status, tags, created_at)
      values (${tracker.id}, ${tracker.tenantId}, ${tracker.pageId}, ${tracker.variant},
        ${storableJson(tracker.settings)}::text::jsonb, ${storableJson(tracker.state)}::text::jsonb, ${tracker.status},
        ${tracker.tags}::text[], ${toIso(tracker.createdMs)}::timestamptz)`;
  },

  async trackerById(tx: Tx, tenantId: number, id: string): Promise<TrackerWithPage | null> {
    const [row] =
      await tx`select t.*, to_jsonb(p) as page from shopping_trackers t join shopping_pages p on p.id = t.page_id
        where t.id = ${id} and t.tenant_id = ${tenantId}`;
    return row ? trackerWithPageOf(row) : null;
  },

  async listTrackers(
    tenantId: number,
    filter: { status?: string; tag?: string },
    after: string | null,
    count: number,
  ): Promise<TrackerWithPage[]> {
    const rows = await sql`
      select t.*, to_jsonb(p) as page from shopping_trackers t join shopping_pages p on p.id = t.page_id
      where t.tenant_id = ${tenantId} and (${after}::text is null or t.id < ${after}) and
        (${filter.status ?? null}::text is null or t.status = ${filter.status ?? null})
        and (${filter.tag ?? null}::text is null or ${filter.tag ?? null} = any(t.tags))
      order by t.id desc limit ${count}`;
    return rows.map(trackerWithPageOf);
  },

  async updateTracker(tx: Tx, tracker: TrackerRow): Promise<void> {
    await tx`update shopping_trackers set settings = ${storableJson(tracker.settings)}::text::jsonb, state =
      ${storableJson(tracker.state)}::text::jsonb, status = ${tracker.status}, tags = ${tracker.tags}::text[]
      where id = ${tracker.id}`;
  },

  /** The id of its page; null when there was no such tracker. */
  async deleteTrackerRow(tx: Tx, tenantId: number, id: string): Promise<string | null> {
    const [row] =
      await tx`delete from shopping_trackers where id = ${id} and tenant_id = ${tenantId} returning page_id`;
    return row ? String(row.page_id) : null;
  },

  async trackersOfPage(pageId: string): Promise<TrackerRow[]> {
    const rows = await sql`select * from shopping_trackers where page_id = ${pageId} order by id`;
    return rows.map(trackerOf);
  },

  async lockTrackersOfPage(tx: Tx, pageId: string): Promise<TrackerRow[]> {
    const rows = await tx`select * from shopping_trackers where page_id = ${pageId} order by id for update`;
    return rows.map(trackerOf);
  },

  async addPoint(tx: Tx, trackerId: string, point: Point): Promise<void> {
    await tx`
      insert into shopping_points (tracker_id, at, amount, list_amount, currency, availability)
      values (${trackerId}, ${toIso(point.atMs)}::timestamptz, ${point.amount}, ${point.listAmount},
        ${point.currency}, ${point.availability})
      on conflict do nothing`;
  },

  /** Inside a transaction pass the transaction: a second connection could wait for the first for ever. */
  async points(tx: Tx, trackerId: string): Promise<Point[]> {
    const rows = await tx`select at, amount, list_amount, currency, availability from shopping_points where tracker_id =
        ${trackerId} order by at`;
    return rows.map(pointOf);
  },

  async pointsOf(trackerIds: string[]): Promise<Map<string, Point[]>> {
    const out = new Map<string, Point[]>(trackerIds.map((id) => [id, []]));
    if (trackerIds.length === 0) return out;
    for (const row of await sql`select tracker_id, at, amount, list_amount, currency, availability from
      shopping_points where tracker_id = any(${trackerIds}::text[]) order by tracker_id, at`)
      out.get(row.tracker_id)!.push(pointOf(row));
    return out;
  },
});
