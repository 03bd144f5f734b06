// The courier of test mode: what it will do is decided when it takes the job, from the delivery alone, so that the same
// delivery always lives the same life. Tags ask for a hard one: simulate:fail, simulate:return, simulate:decline.
import { seededRandom } from "../../../lib/random.ts";
import { MINUTE_MS } from "../../../lib/time.ts";
import { DEFAULT_ACCESS_SECONDS, DEFAULT_SERVICE_SECONDS } from "../engine/eta/index.ts";
import type { State } from "../contract/states.ts";
import type { DeliveryRow } from "../store/index.ts";
import { fetchMs, OFFER_LEAD_MS, opensMs, realMs } from "../engine/timing.ts";

export interface SimulatedMove {
  to: State;
  atMs: number;
  note?: string;
}

const NAMES = ["Ada", "Grace", "Katherine", "Alan", "Edsger", "Barbara", "Dennis", "Radia", "Linus", "Margaret"];

/** Who takes it. Another one after a hand-back. */
export function simulatedCourier(row: DeliveryRow): { key: string; name: string; vehicle: string } {
  const luck = seededRandom(`${row.id} ${row.machine.attempts}`).unit();
  const name = NAMES[Math.floor(luck * NAMES.length)];
  return { key: `simulated:${name}:${row.machine.attempts}`, name, vehicle: row.view.vehicle ?? "car" };
}

/** Its moves from `originMs` on, in our time. */
export function simulatedPlan(row: DeliveryRow, originMs: number, speed: number): SimulatedMove[] {
  const random = seededRandom(row.id);
  const pickup = fetchMs(row);
  const take = Math.max(originMs, pickup - OFFER_LEAD_MS);
  const start = take + 2 * MINUTE_MS;
  const atPickup = Math.max(start + 3 * MINUTE_MS, pickup - MINUTE_MS);
  const pickedUp = Math.max(atPickup, pickup) + DEFAULT_SERVICE_SECONDS * 1000;
  const drive = row.details.driveSeconds * 1000 * Math.exp(0.5 * (random.unit() - 0.5));
  const atDoor = Math.max(pickedUp + drive, opensMs(row) - DEFAULT_ACCESS_SECONDS * 1000);
  const delivered = atDoor + DEFAULT_ACCESS_SECONDS * 1000;
  const life: SimulatedMove[] = [
    { to: "assigned", atMs: take },
    { to: "en_route_to_pickup", atMs: start },
    { to: "at_pickup", atMs: atPickup },
    { to: "picked_up", atMs: pickedUp },
    { to: "en_route_to_dropoff", atMs: pickedUp + MINUTE_MS },
    { to: "at_dropoff", atMs: Math.max(atDoor, pickedUp + 2 * MINUTE_MS) },
  ];
  const { tags } = row.view;
  if (tags.includes("simulate:decline") && row.machine.attempts === 0)
    life.splice(1, life.length, { to: "scheduled", atMs: start, note: "declined" });
  else if (tags.includes("simulate:fail"))
    life.splice(3, life.length, { to: "failed", atMs: pickedUp, note: "pickup_failed" });
  else if (tags.includes("simulate:return"))
    life.push(
      { to: "returning", atMs: delivered, note: "recipient_absent" },
      { to: "returned", atMs: delivered + drive },
    );
  else life.push({ to: "delivered", atMs: Math.max(delivered, pickedUp + 3 * MINUTE_MS) });
  return life.map((move) => ({ ...move, atMs: realMs(originMs, move.atMs, speed) }));
}

/** Where the simulated courier is between two known points; shown, never used to decide. */
export function simulatedPosition(row: DeliveryRow): { lat: number; lon: number } | null {
  const { from, to } = row.details;
  if (!from || !to) return null;
  const share = { picked_up: 0, en_route_to_dropoff: 0.5, at_dropoff: 1, delivered: 1 }[row.view.status as string];
  if (share === undefined) return { lat: from.lat, lon: from.lon };
  return { lat: from.lat + (to.lat - from.lat) * share, lon: from.lon + (to.lon - from.lon) * share };
}
