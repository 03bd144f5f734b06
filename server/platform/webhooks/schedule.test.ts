import { describe, expect, test } from "bun:test";
import { HEALTHY, type ReceiverHealth } from "../../lib/delivery-policy.ts";
import { seededRandom } from "../../lib/random.ts";
import { HOUR_MS } from "../../lib/time.ts";
import { decide, type Result } from "./schedule.ts";

const steady = { ...seededRandom(1), unit: () => 0 };
const result = (rest: Partial<Result>): Result => ({
  inInbox: false,
  answerBody: null,
  atMs: 1_000_000,
  durationMs: 1,
  status: null,
  error: null,
  retryAfterMs: null,
  wish: null,
  ...rest,
});

describe("an answer", () => {
  test("of any 2xx delivers and makes the endpoint well again", () => {
    const ill: ReceiverHealth = { failingSinceMs: 1, failures: 7, throttledUntilMs: 2 };
    for (const status of [200, 201, 202, 204, 299]) {
      expect(decide(result({ status }), 3, ill, steady)).toEqual({
        outcome: "delivered",
        nextAtMs: null,
        health: HEALTHY,
        disable: null,
      });
    }
  });

  test("of 3xx is a failure like any other", () => {
    for (const status of [301, 302, 304, 307, 400, 404, 500, 503, null]) {
      expect(decide(result({ status }), 1, HEALTHY, steady)).toMatchObject({
        outcome: "retrying",
        nextAtMs: 1_005_000,
        disable: null,
      });
    }
  });

  test("of 410, or the wish to be disabled, disables at once", () => {
    expect(decide(result({ status: 410 }), 1, HEALTHY, steady)).toMatchObject({
      outcome: "failed",
      nextAtMs: null,
      disable: "The endpoint answered 410 Gone.",
    });
    expect(decide(result({ status: 200, wish: "disable" }), 1, HEALTHY, steady).disable).toBe(
      "The endpoint asked to be disabled.",
    );
  });

  test("with abort-message ends this event's attempts, not the endpoint", () => {
    const next = decide(result({ status: 422, wish: "abort-message" }), 1, HEALTHY, steady);
    expect(next).toMatchObject({ outcome: "failed", nextAtMs: null, disable: null });
  });

  test("of 429, 502 or 504 throttles the endpoint; Retry-After says how long", () => {
    for (const status of [429, 502, 504]) {
      expect(decide(result({ status }), 1, HEALTHY, steady).health.throttledUntilMs).toBe(1_002_000);
      const asked = decide(result({ status, retryAfterMs: 60_000 }), 1, HEALTHY, steady);
      expect([asked.health.throttledUntilMs, asked.nextAtMs]).toEqual([1_060_000, 1_060_000]);
    }
    expect(decide(result({ status: 503, retryAfterMs: 60_000 }), 1, HEALTHY, steady)).toMatchObject({
      nextAtMs: 1_060_000,
      health: { throttledUntilMs: null },
    });
  });

  test("Retry-After never shortens the schedule and never exceeds a day", () => {
    expect(decide(result({ status: 503, retryAfterMs: 1000 }), 2, HEALTHY, steady).nextAtMs).toBe(1_000_000 + 300_000);
    expect(decide(result({ status: 503, retryAfterMs: 1e12 }), 2, HEALTHY, steady).nextAtMs).toBe(
      1_000_000 + 24 * HOUR_MS,
    );
  });

  test("of failure after five days without one success disables", () => {
    const ill: ReceiverHealth = { failingSinceMs: 0, failures: 9, throttledUntilMs: null };
    expect(decide(result({ atMs: 120 * HOUR_MS - 1, status: 500 }), 1, ill, steady).disable).toBeNull();
    expect(decide(result({ atMs: 120 * HOUR_MS, status: 500 }), 1, ill, steady).disable).toBe("It failed for 5 days.");
  });
});
