// When to look again: adaptive intervals, jitter, backing off, gaps between visits to one host. Pure arithmetic on times.
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../../lib/time.ts";

export const INTERVAL_MIN_MS = 15 * MINUTE_MS;
export const INTERVAL_MAX_MS = 7 * DAY_MS;
/** Pages of the demo shop change every few seconds; for the first ten minutes they are checked as often. */
const DEMO_INTERVAL_MS = 10 * SECOND_MS;
const DEMO_CHECKS = 60;

/** How often a page of the demo shop is checked after so many checks. */
export const demoInterval = (checks: number, askedMs: number): number =>
  checks < DEMO_CHECKS ? DEMO_INTERVAL_MS : askedMs;

export interface PageRhythm {
  /** What the caller asked for; of several callers the shortest. */
  askedMs: number;
  lastChangedMs: number | null;
  firstSeenMs: number;
  /** Failed reads in a row. */
  failures: number;
  /** What the other side asked for in Retry-After. */
  retryAfterMs: number | null;
}

/** A page that just changed is checked twice as often, one that has not changed for long up to half as often; always within the bounds. */
export function nextInterval(rhythm: PageRhythm, nowMs: number, roll: number): number {
  if (rhythm.failures > 0) return backoff(rhythm, roll);
  const stillMs = nowMs - (rhythm.lastChangedMs ?? rhythm.firstSeenMs);
  const factor =
    rhythm.lastChangedMs !== null && stillMs < DAY_MS
      ? 0.5
      : stillMs > 21 * DAY_MS
        ? 2
        : stillMs > 7 * DAY_MS
          ? 1.5
          : 1;
  const base = clamp(rhythm.askedMs * factor, Math.min(INTERVAL_MIN_MS, rhythm.askedMs), INTERVAL_MAX_MS);
  return Math.round(base * jitter(roll));
}

/** ±15 %, so that pages that were added together drift apart. */
const jitter = (roll: number): number => 0.85 + 0.3 * roll;

/** From one minute, doubling, to a day, with full jitter; what the host asked for is kept in any case. */
function backoff(rhythm: PageRhythm, roll: number): number {
  const ceiling = Math.min(DAY_MS, MINUTE_MS * 2 ** Math.min(rhythm.failures, 12));
  return Math.round(Math.max(rhythm.retryAfterMs ?? 0, MINUTE_MS + ceiling * roll));
}

export interface HostRhythm {
  crawlDelayS: number | null;
  /** Failures in a row of any page of the host. */
  failures: number;
  retryAfterMs: number | null;
}

const GAP_MIN_MS = 2_000;
const GAP_MAX_MS = MINUTE_MS;

/** How long a host is left alone after a visit. */
export function hostGap(rhythm: HostRhythm, roll: number): number {
  const asked = rhythm.crawlDelayS === null ? 0 : Math.min(rhythm.crawlDelayS * 1000, GAP_MAX_MS);
  const gap = Math.max(GAP_MIN_MS, asked);
  // The asked gap is a minimum: jitter only ever lengthens it.
  return Math.round(gap * (1 + 0.15 * roll));
}

/** After five failures in a row all pages of a host wait: from 5 minutes, doubling, to 6 hours. */
export function hostPause(rhythm: HostRhythm): number {
  const circuit =
    rhythm.failures < 5 ? 0 : Math.min(6 * HOUR_MS, 5 * MINUTE_MS * 2 ** Math.min(rhythm.failures - 5, 8));
  return Math.max(circuit, rhythm.retryAfterMs ?? 0);
}

const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value));

/** `15m`, `6h`, `7d`, `90s` → milliseconds; null for anything else. */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,6})(s|m|h|d)$/.exec(text.trim());
  return match
    ? Number(match[1]) * { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS }[match[2] as "s" | "m" | "h" | "d"]
    : null;
}

/** The same the other way, in the largest unit that leaves no remainder. */
export function formatDuration(ms: number): string {
  const units = [
    [DAY_MS, "d"],
    [HOUR_MS, "h"],
    [MINUTE_MS, "m"],
  ] as const;
  const [unitMs, unit] = units.find(([each]) => ms % each === 0) ?? [SECOND_MS, "s"];
  return `${ms / unitMs}${unit}`;
}

export type RobotsState = { kind: "rules"; text: string } | { kind: "none" } | { kind: "unreachable"; sinceMs: number };

/** RFC 9309: kept for a day; unreachable means no entry, and after thirty days no file. */
export const ROBOTS_TTL_MS = DAY_MS;
const UNREACHABLE_MS = 30 * DAY_MS;

export function robotsAfter(status: number | null, body: string, sinceMs: number | null, nowMs: number): RobotsState {
  if (status !== null && status >= 200 && status < 300) return { kind: "rules", text: body };
  if (status !== null && status >= 400 && status < 500 && status !== 429) return { kind: "none" };
  const since = sinceMs ?? nowMs;
  return nowMs - since > UNREACHABLE_MS ? { kind: "none" } : { kind: "unreachable", sinceMs: since };
}
