// A new delivery from an order: checked, planned, with its pin, its tracking address and its first wake-up time.
import type { Call } from "../../../contract/define.ts";
import { Failure, invalid } from "../../../contract/errors.ts";
import { formatTime, parseTime } from "../../../lib/time.ts";
import type { Delivery } from "../contract/delivery.ts";
import { NOTICE_EVENTS, type Notify } from "../contract/notices.ts";
import type { Order } from "../contract/order.ts";
import { fetchMs, firstWake } from "../engine/timing.ts";
import { newMachine } from "../machine.ts";
import { checkCoordinates, type Journey } from "../planner.ts";
import type { DeliveryRow } from "../store/index.ts";
import { journeyView } from "../view.ts";
import type { RouteDeps } from "./deps.ts";
import { keepWindow, pickupTimeOf, refuseInfeasible } from "./terms/feasibility.ts";
import { priceOfOrder } from "./terms/prices.ts";
import { makePin, makeToken } from "./tokens.ts";

const PIN_TRIES = 5;

/** Messages that can never be sent are refused, not forgotten. */
async function refuseMute(deps: RouteDeps, { tenantId, mode }: Call["caller"], notify: Notify): Promise<void> {
  if (notify.phone && !(await deps.store.facts.get(tenantId)).settings.sms_url)
    throw invalid(
      "/dropoff/notify/phone",
      "no SMS gateway is set",
      'Set one first: PATCH /delivery/settings {"sms_url": "https://sms.example.com/send"}',
      "sms_url_missing",
    );
  if (notify.email && mode === "live" && !deps.hasMail)
    throw new Failure("provider_not_configured", "No mail server is set up.", {
      hint: "Set CONNECTOR_ALERTS_SMTP_URL and CONNECTOR_ALERTS_MAIL_FROM, or leave dropoff.notify.email out.",
    });
}

/** Plans an order; nothing is stored yet. */
export async function planDelivery(
  deps: RouteDeps,
  call: Pick<Call, "caller" | "now">,
  order: Order,
  parentId: string | null,
): Promise<DeliveryRow> {
  checkCoordinates(order);
  if (order.provider) deps.couriers.mustHave(order.provider, call.caller.mode);
  if (order.dropoff.notify) await refuseMute(deps, call.caller, order.dropoff.notify);
  const { tenantId } = call.caller;
  const known = deps.store.facts.get(tenantId);
  const { settings, hasFleet } = known instanceof Promise ? await known : known;
  const pickupMs = pickupTimeOf(settings, order.pickup.time, call.now);
  const journey = keepWindow(order, await deps.plan(call.caller, order, pickupMs));
  refuseInfeasible(settings, order, journey, pickupMs);
  const row = newRow(deps, call, { order, journey, pickupMs, parentId, hasFleet });
  row.view.price = priceOfOrder(deps, tenantId, order, { settings, journey, now: call.now });
  if (isWindowTight(order, journey)) row.view.attention.push("dropoff_window_tight");
  row.view.attention.push(...carrierAttention(deps, call.caller.mode, order, hasFleet));
  return row;
}

/** The window may hold it, but it is not likely to. */
const isWindowTight = ({ dropoff }: Order, { eta }: Journey): boolean =>
  dropoff.window?.to !== undefined && parseTime(dropoff.window.to)! < eta.arrivalMs;

/** Nobody to carry it, or not the one who was asked: the order stands, and says so. */
function carrierAttention({ couriers }: RouteDeps, mode: string, order: Order, hasFleet: boolean): string[] {
  if (mode === "test") return order.provider && order.provider !== "fleet" ? ["provider_simulated"] : [];
  const asked = order.provider ? [order.provider] : couriers.order;
  return asked.some((name) => name !== "fleet" || hasFleet) ? [] : ["no_courier_configured"];
}

interface Planned {
  order: Order;
  journey: Journey;
  pickupMs: number;
  parentId: string | null;
  hasFleet: boolean;
}

function newRow({ platform, speed }: RouteDeps, call: Pick<Call, "caller" | "now">, planned: Planned): DeliveryRow {
  const { order, journey, pickupMs, parentId, hasFleet } = planned;
  const { tenantId, mode } = call.caller;
  const id = platform.makeId("dlv");
  const track = makeToken(platform.random);
  const now = formatTime(call.now);
  const proof = order.proof ?? [];
  const withPin = proof.includes("pin");
  const arrival = formatTime(journey.eta.arrivalMs);
  const { eta, locations, attention } = journeyView(journey);
  const view: Delivery = {
    delivery_id: id,
    status: "scheduled",
    pickup: {
      address: order.pickup.address,
      scheduled_time: formatTime(pickupMs),
      until: order.pickup.until ?? null,
      contact: order.pickup.contact ?? null,
      instructions: order.pickup.instructions ?? null,
    },
    dropoff: {
      address: order.dropoff.address,
      estimated_arrival: arrival,
      promised_arrival: arrival,
      actual_arrival: null,
      window: order.dropoff.window
        ? { from: order.dropoff.window.from ?? null, to: order.dropoff.window.to ?? null }
        : null,
      notify: notifyView(order.dropoff.notify),
      contact: order.dropoff.contact ?? null,
      instructions: order.dropoff.instructions ?? null,
    },
    created_at: now,
    external_id: order.external_id ?? null,
    parent_id: parentId,
    tags: order.tags ?? [],
    items: order.items ?? [],
    notes: order.notes ?? null,
    vehicle: order.vehicle ?? null,
    requested_provider: order.provider ?? null,
    provider: null,
    simulated: mode === "test" && !hasFleet,
    courier: null,
    eta,
    locations,
    attention,
    timeline: [{ status: "scheduled", at: now, by: "client", note: null }],
    proof: {
      required: proof,
      pin: withPin ? makePin(platform.random) : null,
      pin_tries_left: withPin ? PIN_TRIES : null,
      given: null,
    },
    price: null,
    rating: null,
    reason: null,
    fee_applies: false,
    tracking_url: `${platform.publicUrl()}/track/${track}`,
  };
  const details = detailsOf(journey);
  const wakeMs = firstWake(mode, call.now, fetchMs({ view, details }), speed);
  return { id, tenantId, mode, view, machine: newMachine(proof), details, wakeMs, track };
}

function detailsOf({ from, to, timeZone, eta }: Journey): DeliveryRow["details"] {
  const promise = { fromMs: eta.windowFromMs, toMs: eta.windowToMs };
  const journey = { from, to, timeZone, driveSeconds: eta.driveSeconds, correction: eta.correction, promise };
  return { ...journey, offer: null, provider: null, tried: [], plan: null, pickedUpMs: null };
}

const notifyView = (asked: Notify | undefined): Delivery["dropoff"]["notify"] =>
  asked
    ? {
        email: asked.email ?? null,
        phone: asked.phone ?? null,
        language: asked.language ?? "en",
        events: asked.events ?? [...NOTICE_EVENTS],
        sent: [],
      }
    : null;

/** The order as it was, for another try. */
export function orderAgain({ view }: DeliveryRow, time: string): Order {
  const end = (name: "pickup" | "dropoff") => {
    const { address, contact, instructions } = view[name];
    return { address, ...(contact ? { contact } : {}), ...(instructions ? { instructions } : {}) };
  };
  return {
    pickup: { ...end("pickup"), time },
    dropoff: end("dropoff"),
    tags: view.tags,
    proof: view.proof.required,
    items: view.items,
    ...(view.notes ? { notes: view.notes } : {}),
    ...(view.vehicle ? { vehicle: view.vehicle } : {}),
    ...(view.requested_provider ? { provider: view.requested_provider } : {}),
  };
}
