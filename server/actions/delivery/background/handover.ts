// Background work with courier services: hand a delivery over, ask after it. Each bears running twice.
import type { Job } from "../../../platform/jobs/index.ts";
import type { Platform } from "../../../platform/platform.ts";
import { parseTime } from "../../../lib/time.ts";
import { flag } from "./dispatcher.ts";
import type { Lifecycle } from "../lifecycle.ts";
import { terminal } from "../machine.ts";
import { type CourierJob, type Couriers, type End, ProviderFailure, type Report } from "../providers/port.ts";
import type { DeliveryRow, DeliveryStore } from "../store/index.ts";

interface Payload {
  id: string;
  tenantId: number;
}

export type Reports = ReturnType<typeof createReports>;

/** Takes a courier service's report in: late and repeated ones change nothing. */
export function createReports(platform: Platform, store: DeliveryStore, lifecycle: Lifecycle) {
  return async function take(tenantId: number, id: string, report: Report): Promise<boolean> {
    return platform.db.sql.begin(async (tx) => {
      const row = await store.lock(tx, tenantId, id);
      if (!row) return false;
      const now = platform.clock.now();
      const { name = null, vehicle = null } = report.courier ?? {};
      const courier = `${row.view.provider}:${row.machine.attempts}`;
      const move = {
        to: report.state,
        by: "provider" as const,
        courier,
        eventId: report.eventId,
        handBack: report.handBack,
      };
      const result = await lifecycle.move(tx, row, move, {
        atMs: now,
        reason: report.reason ?? null,
        courier: { id: null, name, vehicle },
      });
      if (terminal.has(row.view.status)) return result.kind === "moved";
      if (row.view.courier && report.position)
        row.view.courier.position = { ...report.position, at: new Date(now).toISOString() };
      const { arriveMs } = report;
      if (arriveMs !== undefined && arriveMs > now) {
        const slack = parseTime(row.view.eta.window.to)! - parseTime(row.view.dropoff.estimated_arrival)!;
        const eta = {
          arrivalMs: arriveMs,
          windowFromMs: Math.max(now, arriveMs - slack / 2),
          windowToMs: arriveMs + slack,
          driveSeconds: 0,
          km: null,
          method: row.view.provider!,
        };
        await lifecycle.updateEta(tx, row, eta, now);
      }
      await store.save(tx, row);
      return result.kind === "moved";
    });
  };
}

export function createJobs(
  platform: Platform,
  store: DeliveryStore,
  couriers: Couriers,
  take: Reports,
): Job<Payload>[] {
  /** Asks the services in their order; the first that takes it has it. A failure of all leaves the order open. */
  async function handover({ id, tenantId }: Payload): Promise<void> {
    const row = await store.find(tenantId, id);
    if (!row || row.view.status !== "scheduled" || row.details.provider) return;
    const wanted = row.details.order.provider;
    const names = (wanted ? [wanted] : couriers.order).filter(
      (name) => name !== "fleet" && !row.details.tried.includes(name),
    );
    let later: ProviderFailure | null = null;
    for (const name of names) {
      const provider = couriers.get(name);
      if (!provider) continue;
      try {
        const placed = await provider.create(jobOf(row));
        return await placedWith(row, { name, ...placed });
      } catch (error) {
        if (!(error instanceof ProviderFailure)) throw error;
        platform.log.warn(
          { delivery: id, provider: name, kind: error.kind, error: error.message },
          "a courier service did not take a delivery",
        );
        if (error.retryable) later = error;
        else await refusedBy(row, name);
      }
    }
    await change(row, (fresh) => flag(fresh, "provider_failed", true));
    if (later) throw later;
  }

  const change = (row: DeliveryRow, work: (fresh: DeliveryRow) => void) =>
    platform.db.sql.begin(async (tx) => {
      const fresh = await store.lock(tx, row.tenantId, row.id);
      if (!fresh) return;
      work(fresh);
      await store.save(tx, fresh);
    });

  async function placedWith(
    row: DeliveryRow,
    provider: NonNullable<DeliveryRow["details"]["provider"]>,
  ): Promise<void> {
    let orphan = false;
    await change(row, (fresh) => {
      if (fresh.view.status !== "scheduled") {
        orphan = true;
        return;
      }
      fresh.details.provider = provider;
      fresh.view.provider = provider.name;
      fresh.wakeMs = platform.clock.now() + 60_000;
      flag(fresh, "provider_failed", false);
      flag(fresh, "no_courier_configured", false);
    });
    // Canceled while we asked: nobody waits for that courier any more.
    if (orphan) await couriers.get(provider.name)!.cancel(provider.ref, provider.dropoffRef);
  }

  const refusedBy = (row: DeliveryRow, name: string) =>
    change(row, (fresh) => {
      row.details.tried.push(name);
      fresh.details.tried = [...new Set([...fresh.details.tried, name])];
    });

  async function follow({ id, tenantId }: Payload): Promise<void> {
    const row = await store.find(tenantId, id);
    const held = row?.details.provider;
    const provider = held && couriers.get(held.name);
    if (!row || !provider || terminal.has(row.view.status)) return;
    await take(tenantId, id, await provider.read(held.ref, held.dropoffRef));
  }

  return [
    { name: "delivery.handover", maxAttempts: 8, run: handover },
    { name: "delivery.follow", maxAttempts: 3, run: follow },
  ];
}

function jobOf(row: DeliveryRow): CourierJob {
  const { view, details } = row;
  const end = (which: "pickup" | "dropoff"): End => {
    const contact = (details.order.contacts[which] ?? {}) as { name?: string; phone?: string };
    const { lat, lon, precision } = view.locations[which];
    const exact = precision === "rooftop" || precision === "street";
    return {
      address: view[which].address,
      lat: exact ? lat : null,
      lon: exact ? lon : null,
      name: contact.name ?? null,
      phone: contact.phone ?? null,
    };
  };
  return {
    id: row.id,
    pickup: end("pickup"),
    dropoff: end("dropoff"),
    pickupMs: parseTime(view.pickup.scheduled_time)!,
    arriveMs: parseTime(view.eta.window.to)!,
    notes: details.order.notes ?? null,
    proof: view.proof.required,
    items: (details.order.items ?? []).map((i) => ({ name: i.name, quantity: i.quantity ?? 1 })),
  };
}
