// Where the ends of an order are: coordinates first, then the account's address book, then the geocoders. A geocoder or
// router outside only sharpens what the embedded engines answer, and its failure changes nothing.
import tzlookup from "@photostructure/tz-lookup";
import { createRecent } from "../../../../lib/recent.ts";
import type { Platform } from "../../../../platform/platform.ts";
import type { Geocoded, Geocoder, Place } from "../../engine/geocoder/index.ts";
import { oneLine } from "../../engine/places/address-words.ts";
import { type Exact, placeShortCode, readCoordinates, readShortCode } from "../../engine/places/coordinates.ts";
import type { Learned } from "../../engine/places/learned.ts";
import type { Drive, End, Locate } from "../../planner.ts";
import { ProviderFailure } from "../port.ts";
import type { OutsideGeocoder, OutsideRouter } from "./port.ts";

type Log = Platform["log"];
type Point = { lat: number; lon: number };

export interface LocatePorts {
  geocoder(): Promise<Geocoder>;
  /** What the account learned about an address, if it learned something. */
  recall(tenantId: number, address: string, geocoded: Point | null): Learned | null | Promise<Learned | null>;
  outside: OutsideGeocoder[];
  log: Log;
}

const RECENT_PAIRS = 5_000;
/** A place from coordinates whose text leaves more than this open is not a house. */
const ROOFTOP_KM = 0.1;
const STREET_KM = 1;

type Both<T> = { pickup: T; dropoff: T };

/** What the texts of an order alone say about its ends. */
interface ReadEnds {
  texts: Both<string>;
  /** Where coordinates or a code stand for the place. */
  exact: Both<Geocoded | null>;
  found: Both<Geocoded>;
}

export function createLocate(ports: LocatePorts): Locate {
  // A shop's orders leave from one door; and an order that is retried asks the same again.
  let recent = createRecent<ReadEnds>(RECENT_PAIRS);
  let known: Geocoder | null = null;
  return async ({ tenantId, mode }, ends) => {
    const engine = await ports.geocoder();
    // Another one after an import: what was found before may be found better now.
    if (engine !== known) recent = createRecent(RECENT_PAIRS);
    known = engine;
    const { pickup, dropoff } = ends;
    const { texts, exact, found } = hasCoordinates(ends)
      ? readEnds(engine, ends)
      : recent(`${pickup.address}\0${dropoff.address}`, () => readEnds(engine, ends));
    const outside = mode === "live" ? ports.outside : [];
    const settle = async (end: "pickup" | "dropoff", other: "pickup" | "dropoff"): Promise<Geocoded> => {
      if (exact[end]) return exact[end];
      const learned = await ports.recall(tenantId, texts[end], nearOf(found[end]));
      if (learned) return learnedPlace(learned, texts[end]);
      return outside.length === 0
        ? found[end]
        : sharpen(outside, texts[end], found[end], nearOf(found[other]), ports.log);
    };
    return { pickup: await settle("pickup", "dropoff"), dropoff: await settle("dropoff", "pickup") };
  };
}

const hasCoordinates = ({ pickup, dropoff }: Both<End>): boolean =>
  pickup.lat !== undefined || dropoff.lat !== undefined;

function readEnds(engine: Geocoder, ends: Both<End>): ReadEnds {
  const texts = { pickup: oneLine(ends.pickup.address), dropoff: oneLine(ends.dropoff.address) };
  const exact = {
    pickup: exactPlace(engine, ends.pickup, texts.pickup),
    dropoff: exactPlace(engine, ends.dropoff, texts.dropoff),
  };
  return { texts, exact, found: findBoth(engine, texts, exact) };
}

function findBoth(engine: Geocoder, texts: Both<string>, { pickup, dropoff }: Both<Geocoded | null>): Both<Geocoded> {
  if (pickup && dropoff) return { pickup, dropoff };
  if (pickup) return { pickup, dropoff: engine.geocode(texts.dropoff, { near: nearOf(pickup) }) };
  if (dropoff) return { pickup: engine.geocode(texts.pickup, { near: nearOf(dropoff) }), dropoff };
  return engine.geocodePair(texts.pickup, texts.dropoff);
}

function exactPlace(engine: Geocoder, end: End, text: string): Geocoded | null {
  if (end.lat !== undefined && end.lon !== undefined)
    return placeAt({ lat: end.lat, lon: end.lon, radius_km: 0.01 }, text);
  const written = readCoordinates(text);
  if (written) return placeAt(written, text);
  const short = readShortCode(text);
  const near = short && nearOf(engine.geocode(short.near));
  const completed = short && near && placeShortCode(short.code, near);
  return completed ? placeAt(completed, text) : null;
}

function placeAt({ lat, lon, radius_km }: Exact, label: string): Geocoded {
  const precision = radius_km <= ROOFTOP_KM ? "rooftop" : radius_km <= STREET_KM ? "street" : "locality";
  return { ...placed(lat, lon, label), precision, confidence: 1, radius_km };
}

const learnedPlace = ({ lat, lon, confidence, radius_km }: Learned, label: string): Geocoded => ({
  ...placed(lat, lon, label),
  precision: "rooftop",
  confidence,
  radius_km,
});

const placed = (lat: number, lon: number, label: string) => ({
  lat,
  lon,
  label,
  country: "",
  time_zone: tzlookup(lat, lon),
  runners_up: [] as Place[],
});

const nearOf = (end: Geocoded): Point | null => (end.precision === "none" ? null : { lat: end.lat, lon: end.lon });

async function sharpen(outside: OutsideGeocoder[], text: string, found: Geocoded, near: Point | null, log: Log) {
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
