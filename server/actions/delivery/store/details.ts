// What the service keeps of a delivery and shows to nobody: points, the offer, the provider's reference, the simulated plan.
import type { Point } from "../engine/eta/index.ts";
import type { State } from "../machine.ts";
import type { Order } from "../contract/shapes.ts";

export interface Details {
  order: Pick<Order, "items" | "notes" | "vehicle" | "provider"> & {
    contacts: { pickup?: unknown; dropoff?: unknown };
  };
  /** Null where an address could not be placed well enough to drive to. */
  from: Point | null;
  to: Point | null;
  timeZone: string | null;
  /** The drive as it was promised, for recalibration. */
  driveSeconds: number;
  offer: { expiresMs: number; acceptedMs: number | null } | null;
  provider: { name: string; ref: string; dropoffRef?: string } | null;
  /** Providers that refused or failed this order. */
  tried: string[];
  /** Test mode: what the simulated courier does next, and when. */
  plan: { to: State; atMs: number; note?: string }[] | null;
  pickedUpMs: number | null;
}
