// What couriers do, shared by the fleet's API and the courier's own page: move a delivery on, report a position, go off duty.
import { Failure, invalid } from "../../../contract/errors.ts";
import { formatTime, parseTime } from "../../../lib/time.ts";
import { findOr404 } from "../../../platform/pages.ts";
import type { Tx } from "../../../store/db.ts";
import type { Proof } from "../contract/delivery.ts";
import type { State } from "../contract/states.ts";
import type { Eta, Point } from "../engine/eta/index.ts";
import { haversineKm } from "../engine/geo.ts";
import { remaining, remainingByPickup } from "../lifecycle.ts";
import { RANK } from "../machine.ts";
import type { CourierRow, DeliveryRow } from "../store/index.ts";
import type { RouteDeps } from "./deps.ts";
import { failPin, isPinWrong, refuseSpentPin, takeProof } from "./proof.ts";

/** Within this distance of an exactly known place the courier has arrived. */
const ARRIVED_KM = 0.08;

export interface FleetMove {
  to: State;
  courierId?: string;
  proof?: Proof;
  reason?: string;
}

/**
 * One move of a delivery by its courier or by an operator. A wrong pin of a courier is returned, not thrown: the count of
 * tries must be committed before the refusal goes out.
 */
export async function moveByFleet(
  deps: RouteDeps,
  tx: Tx,
  row: DeliveryRow,
  by: "courier" | "operator",
  asked: FleetMove,
  now: number,
): Promise<Failure | null> {
  if (asked.to === "assigned") {
    await assignTo(deps, tx, row, asked.courierId, now);
    return null;
  }
  if (asked.to === "delivered" && by === "courier") refuseSpentPin(row);
  if (isPinWrong(row, asked.proof)) {
    if (by === "courier") return failPin(deps, tx, row, now);
    throw new Failure("wrong_state", "The pin is wrong.", { hint: "Send proof.pin as the delivery shows it." });
  }
  if (asked.to === "scheduled") row.wakeMs = now;
  else if (row.view.status === "assigned") row.wakeMs = null;
  const proof = asked.proof && (await takeProof(deps, tx, row, asked.proof, now));
  const about = { atMs: now, reason: asked.reason ?? null, proof: proof?.given };
  await deps.lifecycle.moveOrRefuse(tx, row, { to: asked.to, by, proof: proof?.kinds }, about);
  if (asked.to === "picked_up")
    await deps.lifecycle.move(tx, row, { to: "en_route_to_dropoff", by: "system" }, { atMs: now });
  return null;
}

async function assignTo(deps: RouteDeps, tx: Tx, row: DeliveryRow, courierId: string | undefined, now: number) {
  if (!courierId)
    throw invalid("/courier_id", "courier_id is needed to assign", "Send the id of a courier", "required");
  if (row.details.provider) {
    const hint = "Cancel it and schedule a new one.";
    throw new Failure("wrong_state", `${row.details.provider.name} already has it.`, { hint });
  }
  const courier = await findOr404("courier", deps.store.couriers.lock(tx, row.tenantId, courierId));
  const { id, name, vehicle, position } = courier.view;
  row.view.provider = "fleet";
  row.wakeMs = null;
  const about = { atMs: now, courier: { id, name, vehicle } };
  await deps.lifecycle.moveOrRefuse(tx, row, { to: "assigned", by: "operator", courier: id }, about);
  row.details.offer = { expiresMs: now, acceptedMs: now };
  row.details.plan = null;
  row.view.courier!.position = position;
  await deps.store.save(tx, row);
}

/** The courier takes the offer; from now on it does not lapse. */
export async function acceptOffer(deps: RouteDeps, tx: Tx, row: DeliveryRow, now: number): Promise<void> {
  if (row.view.status !== "assigned")
    throw new Failure("wrong_state", `The delivery is ${row.view.status}.`, {
      extra: { delivery_status: row.view.status },
    });
  row.details.offer = { expiresMs: row.details.offer?.expiresMs ?? now, acceptedMs: now };
  row.wakeMs = null;
  await deps.store.save(tx, row);
}

/** What a courier has not picked up goes to others; what it carries stays with it. */
export async function releaseDeliveries(deps: RouteDeps, tx: Tx, courier: CourierRow, now: number): Promise<void> {
  const back = { to: "scheduled", by: "system", blameless: true } as const;
  for (const row of await deps.store.inHand(tx, courier.tenantId, courier.id)) {
    if (RANK[row.view.status] >= RANK.picked_up) continue;
    row.wakeMs = now;
    await deps.lifecycle.move(tx, row, back, { atMs: now, note: "courier_off_duty" });
  }
}

/** A new position: arrivals by geofence, and fresh estimates for all it has in hand, one stop after the other. */
export async function updatePosition(
  deps: RouteDeps,
  tx: Tx,
  courier: CourierRow,
  at: { lat: number; lon: number },
  now: number,
): Promise<void> {
  courier.view.position = { lat: at.lat, lon: at.lon, at: formatTime(now) };
  let place: Point = at;
  let time = now;
  for (const row of inTurn(await deps.store.inHand(tx, courier.tenantId, courier.id))) {
    row.view.courier!.position = courier.view.position;
    const eta = etaFrom(row, place, time);
    if (eta) {
      await deps.lifecycle.updateEta(tx, row, eta, now);
      place = row.details.to ?? place;
      time = eta.arrivalMs;
    } else await deps.store.save(tx, row);
    const reached = reachedState(row, at);
    if (reached) await deps.lifecycle.move(tx, row, { to: reached, by: "system" }, { atMs: now, note: "geofence" });
  }
}

/** What it carries first, by when it should arrive; then what it has to fetch. */
function inTurn(rows: DeliveryRow[]): DeliveryRow[] {
  const carried = (row: DeliveryRow) => (RANK[row.view.status] >= RANK.picked_up ? 0 : 1);
  const due = (row: DeliveryRow) => parseTime(row.view.dropoff.estimated_arrival)!;
  return rows.sort((a, b) => carried(a) - carried(b) || due(a) - due(b));
}

function etaFrom(row: DeliveryRow, place: Point, time: number): Eta | null {
  if (row.view.status === "returning") return null;
  if (RANK[row.view.status] >= RANK.picked_up) return remaining(row, place, time);
  return row.details.from ? remainingByPickup(row, place, time) : null;
}

/** The state that the geofence proves, if it proves one. */
function reachedState(row: DeliveryRow, at: { lat: number; lon: number }): State | null {
  const { status } = row.view;
  if (status === "en_route_to_pickup" && isAt(row, "pickup", at)) return "at_pickup";
  if ((status === "picked_up" || status === "en_route_to_dropoff") && isAt(row, "dropoff", at)) return "at_dropoff";
  return null;
}

function isAt(row: DeliveryRow, end: "pickup" | "dropoff", at: { lat: number; lon: number }): boolean {
  const { lat, lon, precision } = row.view.locations[end];
  if (lat === null || lon === null || (precision !== "rooftop" && precision !== "street")) return false;
  return haversineKm(at.lat, at.lon, lat, lon) <= ARRIVED_KM;
}
