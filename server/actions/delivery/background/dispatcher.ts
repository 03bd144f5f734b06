// Works on every delivery whose time has come: finds it a courier, withdraws lapsed offers, gives up on hopeless ones,
// and moves the simulated. Runs on every replica; one works on a tenant at a time.
import { parseTime } from "../../../lib/time.ts";
import { addJob } from "../../../platform/jobs/index.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Tx } from "../../../store/db.ts";
import { dueOffers, planDispatch } from "../engine/dispatch/index.ts";
import { fetchMs, GRACE_MS, MAX_ATTEMPTS, OFFER_LEAD_MS, OFFER_LIFE_MS, SILENT_MS } from "../engine/timing.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { Couriers } from "../providers/port.ts";
import type { CourierRow, DeliveryRow, DeliveryStore } from "../store/index.ts";
import { setAttention } from "../view.ts";
import { courierOf, onShift, orderOf } from "./dispatch-input.ts";
import { playSimulation, startSimulation } from "./simulation.ts";

export interface DispatcherDeps {
  platform: Platform;
  store: DeliveryStore;
  lifecycle: Lifecycle;
  couriers: Couriers;
  /** How many times faster than real time simulated couriers are. */
  speed: number;
}

const BATCH = 500;
/** How often a delivery that waits for a courier, or that a courier service carries, is looked at again. */
const AGAIN_MS = 60_000;

/** Works on everything that is due; returns how many deliveries that was. */
export async function dispatchDue(deps: DispatcherDeps, now: number): Promise<number> {
  let seen = 0;
  for (const { tenantId, ids } of await deps.store.due(now, BATCH)) {
    try {
      await deps.platform.db.sql.begin(async (tx) => {
        if (!(await deps.store.claimTenant(tx, tenantId))) return;
        seen += ids.length;
        await dispatchTenant(deps, tx, tenantId, ids, now);
      });
    } catch (error) {
      // One account whose deliveries cannot be moved keeps no other waiting.
      deps.platform.log.error(
        { error: String(error), tenantId },
        "the dispatcher failed for an account; it tries again",
      );
    }
  }
  return seen;
}

async function dispatchTenant(deps: DispatcherDeps, tx: Tx, tenantId: number, ids: string[], now: number) {
  const waiting: DeliveryRow[] = [];
  const fleet = await deps.store.couriers.onDuty(tx, tenantId);
  for (const id of ids) {
    const row = await deps.store.lock(tx, tenantId, id);
    if (!row || row.wakeMs === null || row.wakeMs > now) continue;
    if (row.details.plan) await playSimulation(deps, tx, row, now);
    else if (row.view.status !== "scheduled" || row.details.provider) await watch(deps, tx, row, now);
    else if (await findCourier(deps, tx, row, fleet.length > 0, now)) waiting.push(row);
  }
  if (waiting.length > 0) await offerToFleet(deps, tx, { tenantId, fleet, waiting, now });
}

/** True when the own fleet should be asked; everything else is done here. */
async function findCourier(deps: DispatcherDeps, tx: Tx, row: DeliveryRow, hasFleet: boolean, now: number) {
  const { until } = row.view.pickup;
  const late = now > (until ? parseTime(until)! : fetchMs(row) + GRACE_MS);
  if (late || row.machine.attempts > MAX_ATTEMPTS) {
    await deps.lifecycle.move(tx, row, { to: "failed", by: "system" }, { atMs: now, reason: "no_courier" });
    return false;
  }
  if (row.mode === "test" && !hasFleet) {
    await startSimulation(deps, tx, row, now);
    return false;
  }
  const asked = row.view.requested_provider;
  for (const name of row.mode === "test" ? ["fleet"] : asked ? [asked] : deps.couriers.order) {
    if (name === "fleet" && hasFleet) return true;
    if (name !== "fleet" && !row.details.tried.includes(name)) {
      await queueHandover(deps, tx, row, now);
      return false;
    }
  }
  setAttention(row.view, "no_courier_configured", row.details.tried.length === 0);
  row.wakeMs = now + AGAIN_MS;
  await deps.store.save(tx, row);
  return false;
}

/** To the courier services, by a job: they are asked outside of any transaction. */
async function queueHandover(deps: DispatcherDeps, tx: Tx, row: DeliveryRow, now: number): Promise<void> {
  await queueJob(tx, "handover", row);
  setAttention(row.view, "no_courier_configured", false);
  row.wakeMs = now + AGAIN_MS;
  await deps.store.save(tx, row);
}

const queueJob = (tx: Tx, name: "handover" | "follow", { id, tenantId }: DeliveryRow) =>
  addJob(tx, `delivery.${name}`, { id, tenantId }, { tenantId, key: `${name}:${id}`, keyMode: "unsafe_dedupe" });

/** Whether courier services are left to ask when the own fleet cannot. */
const canHandOver = ({ couriers }: DispatcherDeps, row: DeliveryRow): boolean =>
  row.mode === "live" &&
  !row.view.requested_provider &&
  couriers.order.some((name) => name !== "fleet" && !row.details.tried.includes(name));

interface Round {
  tenantId: number;
  fleet: CourierRow[];
  waiting: DeliveryRow[];
  now: number;
}

/** Own couriers: plan all that wait together, offer what is due. */
async function offerToFleet(deps: DispatcherDeps, tx: Tx, { tenantId, fleet, waiting, now }: Round): Promise<void> {
  const inHand = await deps.store.inHand(tx, tenantId, null);
  const able = fleet.filter((c) => onShift(c, now)).map((c) => courierOf(c, inHand, waiting, now));
  const placed = waiting.filter((row) => row.details.from && row.details.to);
  const plan = planDispatch(able, placed.map(orderOf));
  const due = new Map(dueOffers(plan, able, now + OFFER_LEAD_MS).map((a) => [a.orderId, a.courierId]));
  for (const row of waiting) {
    const stuck = plan.unassigned.includes(row.id) || !placed.includes(row);
    setAttention(row.view, "no_courier_available", stuck);
    row.wakeMs = now + AGAIN_MS;
    const courier = fleet.find((c) => c.id === due.get(row.id));
    if (courier) await offerTo(deps, tx, row, courier, now);
    else if (stuck && canHandOver(deps, row)) await queueHandover(deps, tx, row, now);
    else await deps.store.save(tx, row);
  }
}

async function offerTo(deps: DispatcherDeps, tx: Tx, row: DeliveryRow, courier: CourierRow, now: number) {
  const { id, name, vehicle, position } = courier.view;
  row.view.provider = "fleet";
  row.wakeMs = now + OFFER_LIFE_MS;
  const about = { atMs: now, courier: { id, name, vehicle } };
  await deps.lifecycle.move(tx, row, { to: "assigned", by: "system", courier: id }, about);
  row.details.offer = { expiresMs: now + OFFER_LIFE_MS, acceptedMs: null };
  row.view.courier!.position = position;
  await deps.store.save(tx, row);
}

/** A lapsed offer goes to another courier; a courier service is asked for the state of what it carries. */
async function watch(deps: DispatcherDeps, tx: Tx, row: DeliveryRow, now: number): Promise<void> {
  const { offer, provider } = row.details;
  if (row.view.status === "assigned" && offer && offer.acceptedMs === null && offer.expiresMs <= now) {
    row.wakeMs = now;
    await deps.lifecycle.move(tx, row, { to: "scheduled", by: "system" }, { atMs: now, note: "offer_lapsed" });
    return;
  }
  if (provider && now > parseTime(row.view.pickup.scheduled_time)! + SILENT_MS) {
    await deps.lifecycle.move(tx, row, { to: "failed", by: "system" }, { atMs: now, reason: "provider_silent" });
    return;
  }
  if (provider) await queueJob(tx, "follow", row);
  row.wakeMs = provider ? now + AGAIN_MS : null;
  await deps.store.save(tx, row);
}
