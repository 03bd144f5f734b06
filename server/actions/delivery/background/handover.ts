// The jobs that talk to courier services: hand a delivery over, ask for its state. Both are idempotent.
import { parseTime } from "../../../lib/time.ts";
import type { Job } from "../../../platform/jobs/index.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Delivery } from "../contract/delivery.ts";
import { oneLine } from "../engine/places/address-words.ts";
import { TERMINAL } from "../machine.ts";
import { type CourierJob, type Couriers, type End, ProviderFailure } from "../providers/port.ts";
import type { DeliveryRow, DeliveryStore } from "../store/index.ts";
import { setAttention } from "../view.ts";
import type { ReceiveReport } from "./reports.ts";

export interface HandoverDeps {
  platform: Platform;
  store: DeliveryStore;
  couriers: Couriers;
  receiveReport: ReceiveReport;
}

interface Payload {
  id: string;
  tenantId: number;
}

type Placement = NonNullable<DeliveryRow["details"]["provider"]>;

const FOLLOW_MS = 60_000;

/** Asks the services in their order; the first that accepts has it. When all fail the order stays open. */
async function handOver(deps: HandoverDeps, { id, tenantId }: Payload): Promise<void> {
  const { store, couriers, platform } = deps;
  const row = await store.find(tenantId, id);
  if (!row || row.view.status !== "scheduled" || row.details.provider) return;
  const asked = row.view.requested_provider;
  const names = (asked ? [asked] : couriers.order).filter((n) => n !== "fleet" && !row.details.tried.includes(n));
  let retryable: ProviderFailure | null = null;
  for (const name of names) {
    const provider = couriers.get(name);
    if (!provider) continue;
    try {
      const placed = await provider.create(jobOf(row));
      return await keepPlacement(deps, row, { name, ...placed });
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      const about = { delivery: id, provider: name, kind: error.kind, error: error.message };
      platform.log.warn(about, "a courier service did not accept a delivery");
      if (error.retryable) retryable = error;
      else await markTried(deps, row, name);
    }
  }
  await changeRow(deps, row, (fresh) => setAttention(fresh.view, "provider_failed", true));
  if (retryable) throw retryable;
}

/** Canceled while we asked: nobody waits for that courier any more, so it is canceled there too. */
async function keepPlacement(deps: HandoverDeps, row: DeliveryRow, placement: Placement): Promise<void> {
  let orphan = false;
  await changeRow(deps, row, (fresh) => {
    orphan = fresh.view.status !== "scheduled";
    if (orphan) return;
    fresh.details.provider = placement;
    fresh.view.provider = placement.name;
    fresh.wakeMs = deps.platform.clock.now() + FOLLOW_MS;
    setAttention(fresh.view, "provider_failed", false);
    setAttention(fresh.view, "no_courier_configured", false);
  });
  if (orphan) await deps.couriers.get(placement.name)!.cancel(placement.ref, placement.dropoffRef);
}

function markTried(deps: HandoverDeps, row: DeliveryRow, name: string): Promise<void> {
  row.details.tried.push(name);
  return changeRow(deps, row, (fresh) => {
    fresh.details.tried = [...new Set([...fresh.details.tried, name])];
  });
}

function changeRow(
  { platform, store }: HandoverDeps,
  row: DeliveryRow,
  work: (fresh: DeliveryRow) => void,
): Promise<void> {
  return platform.db.sql.begin(async (tx) => {
    const fresh = await store.lock(tx, row.tenantId, row.id);
    if (!fresh) return;
    work(fresh);
    await store.save(tx, fresh);
  });
}

async function follow(deps: HandoverDeps, { id, tenantId }: Payload): Promise<void> {
  const row = await deps.store.find(tenantId, id);
  const placement = row?.details.provider;
  const provider = placement && deps.couriers.get(placement.name);
  if (!row || !provider || TERMINAL.has(row.view.status)) return;
  await deps.receiveReport(tenantId, id, await provider.read(placement.ref, placement.dropoffRef));
}

function jobOf({ id, view }: DeliveryRow): CourierJob {
  const end = (which: "pickup" | "dropoff"): End => {
    const contact = view[which].contact ?? {};
    const { lat, lon, precision } = view.locations[which];
    const exact = precision === "rooftop" || precision === "street";
    const { name = null, phone = null } = contact;
    return { address: oneLine(view[which].address), lat: exact ? lat : null, lon: exact ? lon : null, name, phone };
  };
  return {
    id,
    pickup: end("pickup"),
    dropoff: end("dropoff"),
    pickupMs: parseTime(view.pickup.scheduled_time)!,
    arriveMs: parseTime(view.eta.window.to)!,
    notes: notesOf(view),
    proof: view.proof.required,
    items: view.items.map((i) => ({ name: i.name, quantity: i.quantity ?? 1 })),
  };
}

/** A courier service has one field for all that its courier should read. */
function notesOf({ notes, pickup, dropoff }: Delivery): string | null {
  const parts = [
    notes,
    pickup.instructions && `Pickup: ${pickup.instructions}`,
    dropoff.instructions && `Drop-off: ${dropoff.instructions}`,
  ];
  return parts.filter(Boolean).join("\n") || null;
}

export const handoverJobs = (deps: HandoverDeps): Job<Payload>[] => [
  { name: "delivery.handover", maxAttempts: 8, run: (payload) => handOver(deps, payload) },
  { name: "delivery.follow", maxAttempts: 3, run: (payload) => follow(deps, payload) },
];
