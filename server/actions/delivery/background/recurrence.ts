// Schedules the deliveries of orders that come again. The occurrence is the external_id, so each is scheduled once, also
// when the service dies between the delivery and the note of it.
import { Failure } from "../../../contract/errors.ts";
import { formatTime, HOUR_MS } from "../../../lib/time.ts";
import { capFailure } from "../../../platform/caps/index.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Order } from "../contract/order.ts";
import { nextOccurrence } from "../engine/recurrence.ts";
import type { DeliveryStore } from "../store/index.ts";
import type { TemplateRow } from "../store/templates.ts";

/** Returns the id of the delivery. */
export type ScheduleOrder = (row: TemplateRow, order: Order, now: number) => Promise<string>;

export interface RecurrenceDeps {
  platform: Platform;
  store: DeliveryStore;
  scheduleOrder: ScheduleOrder;
}

const LEAD_MS = 12 * HOUR_MS;
const BATCH = 100;

export async function scheduleRecurring(deps: RecurrenceDeps, now: number): Promise<void> {
  for (const row of await deps.store.templates.due(now + LEAD_MS, BATCH)) {
    try {
      await scheduleNext(deps, row, now);
    } catch (error) {
      // One order that fails keeps no other from being scheduled.
      deps.platform.log.error(
        { error: String(error), template: row.id },
        "a recurring order failed; it is tried again",
      );
    }
  }
}

async function scheduleNext(deps: RecurrenceDeps, row: TemplateRow, now: number): Promise<void> {
  const atMs = row.nextMs!;
  const outcome = await tryOrder(deps, row, atMs, now);
  await deps.platform.db.sql.begin(async (tx) => {
    const fresh = await deps.store.templates.lock(tx, row.tenantId, row.id);
    // Changed or removed meanwhile: the new recurrence counts.
    if (!fresh || fresh.nextMs !== atMs) return;
    fresh.nextMs = nextOccurrence(fresh.view.recurrence, atMs);
    fresh.view.next_pickup = fresh.nextMs === null ? null : formatTime(fresh.nextMs);
    Object.assign(fresh.view, outcome);
    await deps.store.templates.save(tx, fresh);
  });
}

async function tryOrder(deps: RecurrenceDeps, row: TemplateRow, atMs: number, now: number) {
  const { order } = row.view;
  const time = formatTime(Math.max(atMs, now));
  const external_id = `${row.id} ${formatTime(atMs)}`;
  try {
    const id = await deps.scheduleOrder(row, { ...order, external_id, pickup: { ...order.pickup, time } }, now);
    return { last_delivery_id: id, last_error: null };
  } catch (thrown) {
    const error = capFailure(thrown) ?? thrown;
    if (!(error instanceof Failure) || error.status >= 500) throw error;
    if (error.code === "conflict")
      return { last_delivery_id: error.options.extra?.delivery_id as string, last_error: null };
    return { last_error: error.message };
  }
}
