// The routes of whoever orders deliveries: schedule, estimate, read, cancel, reschedule, return, redeliver.
import { type Call, type CallOf, handle, type Handler } from "../../../contract/define.ts";
import { Failure } from "../../../contract/errors.ts";
import { parseTime } from "../../../lib/time.ts";
import { transact } from "../../../platform/idempotency/index.ts";
import { findOr404, readPage } from "../../../platform/pages.ts";
import type { Tx } from "../../../store/db.ts";
import * as contract from "../contract/index.ts";
import type { Delivery, Order } from "../contract/shapes.ts";
import { firstWake } from "../engine/timing.ts";
import { TERMINAL } from "../machine.ts";
import { type Journey, readPickupTime } from "../planner.ts";
import type { DeliveryRow } from "../store/index.ts";
import { journeyView } from "../view.ts";
import type { RouteDeps } from "./deps.ts";
import { planDelivery } from "./new-delivery.ts";

const CANCELABLE = ["scheduled", "assigned", "en_route_to_pickup", "at_pickup"];

async function scheduleDelivery(deps: RouteDeps, call: CallOf<typeof contract.schedule>) {
  return deps.store.insert(call, await planDelivery(deps, call, call.body, null));
}

async function estimateDelivery(deps: RouteDeps, { body, caller, now }: CallOf<typeof contract.estimateRoute>) {
  const pickupMs = readPickupTime(body.pickup.time, now);
  const journey = await deps.plan(caller, body, pickupMs);
  const { pickup, dropoff, eta, locations, attention } = journeyView(body, journey, pickupMs);
  const distance_km = journey.km === null ? null : Math.round(journey.km * 100) / 100;
  return { pickup, dropoff, eta, distance_km, locations, attention };
}

function listDeliveries({ platform, store }: RouteDeps, { query, caller }: CallOf<typeof contract.list>) {
  const { limit: _, cursor: __, ...filters } = query;
  return readPage({
    cursors: platform.cursors,
    list: `deliveries ${caller.tenantId} ${JSON.stringify(filters)}`,
    query,
    read: (after, count) => store.list(caller.tenantId, filters, after, count),
    position: (row) => row.id,
    view: (row) => row.view,
  });
}

const findDelivery = ({ store }: RouteDeps, call: Call): Promise<DeliveryRow> =>
  findOr404("delivery", store.find(call.caller.tenantId, call.params.id));

/** Every change of a delivery: found, locked, made, in one transaction with its event and idempotency record. */
export function changeDelivery(
  { platform, store }: RouteDeps,
  call: Call,
  work: (tx: Tx, row: DeliveryRow) => Promise<void>,
): Promise<Delivery> {
  return transact(platform.db, call, async (tx) => {
    const row = await findOr404("delivery", store.lock(tx, call.caller.tenantId, call.params.id));
    await work(tx, row);
    return row.view;
  });
}

/** The courier service is asked first: what it refuses to cancel stays as it is. */
async function cancelDelivery(deps: RouteDeps, call: CallOf<typeof contract.cancel>): Promise<Delivery> {
  const reason = call.body?.reason ?? "canceled_by_client";
  const { details, view } = await findDelivery(deps, call);
  if (details.provider && CANCELABLE.includes(view.status)) await deps.couriers.cancel(details.provider);
  return changeDelivery(deps, call, (tx, row) =>
    deps.lifecycle.moveOrRefuse(tx, row, { to: "canceled", by: "client" }, { atMs: call.now, reason }),
  );
}

function returnDelivery(deps: RouteDeps, call: CallOf<typeof contract.sendBack>): Promise<Delivery> {
  const reason = call.body?.reason ?? "returned_by_client";
  return changeDelivery(deps, call, (tx, row) =>
    deps.lifecycle.moveOrRefuse(tx, row, { to: "returning", by: "client" }, { atMs: call.now, reason }),
  );
}

async function redeliver(deps: RouteDeps, call: CallOf<typeof contract.redeliver>) {
  const old = await findDelivery(deps, call);
  const { status } = old.view;
  if (!TERMINAL.has(status) || status === "delivered") {
    const why = `The delivery is ${status}; only a failed, returned or canceled one can be tried again.`;
    throw new Failure("wrong_state", why);
  }
  const row = await planDelivery(deps, call, orderOf(old, call.body.pickup.time), old.id);
  return deps.store.insert(call, row);
}

/** The order as it was, for another try. */
function orderOf(old: DeliveryRow, time: string): Order {
  const { items, notes, vehicle, provider, contacts } = old.details.order;
  const { view } = old;
  return {
    pickup: { address: view.pickup.address, time, ...(contacts.pickup ? { contact: contacts.pickup } : {}) },
    dropoff: { address: view.dropoff.address, ...(contacts.dropoff ? { contact: contacts.dropoff } : {}) },
    tags: view.tags,
    proof: view.proof.required,
    items,
    notes,
    vehicle,
    provider,
  } as Order;
}

/** Where it goes is found out before the row is locked: a geocoder outside may be asked. */
async function rescheduleDelivery(deps: RouteDeps, call: CallOf<typeof contract.reschedule>): Promise<Delivery> {
  const before = await findDelivery(deps, call);
  refuseToReschedule(before);
  const { pickup, dropoff } = call.body;
  const { view } = before;
  const pickupMs = pickup?.time ? readPickupTime(pickup.time, call.now) : parseTime(view.pickup.scheduled_time)!;
  const order = {
    pickup: { address: pickup?.address ?? view.pickup.address },
    dropoff: { address: dropoff?.address ?? view.dropoff.address },
    vehicle: before.details.order.vehicle,
  };
  const journey = await deps.plan(call.caller, order, pickupMs);
  return changeDelivery(deps, call, async (tx, row) => {
    refuseToReschedule(row);
    if (tripOf(row) !== tripOf(before)) {
      throw new Failure("wrong_state", "It was rescheduled meanwhile.", { hint: "Read it again, then decide." });
    }
    await applyReschedule(deps, tx, row, { order, journey, pickupMs, now: call.now });
  });
}

const tripOf = ({ view }: DeliveryRow): string =>
  [view.pickup.scheduled_time, view.pickup.address, view.dropoff.address].join("\n");

interface NewTrip {
  order: { pickup: { address: string }; dropoff: { address: string } };
  journey: Journey;
  pickupMs: number;
  now: number;
}

async function applyReschedule(deps: RouteDeps, tx: Tx, row: DeliveryRow, trip: NewTrip): Promise<void> {
  const { order, journey, pickupMs, now } = trip;
  const back = { to: "scheduled", by: "system", blameless: true } as const;
  if (row.view.status === "assigned") await deps.lifecycle.move(tx, row, back, { atMs: now, note: "rescheduled" });
  Object.assign(row.view, journeyView(order, journey, pickupMs));
  const { from, to, timeZone, eta } = journey;
  Object.assign(row.details, { from, to, timeZone, driveSeconds: eta.driveSeconds, plan: null });
  row.wakeMs = firstWake(row.mode, now, pickupMs, deps.speed);
  await deps.store.save(tx, row);
  await deps.lifecycle.emit(tx, row, "rescheduled", now);
}

function refuseToReschedule({ view, details }: DeliveryRow): void {
  if (view.status !== "scheduled" && view.status !== "assigned") {
    const why = `The delivery is ${view.status}; it can be rescheduled until the courier sets out.`;
    throw new Failure("wrong_state", why, { extra: { delivery_status: view.status, allowed: [] } });
  }
  if (!details.provider) return;
  const hint = "Cancel it and schedule a new one.";
  throw new Failure("wrong_state", `${details.provider.name} already has it.`, { hint });
}

export const deliveryRoutes = (deps: RouteDeps): Handler[] => [
  handle(contract.schedule, (call) => scheduleDelivery(deps, call)),
  handle(contract.estimateRoute, (call) => estimateDelivery(deps, call)),
  handle(contract.list, (call) => listDeliveries(deps, call)),
  handle(contract.get, async (call) => (await findDelivery(deps, call)).view),
  handle(contract.cancel, (call) => cancelDelivery(deps, call)),
  handle(contract.reschedule, (call) => rescheduleDelivery(deps, call)),
  handle(contract.sendBack, (call) => returnDelivery(deps, call)),
  handle(contract.redeliver, (call) => redeliver(deps, call)),
];
