// A level fires once for each real crossing, whatever prices come.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { step, type LevelState, type LevelTerms } from "./machine.ts";

const text = (cents: number) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;

describe("price level", () => {
  test("never fires twice without coming back by the hysteresis, and never at all after done", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 900, max: 1100 }), { maxLength: 80 }),
        fc.boolean(),
        fc.boolean(),
        (prices, repeat, rising) => {
          const terms: LevelTerms = {
            above: rising ? "10.00" : null,
            below: rising ? null : "10.00",
            percent: null,
            hysteresis: "0.10",
            repeat,
          };
          let state: LevelState = "waiting";
          let near = false;
          let fired = 0;
          for (const cents of prices) {
            const far = rising ? cents >= 1000 : cents <= 1000;
            const back = rising ? cents <= 990 : cents >= 1010;
            const first = state === "waiting";
            const next = step(state, terms, { price: text(cents), changePercent: null });
            expect(next.fired).toBe(far && near && state !== "done");
            if (next.fired) fired++;
            near = back || (first && !far) ? true : next.fired ? false : near;
            state = next.state;
            if (!repeat && fired > 0) expect(state).toBe("done");
          }
          if (!repeat) expect(fired).toBeLessThanOrEqual(1);
        },
      ),
      { seed: 11, numRuns: 1000 },
    );
  });

  test("percent needs a known change and works both ways", () => {
    const terms: LevelTerms = { above: null, below: null, percent: "-5", hysteresis: null, repeat: false };
    expect(step("waiting", terms, { price: "1", changePercent: null })).toEqual({ state: "waiting", fired: false });
    expect(step("armed", terms, { price: "1", changePercent: "-4.99" })).toEqual({ state: "armed", fired: false });
    expect(step("armed", terms, { price: "1", changePercent: "-5.00" })).toEqual({ state: "done", fired: true });
    expect(step("waiting", { ...terms, percent: "2.5" }, { price: "1", changePercent: "3" })).toEqual({
      state: "beyond",
      fired: false,
    });
  });
});
