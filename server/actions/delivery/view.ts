// From what the service knows to what the API shows: the views of a delivery, its places and its arrival.
import { formatTime } from "../../lib/time.ts";
import type { Delivery } from "./contract/delivery.ts";
import type { Location } from "./contract/shapes.ts";
import type { Eta } from "./engine/eta/index.ts";
import type { Geocoded } from "./engine/geocoder/index.ts";
import { coarser, isBroad, type Journey } from "./planner.ts";

const SURE = 0.5;

/** What a person should look at: an end that is vague, or one that could be another place. */
function attentionOf({ pickup, dropoff }: Journey): string[] {
  const flags: string[] = [];
  for (const [end, place] of Object.entries({ pickup, dropoff })) {
    if (isBroad(place)) flags.push(`${end}_imprecise`);
    else if (place.confidence < SURE) flags.push(`${end}_ambiguous`);
  }
  return flags;
}

export function setAttention(view: Delivery, name: string, on: boolean): void {
  view.attention = on ? [...new Set([...view.attention, name])] : view.attention.filter((a) => a !== name);
}

function etaView({ eta, pickup, dropoff }: Journey): Delivery["eta"] {
  return {
    window: { from: formatTime(eta.windowFromMs), to: formatTime(eta.windowToMs) },
    method: eta.method,
    precision: coarser(pickup.precision, dropoff.precision),
  };
}

/** Both places and the arrival, as schedule, estimate and reschedule show them. */
export function journeyView(journey: Journey): Pick<Delivery, "eta" | "locations" | "attention"> {
  return {
    eta: etaView(journey),
    locations: { pickup: locationView(journey.pickup), dropoff: locationView(journey.dropoff) },
    attention: attentionOf(journey),
  };
}

/** A new estimate replaces the shown one; the precision of the places and the promise stay. */
export function setEta(view: Delivery, eta: Omit<Eta, "correction">): void {
  view.dropoff.estimated_arrival = formatTime(eta.arrivalMs);
  view.eta = {
    ...view.eta,
    window: { from: formatTime(eta.windowFromMs), to: formatTime(eta.windowToMs) },
    method: eta.method,
  };
}

function locationView(place: Geocoded): Location {
  if (place.precision === "none")
    return { lat: null, lon: null, precision: "none", label: null, confidence: 0, time_zone: null };
  const { lat, lon, precision, label, confidence, time_zone } = place;
  return { lat, lon, precision, label, confidence, time_zone };
}

/** Where a picture of the proof is served; the reader needs a key. */
export const pictureUrl = (publicUrl: string, deliveryId: string, kind: "photo" | "signature"): string =>
  `${publicUrl}/api/v1/delivery/${deliveryId}/proof/${kind}`;
