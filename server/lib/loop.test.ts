import { describe, expect, test } from "bun:test";
import { ManualClock } from "./clock.ts";
import { createLoop } from "./loop.ts";

/** A run that ends when the test says so. */
function gated() {
  const ends: Array<() => void> = [];
  const signals: AbortSignal[] = [];
  const run = (signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<void>((end) => ends.push(end));
  };
  return { run, ends, signals };
}

const turn = () => new Promise((go) => setImmediate(go));
const never = (error: unknown) => {
  throw error;
};

describe("a loop", () => {
  test("runs at its start, then at every period, and not after its end", async () => {
    const clock = new ManualClock();
    let runs = 0;
    const loop = createLoop({ clock, everyMs: 1000, run: () => void (runs += 1), onError: never });
    loop.start();
    await clock.advance(3000);
    expect(runs).toBe(4);
    await loop.stop();
    await clock.advance(3000);
    loop.wake();
    await turn();
    expect(runs).toBe(4);
  });

  test("is never in two runs, and runs once more however often it was woken meanwhile", async () => {
    const { run, ends } = gated();
    const loop = createLoop({ clock: new ManualClock(), everyMs: null, run, onError: never });
    loop.wake();
    loop.wake();
    loop.wake();
    expect(ends.length).toBe(1);
    ends[0]();
    await turn();
    expect(ends.length).toBe(2);
    ends[1]();
    await turn();
    expect(ends.length).toBe(2);
  });

  test("settles only after a run that began after the call", async () => {
    const { run, ends } = gated();
    const loop = createLoop({ clock: new ManualClock(), everyMs: null, run, onError: never });
    loop.wake();
    let settled = false;
    const settling = loop.settle().then(() => (settled = true));
    ends[0]();
    await turn();
    expect(settled).toBe(false);
    ends[1]();
    await settling;
    expect(settled).toBe(true);
  });

  test("reports a failed run and goes on", async () => {
    const errors: string[] = [];
    let runs = 0;
    const loop = createLoop({
      clock: new ManualClock(),
      everyMs: null,
      run: () => {
        runs += 1;
        if (runs === 1) throw new Error("first");
      },
      onError: (error) => void errors.push(String(error)),
    });
    await loop.settle();
    await loop.settle();
    expect(errors).toEqual(["Error: first"]);
    expect(runs).toBe(2);
  });

  test("stops by aborting the run under way and waiting for it; starts again afterwards", async () => {
    const { run, ends, signals } = gated();
    const loop = createLoop({ clock: new ManualClock(), everyMs: null, run, onError: never });
    loop.start();
    let stopped = false;
    const stopping = loop.stop().then(() => (stopped = true));
    await turn();
    expect([signals[0].aborted, stopped]).toEqual([true, false]);
    ends[0]();
    await stopping;
    loop.start();
    expect(ends.length).toBe(2);
    expect(signals[1].aborted).toBe(false);
    ends[1]();
    await loop.stop();
  });
});
