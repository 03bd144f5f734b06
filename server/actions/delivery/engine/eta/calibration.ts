// What finished deliveries teach about an area: are drives there slower or quicker than the model, and is its band too tight?
// A value in, a value out; storing it is the service's work.

export interface Calibration {
  /** Weight of what was seen, fading by half over `halfLife` deliveries. */
  weight: number;
  /** Weighted mean of log(actual / estimated). */
  meanLog: number;
  /** Factor on the width of the band. */
  widen: number;
}

export const uncalibrated: Calibration = { weight: 0, meanLog: 0, widen: 1 };

/** The model counts as this many deliveries, so that the first few cannot swing an area. */
const PRIOR = 30;
const HALF_LIFE = 200;
const fade = 0.5 ** (1 / HALF_LIFE);
/** A residual beyond this is an accident, not a property of the area. */
const CAP = 1.2;

export interface Finished {
  estimatedSeconds: number;
  actualSeconds: number;
  /** Whether the actual time lay inside the promised 80 % band. */
  insideBand: boolean;
}

export function learn(known: Calibration, done: Finished): Calibration {
  if (!(done.estimatedSeconds > 0) || !(done.actualSeconds > 0)) return known;
  const log = Math.max(-CAP, Math.min(CAP, Math.log(done.actualSeconds / done.estimatedSeconds)));
  const weight = known.weight * fade + 1;
  const meanLog = known.meanLog + (log - known.meanLog) / weight;
  const widen = known.widen * Math.exp(done.insideBand ? -0.02 * 0.2 : 0.02 * 0.8);
  return { weight, meanLog, widen: Math.max(0.6, Math.min(3, widen)) };
}

/** The factor to put on the model's seconds: shrunk towards 1 while little was seen. */
export function factorOf(calibration: Calibration): number {
  return Math.exp((calibration.meanLog * calibration.weight) / (calibration.weight + PRIOR));
}

/** The area a trip belongs to: a quarter of a degree around its middle, and the kind of vehicle. */
export function areaOf(from: { lat: number; lon: number }, to: { lat: number; lon: number }, vehicle: string): string {
  const cell = (a: number, b: number) => Math.floor(((a + b) / 2) * 4);
  return `${vehicle}:${cell(from.lat, to.lat)}:${cell(from.lon, to.lon)}`;
}
