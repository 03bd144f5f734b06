// A new delivery from an order: planned, with its pin, its tracking address and its first wake-up time.
import type { Call } from "../../../contract/define.ts";
import { formatTime } from "../../../lib/time.ts";
import type { Order } from "../contract/shapes.ts";
import { firstWake } from "../engine/timing.ts";
import { newMachine } from "../machine.ts";
import { type Journey, readPickupTime } from "../planner.ts";
import type { DeliveryRow } from "../store/index.ts";
import { journeyView } from "../view.ts";
import type { RouteDeps } from "./deps.ts";
import { makePin, makeToken } from "./tokens.ts";

/** Plans an order; nothing is stored yet. */
export async function planDelivery(
  deps: RouteDeps,
  call: Call,
  order: Order,
  parentId: string | null,
): Promise<DeliveryRow> {
  const pickupMs = readPickupTime(order.pickup.time, call.now);
  if (order.provider) deps.couriers.mustHave(order.provider, call.caller.mode);
  const journey = await deps.plan(call.caller, order, pickupMs);
  return newRow(deps, call, { order, journey, pickupMs, parentId });
}

interface Planned {
  order: Order;
  journey: Journey;
  pickupMs: number;
  parentId: string | null;
}

function newRow({ platform, speed }: RouteDeps, call: Call, planned: Planned): DeliveryRow {
  const { order, journey, pickupMs, parentId } = planned;
  const { tenantId, mode } = call.caller;
  const id = platform.makeId("dlv");
  const track = makeToken(platform.random);
  const now = formatTime(call.now);
  const proof = order.proof ?? [];
  const { pickup, dropoff, eta, locations, attention } = journeyView(order, journey, pickupMs);
  const view: DeliveryRow["view"] = {
    delivery_id: id,
    status: "scheduled",
    pickup,
    dropoff,
    created_at: now,
    external_id: order.external_id ?? null,
    parent_id: parentId,
    tags: order.tags ?? [],
    provider: null,
    simulated: false,
    courier: null,
    eta,
    locations,
    attention,
    timeline: [{ status: "scheduled", at: now, by: "client", note: null }],
    proof: { required: proof, pin: proof.includes("pin") ? makePin(platform.random) : null, given: null },
    reason: null,
    fee_applies: false,
    tracking_url: `${platform.publicUrl()}/track/${track}`,
  };
  const wakeMs = firstWake(mode, call.now, pickupMs, speed);
  const details = detailsOf(order, journey);
  return { id, tenantId, mode, view, machine: newMachine(proof), details, wakeMs, track };
}

function detailsOf(order: Order, journey: Journey): DeliveryRow["details"] {
  const { items, notes, vehicle, provider } = order;
  const contacts = { pickup: order.pickup.contact, dropoff: order.dropoff.contact };
  return {
    order: { items, notes, vehicle, provider, contacts },
    from: journey.from,
    to: journey.to,
    timeZone: journey.timeZone,
    driveSeconds: journey.eta.driveSeconds,
    offer: null,
    provider: null,
    tried: [],
    plan: null,
    pickedUpMs: null,
  };
}
