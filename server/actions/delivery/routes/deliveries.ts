// The use cases of whoever orders a delivery, in the order of its life. The fleet's side is in fleet/.
import { type Call, handle, type Handler } from "../../../contract/define.ts";
import { Failure } from "../../../contract/errors.ts";
import { formatTime, parseTime } from "../../../lib/time.ts";
import { transact } from "../../../platform/idempotency/index.ts";
import { notFound, type Platform, readPage } from "../../../platform/platform.ts";
import type { Tx } from "../../../store/db.ts";
import {
  cancel,
  type Delivery,
  estimateRoute,
  get,
  list,
  type Order,
  redeliver,
  reschedule,
  schedule,
  sendBack,
} from "../contract/index.ts";
import type { Lifecycle } from "../lifecycle.ts";
import { newMachine, terminal } from "../machine.ts";
import { attentionOf, etaView, type Journey, locationOf, type Planner, readPickupTime } from "../planner.ts";
import type { Couriers } from "../providers/port.ts";
import type { DeliveryRow, DeliveryStore } from "../store/index.ts";
import { firstWake } from "../engine/timing.ts";
import { makePin, makeToken } from "./tokens.ts";

export interface ServiceParts {
  platform: Platform;
  store: DeliveryStore;
  lifecycle: Lifecycle;
  plan: Planner;
  couriers: Couriers;
  /** How many times faster than life simulated couriers are. */
  speed: number;
}

export function createService(parts: ServiceParts): Handler[] {
  const { platform, store, lifecycle, plan, couriers, speed } = parts;
  const { db, cursors } = platform;

  async function make(call: Call, order: Order, parentId: string | null): Promise<DeliveryRow> {
    const pickupMs = readPickupTime(order.pickup.time, call.now);
    if (order.provider) couriers.mustHave(order.provider, call.caller.mode);
    const journey = await plan(call.caller, order, pickupMs);
    return newRow(call, order, journey, pickupMs, parentId);
  }

  function newRow(call: Call, order: Order, journey: Journey, pickupMs: number, parentId: string | null): DeliveryRow {
    const { tenantId, mode } = call.caller;
    const id = platform.makeId("dlv");
    const track = makeToken(platform.random);
    const now = formatTime(call.now);
    const proof = order.proof ?? [];
    const view: Delivery = {
      delivery_id: id,
      status: "scheduled",
      pickup: { address: order.pickup.address, scheduled_time: formatTime(pickupMs) },
      dropoff: { address: order.dropoff.address, estimated_arrival: formatTime(journey.eta.arrivalMs) },
      created_at: now,
      external_id: order.external_id ?? null,
      parent_id: parentId,
      tags: order.tags ?? [],
      provider: null,
      simulated: false,
      courier: null,
      eta: etaView(journey),
      locations: { pickup: locationOf(journey.pickup), dropoff: locationOf(journey.dropoff) },
      attention: attentionOf(journey),
      timeline: [{ status: "scheduled", at: now, by: "client", note: null }],
      proof: { required: proof, pin: proof.includes("pin") ? makePin(platform.random) : null, given: null },
      reason: null,
      fee_applies: false,
      tracking_url: `${platform.publicUrl()}/track/${track}`,
    };
    const { items, notes, vehicle, provider } = order;
    const details: DeliveryRow["details"] = {
      order: {
        items,
        notes,
        vehicle,
        provider,
        contacts: { pickup: order.pickup.contact, dropoff: order.dropoff.contact },
      },
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
    const wakeMs = firstWake(mode, call.now, pickupMs, speed);
    return { id, tenantId, mode, view, machine: newMachine(proof), details, wakeMs, track };
  }

  /** Every change of a delivery: found, locked, made, in one transaction with its event and idempotency record. */
  const change = (call: Call, work: (tx: Tx, row: DeliveryRow) => Promise<void>): Promise<Delivery> =>
    transact(db, call, async (tx) => {
      const row = await store.lock(tx, call.caller.tenantId, call.params.id);
      if (!row) throw notFound("delivery");
      await work(tx, row);
      return row.view;
    });

  async function find(call: Call): Promise<DeliveryRow> {
    const row = await store.find(call.caller.tenantId, call.params.id);
    if (!row) throw notFound("delivery");
    return row;
  }

  return [
    handle(schedule, async (call) => {
      const row = await make(call, call.body, null);
      return store.insert(call, row);
    }),
    handle(estimateRoute, async (call) => {
      const { body, caller } = call;
      const pickupMs = readPickupTime(body.pickup.time, call.now);
      const journey = await plan(caller, body, pickupMs);
      return {
        pickup: { address: body.pickup.address, scheduled_time: formatTime(pickupMs) },
        dropoff: { address: body.dropoff.address, estimated_arrival: formatTime(journey.eta.arrivalMs) },
        eta: etaView(journey),
        distance_km: journey.km === null ? null : Math.round(journey.km * 100) / 100,
        locations: { pickup: locationOf(journey.pickup), dropoff: locationOf(journey.dropoff) },
        attention: attentionOf(journey),
      };
    }),
    handle(list, (call) => {
      const { limit: _, cursor: __, ...filters } = call.query;
      const name = `deliveries ${call.caller.tenantId} ${JSON.stringify(filters)}`;
      const read = (after: string | null, count: number) => store.list(call.caller.tenantId, filters, after, count);
      return readPage(
        cursors,
        name,
        call.query,
        read,
        (row) => row.id,
        (row) => row.view,
      );
    }),
    handle(get, async (call) => (await find(call)).view),
    handle(cancel, async (call) => {
      const reason = call.body?.reason ?? "canceled_by_client";
      await cancelOutside(await find(call));
      return change(call, (tx, row) =>
        lifecycle.moveOrRefuse(tx, row, { to: "canceled", by: "client" }, { atMs: call.now, reason }),
      );
    }),
    handle(reschedule, (call) => replan(call)),
    handle(sendBack, (call) => {
      const reason = call.body?.reason ?? "returned_by_client";
      return change(call, (tx, row) =>
        lifecycle.moveOrRefuse(tx, row, { to: "returning", by: "client" }, { atMs: call.now, reason }),
      );
    }),
    handle(redeliver, async (call) => {
      const old = await find(call);
      if (!terminal.has(old.view.status) || old.view.status === "delivered") {
        throw new Failure(
          "wrong_state",
          `The delivery is ${old.view.status}; only a failed, returned or canceled one can be tried again.`,
        );
      }
      const row = await make(call, againOf(old, call.body.pickup.time), old.id);
      await store.insert(call, row);
      return row.view;
    }),
  ];

  /** The courier service is asked first: what it refuses to cancel stays as it is. */
  async function cancelOutside(row: DeliveryRow): Promise<void> {
    const { provider } = row.details;
    if (
      !provider ||
      terminal.has(row.view.status) ||
      !["scheduled", "assigned", "en_route_to_pickup", "at_pickup"].includes(row.view.status)
    )
      return;
    await couriers.cancel(provider);
  }

  /** Where it goes is found out before the row is locked: a geocoder outside may be asked. */
  async function replan(call: Call): Promise<Delivery> {
    const before = await find(call);
    refuseToMove(before);
    const { pickup = {}, dropoff = {} } = call.body as {
      pickup?: { time?: string; address?: string };
      dropoff?: { address?: string };
    };
    const { view } = before;
    const pickupMs = pickup.time ? readPickupTime(pickup.time, call.now) : parseTime(view.pickup.scheduled_time)!;
    const order = {
      pickup: { address: pickup.address ?? view.pickup.address },
      dropoff: { address: dropoff.address ?? view.dropoff.address },
      vehicle: before.details.order.vehicle,
    };
    const journey = await plan(call.caller, order, pickupMs);
    return change(call, async (tx, row) => {
      refuseToMove(row);
      const settled = row.view.pickup.scheduled_time + row.view.pickup.address + row.view.dropoff.address;
      if (settled !== view.pickup.scheduled_time + view.pickup.address + view.dropoff.address) {
        throw new Failure("wrong_state", "It was rescheduled meanwhile.", { hint: "Read it again, then decide." });
      }
      await moveTo(tx, row, order, journey, pickupMs, call.now);
    });
  }

  async function moveTo(
    tx: Tx,
    row: DeliveryRow,
    order: { pickup: { address: string }; dropoff: { address: string } },
    journey: Journey,
    pickupMs: number,
    now: number,
  ): Promise<void> {
    const { view, details } = row;
    const back = { to: "scheduled", by: "system", blameless: true } as const;
    if (view.status === "assigned") await lifecycle.move(tx, row, back, { atMs: now, note: "rescheduled" });
    view.pickup = { address: order.pickup.address, scheduled_time: formatTime(pickupMs) };
    view.dropoff = { address: order.dropoff.address, estimated_arrival: formatTime(journey.eta.arrivalMs) };
    view.eta = etaView(journey);
    view.locations = { pickup: locationOf(journey.pickup), dropoff: locationOf(journey.dropoff) };
    view.attention = attentionOf(journey);
    const { from, to, timeZone, eta } = journey;
    Object.assign(details, { from, to, timeZone, driveSeconds: eta.driveSeconds, plan: null });
    row.wakeMs = firstWake(row.mode, now, pickupMs, speed);
    await store.save(tx, row);
    await lifecycle.tell(tx, row, "rescheduled", now);
  }
}

function refuseToMove({ view, details }: DeliveryRow): void {
  if (view.status !== "scheduled" && view.status !== "assigned") {
    const why = `The delivery is ${view.status}; it can be rescheduled until the courier sets out.`;
    throw new Failure("wrong_state", why, { extra: { delivery_status: view.status, allowed: [] } });
  }
  if (!details.provider) return;
  const hint = "Cancel it and schedule a new one.";
  throw new Failure("wrong_state", `${details.provider.name} already has it.`, { hint });
}

/** The order as it was, for another try. */
function againOf(old: DeliveryRow, time: string): Order {
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
