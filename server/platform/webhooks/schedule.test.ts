import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { seededRandom } from "../../lib/random.ts";
import { decide, DELAYS_MS, delayBefore, type Health, MAX_ATTEMPTS, type Result } from "./schedule.ts";

const hour = 3_600_000;
const steady = { ...seededRandom(1), unit: () => 0 };
const well: Health = { failingSince: null, failures: 0, throttledUntil: null };
const result = (rest: Partial<Result>): Result => ({
  at: 1_000_000,
  durationMs: 1,
  status: null,
  error: null,
  retryAfterMs: null,
  wish: null,
  ...rest,
});

describe("the schedule", () => {
  test("is 0 s, 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h: 75 h 35 m 5 s in all", () => {
    expect(DELAYS_MS.map((ms) => ms / 1000)).toEqual([0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
    expect(DELAYS_MS.reduce((a, b) => a + b, 0)).toBe(75 * hour + 35 * 60_000 + 5000);
  });

  test("jitter only ever adds, at most a tenth", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: MAX_ATTEMPTS }), fc.integer(), (attempt, seed) => {
        const wait = delayBefore(attempt, seededRandom(seed));
        expect(wait).toBeGreaterThanOrEqual(DELAYS_MS[attempt - 1]);
        expect(wait).toBeLessThanOrEqual(DELAYS_MS[attempt - 1] * 1.1);
      }),
    );
  });

  test("walks all ten attempts and then gives up", () => {
    let at = 0;
    let health = well;
    const times: number[] = [];
    for (let attempt = 1; ; attempt++) {
      times.push(at);
      const next = decide(result({ at, status: 500 }), attempt, health, steady);
      health = next.health;
      if (next.nextAt === null) {
        expect([next.outcome, next.disable]).toEqual(["failed", null]);
        break;
      }
      expect(next.outcome).toBe("retrying");
      at = next.nextAt;
    }
    expect(times.length).toBe(10);
    expect(times.at(-1)).toBe(75 * hour + 35 * 60_000 + 5000);
    expect(health).toEqual({ failingSince: 0, failures: 10, throttledUntil: null });
  });
});

describe("an answer", () => {
  test("of any 2xx delivers and makes the endpoint well again", () => {
    const ill: Health = { failingSince: 1, failures: 7, throttledUntil: 2 };
    for (const status of [200, 201, 202, 204, 299]) {
      expect(decide(result({ status }), 3, ill, steady)).toEqual({
        outcome: "delivered",
        nextAt: null,
        health: well,
        disable: null,
      });
    }
  });

  test("of 3xx is a failure like any other", () => {
    for (const status of [301, 302, 304, 307, 400, 404, 500, 503, null]) {
      expect(decide(result({ status }), 1, well, steady)).toMatchObject({
        outcome: "retrying",
        nextAt: 1_005_000,
        disable: null,
      });
    }
  });

  test("of 410, or the wish to be disabled, disables at once", () => {
    expect(decide(result({ status: 410 }), 1, well, steady)).toMatchObject({
      outcome: "failed",
      nextAt: null,
      disable: "The endpoint answered 410 Gone.",
    });
    expect(decide(result({ status: 200, wish: "disable" }), 1, well, steady).disable).toBe(
      "The endpoint asked to be disabled.",
    );
  });

  test("with abort-message ends this event's attempts, not the endpoint", () => {
    const next = decide(result({ status: 422, wish: "abort-message" }), 1, well, steady);
    expect(next).toMatchObject({ outcome: "failed", nextAt: null, disable: null });
  });

  test("of 429, 502 or 504 throttles the endpoint; Retry-After says how long", () => {
    for (const status of [429, 502, 504]) {
      expect(decide(result({ status }), 1, well, steady).health.throttledUntil).toBe(1_002_000);
      const asked = decide(result({ status, retryAfterMs: 60_000 }), 1, well, steady);
      expect([asked.health.throttledUntil, asked.nextAt]).toEqual([1_060_000, 1_060_000]);
    }
    expect(decide(result({ status: 503, retryAfterMs: 60_000 }), 1, well, steady)).toMatchObject({
      nextAt: 1_060_000,
      health: { throttledUntil: null },
    });
  });

  test("Retry-After never shortens the schedule and never exceeds a day", () => {
    expect(decide(result({ status: 503, retryAfterMs: 1000 }), 2, well, steady).nextAt).toBe(1_000_000 + 300_000);
    expect(decide(result({ status: 503, retryAfterMs: 1e12 }), 2, well, steady).nextAt).toBe(1_000_000 + 24 * hour);
  });

  test("of failure after five days without one success disables", () => {
    const ill: Health = { failingSince: 0, failures: 9, throttledUntil: null };
    expect(decide(result({ at: 120 * hour - 1, status: 500 }), 1, ill, steady).disable).toBeNull();
    expect(decide(result({ at: 120 * hour, status: 500 }), 1, ill, steady).disable).toBe(
      "The endpoint failed for 5 days.",
    );
  });
});
