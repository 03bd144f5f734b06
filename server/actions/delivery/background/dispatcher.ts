// Looks at every delivery whose time has come: finds it a courier, withdraws lapsed offers, gives up on hopeless ones,
// and moves the simulated. Runs on every replica; one works on a tenant at a time.
import { formatTime, parseTime } from "../../../lib/time.ts";
import { addJob } from "../../../platform/jobs/index.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Tx } from "../../../store/db.ts";
import { defaultAccessSeconds, defaultServiceSeconds } from "../engine/eta/index.ts";
import { type Courier, dueOffers, type Order, planDispatch, type Stop } from "../engine/dispatch/index.ts";
import type { Lifecycle } from "../lifecycle.ts";
import { rank } from "../machine.ts";
import type { Couriers } from "../providers/port.ts";
import { simulatedCourier, simulatedPlan, simulatedPosition } from "../providers/simulated.ts";
import type { CourierRow, DeliveryRow, DeliveryStore } from "../store/index.ts";
import { graceMs, maxAttempts, offerLeadMs, offerLifeMs, silentMs } from "../engine/timing.ts";

export interface DispatcherParts {
  platform: Platform;
  store: DeliveryStore;
  lifecycle: Lifecycle;
  couriers: Couriers;
  speed: number;
}

export type Dispatcher = ReturnType<typeof createDispatcher>;

const minute = 60_000;
const batch = 500;
/** How often a delivery that waits for a courier, or that a courier service carries, is looked at again. */
const againMs = minute;

export function createDispatcher(parts: DispatcherParts) {
  const { platform, store, lifecycle, couriers, speed } = parts;

  /** One round; returns how many deliveries were looked at. */
  async function sweep(now: number): Promise<number> {
    let seen = 0;
    for (const { tenantId, ids } of await store.due(now, batch)) {
      await platform.db.sql.begin(async (tx) => {
        if (!(await store.claimTenant(tx, tenantId))) return;
        seen += ids.length;
        await lookAt(tx, tenantId, ids, now);
      });
    }
    return seen;
  }

  async function lookAt(tx: Tx, tenantId: number, ids: string[], now: number): Promise<void> {
    const waiting: DeliveryRow[] = [];
    const fleet = await store.couriers.onDuty(tx, tenantId);
    for (const id of ids) {
      const row = await store.lock(tx, tenantId, id);
      if (!row || row.wakeMs === null || row.wakeMs > now) continue;
      if (row.details.plan) await playOn(tx, row, now);
      else if (row.view.status === "scheduled") await findCourier(tx, row, fleet.length > 0, now, waiting);
      else await watch(tx, row, now);
    }
    if (waiting.length > 0) await offer(tx, tenantId, fleet, waiting, now);
  }

  async function findCourier(
    tx: Tx,
    row: DeliveryRow,
    hasFleet: boolean,
    now: number,
    waiting: DeliveryRow[],
  ): Promise<void> {
    const late = now > parseTime(row.view.pickup.scheduled_time)! + graceMs;
    if (!row.details.provider && (late || row.machine.attempts > maxAttempts)) {
      await lifecycle.move(tx, row, { to: "failed", by: "system" }, { atMs: now, reason: "no_courier" });
      return;
    }
    if (row.details.provider) return watch(tx, row, now);
    if (row.mode === "test" && !hasFleet) return simulate(tx, row, now);
    const wanted = row.details.order.provider;
    for (const name of row.mode === "test" ? ["fleet"] : wanted ? [wanted] : couriers.order) {
      if (name === "fleet" && hasFleet) return void waiting.push(row);
      if (name !== "fleet" && !row.details.tried.includes(name)) return handOver(tx, row, now);
    }
    flag(row, "no_courier_configured", row.details.tried.length === 0);
    row.wakeMs = now + againMs;
    await store.save(tx, row);
  }

  /** To the courier services, by a job: they are asked outside of any transaction. */
  async function handOver(tx: Tx, row: DeliveryRow, now: number): Promise<void> {
    const payload = { id: row.id, tenantId: row.tenantId };
    await addJob(tx, "delivery.handover", payload, { key: `handover:${row.id}`, keyMode: "unsafe_dedupe" });
    flag(row, "no_courier_configured", false);
    row.wakeMs = now + againMs;
    await store.save(tx, row);
  }

  /** Courier services left to ask when the own fleet cannot. */
  const canHandOver = (row: DeliveryRow): boolean =>
    row.mode === "live" &&
    !row.details.order.provider &&
    couriers.order.some((name) => name !== "fleet" && !row.details.tried.includes(name));

  /** Own couriers: plan all that wait together, offer what is due. */
  async function offer(
    tx: Tx,
    tenantId: number,
    fleet: CourierRow[],
    waiting: DeliveryRow[],
    now: number,
  ): Promise<void> {
    const inHand = await store.inHand(tx, tenantId, null);
    const able = fleet.filter((c) => onShift(c, now)).map((c) => courierOf(c, inHand, waiting, now));
    const placed = waiting.filter((row) => row.details.from && row.details.to);
    const plan = planDispatch(able, placed.map(orderOf));
    const due = new Map(dueOffers(plan, able, now + offerLeadMs).map((a) => [a.orderId, a]));
    for (const row of waiting) {
      const found = due.get(row.id);
      flag(row, "no_courier_available", plan.unassigned.includes(row.id) || !placed.includes(row));
      row.wakeMs = now + againMs;
      if (!found) {
        const stuck = row.view.attention.includes("no_courier_available");
        await (stuck && canHandOver(row) ? handOver(tx, row, now) : store.save(tx, row));
        continue;
      }
      const courier = fleet.find((c) => c.id === found.courierId)!;
      const { id, name, vehicle } = courier.view;
      row.view.provider = "fleet";
      row.wakeMs = now + offerLifeMs;
      await lifecycle.move(
        tx,
        row,
        { to: "assigned", by: "system", courier: id },
        { atMs: now, courier: { id, name, vehicle } },
      );
      row.details.offer = { expiresMs: now + offerLifeMs, acceptedMs: null };
      row.view.courier!.position = courier.view.position;
      await store.save(tx, row);
    }
  }

  /** An offer that lapsed goes to another; what a courier service carries is asked after. */
  async function watch(tx: Tx, row: DeliveryRow, now: number): Promise<void> {
    const { offer: offered, provider } = row.details;
    if (row.view.status === "assigned" && offered && offered.acceptedMs === null && offered.expiresMs <= now) {
      row.wakeMs = now;
      await lifecycle.move(tx, row, { to: "scheduled", by: "system" }, { atMs: now, note: "offer_lapsed" });
      return;
    }
    if (provider && now > parseTime(row.view.pickup.scheduled_time)! + silentMs) {
      await lifecycle.move(tx, row, { to: "failed", by: "system" }, { atMs: now, reason: "provider_silent" });
      return;
    }
    const payload = { id: row.id, tenantId: row.tenantId };
    if (provider) await addJob(tx, "delivery.follow", payload, { key: `follow:${row.id}`, keyMode: "unsafe_dedupe" });
    row.wakeMs = provider ? now + againMs : null;
    await store.save(tx, row);
  }

  async function simulate(tx: Tx, row: DeliveryRow, now: number): Promise<void> {
    // The plan counts from the making of the delivery, not from when we happened to look: the same life on every machine.
    const last = row.view.timeline.at(-1)!;
    const origin = row.view.timeline.length === 1 ? parseTime(row.view.created_at)! : parseTime(last.at)!;
    row.details.plan = simulatedPlan(row, origin, speed);
    row.view.simulated = true;
    row.view.provider = "simulated";
    flag(row, "no_courier_configured", false);
    await playOn(tx, row, now);
  }

  /** Plays the simulated moves whose time has come, each at its own moment. */
  async function playOn(tx: Tx, row: DeliveryRow, now: number): Promise<void> {
    while (row.details.plan && row.details.plan.length > 0 && row.details.plan[0].atMs <= now) {
      const [next, ...rest] = row.details.plan;
      row.details.plan = rest;
      row.wakeMs = rest[0]?.atMs ?? null;
      const { key, name, vehicle } = simulatedCourier(row);
      const told = {
        atMs: next.atMs,
        note: next.note ?? null,
        reason: next.note && next.to !== "scheduled" ? next.note : null,
        courier: { id: null, name, vehicle },
      };
      await lifecycle.move(tx, row, { to: next.to, by: "provider", courier: key, handBack: true }, told);
      const at = simulatedPosition(row);
      if (row.view.courier && at) row.view.courier.position = { ...at, at: formatTime(next.atMs) };
      if (next.to === "scheduled") {
        row.details.plan = null;
        row.wakeMs = next.atMs;
        await store.save(tx, row);
        return simulate(tx, row, now);
      }
    }
    row.wakeMs = row.details.plan?.[0]?.atMs ?? null;
    await store.save(tx, row);
  }

  return { sweep };
}

export function flag(row: DeliveryRow, name: string, on: boolean): void {
  const { view } = row;
  view.attention = on ? [...new Set([...view.attention, name])] : view.attention.filter((a) => a !== name);
}

function onShift(c: CourierRow, now: number): boolean {
  const { shift } = c.view;
  return shift === null || (now >= parseTime(shift.from)! - 30 * minute && now < parseTime(shift.to)!);
}

function orderOf(row: DeliveryRow): Order {
  const { from, to } = row.details;
  return {
    id: row.id,
    pickup: from!,
    dropoff: to!,
    earliestMs: parseTime(row.view.pickup.scheduled_time)!,
    dueMs: parseTime(row.view.eta.window.to)!,
    load: 1,
    vehicle: row.details.order.vehicle ?? null,
    excluded: new Set(row.machine.excluded),
    pickupServiceMs: defaultServiceSeconds * 1000,
    dropoffServiceMs: defaultAccessSeconds * 1000,
  };
}

/** A courier with what it has in hand: picked-up goods are bound to it, the rest keeps its order. */
function courierOf(c: CourierRow, inHand: DeliveryRow[], waiting: DeliveryRow[], now: number): Courier {
  const mine = inHand.filter((row) => row.view.courier?.id === c.id && row.details.from && row.details.to);
  const stops: Stop[] = mine.flatMap((row) => {
    const o = orderOf(row);
    const pickup: Stop = {
      orderId: o.id,
      kind: "pickup",
      at: o.pickup,
      earliestMs: o.earliestMs,
      dueMs: Infinity,
      serviceMs: o.pickupServiceMs,
      load: 1,
    };
    const dropoff: Stop = {
      orderId: o.id,
      kind: "dropoff",
      at: o.dropoff,
      earliestMs: 0,
      dueMs: o.dueMs,
      serviceMs: o.dropoffServiceMs,
      load: 1,
    };
    return rank[row.view.status] >= rank.picked_up ? [dropoff] : [pickup, dropoff];
  });
  const home = c.view.position ??
    c.view.zone ??
    waiting.find((row) => row.details.from)?.details.from ?? { lat: 0, lon: 0 };
  return {
    id: c.id,
    at: { lat: home.lat, lon: home.lon },
    freeAtMs: now,
    shiftEndMs: c.view.shift ? parseTime(c.view.shift.to)! : Infinity,
    capacity: c.view.capacity,
    vehicle: c.view.vehicle,
    zone: c.view.zone,
    onBoard: mine.filter((row) => rank[row.view.status] >= rank.picked_up).length,
    stops,
    fixed: stops.length > 0 ? 1 : 0,
  };
}
