import { expect, test } from "bun:test";
import fc from "fast-check";
import { Ring } from "./ring.ts";

const windowMs = 60_000;

/** The most admissions that any half-open interval of the window holds. */
function fullest(times: number[]): number {
  let most = 0;
  for (let from = 0, to = 0; to < times.length; to++) {
    while (times[to] - times[from] >= windowMs) from++;
    most = Math.max(most, to - from + 1);
  }
  return most;
}

test("no 60-second interval ever holds more than the limit, whatever the arrivals", () => {
  const arrivals = fc.array(
    fc.oneof(fc.constant(0), fc.double({ min: 0, max: 500, noNaN: true }), fc.constantFrom(59_999, 60_000, 60_001)),
    { maxLength: 2_000 },
  );
  fc.assert(
    fc.property(arrivals, fc.integer({ min: 1, max: 120 }), (gaps, limit) => {
      const ring = new Ring(windowMs);
      const admitted: number[] = [];
      let now = 0;
      for (const gap of gaps) {
        now += gap;
        if (ring.admit(now, limit).admitted) admitted.push(now);
      }
      expect(fullest(admitted)).toBeLessThanOrEqual(limit);
    }),
    { numRuns: 300 },
  );
});

test("a client that follows the headers is never refused, and gets the whole limit", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 50, maxLength: 400 }),
      (limit, pauses) => {
        const ring = new Ring(windowMs);
        let now = 0;
        let wait = 0;
        for (const pause of pauses) {
          now += Math.max(pause, wait);
          const verdict = ring.admit(now, limit);
          expect(verdict.admitted).toBe(true);
          wait = verdict.remaining > 0 ? 0 : Math.ceil(verdict.resetMs / 1000) * 1000;
        }
      },
    ),
  );
});

test("a refused request spends nothing: the first slot frees when the oldest leaves", () => {
  const ring = new Ring(windowMs);
  for (let i = 0; i < 3; i++) expect(ring.admit(i * 10, 3).admitted).toBe(true);
  for (let i = 0; i < 100; i++) expect(ring.admit(1_000 + i, 3)).toMatchObject({ admitted: false, remaining: 0 });
  expect(ring.admit(59_999, 3).admitted).toBe(false);
  expect(ring.admit(60_000, 3).admitted).toBe(true);
  expect(ring.admit(60_009, 3).admitted).toBe(false);
  expect(ring.admit(60_010, 3).admitted).toBe(true);
});

test("a smaller plan takes effect at once, a larger one too", () => {
  const ring = new Ring(windowMs);
  for (let i = 0; i < 100; i++) ring.admit(i, 100);
  expect(ring.admit(100, 100).admitted).toBe(false);
  expect(ring.admit(100, 500)).toMatchObject({ admitted: true, remaining: 399 });
  expect(ring.admit(101, 50).admitted).toBe(false);
});
