// All SQL of shopping, as one object.
import type { Db, Tx } from "../../../store/db.ts";
import { createCheckStore, createHostStore, pageQueries } from "./pages.ts";
import { createTrackerStore } from "./trackers.ts";

export type { PageUpdate } from "./pages.ts";
export type { HostRow, PageRow, TrackerRow, TrackerWithPage } from "./rows.ts";

export type ShoppingStore = ReturnType<typeof createStore>;

export function createStore(db: Db) {
  const trackers = createTrackerStore(db);
  return {
    ...createHostStore(db),
    ...createCheckStore(db),
    ...pageQueries,
    ...trackers,
    /** Deletes a tracker, and its page where it was the last one; false when there is no such tracker. */
    async deleteTracker(tx: Tx, tenantId: number, id: string): Promise<boolean> {
      await pageQueries.lockPageOf(tx, tenantId, id);
      const pageId = await trackers.deleteTrackerRow(tx, tenantId, id);
      if (pageId !== null) await pageQueries.settlePage(tx, pageId);
      return pageId !== null;
    },
  };
}
