// House numbers of imported streets: found exactly, or placed between the known numbers of the same side. Reads one section of a layer.
import { flatKm } from "../geo.ts";

export interface HouseNumber {
  number: number;
  /** 0 for none, 1–26 for a–z, 27 for "bis", 28 for "ter". */
  suffix: number;
}

export interface HousePoint {
  /** As it was asked for, e.g. "12a". */
  number: string;
  lat: number;
  lon: number;
  /** This very number is in the data. */
  exact: boolean;
  /** Half of the houses placed this way lie within it. */
  radiusKm: number;
}

type Found = Omit<HousePoint, "number">;

const SUFFIXES: Record<string, number> = { bis: 27, ter: 28 };
const MAX_NUMBER = 999_999;
/** A number as stored: the suffix in the low bits, so that sorting sorts the houses. */
const SUFFIX_STEPS = 32;

export const packNumber = ({ number, suffix }: HouseNumber): number => number * SUFFIX_STEPS + suffix;

/** "12", "12a", "12 bis", "12-14" (its first number); null for anything else. */
export function readHouseNumber(text: string): HouseNumber | null {
  const found = /^(\d{1,6})(?: ?(bis|ter|[a-z]))?(?![a-z\d])/.exec(text);
  if (!found || Number(found[1]) > MAX_NUMBER || Number(found[1]) === 0) return null;
  const suffix = found[2] ? (SUFFIXES[found[2]] ?? found[2].charCodeAt(0) - 96) : 0;
  return { number: Number(found[1]), suffix };
}

function textOf({ number, suffix }: HouseNumber): string {
  const word = Object.keys(SUFFIXES).find((name) => SUFFIXES[name] === suffix);
  if (word) return `${number} ${word}`;
  return suffix > 0 ? number + String.fromCharCode(96 + suffix) : String(number);
}

/** Numbers of a row: [packed number, lat, lon]. */
export const HOUSE_WORDS = 3;
/** Metres between neighbouring numbers where the data cannot say. */
const USUAL_STEP_KM = 0.008;
/** Extrapolation stops here: a street may end or turn. */
const MAX_REACH_KM = 0.6;
/** Known numbers that an extrapolation looks back over. */
const LOOK_BACK = 8;

export class Houses {
  readonly #starts: Uint32Array;
  readonly #rows: Int32Array;

  /** The section: count of streets + 1 starts, then the rows of all streets, each street sorted by number. */
  constructor(buffer: ArrayBufferLike, offset: number, streets: number) {
    this.#starts = new Uint32Array(buffer, offset, streets + 1);
    this.#rows = new Int32Array(buffer, offset + 4 * (streets + 1), HOUSE_WORDS * this.#starts[streets]);
  }

  countOf(street: number): number {
    return this.#starts[street + 1] - this.#starts[street];
  }

  /** Where a house of the street stands; null when no number of the street is known. */
  locate(street: number, wanted: HouseNumber): HousePoint | null {
    const found = this.#find(street, wanted);
    return found && { ...found, number: textOf(wanted) };
  }

  #find(street: number, wanted: HouseNumber): Found | null {
    const [from, to] = [this.#starts[street], this.#starts[street + 1]];
    if (from === to) return null;
    const packed = packNumber(wanted);
    const at = this.#lowerBound(from, to, packed);
    if (at < to && this.#packed(at) === packed) return this.#point(at, true, 0.02);
    const sameNumber = this.#sameNumber(from, to, at, wanted.number);
    if (sameNumber >= 0) return this.#point(sameNumber, false, 0.03);
    const side = this.#between(from, to, at, wanted.number, true);
    const either = this.#between(from, to, at, wanted.number, false);
    // The own side says more, unless its neighbours are much farther away.
    if (side && (!either || side.gap <= 2 * either.gap + 8)) return side.point;
    if (either) return either.point;
    return this.#beyond(from, to, at, wanted.number, true) ?? this.#beyond(from, to, at, wanted.number, false);
  }

  #packed(row: number): number {
    return this.#rows[row * HOUSE_WORDS];
  }

  #number(row: number): number {
    return Math.floor(this.#packed(row) / SUFFIX_STEPS);
  }

  #lat(row: number): number {
    return this.#rows[row * HOUSE_WORDS + 1] / 1e6;
  }

  #lon(row: number): number {
    return this.#rows[row * HOUSE_WORDS + 2] / 1e6;
  }

  #point(row: number, exact: boolean, radiusKm: number): Found {
    return { lat: this.#lat(row), lon: this.#lon(row), exact, radiusKm };
  }

  #lowerBound(from: number, to: number, packed: number): number {
    let [low, high] = [from, to];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#packed(middle) < packed) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** 12 where 12a is wanted, or the other way round. */
  #sameNumber(from: number, to: number, at: number, number: number): number {
    if (at < to && this.#number(at) === number) return at;
    return at > from && this.#number(at - 1) === number ? at - 1 : -1;
  }

  #next(from: number, to: number, start: number, by: 1 | -1, number: number, sameSide: boolean): number {
    for (let row = start; row >= from && row < to; row += by)
      if (!sameSide || (this.#number(row) - number) % 2 === 0) return row;
    return -1;
  }

  #between(from: number, to: number, at: number, number: number, sameSide: boolean) {
    const below = this.#next(from, to, at - 1, -1, number, sameSide);
    const above = this.#next(from, to, at, 1, number, sameSide);
    if (below < 0 || above < 0) return null;
    const gap = this.#number(above) - this.#number(below);
    const share = (number - this.#number(below)) / gap;
    const km = this.#km(below, above);
    const lat = this.#lat(below) + share * (this.#lat(above) - this.#lat(below));
    const lon = this.#lon(below) + share * (this.#lon(above) - this.#lon(below));
    return { gap, point: { lat, lon, exact: false, radiusKm: round(Math.max(0.03, km / 6)) } };
  }

  /** Past the last known number: on along the way the numbers before it went, not far. */
  #beyond(from: number, to: number, at: number, number: number, sameSide: boolean): Found | null {
    const below = this.#next(from, to, at - 1, -1, number, sameSide);
    const end = below >= 0 ? below : this.#next(from, to, at, 1, number, sameSide);
    if (end < 0) return null;
    const steps = Math.abs(number - this.#number(end));
    const back = this.#inner(from, to, end, below >= 0 ? -1 : 1, sameSide);
    if (back < 0) return this.#point(end, false, round(Math.min(2, Math.max(0.05, steps * USUAL_STEP_KM))));
    const known = Math.abs(this.#number(end) - this.#number(back));
    const km = Math.max(1e-6, this.#km(end, back));
    const on = Math.min((km / known) * steps, MAX_REACH_KM) / km;
    return {
      lat: this.#lat(end) + on * (this.#lat(end) - this.#lat(back)),
      lon: this.#lon(end) + on * (this.#lon(end) - this.#lon(back)),
      exact: false,
      radiusKm: round(Math.min(2, Math.max(0.05, (steps * km) / known / 2))),
    };
  }

  /** A known number some way back from the end: two neighbours alone may stand across a corner. */
  #inner(from: number, to: number, end: number, by: 1 | -1, sameSide: boolean): number {
    let found = -1;
    for (let row = end + by, seen = 0; row >= from && row < to && seen < LOOK_BACK; row += by) {
      const gap = Math.abs(this.#number(row) - this.#number(end));
      if (gap === 0 || (sameSide && gap % 2 !== 0)) continue;
      found = row;
      seen++;
    }
    return found;
  }

  #km(a: number, b: number): number {
    return flatKm(this.#lat(a), this.#lon(a), this.#lat(b), this.#lon(b));
  }
}

const round = (km: number): number => Math.round(km * 1000) / 1000;
