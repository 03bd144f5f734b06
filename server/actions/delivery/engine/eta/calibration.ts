// What an account's finished deliveries teach about an area: how far drives differ from the model by distance, hour, weekday and
// place, and how wide the window must be (conformal prediction). A value in, a value out; storing it is the service's work.

/** A mean of what the effects before it left over. */
export interface Effect {
  /** How much was seen, fading by half over HALF_LIFE deliveries. */
  weight: number;
  /** Of log(actual / estimated). */
  mean: number;
}

export interface Calibration {
  /** By key: "all", "km:2", "hour:work:3", "day:5", "from:40.74:-73.98". */
  effects: Record<string, Effect>;
  /** The last errors of the corrected estimate, in units of the model's band: 1 is its edge. */
  scores: number[];
}

export const uncalibrated: Calibration = { effects: {}, scores: [] };

/** A trip as history looks at it. */
export interface HistoryTrip {
  from: { lat: number; lon: number };
  to: { lat: number; lon: number };
  km: number;
  /** Local wall clock at the start. */
  hour: number;
  weekday: number;
}

/** What to do with the model's estimate: multiply the drive, stretch the two sides of its band. */
export interface Correction {
  factor: number;
  low: number;
  high: number;
}

export const uncorrected: Correction = { factor: 1, low: 1, high: 1 };

export interface Finished {
  trip: HistoryTrip;
  /** The model's own estimate, without any correction, and the two sides of its band as logarithms. */
  model: { seconds: number; low: number; high: number };
  actualSeconds: number;
}

const HALF_LIFE = 400;
const fade = 0.5 ** (1 / HALF_LIFE);
/** A residual beyond this is an accident, not a property of the area. */
const CAP = 1.2;
const MAX_SCORES = 150;
/** Places that an area remembers; the least seen give way. */
const MAX_PLACES = 120;
/** Degrees: some two kilometres. */
const PLACE_DEGREES = 0.02;
/** Before anything is seen, the model's own band counts as these errors: a normal distribution with its edges at 1 and -1. */
const PRIOR_SCORES = [0.098, 0.198, 0.301, 0.409, 0.526, 0.657, 0.809, 1, 1.283].flatMap((x) => [x, -x]).concat(0);
/** Share of arrivals that each side of the window may miss. */
const TAIL = 0.1;
const NARROWEST = 0.5;
const WIDEST = 3;

/** The keys of a trip, coarse to fine, each with how many deliveries the effects before it count for. */
function keysOf({ from, to, km, hour, weekday }: HistoryTrip): [key: string, prior: number][] {
  const place = ({ lat, lon }: { lat: number; lon: number }) =>
    `${(Math.floor(lat / PLACE_DEGREES) * PLACE_DEGREES).toFixed(2)}:${(Math.floor(lon / PLACE_DEGREES) * PLACE_DEGREES).toFixed(2)}`;
  const week = weekday === 0 || weekday === 6 ? "weekend" : "work";
  return [
    ["all", 15],
    [`km:${Math.round(Math.log2(Math.max(0.5, km)))}`, 40],
    [`hour:${week}:${Math.floor(hour / 3)}`, 40],
    [`day:${weekday}`, 80],
    [`from:${place(from)}`, 40],
    [`to:${place(to)}`, 40],
  ];
}

const shrunk = ({ weight, mean }: Effect, prior: number): number => (mean * weight) / (weight + prior);

function logFactor(calibration: Calibration, trip: HistoryTrip): number {
  let sum = 0;
  for (const [key, prior] of keysOf(trip)) {
    const effect = calibration.effects[key];
    if (effect) sum += shrunk(effect, prior);
  }
  return sum;
}

export function learn(known: Calibration, { trip, model, actualSeconds }: Finished): Calibration {
  if (!(model.seconds > 0) || !(actualSeconds > 0)) return known;
  const log = Math.max(-CAP, Math.min(CAP, Math.log(actualSeconds / model.seconds)));
  const error = log - logFactor(known, trip);
  const score = Math.round((100 * error) / (error < 0 ? model.low : model.high)) / 100;
  const effects = { ...known.effects };
  let left = log;
  for (const [key, prior] of keysOf(trip)) {
    const before = effects[key] ?? { weight: 0, mean: 0 };
    const weight = before.weight * fade + 1;
    effects[key] = { weight, mean: before.mean + (left - before.mean) / weight };
    left -= shrunk(effects[key], prior);
  }
  return { effects: fewerPlaces(effects), scores: [...known.scores, score].slice(-MAX_SCORES) };
}

function fewerPlaces(effects: Record<string, Effect>): Record<string, Effect> {
  const places = Object.keys(effects).filter((key) => key.startsWith("from:") || key.startsWith("to:"));
  if (places.length <= MAX_PLACES) return effects;
  places.sort((a, b) => effects[a].weight - effects[b].weight);
  for (const key of places.slice(0, places.length - MAX_PLACES)) delete effects[key];
  return effects;
}

/** How an estimate of a trip is corrected; the windows follow from the errors seen so far. */
export function correctionOf(calibration: Calibration | undefined, trip: HistoryTrip): Correction {
  if (!calibration?.effects?.all) return uncorrected;
  const scores = [...PRIOR_SCORES, ...calibration.scores].sort((a, b) => a - b);
  const bound = (score: number) => Math.max(NARROWEST, Math.min(WIDEST, score));
  return {
    factor: Math.exp(logFactor(calibration, trip)),
    low: bound(-quantile(scores, TAIL)),
    high: bound(quantile(scores, 1 - TAIL)),
  };
}

/** Conformal: of n errors and one more to come, each place in the order is as likely; between two places it is interpolated. */
function quantile(sorted: number[], share: number): number {
  const at = Math.max(0, Math.min(sorted.length - 1, (sorted.length + 1) * share - 1));
  const below = Math.floor(at);
  return sorted[below] + (at - below) * ((sorted[below + 1] ?? sorted[below]) - sorted[below]);
}

/** The area a trip belongs to: a quarter of a degree around its middle, and the kind of vehicle. */
export function areaOf(from: { lat: number; lon: number }, to: { lat: number; lon: number }, vehicle: string): string {
  const cell = (a: number, b: number) => Math.floor(((a + b) / 2) * 4);
  return `${vehicle}:${cell(from.lat, to.lat)}:${cell(from.lon, to.lon)}`;
}
