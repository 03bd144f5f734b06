// When to look again.
import { expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../lib/time.ts";
import { hostGap, hostPause, nextInterval, parseDuration, robotsAfter } from "./interval.ts";

const rhythm = { askedMs: 6 * HOUR_MS, lastChangedMs: null, firstSeenMs: 0, failures: 0, retryAfterMs: null };

test("a page that just changed is looked at more, one that stands less, never beyond the bounds", () => {
  expect(nextInterval({ ...rhythm, lastChangedMs: 0 }, HOUR_MS, 0.5)).toBe(3 * HOUR_MS);
  expect(nextInterval(rhythm, DAY_MS, 0.5)).toBe(6 * HOUR_MS);
  expect(nextInterval(rhythm, 30 * DAY_MS, 0.5)).toBe(12 * HOUR_MS);
  expect(nextInterval({ ...rhythm, askedMs: 15 * MINUTE_MS, lastChangedMs: 0 }, HOUR_MS, 0.5)).toBe(15 * MINUTE_MS);
  expect(nextInterval({ ...rhythm, askedMs: 7 * DAY_MS }, 60 * DAY_MS, 0.5)).toBe(7 * DAY_MS);
});

test("jitter stays within 15 %", () => {
  expect(nextInterval(rhythm, DAY_MS, 0)).toBe(Math.round(6 * HOUR_MS * 0.85));
  expect(nextInterval(rhythm, DAY_MS, 1)).toBe(Math.round(6 * HOUR_MS * 1.15));
});

test("failures back off to a day, Retry-After is kept", () => {
  expect(nextInterval({ ...rhythm, failures: 1 }, 0, 0)).toBe(MINUTE_MS);
  expect(nextInterval({ ...rhythm, failures: 20 }, 0, 1)).toBe(DAY_MS + MINUTE_MS);
  expect(nextInterval({ ...rhythm, failures: 1, retryAfterMs: 5 * HOUR_MS }, 0, 0.5)).toBe(5 * HOUR_MS);
});

test("a host's gap is at least two seconds, Crawl-delay up to a minute, and never shorter than asked", () => {
  const host = { crawlDelayS: null, failures: 0, retryAfterMs: null };
  expect(hostGap(host, 0)).toBe(2000);
  expect(hostGap({ ...host, crawlDelayS: 10 }, 0)).toBe(10_000);
  expect(hostGap({ ...host, crawlDelayS: 3600 }, 0)).toBe(60_000);
  expect(hostGap(host, 1)).toBeGreaterThan(2000);
  expect([
    hostPause({ ...host, failures: 4 }),
    hostPause({ ...host, failures: 5 }),
    hostPause({ ...host, failures: 50 }),
  ]).toEqual([0, 5 * MINUTE_MS, 6 * HOUR_MS]);
});

test("robots.txt: 4xx is none, 5xx and silence forbid for thirty days", () => {
  expect(robotsAfter(200, "x", null, 0)).toEqual({ kind: "rules", text: "x" });
  expect(robotsAfter(404, "", null, 0)).toEqual({ kind: "none" });
  expect(robotsAfter(503, "", null, 5)).toEqual({ kind: "unreachable", sinceMs: 5 });
  expect(robotsAfter(null, "", 5, 31 * DAY_MS)).toEqual({ kind: "none" });
});

test("durations", () =>
  expect(["15m", "6h", "7d", "90s", "6", "x"].map(parseDuration)).toEqual([
    15 * MINUTE_MS,
    6 * HOUR_MS,
    7 * DAY_MS,
    90_000,
    null,
    null,
  ]));
