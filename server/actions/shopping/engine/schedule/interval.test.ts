// When to look again.
import { expect, test } from "bun:test";
import { DAY, HOUR, MINUTE, hostGap, hostPause, nextInterval, parseDuration, robotsAfter } from "./interval.ts";

const rhythm = { askedMs: 6 * HOUR, lastChangedMs: null, firstSeenMs: 0, failures: 0, retryAfterMs: null };

test("a page that just changed is looked at more, one that stands less, never beyond the bounds", () => {
  expect(nextInterval({ ...rhythm, lastChangedMs: 0 }, HOUR, 0.5)).toBe(3 * HOUR);
  expect(nextInterval(rhythm, DAY, 0.5)).toBe(6 * HOUR);
  expect(nextInterval(rhythm, 30 * DAY, 0.5)).toBe(12 * HOUR);
  expect(nextInterval({ ...rhythm, askedMs: 15 * MINUTE, lastChangedMs: 0 }, HOUR, 0.5)).toBe(15 * MINUTE);
  expect(nextInterval({ ...rhythm, askedMs: 7 * DAY }, 60 * DAY, 0.5)).toBe(7 * DAY);
});

test("jitter stays within 15 %", () => {
  expect(nextInterval(rhythm, DAY, 0)).toBe(Math.round(6 * HOUR * 0.85));
  expect(nextInterval(rhythm, DAY, 1)).toBe(Math.round(6 * HOUR * 1.15));
});

test("failures back off to a day, Retry-After is kept", () => {
  expect(nextInterval({ ...rhythm, failures: 1 }, 0, 0)).toBe(MINUTE);
  expect(nextInterval({ ...rhythm, failures: 20 }, 0, 1)).toBe(DAY + MINUTE);
  expect(nextInterval({ ...rhythm, failures: 1, retryAfterMs: 5 * HOUR }, 0, 0.5)).toBe(5 * HOUR);
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
  ]).toEqual([0, 5 * MINUTE, 6 * HOUR]);
});

test("robots.txt: 4xx is none, 5xx and silence forbid for thirty days", () => {
  expect(robotsAfter(200, "x", null, 0)).toEqual({ kind: "rules", text: "x" });
  expect(robotsAfter(404, "", null, 0)).toEqual({ kind: "none" });
  expect(robotsAfter(503, "", null, 5)).toEqual({ kind: "unreachable", sinceMs: 5 });
  expect(robotsAfter(null, "", 5, 31 * DAY)).toEqual({ kind: "none" });
});

test("durations", () =>
  expect(["15m", "6h", "7d", "90s", "6", "x"].map(parseDuration)).toEqual([
    15 * MINUTE,
    6 * HOUR,
    7 * DAY,
    90_000,
    null,
    null,
  ]));
