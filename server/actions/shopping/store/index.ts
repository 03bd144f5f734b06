// All SQL of shopping, as one object.
import type { Db, Tx } from "../../../store/db.ts";
import { createHostStore, createPageStore } from "./pages.ts";
import { createTrackerStore } from "./trackers.ts";

export type { PageUpdate } from "./pages.ts";
export type { HostRow, PageRow, TrackerRow, TrackerWithPage } from "./rows.ts";

export type ShoppingStore = ReturnType<typeof createStore>;

export function createStore(db: Db) {
  const pages = createPageStore(db);
  const trackers = createTrackerStore(db);
  return {
    ...createHostStore(db),
    ...pages,
    ...trackers,
    /** Deletes a tracker, and its page where it was the last one; false when there is no such tracker. */
    async deleteTracker(tx: Tx, tenantId: number, id: string): Promise<boolean> {
      await pages.lockPageOf(tx, tenantId, id);
      const pageId = await trackers.deleteTrackerRow(tx, tenantId, id);
      if (pageId !== null) await pages.settlePage(tx, pageId);
      return pageId !== null;
    },
  };
}
