// Takes in what a courier service reports about a delivery. Idempotent: late and repeated reports change nothing.
import { formatTime, parseTime } from "../../../lib/time.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Eta } from "../engine/eta/index.ts";
import type { Lifecycle } from "../lifecycle.ts";
import { TERMINAL } from "../machine.ts";
import type { Report } from "../providers/port.ts";
import type { DeliveryRow, DeliveryStore } from "../store/index.ts";

/** True when the report moved the delivery. */
export type ReceiveReport = (tenantId: number, id: string, report: Report) => Promise<boolean>;

export function createReports(platform: Platform, store: DeliveryStore, lifecycle: Lifecycle): ReceiveReport {
  return (tenantId, id, report) =>
    platform.db.sql.begin(async (tx) => {
      const row = await store.lock(tx, tenantId, id);
      if (!row) return false;
      const now = platform.clock.now();
      const { name = null, vehicle = null } = report.courier ?? {};
      const { state: to, eventId, handBack } = report;
      const courier = `${row.view.provider}:${row.machine.attempts}`;
      const result = await lifecycle.move(
        tx,
        row,
        { to, by: "provider", courier, eventId, handBack },
        { atMs: now, reason: report.reason ?? null, courier: { id: null, name, vehicle } },
      );
      if (TERMINAL.has(row.view.status)) return result.kind === "moved";
      if (row.view.courier && report.position) row.view.courier.position = { ...report.position, at: formatTime(now) };
      const { arriveMs } = report;
      if (arriveMs !== undefined && arriveMs > now)
        await lifecycle.updateEta(tx, row, reportedEta(row, arriveMs, now), now);
      await store.save(tx, row);
      return result.kind === "moved";
    });
}

/** The provider names one moment; our own window says how much such a moment is worth. */
function reportedEta({ view }: DeliveryRow, arriveMs: number, now: number): Omit<Eta, "correction"> {
  const slack = parseTime(view.eta.window.to)! - parseTime(view.dropoff.estimated_arrival)!;
  return {
    arrivalMs: arriveMs,
    windowFromMs: Math.max(now, arriveMs - slack / 2),
    windowToMs: arriveMs + slack,
    driveSeconds: 0,
    km: null,
    method: view.provider!,
  };
}
