// How well promises were kept: on-time share, error, bias, and how often windows held. Pure.
import { MINUTE_MS } from "../../../lib/time.ts";

export interface KeptPromise {
  pickupMs: number;
  promisedMs: number;
  actualMs: number;
  windowFromMs: number;
  windowToMs: number;
}

/** This much after the promise still counts as on time. */
const GRACE_MS = 5 * MINUTE_MS;
const PROMISED_LEVEL = 0.8;
const LEVELS = [0.2, 0.4, 0.6, 0.8, 0.9];
/** Half widths of the normal distribution that hold these shares, relative to the one that holds 0.8. */
const NORMAL: Record<number, number> = { 0.2: 0.1977, 0.4: 0.4092, 0.6: 0.6567, 0.8: 1, 0.9: 1.2835 };

export function punctuality(promises: KeptPromise[]) {
  if (promises.length === 0)
    return {
      on_time: null,
      in_window: null,
      median_late_minutes: null,
      mean_absolute_error_minutes: null,
      bias: null,
      calibration: [],
    };
  const late = promises.map((p) => (p.actualMs - p.promisedMs) / MINUTE_MS).sort((a, b) => a - b);
  const share = (holds: (p: KeptPromise) => boolean) => round(promises.filter(holds).length / promises.length, 4);
  const sum = (of: (p: KeptPromise) => number) => promises.reduce((total, p) => total + of(p), 0);
  const actual = sum((p) => p.actualMs - p.pickupMs);
  return {
    on_time: share((p) => p.actualMs <= p.promisedMs + GRACE_MS),
    in_window: share((p) => isInside(p, PROMISED_LEVEL)),
    median_late_minutes: round(late[late.length >> 1], 1),
    mean_absolute_error_minutes: round(late.reduce((total, m) => total + Math.abs(m), 0) / late.length, 1),
    bias: actual > 0 ? round(sum((p) => p.promisedMs - p.pickupMs) / actual - 1, 4) : null,
    calibration: LEVELS.map((level) => ({ level, held: share((p) => isInside(p, level)) })),
  };
}

/** The promised window, made wider or narrower around its middle. */
function isInside(p: KeptPromise, level: number): boolean {
  const stretch = NORMAL[level];
  const from = p.promisedMs - (p.promisedMs - p.windowFromMs) * stretch;
  const to = p.promisedMs + (p.windowToMs - p.promisedMs) * stretch;
  return p.actualMs >= from - MINUTE_MS / 2 && p.actualMs <= to + MINUTE_MS / 2;
}

const round = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;
