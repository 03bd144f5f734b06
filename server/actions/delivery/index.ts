// Delivery, as the rest of the service may see it.
import { createRecent } from "../../lib/recent.ts";
import type { Module, Platform } from "../../platform/platform.ts";
import type { Geocoded, Geocoder, Place } from "./engine/geocoder/index.ts";
import type { Calibration } from "./engine/eta/index.ts";
import { createDispatcher } from "./background/dispatcher.ts";
import { createFleet } from "./routes/couriers.ts";
import { openGeocoder } from "./providers/geodata/load.ts";
import { createJobs, createReports } from "./background/handover.ts";
import { createLifecycle } from "./lifecycle.ts";
import { createPages } from "./routes/public.ts";
import { createPlanner, type Drive, type Locate } from "./planner.ts";
import { createDoordash, type DoordashSettings } from "./providers/couriers/doordash.ts";
import { createOnfleet, type OnfleetSettings } from "./providers/couriers/onfleet.ts";
import { createUberDirect, type UberSettings } from "./providers/couriers/uber-direct.ts";
import { createNominatim, createPhoton } from "./providers/maps/geocoders.ts";
import type { OutsideGeocoder, OutsideRouter } from "./providers/maps/port.ts";
import { createOsrm, createValhalla } from "./providers/maps/routers.ts";
import { createCouriers, ProviderFailure } from "./providers/port.ts";
import { createService } from "./routes/deliveries.ts";
import { createStore } from "./store/index.ts";

export interface DeliverySettings {
  /** Who is asked for a courier, in this order. */
  providers: string[];
  doordash: DoordashSettings | null;
  uberDirect: UberSettings | null;
  onfleet: OnfleetSettings | null;
  nominatimUrl: string | null;
  photonUrl: string | null;
  osrmUrl: string | null;
  valhallaUrl: string | null;
  maxKm: number;
  /** How many times faster than life simulated couriers are. */
  testSpeed: number;
  /** Where `connector geodata import` puts its layers. */
  geodataDir: string | null;
}

const sweepMs = 1000;

export function createDelivery(
  platform: Platform,
  settings: DeliverySettings,
): Module & { sweep(now: number): Promise<number> } {
  const { clock, guard, log, db, makeId } = platform;
  let opened: Promise<Geocoder> | null = null;
  const geocoder = () => (opened ??= openGeocoder({ importedDir: settings.geodataDir }));
  const store = createStore(db, makeId);
  const lifecycle = createLifecycle(platform, store);
  const { doordash, uberDirect, onfleet } = settings;
  const couriers = createCouriers(
    [
      ...(doordash ? [createDoordash(doordash, guard, clock)] : []),
      ...(uberDirect ? [createUberDirect(uberDirect, guard, clock)] : []),
      ...(onfleet ? [createOnfleet(onfleet, guard)] : []),
    ],
    settings.providers,
  );
  const plan = createPlanner({
    locate: locateWith(geocoder, [], log),
    locateOutside: locateWith(geocoder, outsideGeocoders(settings, platform), log),
    drive: driveWith(outsideRouters(settings, platform), log),
    calibrationOf: cachedAreas(platform, store.areas.all),
    maxKm: settings.maxKm,
  });
  const fleet = createFleet(platform, store, lifecycle);
  const take = createReports(platform, store, lifecycle);
  const dispatcher = createDispatcher({ platform, store, lifecycle, couriers, speed: settings.testSpeed });
  const service = createService({ platform, store, lifecycle, plan, couriers, speed: settings.testSpeed });
  return {
    // Fleet first: /delivery/couriers must not be taken for a delivery's id.
    handlers: [...fleet.handlers, ...service, ...createPages(platform, store, fleet, couriers, take)],
    jobs: createJobs(platform, store, couriers, take),
    sweep: dispatcher.sweep,
    loop: sweepLoop(platform, dispatcher.sweep),
    // Waited for: ready means that the first delivery is answered at once, even where the gazetteer had to be made.
    async start() {
      await geocoder();
    },
  };
}

/** One sweep at a time, a second after the last one ended. */
function sweepLoop({ clock, log }: Platform, sweep: (now: number) => Promise<number>) {
  let running: Promise<unknown> | null = null;
  let cancel = () => {};
  return {
    start() {
      cancel = clock.every(sweepMs, () => {
        running ??= sweep(clock.now())
          .catch((error) => log.error({ error: String(error) }, "the dispatcher failed; it tries again"))
          .finally(() => {
            running = null;
          });
      });
    },
    async stop() {
      cancel();
      await running;
    },
  };
}

const outsideGeocoders = ({ nominatimUrl, photonUrl }: DeliverySettings, { guard }: Platform): OutsideGeocoder[] => [
  ...(nominatimUrl ? [createNominatim(nominatimUrl, guard)] : []),
  ...(photonUrl ? [createPhoton(photonUrl, guard)] : []),
];

const outsideRouters = ({ osrmUrl, valhallaUrl }: DeliverySettings, { guard }: Platform): OutsideRouter[] => [
  ...(osrmUrl ? [createOsrm(osrmUrl, guard)] : []),
  ...(valhallaUrl ? [createValhalla(valhallaUrl, guard)] : []),
];

/** The embedded geocoder first; one outside is asked only where it is vaguer than a street, and its failure changes nothing. */
function locateWith(geocoder: () => Promise<Geocoder>, outside: OutsideGeocoder[], log: Platform["log"]): Locate {
  const sharpen = async (
    text: string,
    found: Geocoded,
    near: { lat: number; lon: number } | null,
  ): Promise<Geocoded> => {
    if (found.precision === "rooftop" || found.precision === "street") return found;
    for (const one of outside) {
      try {
        const better: Place | null = await one.geocode(text, near);
        if (better) return { ...better, runners_up: found.runners_up };
      } catch (error) {
        if (!(error instanceof ProviderFailure)) throw error;
        log.warn(
          { geocoder: one.name, error: error.message },
          "a geocoder failed; the next one, or the embedded one, answers",
        );
      }
    }
    return found;
  };
  // A shop's orders leave from one door; and an order that is retried asks the same again.
  const recent = createRecent<{ pickup: Geocoded; dropoff: Geocoded }>(5_000);
  return async (pickup, dropoff) => {
    const found = await geocoder();
    const both = recent(`${pickup}\n${dropoff}`, () => found.geocodePair(pickup, dropoff));
    if (outside.length === 0) return both;
    const near = (end: Geocoded) => (end.precision === "none" ? null : { lat: end.lat, lon: end.lon });
    return {
      pickup: await sharpen(pickup, both.pickup, near(both.dropoff)),
      dropoff: await sharpen(dropoff, both.dropoff, near(both.pickup)),
    };
  };
}

function driveWith(routers: OutsideRouter[], log: Platform["log"]): Drive {
  return async (from, to, vehicle) => {
    for (const router of routers) {
      try {
        const found = await router.route(from, to, vehicle);
        if (found) return { seconds: found.seconds, method: router.name };
      } catch (error) {
        if (!(error instanceof ProviderFailure)) throw error;
        log.warn(
          { router: router.name, error: error.message },
          "a router failed; the next one, or the fitted model, answers",
        );
      }
    }
    return null;
  };
}

/** What finished deliveries taught, at most a minute old. */
function cachedAreas({ clock }: Platform, all: (tenantId: number) => Promise<Map<string, Calibration>>) {
  const kept = new Map<number, { areas: Promise<Map<string, Calibration>>; untilMs: number }>();
  return async (tenantId: number, area: string) => {
    let entry = kept.get(tenantId);
    if (!entry || entry.untilMs <= clock.now()) {
      if (kept.size > 10_000) kept.clear();
      entry = { areas: all(tenantId), untilMs: clock.now() + 60_000 };
      kept.set(tenantId, entry);
      entry.areas.catch(() => kept.delete(tenantId));
    }
    return (await entry.areas).get(area);
  };
}
