// Plays the simulated couriers of test keys, each move at its own moment.
import { formatTime, parseTime } from "../../../lib/time.ts";
import { unlessFull } from "../../../platform/caps/index.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Tx } from "../../../store/db.ts";
import type { Lifecycle } from "../lifecycle.ts";
import { simulatedCourier, type SimulatedMove, simulatedPlan, simulatedPosition } from "../providers/simulated.ts";
import { simulatedProof } from "../providers/simulated-proof.ts";
import type { DeliveryRow, DeliveryStore } from "../store/index.ts";
import { pictureUrl, setAttention } from "../view.ts";

export interface SimulationDeps {
  platform: Platform;
  store: DeliveryStore;
  lifecycle: Lifecycle;
  speed: number;
}

export async function startSimulation(deps: SimulationDeps, tx: Tx, row: DeliveryRow, now: number): Promise<void> {
  // The plan counts from the creation of the delivery, not from when we happened to look: the same life on every machine.
  const last = row.view.timeline.at(-1)!;
  const origin = row.view.timeline.length === 1 ? parseTime(row.view.created_at)! : parseTime(last.at)!;
  row.details.plan = simulatedPlan(row, origin, deps.speed);
  row.view.simulated = true;
  row.view.provider = "simulated";
  setAttention(row.view, "no_courier_configured", false);
  await playSimulation(deps, tx, row, now);
}

/** Plays the moves whose time has come. A courier that declines is followed by another. */
export async function playSimulation(deps: SimulationDeps, tx: Tx, row: DeliveryRow, now: number): Promise<void> {
  while (row.details.plan && row.details.plan.length > 0 && row.details.plan[0].atMs <= now) {
    const [next, ...rest] = row.details.plan;
    row.details.plan = rest;
    row.wakeMs = rest[0]?.atMs ?? null;
    await play(deps, tx, row, next);
    if (next.to !== "scheduled") continue;
    row.details.plan = null;
    row.wakeMs = next.atMs;
    await deps.store.save(tx, row);
    return startSimulation(deps, tx, row, now);
  }
  row.wakeMs = row.details.plan?.[0]?.atMs ?? null;
  await deps.store.save(tx, row);
}

async function play(deps: SimulationDeps, tx: Tx, row: DeliveryRow, next: SimulatedMove): Promise<void> {
  const { key, name, vehicle } = simulatedCourier(row);
  // The promise was made for real time; the simulation runs faster, so it is judged on its own clock.
  const origin = parseTime(row.view.created_at)!;
  if (next.to === "delivered" && row.details.promise)
    row.details.promise.actualMs = origin + (next.atMs - origin) * deps.speed;
  const proof = next.to === "delivered" ? await bringProof(deps, tx, row, next.atMs) : undefined;
  await deps.lifecycle.move(
    tx,
    row,
    { to: next.to, by: "provider", courier: key, handBack: true },
    {
      atMs: next.atMs,
      note: next.note ?? null,
      reason: next.note && next.to !== "scheduled" ? next.note : null,
      courier: { id: null, name, vehicle },
      proof,
    },
  );
  const at = simulatedPosition(row);
  if (row.view.courier && at) row.view.courier.position = { ...at, at: formatTime(next.atMs) };
}

/** Required proof is brought as a real courier would: what is shown can also be looked at. */
async function bringProof({ platform, store }: SimulationDeps, tx: Tx, row: DeliveryRow, atMs: number) {
  const brought = simulatedProof(row.view, pictureUrl(platform.publicUrl(), row.id, "photo"), atMs);
  if (!brought?.photo) return brought?.given;
  const { given, photo } = brought;
  const isKept = await unlessFull(tx, (inner) => store.pictures.insert(inner, row.tenantId, row.id, photo, atMs));
  if (isKept) return given;
  const { photo_url: _url, photo_sha256: _sha256, ...rest } = given;
  return { ...rest, note: "Simulated; the photo is not kept, as the plan holds no more pictures" };
}
