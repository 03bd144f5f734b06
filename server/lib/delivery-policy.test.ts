import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { decideNext, DELAYS_MS, delayBefore, HEALTHY, MAX_ATTEMPTS, type SendResult } from "./delivery-policy.ts";
import { seededRandom } from "./random.ts";
import { HOUR_MS } from "./time.ts";

const steady = { ...seededRandom(1), unit: () => 0 };
const failure = (atMs: number): SendResult => ({ atMs, outcome: "failed", retryAfterMs: null, gone: null });

describe("the retry policy", () => {
  test("is 0 s, 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h: 75 h 35 m 5 s in all", () => {
    expect(DELAYS_MS.map((ms) => ms / 1000)).toEqual([0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
    expect(DELAYS_MS.reduce((a, b) => a + b, 0)).toBe(75 * HOUR_MS + 35 * 60_000 + 5000);
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
    let health = HEALTHY;
    const times: number[] = [];
    for (let attempt = 1; ; attempt++) {
      times.push(at);
      const next = decideNext(failure(at), attempt, health, steady);
      health = next.health;
      if (next.nextAtMs === null) {
        expect([next.outcome, next.disable]).toEqual(["failed", null]);
        break;
      }
      expect(next.outcome).toBe("retrying");
      at = next.nextAtMs;
    }
    expect(times.length).toBe(10);
    expect(times.at(-1)).toBe(75 * HOUR_MS + 35 * 60_000 + 5000);
    expect(health).toEqual({ failingSinceMs: 0, failures: 10, throttledUntilMs: null });
  });
});
