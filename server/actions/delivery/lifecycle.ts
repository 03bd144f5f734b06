// One move of one delivery, whoever makes it: the machine decides, the row changes, the event is emitted, all in one transaction.
import { Failure } from "../../contract/errors.ts";
import { formatTime, MINUTE_MS, parseTime } from "../../lib/time.ts";
import { unlessFull } from "../../platform/caps/index.ts";
import { addJob } from "../../platform/jobs/index.ts";
import { appendEvents } from "../../platform/events/index.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Tx } from "../../store/db.ts";
import type { Delivery } from "./contract/delivery.ts";
import type { ProofKind } from "./contract/states.ts";
import {
  areaOf,
  DEFAULT_ACCESS_SECONDS,
  DEFAULT_SERVICE_SECONDS,
  type Eta,
  estimate,
  learn,
  modelDrive,
  type Point,
  uncalibrated,
  type Vehicle,
  VEHICLES,
} from "./engine/eta/index.ts";
import { addressWords, oneLine } from "./engine/places/address-words.ts";
import { noticeFor } from "./engine/notices/notice.ts";
import type { NoticeEvent } from "./engine/notices/texts.ts";
import { addSighting, isCredible, type Source } from "./engine/places/learned.ts";
import { allowedFor, type Move, step, type Step, TERMINAL } from "./machine.ts";
import type { DeliveryRow, DeliveryStore, PlaceRow } from "./store/index.ts";
import { setEta } from "./view.ts";

/** What is known about a move beyond the move itself. */
export interface MoveDetails {
  /** When it happened; now unless a provider or the simulation says otherwise. */
  atMs: number;
  note?: string | null;
  reason?: string | null;
  proof?: Delivery["proof"]["given"];
  courier?: { id: string | null; name: string | null; vehicle: string | null };
}

/** The recipient hears that it is near when this much is left. */
const NEAR_MS = 5 * MINUTE_MS;
const NEARING = new Set(["picked_up", "en_route_to_dropoff"]);

/** A message to the recipient is sent by a job: nothing outside is asked inside a transaction. */
async function queueNotice(tx: Tx, { id, tenantId, view }: DeliveryRow, event: NoticeEvent | null): Promise<void> {
  const { notify } = view.dropoff;
  if (!event || !notify?.events.includes(event) || notify.sent.some((sent) => sent.event === event)) return;
  const key = `notice:${id}:${event}`;
  await addJob(tx, "delivery.notice", { id, tenantId, event }, { tenantId, key, keyMode: "unsafe_dedupe" });
}

export type Lifecycle = ReturnType<typeof createLifecycle>;

/** An estimate that moved by more than this, and by a fifth of what was left, is an event. */
const DRIFT_MS = 5 * MINUTE_MS;
const DRIFT_SHARE = 0.2;
/** An older position of the courier is not the door. */
const FRESH_MS = 5 * MINUTE_MS;

export function createLifecycle(platform: Platform, store: DeliveryStore) {
  const places = createLearning(platform, store);

  async function emit(tx: Tx, row: DeliveryRow, type: string, atMs: number): Promise<void> {
    const { tenantId, view } = row;
    const id = platform.makeId("evt");
    await appendEvents(tx, [{ id, tenantId, type: `delivery.${type}`, tags: view.tags, data: view, at: atMs }]);
    await queueNotice(tx, row, noticeFor(type));
  }

  /** Makes the move if the machine allows it and saves the row either way; the caller holds the row locked. */
  async function move(tx: Tx, row: DeliveryRow, asked: Move, about: MoveDetails): Promise<Step> {
    const result = step(row.machine, asked);
    row.machine = result.machine;
    if (result.kind === "refused") return result;
    if (result.kind === "moved") {
      applyMove(row, asked, about);
      if (row.view.status === "delivered") {
        await learnDrive(tx, row, about.atMs);
        await learnDoor(places, tx, row, about.atMs);
      }
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
  async function updateEta(tx: Tx, row: DeliveryRow, eta: Omit<Eta, "correction">, now: number): Promise<void> {
    const before = parseTime(row.view.dropoff.estimated_arrival)!;
    const drift = Math.abs(eta.arrivalMs - before);
    setEta(row.view, eta);
    await store.save(tx, row);
    if (eta.arrivalMs - now <= NEAR_MS && NEARING.has(row.view.status)) await queueNotice(tx, row, "near");
    if (drift > Math.max(DRIFT_MS, DRIFT_SHARE * Math.abs(before - now))) await emit(tx, row, "eta_changed", now);
  }

  /** What a finished delivery teaches about its area. Simulated ones teach nothing. */
  async function learnDrive(tx: Tx, row: DeliveryRow, deliveredMs: number): Promise<void> {
    const { from, to, pickedUpMs, timeZone } = row.details;
    if (row.view.simulated || !from || !to || pickedUpMs === null) return;
    const vehicle = vehicleOf(row);
    const area = areaOf(from, to, vehicle);
    const actualSeconds = (deliveredMs - pickedUpMs) / 1000 - DEFAULT_ACCESS_SECONDS;
    if (actualSeconds <= 0) return;
    const model = modelDrive({ from, to, startMs: pickedUpMs, timeZone, vehicle });
    const known = (await store.areas.lock(tx, row.tenantId, area)) ?? uncalibrated;
    const learned = learn(known, { trip: model.trip, model, actualSeconds });
    await store.areas.save(tx, row.tenantId, area, learned);
  }

  return { move, moveOrRefuse, updateEta, emit, learnPlace: places.learn };
}

/** The courier stands at the door: next time this address is known, however it is spelled. */
async function learnDoor(places: Learning, tx: Tx, row: DeliveryRow, now: number): Promise<void> {
  const position = row.view.courier?.position;
  if (row.view.simulated || !position || now - parseTime(position.at)! > FRESH_MS) return;
  if (isCredible(position, row.details.to)) await places.learn(tx, row, "dropoff", position, "courier", now);
}

type Learning = ReturnType<typeof createLearning>;

function createLearning(platform: Platform, store: DeliveryStore) {
  /** Remembers where an end of a delivery really is, in the address book of the account. */
  async function learn(
    tx: Tx,
    row: DeliveryRow,
    end: "pickup" | "dropoff",
    at: { lat: number; lon: number },
    source: Source,
    now: number,
  ): Promise<void> {
    const { tenantId, view } = row;
    const address = oneLine(view[end].address);
    const { lat, lon } = view.locations[end];
    const geocoded = lat === null || lon === null ? null : { lat, lon };
    const known = await store.places.findSame(tx, tenantId, address, geocoded);
    const seen = { lat: at.lat, lon: at.lon, source };
    const place: PlaceRow = {
      id: known?.id ?? platform.makeId("plc"),
      tenantId,
      address: known?.address ?? address,
      words: known?.words ?? addressWords(address),
      geocoded: known ? known.geocoded : geocoded,
      sightings: addSighting(known?.sightings ?? [], seen),
      createdMs: known?.createdMs ?? now,
      updatedMs: now,
    };
    // A full address book learns nothing new; the delivery goes on.
    await (known ? store.places.save(tx, place) : unlessFull(tx, (inner) => store.places.save(inner, place)));
    store.facts.forget(tenantId);
  }

  return { learn };
}

/** The row after a move that the machine allowed. */
function applyMove(row: DeliveryRow, asked: Move, about: MoveDetails): void {
  const { view, details } = row;
  // A phone's clock may be behind: the timeline never goes back.
  const at = formatTime(Math.max(about.atMs, parseTime(view.timeline.at(-1)!.at)!));
  if (asked.to === "canceled" && !["scheduled", "assigned"].includes(view.status)) view.fee_applies = true;
  view.status = row.machine.status;
  view.timeline.push({ status: view.status, at, by: asked.by, note: about.note ?? null });
  if (about.reason) view.reason = about.reason;
  if (about.proof) view.proof.given = about.proof;
  if (asked.to === "assigned") {
    view.courier = { ...(about.courier ?? { id: null, name: null, vehicle: null }), position: null };
    // Somebody on foot is not promised a car's time.
    if (vehicleOf(row) !== (view.vehicle ?? "car")) setEta(view, fromPickup(row));
  } else details.offer = null;
  if (asked.to === "scheduled") view.courier = null;
  if (asked.to === "picked_up") {
    details.pickedUpMs = about.atMs;
    setEta(view, remaining(row, details.from, about.atMs));
  }
  if (!TERMINAL.has(view.status)) return;
  row.wakeMs = null;
  details.plan = null;
  if (view.status === "delivered") view.dropoff.actual_arrival = at;
}

/** From here to the door, when the goods are on board. */
export function remaining(row: DeliveryRow, at: Point | null, now: number): Eta {
  const { to, timeZone, correction } = row.details;
  return estimate({ from: at, to, startMs: now, timeZone, vehicle: vehicleOf(row), correction, serviceSeconds: 0 });
}

/** From the pickup to the door, at the scheduled time. */
export function fromPickup(row: DeliveryRow): Eta {
  const { from, to, timeZone, correction } = row.details;
  const startMs = parseTime(row.view.pickup.scheduled_time)!;
  return estimate({ from, to, startMs, timeZone, vehicle: vehicleOf(row), correction });
}

/** How the goods travel: as the courier does, once there is one. */
function vehicleOf({ view }: DeliveryRow): Vehicle {
  const known = VEHICLES.find((vehicle) => vehicle === view.courier?.vehicle);
  return known ?? view.vehicle ?? "car";
}

/** From here by way of the pickup to the door. */
export function remainingByPickup(row: DeliveryRow, at: Point, now: number): Eta {
  const { from, to, timeZone, correction } = row.details;
  const vehicle = vehicleOf(row);
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
  return estimate({ from, to, startMs, timeZone, vehicle, correction, serviceSeconds: DEFAULT_SERVICE_SECONDS });
}

const PROOF_MEMBERS: Record<ProofKind, string> = {
  photo: "proof.photo, the picture in base64",
  pin: "proof.pin, the four digits the recipient was given",
  signature: "proof.signature, who signed",
  barcode: "proof.barcode, what the label says",
};

function hintFor(why: string, allowed: string[]): string {
  const missing = /^proof is missing: (.*)$/.exec(why)?.[1].split(", ");
  if (missing) return `Send ${missing.map((kind) => PROOF_MEMBERS[kind as ProofKind]).join(" and ")}.`;
  if (why === "delivery_picked_up") return "It is picked up: have it brought back with POST /delivery/{id}/return.";
  return allowed.length > 0 ? `Move it to one of: ${allowed.join(", ")}.` : "Nothing can be done with it any more.";
}
