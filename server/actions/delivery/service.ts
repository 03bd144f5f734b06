// The use cases of a delivery, in the order of its life.
import { handle } from "../../contract/define.ts";
import { Failure } from "../../contract/errors.ts";
import { formatTime, parseTime } from "../../lib/time.ts";
import { type Module, notFound, type Platform } from "../../platform/platform.ts";
import { type Delivery, get, type Location, type Order, schedule } from "./contract.ts";
import { estimate } from "./engine/eta/index.ts";
import type { Geocoded, Geocoder } from "./engine/geocoder/index.ts";
import type { DeliveryStore } from "./store.ts";

const minute = 60_000;
const day = 86_400_000;

export function createService(platform: Platform, store: DeliveryStore, geocoder: () => Geocoder): Module {
  return {
    handlers: [
      handle(schedule, async (call) => {
        const pickupMs = readPickupTime(call.body.pickup.time, call.now);
        const delivery = plan(call.body, pickupMs);
        await store.insert(call, delivery);
        return delivery;
      }),
      handle(get, async (call) => {
        const delivery = await store.find(call.caller.tenantId, call.params.id);
        if (!delivery) throw notFound("delivery");
        return delivery;
      }),
    ],
  };

  function plan(order: Order, pickupMs: number): Delivery {
    const { pickup, dropoff } = geocoder().geocodePair(order.pickup.address, order.dropoff.address);
    const eta = estimate({
      from: pointOf(pickup), to: pointOf(dropoff), startMs: pickupMs, timeZone: zoneOf(pickup) ?? zoneOf(dropoff), vehicle: order.vehicle,
    });
    const id = platform.makeId("dlv");
    const now = formatTime(platform.clock.now());
    return {
      delivery_id: id,
      status: "scheduled",
      pickup: { address: order.pickup.address, scheduled_time: formatTime(pickupMs) },
      dropoff: { address: order.dropoff.address, estimated_arrival: formatTime(eta.arrivalMs) },
      created_at: now,
      external_id: order.external_id ?? null,
      tags: order.tags ?? [],
      provider: null,
      eta: {
        window: { from: formatTime(eta.windowFromMs), to: formatTime(eta.windowToMs) },
        method: eta.method,
        precision: coarser(pickup.precision, dropoff.precision),
      },
      locations: { pickup: locationOf(pickup), dropoff: locationOf(dropoff) },
      attention: [...imprecise("pickup", pickup), ...imprecise("dropoff", dropoff)],
      timeline: [{ status: "scheduled", at: now }],
      tracking_url: `${platform.publicUrl()}/track/${id}`,
    };
  }
}

function readPickupTime(text: string, now: number): number {
  const ms = parseTime(text)!;
  if (ms < now - 5 * minute) throw new Failure("pickup_time_in_past", `pickup.time ${formatTime(ms)} is more than 5 minutes ago.`);
  if (ms > now + 30 * day) throw new Failure("pickup_time_too_far", `pickup.time ${formatTime(ms)} is more than 30 days ahead.`);
  return ms;
}

const precisionOrder = ["rooftop", "street", "postcode", "locality", "region", "country", "none"] as const;
type Precision = (typeof precisionOrder)[number];

const coarser = (a: Precision, b: Precision) => precisionOrder[Math.max(precisionOrder.indexOf(a), precisionOrder.indexOf(b))];
const isBroad = (place: Geocoded) => precisionOrder.indexOf(place.precision) >= precisionOrder.indexOf("region");
const imprecise = (end: string, place: Geocoded) => (isBroad(place) ? [`${end}_imprecise`] : []);
/** A region or a country is no place to measure a drive from. */
const pointOf = (place: Geocoded) => (place.precision === "none" || isBroad(place) ? null : place);
const zoneOf = (place: Geocoded) => (place.precision === "none" ? null : place.time_zone);

function locationOf(place: Geocoded): Location {
  if (place.precision === "none") return { lat: null, lon: null, precision: "none", label: null, confidence: 0, time_zone: null };
  const { lat, lon, precision, label, confidence, time_zone } = place;
  return { lat, lon, precision, label, confidence, time_zone };
}
