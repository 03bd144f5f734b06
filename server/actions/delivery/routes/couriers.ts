// The routes of whoever runs couriers: the couriers, their positions, and moves made by an operator.
import { type Call, type CallOf, handle, type Handler } from "../../../contract/define.ts";
import { invalid } from "../../../contract/errors.ts";
import { formatTime, parseTime } from "../../../lib/time.ts";
import { transact } from "../../../platform/idempotency/index.ts";
import { findOr404, readPage } from "../../../platform/pages.ts";
import type { Tx } from "../../../store/db.ts";
import * as contract from "../contract/index.ts";
import type { Courier, Delivery } from "../contract/shapes.ts";
import type { CourierRow } from "../store/index.ts";
import { changeDelivery } from "./deliveries.ts";
import type { RouteDeps } from "./deps.ts";
import { moveByFleet, releaseDeliveries, updatePosition } from "./fleet-moves.ts";
import { makeToken } from "./tokens.ts";

function addCourier({ platform, store }: RouteDeps, call: CallOf<typeof contract.addCourier>): Promise<Courier> {
  return transact(platform.db, call, async (tx) => {
    const { name, vehicle = "car", capacity = 3, zone = null, shift = null, on_duty = true, position } = call.body;
    const token = makeToken(platform.random);
    const view: Courier = {
      id: platform.makeId("crr"),
      name,
      vehicle,
      capacity,
      zone,
      shift: readShift(shift),
      on_duty,
      position: position ? { ...position, at: formatTime(call.now) } : null,
      courier_url: `${platform.publicUrl()}/courier/${token}`,
      created_at: formatTime(call.now),
    };
    await store.couriers.insert(tx, { id: view.id, tenantId: call.caller.tenantId, token, view });
    return view;
  });
}

function listCouriers({ platform, store }: RouteDeps, { query, caller }: CallOf<typeof contract.listCouriers>) {
  return readPage({
    cursors: platform.cursors,
    list: `couriers ${caller.tenantId}`,
    query,
    read: (after, count) => store.couriers.list(caller.tenantId, after, count),
    position: (row) => row.id,
    view: (row) => row.view,
  });
}

/** Every change of a courier: found, locked, made and saved in one transaction. */
function changeCourier(
  { platform, store }: RouteDeps,
  call: Call,
  work: (tx: Tx, row: CourierRow) => Promise<void>,
): Promise<Courier> {
  return transact(platform.db, call, async (tx) => {
    const row = await findOr404("courier", store.couriers.lock(tx, call.caller.tenantId, call.params.id));
    await work(tx, row);
    await store.couriers.save(tx, row);
    return row.view;
  });
}

function updateCourier(deps: RouteDeps, call: CallOf<typeof contract.changeCourier>): Promise<Courier> {
  return changeCourier(deps, call, async (tx, row) => {
    const { position, shift, ...rest } = call.body;
    const wasOn = row.view.on_duty;
    Object.assign(row.view, rest, shift === undefined ? {} : { shift: readShift(shift) });
    if (wasOn && !row.view.on_duty) await releaseDeliveries(deps, tx, row, call.now);
    if (position) await updatePosition(deps, tx, row, position, call.now);
  });
}

function reportPosition(deps: RouteDeps, call: CallOf<typeof contract.reportPosition>): Promise<Courier> {
  return changeCourier(deps, call, (tx, row) => updatePosition(deps, tx, row, call.body, call.now));
}

/** An operator moves a delivery; a simulated plan ends with it. */
function advanceDelivery(deps: RouteDeps, call: CallOf<typeof contract.advance>): Promise<Delivery> {
  return changeDelivery(deps, call, async (tx, row) => {
    const { to, courier_id: courierId, proof, reason } = call.body;
    row.details.plan = null;
    await moveByFleet(deps, tx, row, "operator", { to, courierId, proof, reason }, call.now);
  });
}

function readShift(shift: { from: string; to: string } | null): Courier["shift"] {
  if (shift === null) return null;
  const [from, to] = [parseTime(shift.from)!, parseTime(shift.to)!];
  if (to > from) return { from: formatTime(from), to: formatTime(to) };
  throw invalid("/shift/to", "shift.to must be after shift.from", "Send a later time", "minimum");
}

export const courierRoutes = (deps: RouteDeps): Handler[] => [
  handle(contract.addCourier, (call) => addCourier(deps, call)),
  handle(contract.listCouriers, (call) => listCouriers(deps, call)),
  handle(contract.changeCourier, (call) => updateCourier(deps, call)),
  handle(contract.reportPosition, (call) => reportPosition(deps, call)),
  handle(contract.advance, (call) => advanceDelivery(deps, call)),
];
