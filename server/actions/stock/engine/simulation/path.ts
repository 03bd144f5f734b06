// A made-up but realistic price: a pure function of seed, symbol and trading time. The same question gets the same
// answer on every machine, with no state and no clock. Knots stand a minute apart and lie on the tick, with straight
// lines between them, so that high and low are exact.

/** 32 well-mixed bits from a text and two numbers. */
function hash(seed: number, a: number, b: number): number {
  let h = (seed ^ Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca77)) >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}

export function seedOf(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return hash(h >>> 0, 1, 2);
}

/** In [-1, 1], smooth between whole numbers. */
function noise(seed: number, octave: number, x: number): number {
  const i = Math.floor(x);
  const f = x - i;
  const left = hash(seed, octave, i) / 0x7fffffff - 1;
  const right = hash(seed, octave, i + 1) / 0x7fffffff - 1;
  return left + (right - left) * f * f * (3 - 2 * f);
}

export interface Character {
  /** Price around which it moves, in ticks. */
  baseTicks: number;
  /** How much it moves; 1 is ordinary. */
  volatility: number;
  seed: number;
}

/** Periods of the noise in trading minutes: from minutes to years. */
const PERIODS_MINUTES = [3, 11, 43, 170, 680, 2700, 11_000, 43_000, 170_000];

/** The price at a whole trading minute, in ticks. */
export function knotTicks(character: Character, minute: number): number {
  let log = 0;
  PERIODS_MINUTES.forEach((period, octave) => {
    log += 0.0011 * Math.sqrt(period) * noise(character.seed, octave, minute / period) * (octave < 7 ? 1 : 0.5);
  });
  return Math.max(1, Math.round(character.baseTicks * Math.exp(log * character.volatility)));
}

/** The price at any trading time in minutes, in ticks: on the line between two knots. */
export function priceTicks(character: Character, minutes: number): number {
  const minute = Math.floor(minutes);
  const left = knotTicks(character, minute);
  if (minute === minutes) return left;
  const right = knotTicks(character, minute + 1);
  return Math.round(left + (right - left) * (minutes - minute));
}
