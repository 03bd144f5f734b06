// The geocoder: free text in, the place meant out, with how precise and how sure that is. Pure; its data layers are
// passed in.
import tzlookup from "@photostructure/tz-lookup";
import { flatKm } from "../geo.ts";
import { countryText, kind, Layer } from "./layer.ts";
import { confidenceOf } from "./confidence.ts";
import { findDistricts } from "./districts.ts";
import { findMatches, type Match } from "./matches.ts";
import { type Frame, ownsPart, readFrame } from "./qualify.ts";
import { type Candidate, type Hint, scorePlace, scorePostcode, scoreStreet } from "./score.ts";
import { findStreets } from "./streets.ts";
import { cutWords, latinWords, saysNear, type Word } from "./tokens.ts";
import { type Box, type Town, townsInside, townsOf } from "./towns.ts";
import { findTypos } from "./typos.ts";

export type { Hint } from "./score.ts";
export type Precision = "rooftop" | "street" | "postcode" | "locality" | "region" | "country" | "none";

export interface Place {
  lat: number;
  lon: number;
  precision: Exclude<Precision, "none">;
  /** 0–1: the share of answers given with this confidence that name the right place. */
  confidence: number;
  /** Half of the addresses described this way lie within this distance. */
  radius_km: number;
  label: string;
  country: string;
  time_zone: string;
}

export type Geocoded = (Place & { runners_up: Place[] }) | { precision: "none"; confidence: 0; runners_up: Place[] };

const nowhere: Geocoded = { precision: "none", confidence: 0, runners_up: [] };
/** A place this far from the other end, with nothing else to say for it, is probably another. */
const FAR_KM = 400;
/** Two ends this sure need not help each other. */
const SETTLED = 0.95;
/** Below this a match is a coincidence. */
const LEAST_SCORE = 0.8;
const byScore = (a: Candidate, b: Candidate): number => b.score - a.score;

export class Geocoder {
  readonly #layers: Layer[];
  readonly #streetLayers: Layer[];
  readonly #regions = new Map<number, string>();
  /** Ids of towns from south to north; made when a map is first drawn. */
  #towns: Uint32Array | null = null;

  /** Later layers add to earlier ones. */
  constructor(layers: Layer[]) {
    this.#layers = layers;
    this.#streetLayers = layers.filter((layer) => layer.houses !== null);
    for (const layer of layers) {
      for (let id = 0; id < layer.count; id++) {
        if (layer.kind[id] === kind.region) this.#regions.set(layer.admin[id], layer.nameOf(id));
      }
    }
  }

  geocode(text: string, hint?: Hint): Geocoded {
    let words = cutWords(text);
    // "home", "the office": words that say nothing about where, though a village may be called so.
    if (words.every((word) => word.sort === "filler" || word.sort === "unit")) return nowhere;
    let matches = findMatches(words, this.#layers);
    let ranked = this.#rank(words, matches, hint);
    if (ranked.length === 0) {
      const latin = latinWords(words);
      if (latin) {
        words = latin;
        matches = findMatches(words, this.#layers);
        ranked = this.#rank(words, matches, hint);
      }
    }
    if (isPoor(words, ranked) && mayBeCorrected(words, matches)) {
      const corrected = findTypos(words, this.#layers);
      if (corrected.length > 0) ranked = this.#rank(words, [...matches, ...corrected], hint);
    }
    return this.#answer(words, ranked, hint);
  }

  /** Both ends of one journey: the surer end helps to choose among the places the other could mean. */
  geocodePair(pickup: string, dropoff: string, hint?: Hint): { pickup: Geocoded; dropoff: Geocoded } {
    const a = this.geocode(pickup, hint);
    const b = this.geocode(dropoff, hint);
    if (Math.min(a.confidence, b.confidence) >= SETTLED) return { pickup: a, dropoff: b };
    const near = (end: Geocoded): Hint =>
      end.precision === "none" ? { ...hint } : { ...hint, near: { lat: end.lat, lon: end.lon } };
    return a.confidence >= b.confidence
      ? { pickup: a, dropoff: this.geocode(dropoff, near(a)) }
      : { pickup: this.geocode(pickup, near(b)), dropoff: b };
  }

  /** Towns inside a box of degrees, the largest first, at most a dozen. */
  readonly townsIn = (box: Box): Town[] => {
    this.#towns ??= townsOf(this.#layers[0]);
    return townsInside(this.#layers[0], this.#towns, box);
  };

  /** The countries of the known places nearest to a point: one, or two at a border. Slow; for scoring only. */
  countriesNear(lat: number, lon: number): string[] {
    const layer = this.#layers[0];
    const nearest = new Map<number, number>();
    for (let id = 0; id < layer.count; id++) {
      if (layer.kind[id] !== kind.locality || Math.abs(layer.lat[id] - lat * 1e6) > 1_500_000) continue;
      const km = flatKm(lat, lon, layer.lat[id] / 1e6, layer.lon[id] / 1e6);
      if (km < (nearest.get(layer.country[id]) ?? Infinity)) nearest.set(layer.country[id], km);
    }
    const sorted = [...nearest].sort((a, b) => a[1] - b[1]);
    return sorted.filter(([, km]) => km < sorted[0][1] + 25).map(([country]) => countryText(country));
  }

  #rank(words: Word[], matches: Match[], hint: Hint | undefined): Candidate[] {
    const frame = readFrame(words, matches);
    const places: Candidate[] = [];
    // With nothing to tell places of one name apart, only the best known of them can win.
    const most = hint || frame.qualifiers.length > 0 || frame.postcodes.length > 0 ? Infinity : 12;
    for (const match of matches) {
      match.layer.each(
        match.start,
        (id, alternate) => {
          if (match.layer.kind[id] === kind.postcode) return;
          const candidate: Candidate = { layer: match.layer, id, match, score: 0, agreeing: 0, alternate };
          scorePlace(candidate, words, frame, hint);
          if (candidate.score > -2) places.push(candidate);
        },
        most,
      );
    }
    places.sort(byScore);
    places.push(...findDistricts(words, matches, frame, places, hint));
    places.sort(byScore);
    const best = places.slice(0, 40);
    const all = places.slice(0, 12);
    for (const p of frame.postcodes) {
      const candidate: Candidate = {
        layer: p.layer,
        id: p.id,
        match: p.match,
        score: 0,
        agreeing: 0,
        alternate: false,
      };
      scorePostcode(candidate, words, frame, best, hint);
      if (candidate.score > 0) all.push(candidate);
    }
    if (this.#streetLayers.length > 0) all.push(...this.#streets(words, frame, [...best, ...all], hint));
    return all.sort(byScore).filter((c) => c.score >= LEAST_SCORE);
  }

  #streets(words: Word[], frame: Frame, places: Candidate[], hint: Hint | undefined): Candidate[] {
    const found: Candidate[] = [];
    for (const match of findStreets(words, this.#streetLayers)) {
      const { layer, house } = match;
      // One word inside a longer phrase is more often something else.
      if (!house && match.to - match.from === 1 && !ownsPart(words, match)) continue;
      layer.each(match.start, (id) => {
        const candidate: Candidate = { layer, id, match, score: 0, agreeing: 0, alternate: false };
        candidate.house = house && layer.houses!.locate(id, house);
        scoreStreet(candidate, words, frame, places, hint);
        found.push(candidate);
      });
    }
    return found;
  }

  #answer(words: Word[], ranked: Candidate[], hint: Hint | undefined): Geocoded {
    if (ranked.length === 0) return nowhere;
    const top = refine(ranked[0], ranked);
    const near = saysNear(words);
    const first = this.#describe(top, near);
    const others: Place[] = [];
    const farOff = hint?.near ? flatKm(first.lat, first.lon, hint.near.lat, hint.near.lon) > FAR_KM : false;
    const rivals = { anywhere: -Infinity, abroad: -Infinity, farOff };
    for (const c of ranked) {
      if (
        flatKm(first.lat, first.lon, c.layer.lat[c.id] / 1e6, c.layer.lon[c.id] / 1e6) <
        (c.layer.kind[c.id] < kind.locality ? 200 : 15)
      )
        continue;
      rivals.anywhere = Math.max(rivals.anywhere, c.score);
      if (c.layer.country[c.id] !== top.layer.country[top.id]) rivals.abroad = Math.max(rivals.abroad, c.score);
      if (others.length >= 3) continue;
      const at = pointOf(c);
      if (others.every((p) => flatKm(p.lat, p.lon, at.lat, at.lon) >= 10)) others.push(this.#describe(c, near));
    }
    first.confidence = confidenceOf(words, top, rivals);
    const share = 1 - first.confidence;
    others.forEach((place, i) => {
      place.confidence = Math.round((share / 2 ** (i + 1)) * 100) / 100;
    });
    return { ...first, runners_up: others };
  }

  #describe(c: Candidate, near: boolean): Place {
    const { layer, id } = c;
    const { lat, lon } = pointOf(c);
    const country = countryText(layer.country[id]);
    const region = layer.kind[id] > kind.region ? this.#regions.get(layer.admin[id]) : undefined;
    const name = c.house ? `${c.house.number} ${layer.nameOf(id)}` : layer.nameOf(id);
    const label = [name, region === name ? undefined : region, layer.kind[id] === kind.country ? undefined : country];
    return {
      lat,
      lon,
      precision: precisionOf(kindOf(c)),
      confidence: 0,
      radius_km: (c.house?.radiusKm ?? radiusOf(layer, id)) * (near ? 2 : 1),
      label: label.filter((x) => x).join(", "),
      country,
      time_zone: tzlookup(lat, lon),
    };
  }
}

/** Whether a misspelt name may hide in the text: nothing was found, or only something wide, and a word is left over. */
function isPoor(words: Word[], ranked: Candidate[]): boolean {
  const top = ranked[0];
  if (!top) return true;
  if (top.layer.kind[top.id] >= kind.postcode) return false;
  const left = words.some(
    (w, i) => w.sort === "word" && w.text.length >= 5 && (i < top.match.from || i >= top.match.to),
  );
  return left && top.layer.kind[top.id] < kind.locality;
}

/** A corrected name is believed only when a region, country or postcode stands by it, or when there is little else. */
function mayBeCorrected(words: Word[], matches: Match[]): boolean {
  if (words.filter((w) => w.sort !== "filler").length <= 3) return true;
  const frame = readFrame(words, matches);
  return frame.qualifiers.length > 0 || frame.postcodes.some((p) => !p.weak);
}

/** Where a candidate lies; a house more exactly than its street. */
const pointOf = ({ layer, id, house }: Candidate): { lat: number; lon: number } =>
  house ?? { lat: layer.lat[id] / 1e6, lon: layer.lon[id] / 1e6 };

/** A street whose very house is known is as good as an address. */
const kindOf = ({ layer, id, house }: Candidate): number => (house?.exact ? kind.address : layer.kind[id]);

/** A postcode, street or house that agrees with the best place says the same more exactly. */
function refine(top: Candidate, ranked: Candidate[]): Candidate {
  let finest = top;
  const at = pointOf(top);
  for (const c of ranked) {
    const of = kindOf(c);
    // Of streets the likeliest is meant, not the one that happens to know the house.
    if (finest.layer.kind[finest.id] >= kind.street) break;
    if (of < kindOf(finest) || c.layer.country[c.id] !== top.layer.country[top.id]) continue;
    const reach = top.layer.kind[top.id] < kind.locality ? 400 : c.exact ? 100 : 40;
    const point = pointOf(c);
    const agrees = of === kind.postcode ? c.score > 2 : c.agreeing > 0;
    if (of < kind.postcode || !agrees || flatKm(point.lat, point.lon, at.lat, at.lon) >= reach) continue;
    if (of > kindOf(finest) || (c.exact && !finest.exact)) finest = c;
  }
  return finest === top
    ? top
    : { ...finest, score: Math.max(top.score, finest.score), agreeing: Math.max(top.agreeing, finest.agreeing) };
}

function precisionOf(of: number): Place["precision"] {
  if (of === kind.address) return "rooftop";
  if (of === kind.street) return "street";
  if (of === kind.postcode) return "postcode";
  if (of === kind.locality) return "locality";
  return of === kind.country ? "country" : "region";
}

function radiusOf(layer: Layer, id: number): number {
  switch (layer.kind[id]) {
    case kind.address:
      return 0.05;
    case kind.street:
      return 0.5;
    case kind.postcode:
      return 2.3;
    case kind.locality:
      return Math.round(Math.min(20, Math.max(1.2, 0.012 * Math.sqrt(layer.population[id]))) * 10) / 10;
    case kind.district:
      return 25;
    case kind.region:
      return 120;
    default:
      return 400;
  }
}

export function openGeocoder(layers: Uint8Array[]): Geocoder {
  return new Geocoder(layers.map((bytes) => new Layer(bytes)));
}
