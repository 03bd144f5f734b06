// The use cases of whoever runs couriers: the people, where they are, and what they do with a delivery.
import { type Call, handle, type Handler } from "../../../contract/define.ts";
import { Failure } from "../../../contract/errors.ts";
import { formatTime, parseTime } from "../../../lib/time.ts";
import { transact } from "../../../platform/idempotency/index.ts";
import { notFound, type Platform, readPage } from "../../../platform/platform.ts";
import type { Tx } from "../../../store/db.ts";
import {
  addCourier,
  advance,
  changeCourier,
  type Courier,
  type Delivery,
  listCouriers,
  type Proof,
  reportPosition,
} from "../contract/index.ts";
import type { Eta, Point } from "../engine/eta/index.ts";
import { haversineKm } from "../engine/geo.ts";
import { type Lifecycle, remaining, remainingByPickup } from "../lifecycle.ts";
import { rank, type State } from "../machine.ts";
import type { CourierRow, DeliveryRow, DeliveryStore } from "../store/index.ts";
import { makeToken } from "./tokens.ts";

export type Fleet = ReturnType<typeof createFleet>;

/** Within this distance of an exactly known place the courier has arrived. */
const arrivedKm = 0.08;

export function createFleet(platform: Platform, store: DeliveryStore, lifecycle: Lifecycle) {
  const { db, cursors } = platform;

  const withCourier = (call: Call, work: (tx: Tx, row: CourierRow) => Promise<void>): Promise<Courier> =>
    transact(db, call, async (tx) => {
      const row = await store.couriers.lock(tx, call.caller.tenantId, call.params.id);
      if (!row) throw notFound("courier");
      await work(tx, row);
      await store.couriers.save(tx, row);
      return row.view;
    });

  /** What it had not picked up goes to others; what it carries stays with it. */
  async function giveBack(tx: Tx, row: CourierRow, now: number): Promise<void> {
    for (const delivery of await store.inHand(tx, row.tenantId, row.id)) {
      if (rank[delivery.view.status] >= rank.picked_up) continue;
      delivery.wakeMs = now;
      await lifecycle.move(
        tx,
        delivery,
        { to: "scheduled", by: "system", blameless: true },
        { atMs: now, note: "courier_off_duty" },
      );
    }
  }

  /** A new position: arrivals by geofence, and fresh estimates for all it has in hand, one stop after the other. */
  async function moved(tx: Tx, row: CourierRow, at: { lat: number; lon: number }, now: number): Promise<void> {
    row.view.position = { lat: at.lat, lon: at.lon, at: formatTime(now) };
    let place: Point = at;
    let time = now;
    for (const delivery of inTurn(await store.inHand(tx, row.tenantId, row.id))) {
      const { view, details } = delivery;
      view.courier!.position = row.view.position;
      const eta = etaFrom(delivery, place, time);
      if (eta) {
        await lifecycle.updateEta(tx, delivery, eta, now);
        place = details.to ?? place;
        time = eta.arrivalMs;
      } else await store.save(tx, delivery);
      if (view.status === "en_route_to_pickup" && isAt(delivery, "pickup", at))
        await arrive(tx, delivery, "at_pickup", now);
      if (["picked_up", "en_route_to_dropoff"].includes(view.status) && isAt(delivery, "dropoff", at)) {
        await arrive(tx, delivery, "at_dropoff", now);
      }
    }
  }

  const arrive = (tx: Tx, row: DeliveryRow, to: State, now: number) =>
    lifecycle.move(tx, row, { to, by: "system" }, { atMs: now, note: "geofence" });

  /** What a courier does on its page; the operator does the same through the API. */
  async function act(tx: Tx, row: DeliveryRow, by: "courier" | "operator", wanted: Wanted, now: number): Promise<void> {
    const told = { atMs: now, reason: wanted.reason ?? null, proof: wanted.proof };
    if (wanted.to === "assigned") return assignTo(tx, row, wanted.courierId, now);
    if (wanted.to === "scheduled") row.wakeMs = now;
    else if (row.view.status === "assigned") row.wakeMs = null;
    await lifecycle.moveOrRefuse(tx, row, { to: wanted.to, by }, told);
    if (wanted.to === "picked_up")
      await lifecycle.move(tx, row, { to: "en_route_to_dropoff", by: "system" }, { atMs: now });
  }

  async function assignTo(tx: Tx, row: DeliveryRow, courierId: string | undefined, now: number): Promise<void> {
    if (!courierId) {
      const fault = {
        pointer: "/courier_id",
        code: "required",
        detail: "courier_id is needed to assign",
        hint: "Send the id of a courier",
      };
      throw new Failure("validation_failed", fault.detail, { hint: fault.hint, errors: [fault] });
    }
    const courier = await store.couriers.lock(tx, row.tenantId, courierId);
    if (!courier) throw notFound("courier");
    const { id, name, vehicle, position } = courier.view;
    row.view.provider = "fleet";
    row.wakeMs = null;
    await lifecycle.moveOrRefuse(
      tx,
      row,
      { to: "assigned", by: "operator", courier: id },
      { atMs: now, courier: { id, name, vehicle } },
    );
    row.details.offer = { expiresMs: now, acceptedMs: now };
    row.details.plan = null;
    row.view.courier!.position = position;
    await store.save(tx, row);
  }

  async function accept(tx: Tx, row: DeliveryRow, now: number): Promise<void> {
    if (row.view.status !== "assigned")
      throw new Failure("wrong_state", `The delivery is ${row.view.status}.`, {
        extra: { delivery_status: row.view.status },
      });
    row.details.offer = { expiresMs: row.details.offer?.expiresMs ?? now, acceptedMs: now };
    row.wakeMs = null;
    await store.save(tx, row);
  }

  const handlers: Handler[] = [
    handle(addCourier, (call) =>
      transact(db, call, async (tx) => {
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
      }),
    ),
    handle(listCouriers, (call) => {
      const read = (after: string | null, count: number) => store.couriers.list(call.caller.tenantId, after, count);
      return readPage(
        cursors,
        `couriers ${call.caller.tenantId}`,
        call.query,
        read,
        (row) => row.id,
        (row) => row.view,
      );
    }),
    handle(changeCourier, (call) =>
      withCourier(call, async (tx, row) => {
        const { position, shift, ...rest } = call.body;
        const wasOn = row.view.on_duty;
        Object.assign(row.view, rest, shift === undefined ? {} : { shift: readShift(shift) });
        if (wasOn && !row.view.on_duty) await giveBack(tx, row, call.now);
        if (position) await moved(tx, row, position, call.now);
      }),
    ),
    handle(reportPosition, (call) => withCourier(call, (tx, row) => moved(tx, row, call.body, call.now))),
    handle(
      advance,
      (call): Promise<Delivery> =>
        transact(db, call, async (tx) => {
          const row = await store.lock(tx, call.caller.tenantId, call.params.id);
          if (!row) throw notFound("delivery");
          const { to, courier_id: courierId, proof, reason } = call.body;
          if (row.details.plan) row.details.plan = null;
          await act(tx, row, "operator", { to: to as State, courierId, proof, reason }, call.now);
          return row.view;
        }),
    ),
  ];
  return { handlers, act, accept, moved, giveBack };
}

interface Wanted {
  to: State;
  courierId?: string;
  proof?: Proof;
  reason?: string;
}

/** What it carries first, by when it should arrive; then what it has to fetch. */
function inTurn(rows: DeliveryRow[]): DeliveryRow[] {
  const carried = (row: DeliveryRow) => (rank[row.view.status] >= rank.picked_up ? 0 : 1);
  const due = (row: DeliveryRow) => parseTime(row.view.dropoff.estimated_arrival)!;
  return rows.sort((a, b) => carried(a) - carried(b) || due(a) - due(b));
}

function etaFrom(row: DeliveryRow, place: Point, time: number): Eta | null {
  if (row.view.status === "returning") return null;
  if (rank[row.view.status] >= rank.picked_up) return remaining(row, place, time);
  return row.details.from ? remainingByPickup(row, place, time) : null;
}

function isAt(row: DeliveryRow, end: "pickup" | "dropoff", at: { lat: number; lon: number }): boolean {
  const { lat, lon, precision } = row.view.locations[end];
  if (lat === null || lon === null || (precision !== "rooftop" && precision !== "street")) return false;
  return haversineKm(at.lat, at.lon, lat, lon) <= arrivedKm;
}

function readShift(shift: { from: string; to: string } | null): Courier["shift"] {
  if (shift === null) return null;
  const [from, to] = [parseTime(shift.from)!, parseTime(shift.to)!];
  if (to > from) return { from: formatTime(from), to: formatTime(to) };
  const fault = {
    pointer: "/shift/to",
    code: "minimum",
    detail: "shift.to must be after shift.from",
    hint: "Send a later time",
  };
  throw new Failure("validation_failed", fault.detail, { hint: fault.hint, errors: [fault] });
}
