// The rows of delivery as the code sees them: times as milliseconds, JSON as objects.
import type { Mode } from "../../../contract/define.ts";
import type { Courier } from "../contract/courier.ts";
import type { Delivery } from "../contract/delivery.ts";
import type { State } from "../contract/states.ts";
import type { Correction, Point } from "../engine/eta/index.ts";
import type { Machine } from "../machine.ts";

export interface DeliveryRow {
  id: string;
  tenantId: number;
  mode: Mode;
  /** What the API shows. */
  view: Delivery;
  machine: Machine;
  details: Details;
  /** When the dispatcher must look at it; null when nothing happens by itself. */
  wakeMs: number | null;
  /** The unguessable part of the tracking address. */
  track: string;
}

/** What the service needs and the API does not show. */
export interface Details {
  /** Null where an address could not be placed well enough to drive to. */
  from: Point | null;
  to: Point | null;
  timeZone: string | null;
  /** The drive as it was promised. */
  driveSeconds: number;
  /** What the account's own history did to that; later estimates of this delivery keep it. */
  correction?: Correction;
  offer: { expiresMs: number; acceptedMs: number | null } | null;
  provider: { name: string; ref: string; dropoffRef?: string } | null;
  /** Providers that refused or failed this order. */
  tried: string[];
  /** Test mode: what the simulated courier does next, and when. */
  plan: { to: State; atMs: number; note?: string }[] | null;
  pickedUpMs: number | null;
  /** The window as it was promised; and when it arrived, on the clock of the simulation where one carried it. */
  promise: { fromMs: number; toMs: number; actualMs?: number };
}

export interface CourierRow {
  id: string;
  tenantId: number;
  token: string;
  view: Courier;
}
