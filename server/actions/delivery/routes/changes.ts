// Changes of a delivery that is under way: a new time or address, other notes or contacts, a pin moved on the map.
import { type CallOf, handle, type Handler } from "../../../contract/define.ts";
import { Failure } from "../../../contract/errors.ts";
import { formatTime, parseTime } from "../../../lib/time.ts";
import type { Tx } from "../../../store/db.ts";
import * as contract from "../contract/index.ts";
import type { Delivery } from "../contract/delivery.ts";
import type { DeliveryChanges } from "../contract/order.ts";
import type { Position } from "../contract/shapes.ts";
import { fetchMs, firstWake } from "../engine/timing.ts";
import { fromPickup, remaining } from "../lifecycle.ts";
import { RANK, TERMINAL } from "../machine.ts";
import { checkCoordinates, type Ends, type Journey, readPickupTime } from "../planner.ts";
import type { DeliveryRow } from "../store/index.ts";
import { journeyView, setAttention } from "../view.ts";
import { changeDelivery, findDelivery } from "./deliveries.ts";
import type { RouteDeps } from "./deps.ts";

/** Where it goes is found out before the row is locked: a geocoder outside may be asked. */
async function rescheduleDelivery(deps: RouteDeps, call: CallOf<typeof contract.reschedule>): Promise<Delivery> {
  const before = await findDelivery(deps, call);
  refuseToReschedule(before);
  const { pickup, dropoff } = call.body;
  const { view } = before;
  const pickupMs = pickup?.time ? readPickupTime(pickup.time, call.now) : parseTime(view.pickup.scheduled_time)!;
  const ends = {
    pickup: { address: pickup?.address ?? view.pickup.address },
    dropoff: { address: dropoff?.address ?? view.dropoff.address },
  };
  const journey = await deps.plan(call.caller, { ...ends, vehicle: view.vehicle ?? undefined }, pickupMs);
  return changeDelivery(deps, call, async (tx, row) => {
    refuseToReschedule(row);
    if (tripOf(row) !== tripOf(before)) {
      throw new Failure("wrong_state", "It was rescheduled meanwhile.", { hint: "Read it again, then decide." });
    }
    await applyReschedule(deps, tx, row, { ends, journey, pickupMs, now: call.now });
  });
}

const tripOf = ({ view }: DeliveryRow): string =>
  [view.pickup.scheduled_time, view.pickup.address, view.dropoff.address].join("\n");

interface NewTrip {
  ends: Ends;
  journey: Journey;
  pickupMs: number;
  now: number;
}

/** A new trip is a new promise. */
async function applyReschedule(deps: RouteDeps, tx: Tx, row: DeliveryRow, trip: NewTrip): Promise<void> {
  const { ends, journey, pickupMs, now } = trip;
  const { view } = row;
  const back = { to: "scheduled", by: "system", blameless: true } as const;
  if (view.status === "assigned") await deps.lifecycle.move(tx, row, back, { atMs: now, note: "rescheduled" });
  const arrival = formatTime(journey.eta.arrivalMs);
  Object.assign(view.pickup, { address: ends.pickup.address, scheduled_time: formatTime(pickupMs) });
  const promise = { estimated_arrival: arrival, promised_arrival: arrival };
  Object.assign(view.dropoff, { address: ends.dropoff.address, ...promise });
  Object.assign(view, journeyView(journey));
  const { from, to, timeZone, eta } = journey;
  const newPromise = { fromMs: eta.windowFromMs, toMs: eta.windowToMs };
  Object.assign(row.details, {
    from,
    to,
    timeZone,
    driveSeconds: eta.driveSeconds,
    correction: eta.correction,
    promise: newPromise,
    plan: null,
  });
  row.wakeMs = firstWake(row.mode, now, fetchMs(row), deps.speed);
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

function updateDelivery(deps: RouteDeps, call: CallOf<typeof contract.update>): Promise<Delivery> {
  checkCoordinates(call.body);
  return changeDelivery(deps, call, async (tx, row) => {
    refuseToUpdate(row, call.body);
    const { pickup, dropoff, ...rest } = call.body;
    Object.assign(row.view, rest);
    for (const [end, changes] of Object.entries({ pickup, dropoff }) as ["pickup" | "dropoff", typeof pickup][]) {
      if (!changes) continue;
      const { lat, lon, ...about } = changes;
      Object.assign(row.view[end], about);
      if (lat !== undefined && lon !== undefined) await movePin(deps, tx, row, end, { lat, lon }, call.now);
    }
    await deps.store.save(tx, row);
    await deps.lifecycle.emit(tx, row, "updated", call.now);
  });
}

/** What a courier service already has cannot be changed here: it would go by the old words. */
function refuseToUpdate({ view, details }: DeliveryRow, changes: DeliveryChanges): void {
  if (TERMINAL.has(view.status)) {
    const extra = { delivery_status: view.status, allowed: [] };
    throw new Failure("wrong_state", `The delivery is ${view.status}; it cannot be changed any more.`, { extra });
  }
  if (!details.provider || Object.keys(changes).every((name) => name === "tags")) return;
  throw new Failure("wrong_state", `${details.provider.name} already has it; only tags can be changed.`, {
    hint: "Cancel it and schedule a new one.",
    extra: { delivery_status: view.status, allowed: [] },
  });
}

/** Somebody knows better where an end is: the estimate follows, and the address book remembers. */
export async function movePin(
  deps: RouteDeps,
  tx: Tx,
  row: DeliveryRow,
  end: "pickup" | "dropoff",
  at: Position,
  now: number,
): Promise<void> {
  const { view, details } = row;
  await deps.lifecycle.learnPlace(tx, row, end, at, "pin", now);
  view.locations[end] = { ...view.locations[end], ...at, precision: "rooftop", confidence: 1 };
  details[end === "pickup" ? "from" : "to"] = { ...at, radius_km: 0.01 };
  for (const flag of ["imprecise", "ambiguous"]) setAttention(view, `${end}_${flag}`, false);
  const carried = RANK[view.status] >= RANK.picked_up;
  const eta = carried ? remaining(row, view.courier?.position ?? details.from, now) : fromPickup(row);
  await deps.lifecycle.updateEta(tx, row, eta, now);
}

export const changeRoutes = (deps: RouteDeps): Handler[] => [
  handle(contract.reschedule, (call) => rescheduleDelivery(deps, call)),
  handle(contract.update, (call) => updateDelivery(deps, call)),
];
