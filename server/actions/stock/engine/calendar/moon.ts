// The lunisolar calendar of China and Korea from the new moon and the sun's place (Meeus, Astronomical Algorithms,
// chapters 25 and 49). Computed and not copied from ICU, whose approximation misses new moons close to midnight
// (it puts the Chinese New Year of 2027 a day late).
import { dayOf, type Day } from "./days.ts";

const RAD = Math.PI / 180;
const sin = (degrees: number) => Math.sin(degrees * RAD);
const TERRESTRIAL_LEAD_DAYS = 69.5 / 86_400;
const UNIX_EPOCH_JD = 2_440_587.5;

/** Weight, power of E, multiples of M, M′, F, Ω. */
const TERMS: [number, number, number, number, number, number][] = [
  [-0.4072, 0, 0, 1, 0, 0],
  [0.17241, 1, 1, 0, 0, 0],
  [0.01608, 0, 0, 2, 0, 0],
  [0.01039, 0, 0, 0, 2, 0],
  [0.00739, 1, -1, 1, 0, 0],
  [-0.00514, 1, 1, 1, 0, 0],
  [0.00208, 2, 2, 0, 0, 0],
  [-0.00111, 0, 0, 1, -2, 0],
  [-0.00057, 0, 0, 1, 2, 0],
  [0.00056, 1, 1, 2, 0, 0],
  [-0.00042, 0, 0, 3, 0, 0],
  [0.00042, 1, 1, 0, 2, 0],
  [0.00038, 1, 1, 0, -2, 0],
  [-0.00024, 1, -1, 2, 0, 0],
  [-0.00017, 0, 0, 0, 0, 1],
  [-0.00007, 0, 2, 1, 0, 0],
  [0.00004, 0, 0, 2, -2, 0],
  [0.00004, 0, 3, 0, 0, 0],
  [0.00003, 0, 1, 1, -2, 0],
  [0.00003, 0, 0, 2, 2, 0],
  [-0.00003, 0, 1, 1, 2, 0],
  [0.00003, 0, -1, 1, 2, 0],
  [-0.00002, 0, -1, 1, -2, 0],
  [-0.00002, 0, 1, 3, 0, 0],
  [0.00002, 0, 0, 4, 0, 0],
];
/** Angle at k = 0, its motion a lunation, weight. */
const PLANETS: [number, number, number][] = [
  [299.77, 0.107408, 0.000325],
  [251.88, 0.016321, 0.000165],
  [251.83, 26.651886, 0.000164],
  [349.42, 36.412478, 0.000126],
  [84.66, 18.206239, 0.00011],
  [141.74, 53.303771, 0.000062],
  [207.14, 2.453732, 0.00006],
  [154.84, 7.30686, 0.000056],
  [34.52, 27.261239, 0.000047],
  [207.19, 0.121824, 0.000042],
  [291.34, 1.844379, 0.00004],
  [161.72, 24.198154, 0.000037],
  [239.56, 25.513099, 0.000035],
  [331.55, 3.592518, 0.000023],
];

/** The new moon number k (0 is the one of 6 January 2000) as UTC days since 1970, with fraction. */
function newMoon(k: number): number {
  const t = k / 1236.85;
  const m = 2.5534 + 29.1053567 * k - 0.0000014 * t * t;
  const moon = 201.5643 + 385.81693528 * k + 0.0107582 * t * t + 0.00001238 * t ** 3;
  const f = 160.7108 + 390.67050284 * k - 0.0016118 * t * t - 0.00000227 * t ** 3;
  const node = 124.7746 - 1.56375588 * k + 0.0020672 * t * t;
  const e = 1 - 0.002516 * t - 0.0000074 * t * t;
  let jd = 2_451_550.09766 + 29.530588861 * k + 0.00015437 * t * t - 0.00000015 * t ** 3;
  for (const [w, p, a, b, c, d] of TERMS) jd += w * e ** p * sin(a * m + b * moon + c * f + d * node);
  for (const [at, motion, w] of PLANETS) jd += w * sin(at + motion * k);
  return jd - UNIX_EPOCH_JD - TERRESTRIAL_LEAD_DAYS;
}

/** The sun's apparent longitude in degrees, good to about a quarter of an hour of its motion. */
function sunLongitude(day: number): number {
  const t = (day + UNIX_EPOCH_JD - 2_451_545) / 36_525;
  const m = 357.52911 + 35_999.05029 * t - 0.0001537 * t * t;
  const centre = (1.914602 - 0.004817 * t) * sin(m) + (0.019993 - 0.000101 * t) * sin(2 * m) + 0.000289 * sin(3 * m);
  const longitude = 280.46646 + 36_000.76983 * t + centre - 0.00569 - 0.00478 * sin(125.04 - 1934.136 * t);
  return ((longitude % 360) + 360) % 360;
}

interface Month {
  start: Day;
  /** 1–12; a leap month repeats the number of the one before it. */
  number: number;
  leap: boolean;
}

/** Months from the one that holds the winter solstice of `year - 1` up to the next such, at a fixed offset from UTC. */
function monthsOf(year: number, offsetHours: number): Month[] {
  const shift = offsetHours / 24;
  const solstice = (y: number): Day => {
    let day = dayOf(y, 12, 20);
    while (sunLongitude(day + 1 - shift) < 270) day++;
    return day;
  };
  const indexOf = (day: Day): number => {
    let k = Math.floor((day - 10_962) / 29.530588861) + 1;
    while (Math.floor(newMoon(k) + shift) > day) k--;
    return k;
  };
  const first = indexOf(solstice(year - 1));
  const last = indexOf(solstice(year));
  const starts = Array.from({ length: last - first + 2 }, (_, i) => Math.floor(newMoon(first + i) + shift));
  const sector = (day: Day) => Math.floor(sunLongitude(day - shift) / 30);
  let leapLeft = last - first === 13;
  let number = 11;
  return starts.slice(0, -2).map((start, i) => {
    const leap = leapLeft && i > 0 && sector(start) === sector(starts[i + 1]);
    if (leap) leapLeft = false;
    else if (i > 0) number = (number % 12) + 1;
    return { start, number, leap };
  });
}

const CACHE = new Map<number, Month[]>();

function lunarDay(year: number, month: number, date: number, offsetHours: number): Day {
  const key = year * 100 + offsetHours;
  let months = CACHE.get(key);
  if (!months) CACHE.set(key, (months = monthsOf(year, offsetHours)));
  const found = months.find((m) => m.number === month && !m.leap);
  if (!found) throw new RangeError(`no lunar month ${month} in ${year}`);
  return found.start + date - 1;
}

/** The Gregorian day of a Chinese lunar date (never in a leap month) of the lunar year that begins in `year`. */
export const chineseDay = (year: number, month: number, date: number): Day => lunarDay(year, month, date, 8);
/** The same by the meridian of Korea, which is now and then a day later. */
export const koreanDay = (year: number, month: number, date: number): Day => lunarDay(year, month, date, 9);
