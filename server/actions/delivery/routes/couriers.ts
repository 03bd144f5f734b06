// The routes of whoever runs couriers: the couriers, their positions, and moves made by an operator.
import { type Call, type CallOf, handle, type Handler } from "../../../contract/define.ts";
import { Failure, invalid } from "../../../contract/errors.ts";
import { formatTime, parseTime } from "../../../lib/time.ts";
import { transact } from "../../../platform/idempotency/index.ts";
import { findOr404, readPage } from "../../../platform/pages.ts";
import type { Tx } from "../../../store/db.ts";
import * as contract from "../contract/index.ts";
import type { Courier } from "../contract/courier.ts";
import type { Delivery } from "../contract/delivery.ts";
import type { CourierRow } from "../store/index.ts";
import { changeDelivery } from "./deliveries.ts";
import type { RouteDeps } from "./deps.ts";
import { checkHours } from "./terms/feasibility.ts";
import { moveByFleet, releaseDeliveries, updatePosition } from "./fleet-moves.ts";
import { makeToken } from "./tokens.ts";

function addCourier({ platform, store }: RouteDeps, call: CallOf<typeof contract.addCourier>): Promise<Courier> {
  return transact(platform.db, call, async (tx) => {
    const { name, vehicle = "car", capacity = 3, shift = null, on_duty = true, position } = call.body;
    const { phone = null, zone = null, area = null, hours = null, time_zone = "UTC" } = call.body;
    checkHours(hours);
    const token = makeToken(platform.random);
    const view: Courier = {
      id: platform.makeId("crr"),
      name,
      phone,
      vehicle,
      capacity,
      zone,
      area,
      shift: readShift(shift),
      hours,
      time_zone,
      on_duty,
      position: position ? { ...position, at: formatTime(call.now) } : null,
      courier_url: `${platform.publicUrl()}/courier/${token}`,
      created_at: formatTime(call.now),
    };
    const { tenantId } = call.caller;
    await store.couriers.insert(tx, { id: view.id, tenantId, token, view });
    store.facts.forget(tenantId);
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
    checkHours(rest.hours ?? null);
    const wasOn = row.view.on_duty;
    Object.assign(row.view, rest, shift === undefined ? {} : { shift: readShift(shift) });
    if (wasOn && !row.view.on_duty) await releaseDeliveries(deps, tx, row, call.now);
    if (position) await updatePosition(deps, tx, row, position, call.now);
  });
}

const findCourier = ({ store }: RouteDeps, call: Call): Promise<CourierRow> =>
  findOr404("courier", store.couriers.find(call.caller.tenantId, call.params.id));

/** What it carries must come to an end first: nobody else could say where it is. */
function removeCourier(deps: RouteDeps, call: CallOf<typeof contract.removeCourier>) {
  const { platform, store } = deps;
  const { tenantId } = call.caller;
  return transact(platform.db, call, async (tx) => {
    const row = await findOr404("courier", store.couriers.lock(tx, tenantId, call.params.id));
    await releaseDeliveries(deps, tx, row, call.now);
    const carried = await store.inHand(tx, tenantId, row.id);
    if (carried.length > 0) {
      const ids = carried.map((delivery) => delivery.id);
      throw new Failure("wrong_state", `The courier still carries ${ids.join(", ")}.`, {
        hint: "Let the courier finish, or move these deliveries to another state first.",
        extra: { delivery_ids: ids },
      });
    }
    await store.couriers.remove(tx, tenantId, row.id);
    store.facts.forget(tenantId);
    return { id: row.id, deleted: true as const };
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
  handle(contract.getCourier, async (call) => (await findCourier(deps, call)).view),
  handle(contract.removeCourier, (call) => removeCourier(deps, call)),
  handle(contract.changeCourier, (call) => updateCourier(deps, call)),
  handle(contract.reportPosition, (call) => reportPosition(deps, call)),
  handle(contract.advance, (call) => advanceDelivery(deps, call)),
];
