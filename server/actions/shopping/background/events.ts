// A tracker's events as subscribers see them.
import { percentChange } from "../../../lib/decimal.ts";
import type { NewEvent } from "../../../platform/events/index.ts";
import type { TrackerEvent, TrackerState } from "../machine.ts";
import type { PageRow, TrackerRow } from "../store/index.ts";

export const eventOf = (
  id: string,
  event: TrackerEvent,
  tracker: TrackerRow,
  page: PageRow,
  nowMs: number,
): NewEvent => ({
  id,
  tenantId: tracker.tenantId,
  tags: tracker.tags,
  at: nowMs,
  type: `shopping.${event.type}`,
  data: {
    tracker_id: tracker.id,
    url: page.url,
    name: tracker.state.result?.product.name ?? null,
    simulated: page.simulated,
    ...detailsOf(event, tracker.state.machine),
  },
});

function detailsOf(event: TrackerEvent, { amount, currency }: TrackerState): Record<string, unknown> {
  switch (event.type) {
    case "price_changed":
      return {
        previous: event.previous,
        amount: event.amount,
        currency,
        ...changeOf(event.previous, event.amount),
        triggers: event.triggers,
      };
    case "availability_changed":
      return {
        previous: event.previous,
        availability: event.availability,
        amount,
        currency,
        triggers: event.triggers,
      };
    case "target_reached":
      return { amount: event.amount, target: event.target, currency };
    case "alert":
      return {
        triggers: event.triggers,
        previous: event.previous,
        amount: event.amount,
        currency,
        ...changeOf(event.previous, event.amount),
        availability: event.availability,
      };
    case "page_gone":
      return {};
    case "check_failed":
      return { reason: event.failure };
  }
}

function changeOf(previous: string | null, amount: string): { percent: number | null; direction: string } {
  const percent = previous === null ? null : percentChange(previous, amount, 1);
  const moved = previous === null ? 0 : Number(amount) - Number(previous);
  return {
    percent: percent === null ? null : Number(percent),
    direction: moved < 0 ? "down" : moved > 0 ? "up" : "none",
  };
}
