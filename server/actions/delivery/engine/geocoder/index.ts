// The geocoder: free text in, the place meant out, with how precise and how sure that is. Pure; it is handed its layers.
import tzlookup from "@photostructure/tz-lookup";
import { flatKm, haversineKm } from "../geo.ts";
import { countryText, kind, Layer } from "./layer.ts";
import { findMatches } from "./matches.ts";
import { type Candidate, type Hint, readFrame, scorePlace, scorePostcode } from "./score.ts";
import { cutWords, latinWords, saysNear, type Word } from "./tokens.ts";

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

export class Geocoder {
  readonly #layers: Layer[];
  readonly #streetLayers: Layer[];
  readonly #regions = new Map<number, string>();

  /** Later layers add to earlier ones. */
  constructor(layers: Layer[]) {
    this.#layers = layers;
    this.#streetLayers = layers.filter((layer) => layer.hasStreets);
    for (const layer of layers) {
      for (let id = 0; id < layer.count; id++) {
        if (layer.kind[id] === kind.region) this.#regions.set(layer.admin[id], layer.nameOf(id));
      }
    }
  }

  geocode(text: string, hint?: Hint): Geocoded {
    const words = cutWords(text);
    if (words.length === 0) return { precision: "none", confidence: 0, runners_up: [] };
    let ranked = this.#rank(words, hint);
    const latin = ranked.length === 0 || ranked[0].score < 1 ? latinWords(words) : null;
    if (latin) ranked = this.#rank(latin, hint);
    return this.#answer(words, ranked);
  }

  /** Both ends of one journey: the surer end helps to choose among the places the other could mean. */
  geocodePair(pickup: string, dropoff: string, hint?: Hint): { pickup: Geocoded; dropoff: Geocoded } {
    const a = this.geocode(pickup, hint);
    const b = this.geocode(dropoff, hint);
    const near = (end: Geocoded): Hint => (end.precision === "none" ? { ...hint } : { ...hint, near: { lat: end.lat, lon: end.lon } });
    return a.confidence >= b.confidence
      ? { pickup: a, dropoff: this.geocode(dropoff, near(a)) }
      : { pickup: this.geocode(pickup, near(b)), dropoff: b };
  }

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

  #rank(words: Word[], hint: Hint | undefined): Candidate[] {
    const matches = findMatches(words, this.#layers);
    const frame = readFrame(words, matches);
    const places: Candidate[] = [];
    for (const match of matches) {
      match.layer.each(match.start, (id, alternate) => {
        if (match.layer.kind[id] === kind.postcode) return;
        const candidate: Candidate = { layer: match.layer, id, match, score: 0, agreeing: 0, alternate };
        scorePlace(candidate, words, frame, hint);
        places.push(candidate);
      });
    }
    places.sort((a, b) => b.score - a.score);
    const best = places.slice(0, 12);
    const all = best.slice();
    for (const p of frame.postcodes) {
      const candidate: Candidate = { layer: p.layer, id: p.id, match: p.match, score: 0, agreeing: 0, alternate: false };
      scorePostcode(candidate, words, frame, best, hint);
      if (candidate.score > 0) all.push(candidate);
    }
    return all.sort((a, b) => b.score - a.score);
  }

  #answer(words: Word[], ranked: Candidate[]): Geocoded {
    const places: Place[] = [];
    const top = ranked[0];
    if (!top || top.score < 0.8) return { precision: "none", confidence: 0, runners_up: [] };
    const finest = refine(top, ranked);
    if (finest !== top) ranked = [finest, ...ranked];
    const near = saysNear(words);
    let rival = -Infinity;
    for (const c of ranked) {
      if (places.length >= 5) break;
      const place = this.#describe(c, near);
      if (places.some((p) => haversineKm(p.lat, p.lon, place.lat, place.lon) < 10)) continue;
      if (places.length === 1) rival = c.score;
      places.push(place);
    }
    const confidence = confidenceOf(words, top, rival);
    places.forEach((p, i) => {
      p.confidence = i === 0 ? confidence : 0;
    });
    return { ...places[0], runners_up: places.slice(1) };
  }

  #describe(c: Candidate, near: boolean): Place {
    const { layer, id } = c;
    const lat = layer.lat[id] / 1e6;
    const lon = layer.lon[id] / 1e6;
    const country = countryText(layer.country[id]);
    const region = layer.kind[id] > kind.region ? this.#regions.get(layer.admin[id]) : undefined;
    const name = layer.nameOf(id);
    const label = [name, region === name ? undefined : region, layer.kind[id] === kind.country ? undefined : country];
    return {
      lat, lon, precision: precisionOf(layer.kind[id]), confidence: 0,
      radius_km: radiusOf(layer, id) * (near ? 2 : 1),
      label: label.filter((x) => x).join(", "), country, time_zone: tzlookup(lat, lon),
    };
  }
}

/** A postcode, street or house that agrees with the best place says the same more exactly. */
function refine(top: Candidate, ranked: Candidate[]): Candidate {
  let finest = top;
  for (const c of ranked) {
    if (c.layer.kind[c.id] <= finest.layer.kind[finest.id] || c.layer.country[c.id] !== top.layer.country[top.id]) continue;
    const reach = top.layer.kind[top.id] < kind.locality ? 400 : 40;
    const km = flatKm(c.layer.lat[c.id] / 1e6, c.layer.lon[c.id] / 1e6, top.layer.lat[top.id] / 1e6, top.layer.lon[top.id] / 1e6);
    if (c.layer.kind[c.id] >= kind.postcode && c.score > 2 && km < reach) finest = c;
  }
  return finest === top ? top : { ...finest, score: Math.max(top.score, finest.score), agreeing: Math.max(top.agreeing, finest.agreeing) };
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
    case kind.address: return 0.05;
    case kind.street: return 0.5;
    case kind.postcode: return 2.3;
    case kind.locality: return Math.round(Math.min(20, Math.max(1.2, 0.012 * Math.sqrt(layer.population[id]))) * 10) / 10;
    case kind.district: return 25;
    case kind.region: return 120;
    default: return 400;
  }
}

/** How often an answer like this one is right: the lead over the next place, what agrees, and what is left unexplained. */
function confidenceOf(words: Word[], top: Candidate, rival: number): number {
  const lead = Math.min(4, top.score - rival);
  let unexplained = 0;
  for (let i = 0; i < words.length; i++) {
    if (i >= top.match.from && i < top.match.to) continue;
    if (words[i].sort === "word" || words[i].sort === "venue") unexplained++;
  }
  const x = -1 + 1.2 * lead + 1.2 * top.agreeing - (top.agreeing > 0 ? 0.1 : 0.8) * Math.min(unexplained, 4) + 0.3 * top.score - 1.2 * top.match.typos;
  return Math.round(100 / (1 + Math.exp(-x * 0.9))) / 100;
}

export function openGeocoder(layers: Uint8Array[]): Geocoder {
  return new Geocoder(layers.map((bytes) => new Layer(bytes)));
}
