// The routes of whoever orders deliveries: schedule, estimate, read, cancel, return, redeliver. Changes are in changes.ts.
import { type Call, type CallOf, handle, type Handler } from "../../../contract/define.ts";
import { Failure } from "../../../contract/errors.ts";
import { formatTime } from "../../../lib/time.ts";
import { transact } from "../../../platform/idempotency/index.ts";
import { findOr404, readPage } from "../../../platform/pages.ts";
import type { Tx } from "../../../store/db.ts";
import * as contract from "../contract/index.ts";
import type { Delivery } from "../contract/delivery.ts";
import { TERMINAL } from "../machine.ts";
import { checkCoordinates, readPickupTime } from "../planner.ts";
import type { DeliveryRow } from "../store/index.ts";
import { journeyView } from "../view.ts";
import type { RouteDeps } from "./deps.ts";
import { orderAgain, planDelivery } from "./new-delivery.ts";

const CANCELABLE = ["scheduled", "assigned", "en_route_to_pickup", "at_pickup"];

async function scheduleDelivery(deps: RouteDeps, call: CallOf<typeof contract.schedule>) {
  return deps.store.insert(call, await planDelivery(deps, call, call.body, null));
}

async function estimateDelivery(deps: RouteDeps, { body, caller, now }: CallOf<typeof contract.estimateRoute>) {
  checkCoordinates(body);
  const pickupMs = readPickupTime(body.pickup.time, now);
  const journey = await deps.plan(caller, body, pickupMs);
  const { eta, locations, attention } = journeyView(journey);
  return {
    pickup: { address: body.pickup.address, scheduled_time: formatTime(pickupMs) },
    dropoff: { address: body.dropoff.address, estimated_arrival: formatTime(journey.eta.arrivalMs) },
    eta,
    distance_km: journey.km === null ? null : Math.round(journey.km * 100) / 100,
    locations,
    attention,
  };
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

export const findDelivery = ({ store }: RouteDeps, call: Call): Promise<DeliveryRow> =>
  findOr404("delivery", store.find(call.caller.tenantId, call.params.id));

/** Every change of a delivery: found, locked, made, in one transaction with its event and idempotency record. */
export function changeDelivery(
  { platform, store }: RouteDeps,
  call: Call,
  work: (tx: Tx, row: DeliveryRow) => Promise<unknown>,
): Promise<Delivery> {
  return transact(platform.db, call, async (tx) => {
    const row = await findOr404("delivery", store.lock(tx, call.caller.tenantId, call.params.id));
    await work(tx, row);
    return row.view;
  });
}

async function showProof({ store }: RouteDeps, call: CallOf<typeof contract.proofPicture>): Promise<Response> {
  const { id, kind } = call.params;
  const picture = await findOr404("picture", store.pictures.find(call.caller.tenantId, id, kind));
  return pictureResponse(picture);
}

/** The bytes as they came; nothing may run them, and nobody but the reader may keep them. */
export function pictureResponse({ bytes, mediaType }: { bytes: Uint8Array; mediaType: string }): Response {
  return new Response(bytes as BodyInit, {
    headers: {
      "Content-Type": mediaType,
      "Cache-Control": "private, max-age=3600",
      "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": "default-src 'none'; sandbox",
    },
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
  const row = await planDelivery(deps, call, orderAgain(old, call.body.pickup.time), old.id);
  return deps.store.insert(call, row);
}

export const deliveryRoutes = (deps: RouteDeps): Handler[] => [
  handle(contract.schedule, (call) => scheduleDelivery(deps, call)),
  handle(contract.estimateRoute, (call) => estimateDelivery(deps, call)),
  handle(contract.list, (call) => listDeliveries(deps, call)),
  handle(contract.get, async (call) => (await findDelivery(deps, call)).view),
  handle(contract.proofPicture, (call) => showProof(deps, call)),
  handle(contract.cancel, (call) => cancelDelivery(deps, call)),
  handle(contract.sendBack, (call) => returnDelivery(deps, call)),
  handle(contract.redeliver, (call) => redeliver(deps, call)),
];
