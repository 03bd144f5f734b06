// One move of one delivery, whoever makes it: the machine decides, the row changes, the event is told, all in one transaction.
import { Failure } from "../../contract/errors.ts";
import { formatTime, parseTime } from "../../lib/time.ts";
import { appendEvents } from "../../platform/events/index.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Tx } from "../../store/db.ts";
import type { Proof } from "./contract/index.ts";
import {
  areaOf,
  defaultAccessSeconds,
  defaultServiceSeconds,
  type Eta,
  estimate,
  learn,
  type Point,
  uncalibrated,
} from "./engine/eta/index.ts";
import { allowedFor, type Move, step, type Step, terminal } from "./machine.ts";
import type { DeliveryRow, DeliveryStore } from "./store/index.ts";

export interface Told {
  /** When it happened; now unless a provider or the simulation says otherwise. */
  atMs: number;
  note?: string | null;
  reason?: string | null;
  proof?: Proof;
  courier?: { id: string | null; name: string | null; vehicle: string | null };
}

export type Lifecycle = ReturnType<typeof createLifecycle>;

const minute = 60_000;

export function createLifecycle(platform: Platform, store: DeliveryStore) {
  const { makeId } = platform;

  async function tell(tx: Tx, row: DeliveryRow, type: string, atMs: number): Promise<void> {
    await appendEvents(tx, [
      {
        id: makeId("evt"),
        tenantId: row.tenantId,
        type: `delivery.${type}`,
        tags: row.view.tags,
        data: row.view,
        at: atMs,
      },
    ]);
  }

  /** Makes the move if the machine allows it and saves the row either way; the caller holds the row locked. */
  async function move(tx: Tx, row: DeliveryRow, wanted: Move, told: Told): Promise<Step> {
    const proof = told.proof ? checkedProof(row, told.proof) : [];
    const result = step(row.machine, { ...wanted, proof });
    row.machine = result.machine;
    if (result.kind !== "moved") {
      if (result.kind === "ignored") await store.save(tx, row);
      return result;
    }
    const { view, details } = row;
    const canceledLate = wanted.to === "canceled" && !["scheduled", "assigned"].includes(view.status);
    view.status = row.machine.status;
    view.timeline.push({ status: view.status, at: formatTime(told.atMs), by: wanted.by, note: told.note ?? null });
    if (told.reason) view.reason = told.reason;
    if (canceledLate) view.fee_applies = true;
    if (told.proof) view.proof.given = { ...told.proof, at: formatTime(told.atMs) };
    if (wanted.to === "assigned")
      view.courier = { ...(told.courier ?? { id: null, name: null, vehicle: null }), position: null };
    if (wanted.to === "scheduled") Object.assign(view, { courier: null });
    if (wanted.to !== "assigned") details.offer = null;
    if (wanted.to === "picked_up") {
      details.pickedUpMs = told.atMs;
      setEta(row, remaining(row, details.from, told.atMs));
    }
    if (terminal.has(view.status)) {
      row.wakeMs = null;
      details.plan = null;
      if (view.status === "delivered") {
        view.dropoff.estimated_arrival = formatTime(told.atMs);
        await study(tx, row, told.atMs);
      }
    }
    await store.save(tx, row);
    await tell(tx, row, view.status, told.atMs);
    return result;
  }

  /** The same, for people: a move that is not allowed is a 409 that lists what is. */
  async function moveOrRefuse(tx: Tx, row: DeliveryRow, wanted: Move, told: Told): Promise<void> {
    const result = await move(tx, row, wanted, told);
    if (result.kind !== "refused") return;
    const allowed = allowedFor(row.machine, wanted.by);
    throw new Failure("wrong_state", `The delivery is ${row.view.status}: ${result.why}.`, {
      hint: hintFor(result.why, allowed),
      extra: { delivery_status: row.view.status, reason: result.why, allowed },
    });
  }

  /** Takes a new estimate in; a large change is an event. */
  async function updateEta(tx: Tx, row: DeliveryRow, eta: Eta, now: number): Promise<void> {
    const before = parseTime(row.view.dropoff.estimated_arrival)!;
    const drift = Math.abs(eta.arrivalMs - before);
    setEta(row, eta);
    await store.save(tx, row);
    if (drift > Math.max(5 * minute, 0.2 * Math.abs(before - now))) await tell(tx, row, "eta_changed", now);
  }

  /** What a finished delivery teaches about its area. Simulated ones teach nothing. */
  async function study(tx: Tx, row: DeliveryRow, deliveredMs: number): Promise<void> {
    const { from, to, pickedUpMs, driveSeconds, order } = row.details;
    if (row.view.simulated || !from || !to || pickedUpMs === null) return;
    const area = areaOf(from, to, order.vehicle ?? "car");
    const actualSeconds = (deliveredMs - pickedUpMs) / 1000 - defaultAccessSeconds;
    if (actualSeconds <= 0) return;
    const insideBand =
      deliveredMs >= parseTime(row.view.eta.window.from)! && deliveredMs <= parseTime(row.view.eta.window.to)!;
    const known = (await store.areas.lock(tx, row.tenantId, area)) ?? uncalibrated;
    await store.areas.save(
      tx,
      row.tenantId,
      area,
      learn(known, { estimatedSeconds: driveSeconds, actualSeconds, insideBand }),
    );
  }

  return { move, moveOrRefuse, updateEta, tell };
}

/** From here to the door, when the goods are on board. */
export function remaining(row: DeliveryRow, at: Point | null, now: number): Eta {
  const { to, timeZone, order } = row.details;
  return estimate({ from: at, to, startMs: now, timeZone, vehicle: order.vehicle, serviceSeconds: 0 });
}

/** From here by way of the pickup to the door. */
export function remainingByPickup(row: DeliveryRow, at: Point, now: number): Eta {
  const { from, to, timeZone, order } = row.details;
  const approach = estimate({
    from: at,
    to: from,
    startMs: now,
    timeZone,
    vehicle: order.vehicle,
    serviceSeconds: 0,
    accessSeconds: 0,
  });
  const startMs = Math.max(approach.arrivalMs, parseTime(row.view.pickup.scheduled_time)!);
  return estimate({ from, to, startMs, timeZone, vehicle: order.vehicle, serviceSeconds: defaultServiceSeconds });
}

export function setEta(row: DeliveryRow, eta: Eta): void {
  const { view } = row;
  view.dropoff.estimated_arrival = formatTime(eta.arrivalMs);
  view.eta = {
    ...view.eta,
    window: { from: formatTime(eta.windowFromMs), to: formatTime(eta.windowToMs) },
    method: eta.method,
  };
}

/** Which kinds of proof are really there; a wrong pin is none. */
function checkedProof(row: DeliveryRow, proof: Proof): Move["proof"] {
  const kinds: NonNullable<Move["proof"]> = [];
  if (proof.photo_sha256) kinds.push("photo");
  if (proof.signature) kinds.push("signature");
  if (proof.pin !== undefined && proof.pin === row.view.proof.pin) kinds.push("pin");
  return kinds;
}

function hintFor(why: string, allowed: string[]): string {
  if (why === "delivery_picked_up") return "It is picked up: have it brought back with POST /delivery/{id}/return.";
  return allowed.length > 0 ? `Move it to one of: ${allowed.join(", ")}.` : "Nothing can be done with it any more.";
}
