// Manners towards one host, all on an owned clock.
import { describe, expect, test } from "bun:test";
import { ManualClock } from "../clock.ts";
import { seededRandom } from "../random.ts";
import type { GuardError } from "./errors.ts";
import { createPacer, retryAfterMs } from "./pace.ts";

const PACE = { concurrency: 2, gapMs: 1000, queueMs: 60_000 };
const setup = () => {
  const clock = new ManualClock();
  return { clock, pacer: createPacer(clock, seededRandom(1)) };
};
const refusalOf = (p: Promise<unknown>) =>
  p.then(
    () => null,
    (e: GuardError) => ({ code: e.code, ms: e.retryAfterMs }),
  );
const settle = async () => {
  for (let i = 0; i < 10; i++) await Promise.resolve();
};

describe("turns", () => {
  test("start a gap apart and never more than the concurrency at once", async () => {
    const { clock, pacer } = setup();
    const starts: number[] = [];
    const releases: Array<() => void> = [];
    for (let i = 0; i < 4; i++)
      void pacer.turn("a", PACE).then((release) => {
        starts.push(clock.monotonic());
        releases.push(release);
      });
    await settle();
    expect(starts).toEqual([0]);
    for (let second = 1; second <= 5; second++) {
      await clock.advance(1000);
      await settle();
    }
    expect(starts).toEqual([0, 1000]);
    releases[0]();
    await settle();
    expect(starts).toEqual([0, 1000, 5000]);
    releases[1]();
    await clock.advance(1000);
    await settle();
    expect(starts).toEqual([0, 1000, 5000, 6000]);
  });

  test("of one host do not hold up another", async () => {
    const { pacer } = setup();
    await pacer.turn("a", PACE);
    await pacer.turn("b", PACE);
  });

  test("are given up when the wait is too long or the caller leaves", async () => {
    const { clock, pacer } = setup();
    const one = { ...PACE, concurrency: 1 };
    const release = await pacer.turn("a", one);
    const late = refusalOf(pacer.turn("a", one));
    const abort = new AbortController();
    const gone = refusalOf(pacer.turn("a", one, abort.signal));
    abort.abort();
    expect((await gone)?.code).toBe("aborted");
    await clock.advance(60_000);
    expect((await late)?.code).toBe("host_busy");
    release();
    release();
    await pacer.turn("a", one);
  });
});

describe("rests", () => {
  test("429 and 503: as long as asked, then open again", async () => {
    const { clock, pacer } = setup();
    pacer.backOff("a", 30_000);
    expect(await refusalOf(pacer.turn("a", PACE))).toEqual({ code: "backing_off", ms: 30_000 });
    await clock.advance(30_000);
    (await pacer.turn("a", PACE))();
  });

  test("without Retry-After they grow and are capped", async () => {
    const { clock, pacer } = setup();
    const waits: number[] = [];
    for (let i = 0; i < 9; i++) {
      pacer.backOff("a", null);
      const ms = (await refusalOf(pacer.turn("a", PACE)))!.ms!;
      waits.push(ms);
      await clock.advance(ms);
    }
    waits.forEach((ms, i) => {
      const full = Math.min(30_000 * 2 ** i, 900_000);
      expect(ms).toBeWithin(full * 0.75, full * 1.25 + 1);
    });
  });

  test("five failures open the circuit, one request probes it, a success closes it", async () => {
    const { clock, pacer } = setup();
    const quick = { ...PACE, gapMs: 0 };
    for (let i = 0; i < 5; i++) {
      const done = await pacer.turn("a", quick);
      pacer.failed("a");
      done();
    }
    const refusal = await refusalOf(pacer.turn("a", quick));
    expect(refusal?.code).toBe("circuit_open");
    await clock.advance(refusal!.ms!);
    const probe = await pacer.turn("a", quick);
    expect((await refusalOf(pacer.turn("a", quick)))?.code).toBe("circuit_open");
    pacer.succeeded("a");
    probe();
    (await pacer.turn("a", quick))();
    (await pacer.turn("a", quick))();
  });
});

describe("Retry-After", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  const cases: [string | null, number | null][] = [
    ["120", 120_000],
    [" 5 ", 5000],
    ["0", 0],
    ["Thu, 01 Jan 2026 00:01:00 GMT", 60_000],
    ["Wed, 31 Dec 2025 00:01:00 GMT", 0],
    ["-5", null],
    ["1.5", null],
    ["soon", null],
    ["", null],
    [null, null],
  ];
  for (const [value, ms] of cases) test(`${JSON.stringify(value)}`, () => expect(retryAfterMs(value, now)).toBe(ms));
});
