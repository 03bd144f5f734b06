// Whatever arrives, readers of headers and streams neither throw nor depend on how it was cut into pieces.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { readQuota } from "../src/quota.ts";
import { readRetryAfter } from "../src/retry.ts";
import { SseParser } from "../src/sse.ts";

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const settings = { seed, numRuns: 500 };
console.log(`seed ${seed}`);

const header = fc.oneof(
  fc.stringMatching(/^[\x20-\x7e]{0,40}$/),
  fc
    .tuple(fc.constantFrom('"free"', "free", '"a\\"'), fc.integer(), fc.integer())
    .map(([name, r, t]) => `${name};r=${r};t=${t}`),
);

test("quota headers give whole, non-negative numbers or nothing", () => {
  fc.assert(
    fc.property(header, header, header, (left, policy, remaining) => {
      const seen = readQuota(
        new Headers({ RateLimit: left, "RateLimit-Policy": policy, "X-RateLimit-Remaining": remaining }),
        0,
      );
      if (seen) expect(Number.isInteger(seen.remaining) && seen.remaining >= 0 && seen.resetAt >= 0).toBe(true);
    }),
    settings,
  );
});

test("Retry-After gives a wait or nothing", () => {
  fc.assert(
    fc.property(header, header, (seconds, ms) => {
      const wait = readRetryAfter(new Headers({ "Retry-After": seconds, "Retry-After-Ms": ms }), 0);
      expect(wait === null || wait >= 0).toBe(true);
    }),
    settings,
  );
});

test("an event stream reads the same however it is cut", () => {
  const text = fc
    .array(fc.constantFrom("data", "id", "event", "retry", ":", " ", "\n", "\r", "\r\n", "x", "7", "\ufeff", "é"), {
      maxLength: 60,
    })
    .map((p) => p.join(""));
  fc.assert(
    fc.property(text, fc.array(fc.nat(60), { maxLength: 8 }), (stream, cuts) => {
      const at = [0, ...cuts.filter((c) => c < stream.length).sort((a, b) => a - b), stream.length];
      const whole = new SseParser();
      const pieces = new SseParser();
      const expected = whole.push(stream);
      const seen = at.slice(1).flatMap((end, i) => pieces.push(stream.slice(at[i], end)));
      expect(seen).toEqual(expected);
      expect(pieces.retryMs).toBe(whole.retryMs);
    }),
    settings,
  );
});
