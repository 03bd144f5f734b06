// Places and drives from the embedded engines, sharpened by the geocoders and routers an operator set up. Their failure
// changes nothing.
import { createRecent } from "../../../../lib/recent.ts";
import type { Platform } from "../../../../platform/platform.ts";
import type { Geocoded, Geocoder } from "../../engine/geocoder/index.ts";
import type { Drive, Locate } from "../../planner.ts";
import { ProviderFailure } from "../port.ts";
import type { OutsideGeocoder, OutsideRouter } from "./port.ts";

type Log = Platform["log"];
type Near = { lat: number; lon: number } | null;

const RECENT_PAIRS = 5_000;

/** The embedded geocoder first; one outside is asked only where it is vaguer than a street. */
export function createLocate(geocoder: () => Promise<Geocoder>, outside: OutsideGeocoder[], log: Log): Locate {
  // A shop's orders leave from one door; and an order that is retried asks the same again.
  const recent = createRecent<{ pickup: Geocoded; dropoff: Geocoded }>(RECENT_PAIRS);
  return async (pickup, dropoff) => {
    const engine = await geocoder();
    const both = recent(`${pickup}\n${dropoff}`, () => engine.geocodePair(pickup, dropoff));
    if (outside.length === 0) return both;
    return {
      pickup: await sharpen(outside, pickup, both.pickup, nearOf(both.dropoff), log),
      dropoff: await sharpen(outside, dropoff, both.dropoff, nearOf(both.pickup), log),
    };
  };
}

const nearOf = (end: Geocoded): Near => (end.precision === "none" ? null : { lat: end.lat, lon: end.lon });

async function sharpen(outside: OutsideGeocoder[], text: string, found: Geocoded, near: Near, log: Log) {
  if (found.precision === "rooftop" || found.precision === "street") return found;
  for (const one of outside) {
    try {
      const better = await one.geocode(text, near);
      if (better) return { ...better, runners_up: found.runners_up };
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      const about = { geocoder: one.name, error: error.message };
      log.warn(about, "a geocoder failed; the next one, or the embedded one, answers");
    }
  }
  return found;
}

/** Null where no router is set up, or all fail: the fitted model answers alone. */
export function createDrive(routers: OutsideRouter[], log: Log): Drive {
  return async (from, to, vehicle) => {
    for (const router of routers) {
      try {
        const found = await router.route(from, to, vehicle);
        if (found) return { seconds: found.seconds, method: router.name };
      } catch (error) {
        if (!(error instanceof ProviderFailure)) throw error;
        const about = { router: router.name, error: error.message };
        log.warn(about, "a router failed; the next one, or the fitted model, answers");
      }
    }
    return null;
  };
}
