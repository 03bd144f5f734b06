// One move of one delivery, whoever makes it: the machine decides, the row changes, the event is emitted, all in one transaction.
import { Failure } from "../../contract/errors.ts";
import { formatTime, MINUTE_MS, parseTime } from "../../lib/time.ts";
import { appendEvents } from "../../platform/events/index.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Tx } from "../../store/db.ts";
import type { Proof } from "./contract/shapes.ts";
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
import { allowedFor, type Move, step, type Step, TERMINAL } from "./machine.ts";
import type { DeliveryRow, DeliveryStore } from "./store/index.ts";
import { setEta } from "./view.ts";

/** What is known about a move beyond the move itself. */
export interface MoveDetails {
  /** When it happened; now unless a provider or the simulation says otherwise. */
  atMs: number;
  note?: string | null;
  reason?: string | null;
  proof?: Proof;
  courier?: { id: string | null; name: string | null; vehicle: string | null };
}

export type Lifecycle = ReturnType<typeof createLifecycle>;

/** An estimate that moved by more than this, and by a fifth of what was left, is an event. */
const DRIFT_MS = 5 * MINUTE_MS;
const DRIFT_SHARE = 0.2;

export function createLifecycle(platform: Platform, store: DeliveryStore) {
  async function emit(tx: Tx, row: DeliveryRow, type: string, atMs: number): Promise<void> {
    const { tenantId, view } = row;
    const id = platform.makeId("evt");
    await appendEvents(tx, [{ id, tenantId, type: `delivery.${type}`, tags: view.tags, data: view, at: atMs }]);
  }

  /** Makes the move if the machine allows it and saves the row either way; the caller holds the row locked. */
  async function move(tx: Tx, row: DeliveryRow, asked: Move, about: MoveDetails): Promise<Step> {
    const result = step(row.machine, { ...asked, proof: about.proof ? validProofs(row, about.proof) : [] });
    row.machine = result.machine;
    if (result.kind === "refused") return result;
    if (result.kind === "moved") {
      applyMove(row, asked, about);
      if (row.view.status === "delivered") await learnFrom(tx, row, about.atMs);
    }
    await store.save(tx, row);
    if (result.kind === "moved") await emit(tx, row, row.view.status, about.atMs);
    return result;
  }

  /** The same, for people: a move that is not allowed is a 409 that lists what is. */
  async function moveOrRefuse(tx: Tx, row: DeliveryRow, asked: Move, about: MoveDetails): Promise<void> {
    const result = await move(tx, row, asked, about);
    if (result.kind !== "refused") return;
    const allowed = allowedFor(row.machine, asked.by);
    throw new Failure("wrong_state", `The delivery is ${row.view.status}: ${result.why}.`, {
      hint: hintFor(result.why, allowed),
      extra: { delivery_status: row.view.status, reason: result.why, allowed },
    });
  }

  /** Takes a new estimate in; a large change is an event. */
  async function updateEta(tx: Tx, row: DeliveryRow, eta: Eta, now: number): Promise<void> {
    const before = parseTime(row.view.dropoff.estimated_arrival)!;
    const drift = Math.abs(eta.arrivalMs - before);
    setEta(row.view, eta);
    await store.save(tx, row);
    if (drift > Math.max(DRIFT_MS, DRIFT_SHARE * Math.abs(before - now))) await emit(tx, row, "eta_changed", now);
  }

  /** What a finished delivery teaches about its area. Simulated ones teach nothing. */
  async function learnFrom(tx: Tx, row: DeliveryRow, deliveredMs: number): Promise<void> {
    const { from, to, pickedUpMs, driveSeconds, order } = row.details;
    if (row.view.simulated || !from || !to || pickedUpMs === null) return;
    const area = areaOf(from, to, order.vehicle ?? "car");
    const actualSeconds = (deliveredMs - pickedUpMs) / 1000 - defaultAccessSeconds;
    if (actualSeconds <= 0) return;
    const { window } = row.view.eta;
    const insideBand = deliveredMs >= parseTime(window.from)! && deliveredMs <= parseTime(window.to)!;
    const known = (await store.areas.lock(tx, row.tenantId, area)) ?? uncalibrated;
    const learned = learn(known, { estimatedSeconds: driveSeconds, actualSeconds, insideBand });
    await store.areas.save(tx, row.tenantId, area, learned);
  }

  return { move, moveOrRefuse, updateEta, emit };
}

/** The row after a move that the machine allowed. */
function applyMove(row: DeliveryRow, asked: Move, about: MoveDetails): void {
  const { view, details } = row;
  const at = formatTime(about.atMs);
  if (asked.to === "canceled" && !["scheduled", "assigned"].includes(view.status)) view.fee_applies = true;
  view.status = row.machine.status;
  view.timeline.push({ status: view.status, at, by: asked.by, note: about.note ?? null });
  if (about.reason) view.reason = about.reason;
  if (about.proof) view.proof.given = { ...about.proof, at };
  if (asked.to === "assigned")
    view.courier = { ...(about.courier ?? { id: null, name: null, vehicle: null }), position: null };
  else details.offer = null;
  if (asked.to === "scheduled") view.courier = null;
  if (asked.to === "picked_up") {
    details.pickedUpMs = about.atMs;
    setEta(view, remaining(row, details.from, about.atMs));
  }
  if (!TERMINAL.has(view.status)) return;
  row.wakeMs = null;
  details.plan = null;
  if (view.status === "delivered") view.dropoff.estimated_arrival = at;
}

/** From here to the door, when the goods are on board. */
export function remaining(row: DeliveryRow, at: Point | null, now: number): Eta {
  const { to, timeZone, order } = row.details;
  return estimate({ from: at, to, startMs: now, timeZone, vehicle: order.vehicle, serviceSeconds: 0 });
}

/** From here by way of the pickup to the door. */
export function remainingByPickup(row: DeliveryRow, at: Point, now: number): Eta {
  const { from, to, timeZone, order } = row.details;
  const { vehicle } = order;
  const approach = estimate({
    from: at,
    to: from,
    startMs: now,
    timeZone,
    vehicle,
    serviceSeconds: 0,
    accessSeconds: 0,
  });
  const startMs = Math.max(approach.arrivalMs, parseTime(row.view.pickup.scheduled_time)!);
  return estimate({ from, to, startMs, timeZone, vehicle, serviceSeconds: defaultServiceSeconds });
}

/** Which kinds of proof are really there; a wrong pin is none. */
function validProofs(row: DeliveryRow, proof: Proof): NonNullable<Move["proof"]> {
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
