// Delivery, as the rest of the service may see it. Wiring only.
import type { Call } from "../../contract/define.ts";
import { chain } from "../../lib/chain.ts";
import { createLoop } from "../../lib/loop.ts";
import type { Mailer } from "../../lib/mail.ts";
import type { Module, Platform } from "../../platform/platform.ts";
import { dispatchDue } from "./background/dispatcher.ts";
import { forgetJob } from "./background/forget.ts";
import { handoverJobs } from "./background/handover.ts";
import { type ScheduleOrder, scheduleRecurring } from "./background/recurrence.ts";
import { noticeJob } from "./background/notices.ts";
import { createReports } from "./background/reports.ts";
import { createRoutePlanner } from "./background/route-planner.ts";
import { createTrackingStreams } from "./background/tracking-streams.ts";
import { placeOf } from "./engine/places/learned.ts";
import { createLifecycle } from "./lifecycle.ts";
import { createPlanner } from "./planner.ts";
import { createDoordash, type DoordashSettings } from "./providers/couriers/doordash.ts";
import { createOnfleet, type OnfleetSettings } from "./providers/couriers/onfleet.ts";
import { createUberDirect, type UberSettings } from "./providers/couriers/uber-direct.ts";
import { createGeocoderSource } from "./providers/geodata/load.ts";
import { createNominatim, createPhoton } from "./providers/maps/geocoders.ts";
import { createDrive, createLocate, type LocatePorts } from "./providers/maps/locate.ts";
import type { OutsideGeocoder, OutsideRouter } from "./providers/maps/port.ts";
import { createOsrm, createValhalla } from "./providers/maps/routers.ts";
import { type Couriers, createCouriers } from "./providers/port.ts";
import { changeRoutes } from "./routes/changes.ts";
import { courierAppRoutes } from "./routes/courier/app.ts";
import { courierPageRoutes } from "./routes/courier/page.ts";
import { courierRoutes } from "./routes/couriers.ts";
import { deliveryRoutes } from "./routes/deliveries.ts";
import type { RouteDeps } from "./routes/deps.ts";
import { planDelivery } from "./routes/new-delivery.ts";
import { planningHandlers } from "./routes/planning.ts";
import { providerHookRoutes } from "./routes/provider-hooks.ts";
import { settingsHandlers } from "./routes/settings.ts";
import { templateHandlers } from "./routes/templates.ts";
import { trackingRoutes } from "./routes/tracking.ts";
import { createStore, type DeliveryStore } from "./store/index.ts";

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
  /** How many times faster than real time simulated couriers are. */
  testSpeed: number;
  /** How long pictures of proof are kept. */
  proofDays: number;
  /** Where `connector geodata import` puts its layers. */
  geodataDir: string | null;
}

const DISPATCH_EVERY_MS = 1000;

export function createDelivery(
  platform: Platform,
  settings: DeliverySettings,
  mailer: Mailer | null = null,
): Module & { settle(): Promise<void> } {
  const { clock, log } = platform;
  const geocoder = createGeocoderSource({ importedDir: settings.geodataDir }, clock);
  const store = createStore(platform);
  const lifecycle = createLifecycle(platform, store);
  listProviders(platform, settings);
  const couriers = couriersOf(platform, settings);
  const plan = createPlanner({
    locate: createLocate({ geocoder, recall: recallWith(store), outside: outsideGeocoders(platform, settings), log }),
    drive: createDrive(outsideRouters(platform, settings), log),
    calibrationOf: (tenantId, area) => chain(store.facts.get(tenantId), ({ areas }) => areas[area]),
    maxKm: settings.maxKm,
  });
  const receiveReport = createReports(platform, store, lifecycle);
  const trackingStreams = createTrackingStreams(clock, store, (error) =>
    log.warn({ error: String(error) }, "open tracking pages could not be updated; tried again"),
  );
  const deps: RouteDeps = {
    platform,
    store,
    lifecycle,
    plan,
    couriers,
    receiveReport,
    planRoutes: createRoutePlanner(),
    trackingStreams,
    speed: settings.testSpeed,
    hasMail: mailer !== null,
    townsIn: async () => (await geocoder()).townsIn,
  };
  const loop = createLoop({
    clock,
    everyMs: DISPATCH_EVERY_MS,
    async run() {
      await scheduleRecurring({ ...deps, scheduleOrder: scheduleWith(deps) }, clock.now());
      await dispatchDue(deps, clock.now());
    },
    onError: (error) => log.error({ error: String(error) }, "the dispatcher failed; it tries again"),
  });
  return {
    // Couriers first: /delivery/couriers must not be taken for a delivery's id.
    handlers: [
      ...courierRoutes(deps),
      ...planningHandlers(deps),
      ...settingsHandlers(deps),
      ...templateHandlers(deps),
      ...deliveryRoutes(deps),
      ...changeRoutes(deps),
      ...trackingRoutes(deps),
      ...courierPageRoutes(deps),
      ...courierAppRoutes(deps),
      ...providerHookRoutes(deps),
    ],
    jobs: [...handoverJobs(deps), noticeJob({ ...deps, mailer }), forgetJob(deps, settings.proofDays)],
    async settle() {
      await loop.settle();
      await trackingStreams.settle();
    },
    loop,
    drain: trackingStreams.drain,
    stop: trackingStreams.stop,
    // Waited for: ready means that the first delivery is answered at once, even where the gazetteer had to be made.
    async start() {
      trackingStreams.start();
      await geocoder();
    },
  };
}

/** An order of a template is planned and stored like any other. */
const scheduleWith =
  (deps: RouteDeps): ScheduleOrder =>
  async ({ tenantId, mode }, order, now) => {
    const call = { caller: { tenantId, mode }, now, idempotency: null } as Call;
    const row = await planDelivery(deps, call, order, null);
    await deps.store.insert(call, row);
    return row.id;
  };

/** What the account learned about an address; accounts that learned nothing are not asked. */
const recallWith =
  (store: DeliveryStore): LocatePorts["recall"] =>
  (tenantId, address, geocoded) =>
    chain(store.facts.get(tenantId), ({ hasPlaces }) =>
      hasPlaces
        ? store.places.find(tenantId, address, geocoded).then((known) => known && placeOf(known.sightings))
        : null,
    );

/** The way out of one provider, whose health is watched. */
const wayOf = ({ guard, providers }: Platform, name: string) => providers.watch(name, guard);

function couriersOf(platform: Platform, { doordash, uberDirect, onfleet, providers }: DeliverySettings): Couriers {
  const { clock } = platform;
  const configured = [
    ...(doordash ? [createDoordash(doordash, wayOf(platform, "doordash"), clock)] : []),
    ...(uberDirect ? [createUberDirect(uberDirect, wayOf(platform, "uber_direct"), clock)] : []),
    ...(onfleet ? [createOnfleet(onfleet, wayOf(platform, "onfleet"))] : []),
  ];
  return createCouriers(configured, providers);
}

const outsideGeocoders = (platform: Platform, { nominatimUrl, photonUrl }: DeliverySettings): OutsideGeocoder[] => [
  ...(nominatimUrl ? [createNominatim(nominatimUrl, wayOf(platform, "nominatim"))] : []),
  ...(photonUrl ? [createPhoton(photonUrl, wayOf(platform, "photon"))] : []),
];

const outsideRouters = (platform: Platform, { osrmUrl, valhallaUrl }: DeliverySettings): OutsideRouter[] => [
  ...(osrmUrl ? [createOsrm(osrmUrl, wayOf(platform, "osrm"))] : []),
  ...(valhallaUrl ? [createValhalla(valhallaUrl, wayOf(platform, "valhalla"))] : []),
];

/** Everybody who could be asked, with what sets them up. */
function listProviders({ providers }: Platform, settings: DeliverySettings): void {
  const list = (name: string, kind: "courier" | "geocoder" | "router", needs: string[], set: unknown) =>
    providers.list({ action: "delivery", name, kind, settings: needs, configured: set !== null });
  const doordash = ["DOORDASH_DEVELOPER_ID", "DOORDASH_KEY_ID", "DOORDASH_SIGNING_SECRET"];
  list("doordash", "courier", doordash, settings.doordash);
  list("uber_direct", "courier", ["UBER_CUSTOMER_ID", "UBER_CLIENT_ID", "UBER_CLIENT_SECRET"], settings.uberDirect);
  list("onfleet", "courier", ["ONFLEET_API_KEY"], settings.onfleet);
  list("nominatim", "geocoder", ["NOMINATIM_URL"], settings.nominatimUrl);
  list("photon", "geocoder", ["PHOTON_URL"], settings.photonUrl);
  list("osrm", "router", ["OSRM_URL"], settings.osrmUrl);
  list("valhalla", "router", ["VALHALLA_URL"], settings.valhallaUrl);
}
