// What a courier does, from its page or its app: go on or off duty, report a position, accept, decline, move a delivery on.
import { Failure } from "../../../../contract/errors.ts";
import type { Tx } from "../../../../store/db.ts";
import type { Proof } from "../../contract/delivery.ts";
import type { State } from "../../contract/states.ts";
import type { CourierRow } from "../../store/index.ts";
import type { RouteDeps } from "../deps.ts";
import { acceptOffer, moveByFleet, releaseDeliveries, updatePosition } from "../fleet-moves.ts";

export interface CourierMove {
  action: string;
  delivery?: string;
  lat?: number;
  lon?: number;
  reason?: string;
  proof?: Proof;
}

const COURIER_STATES: readonly string[] = [
  "en_route_to_pickup",
  "at_pickup",
  "picked_up",
  "en_route_to_dropoff",
  "at_dropoff",
  "delivered",
  "returning",
  "returned",
  "failed",
];

/** Throws what is refused; returns a refusal that must be committed first (see moveByFleet). */
export async function applyCourierMove(
  deps: RouteDeps,
  tx: Tx,
  courier: CourierRow,
  move: CourierMove,
  now: number,
): Promise<Failure | null> {
  if (move.action === "on_duty" || move.action === "off_duty") {
    courier.view.on_duty = move.action === "on_duty";
    if (move.action === "off_duty") await releaseDeliveries(deps, tx, courier, now);
    await deps.store.couriers.save(tx, courier);
    return null;
  }
  if (move.lat !== undefined && move.lon !== undefined) {
    await updatePosition(deps, tx, courier, { lat: move.lat, lon: move.lon }, now);
    await deps.store.couriers.save(tx, courier);
  } else if (move.action === "position") throw new Failure("wrong_state", "That is not a position.");
  return move.action === "position" ? null : moveDelivery(deps, tx, courier, move, now);
}

async function moveDelivery(
  deps: RouteDeps,
  tx: Tx,
  courier: CourierRow,
  { action, delivery, reason, proof }: CourierMove,
  now: number,
): Promise<Failure | null> {
  const row = await deps.store.lock(tx, courier.tenantId, delivery ?? "");
  if (!row || row.view.courier?.id !== courier.id)
    throw new Failure("wrong_state", "That delivery is no longer yours.");
  if (action === "accept") {
    await acceptOffer(deps, tx, row, now);
    return null;
  }
  if (action === "decline") return moveByFleet(deps, tx, row, "courier", { to: "scheduled" }, now);
  if (!COURIER_STATES.includes(action)) throw new Failure("wrong_state", "That cannot be done.");
  return moveByFleet(deps, tx, row, "courier", { to: action as State, proof, reason }, now);
}
