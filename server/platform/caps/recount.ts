// Corrects what accounts store by counting it: rows that were changed weigh something else than when they were added.
import type { Job } from "../jobs/job.ts";
import type { CapKind } from "../plans/caps.ts";
import type { Module, Platform } from "../platform.ts";
import { BYTES_BESIDE } from "./sizes.ts";
import { recountStored } from "./store/stored.ts";

/** Where rows of a kind lie, and their size in bytes as the triggers count it (migrations 0090 to 0092). */
const WHOLE_ROW = "octet_length(x::text)";
const TABLES: Record<CapKind, { table: string; size: string }> = {
  keys: { table: "keys", size: WHOLE_ROW },
  webhooks: { table: "webhooks", size: WHOLE_ROW },
  deliveries: { table: "deliveries", size: `octet_length(x.view::text) + ${BYTES_BESIDE.deliveries}` },
  couriers: { table: "couriers", size: WHOLE_ROW },
  delivery_places: { table: "delivery_places", size: WHOLE_ROW },
  delivery_pictures: { table: "delivery_pictures", size: WHOLE_ROW },
  delivery_templates: { table: "delivery_templates", size: WHOLE_ROW },
  trackers: { table: "shopping_trackers", size: WHOLE_ROW },
  levels: { table: "stock_levels", size: WHOLE_ROW },
  own_securities: { table: "stock_books", size: WHOLE_ROW },
  alerts: { table: "alerts", size: WHOLE_ROW },
  alert_channels: { table: "alert_channels", size: WHOLE_ROW },
  feeds: { table: "alert_feed_links", size: WHOLE_ROW },
  content: { table: "alert_content", size: WHOLE_ROW },
  analyses: { table: "detector_analyses", size: WHOLE_ROW },
  batches: { table: "detector_batches", size: WHOLE_ROW },
  idempotency_records: { table: "idempotency", size: `octet_length(x.body) + ${BYTES_BESIDE.idempotency_records}` },
  events: { table: "events", size: `octet_length(x.data::text) + ${BYTES_BESIDE.events}` },
  inbox_messages: { table: "sandbox_inbox", size: WHOLE_ROW },
};

export function recountJob({ db }: Platform): Job {
  return {
    name: "caps.recount",
    cron: "13 3 * * *",
    async run(_payload, { log, signal }) {
      for (const [kind, { table, size }] of Object.entries(TABLES)) {
        signal.throwIfAborted();
        const corrected = await recountStored(db, kind, table, size);
        if (corrected > 0) log.info({ kind, accounts: corrected }, "what accounts store was counted anew");
      }
    },
  };
}

export const createRecount = (platform: Platform): Module => ({ handlers: [], jobs: [recountJob(platform)] });
