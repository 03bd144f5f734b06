// A tracker's life: doubts, thresholds, stock, failures.
import { describe, expect, test } from "bun:test";
import { type AlertRules, type Reading, type TrackerState, newTracker, step } from "./machine.ts";

const rules = (more: Partial<AlertRules> = {}): AlertRules => ({
  on: ["price_drop", "back_in_stock"],
  targetPrice: null,
  dropPercent: null,
  minPrice: null,
  maxPrice: null,
  thresholdBase: "last_alert",
  ...more,
});
const ok = (amount: string, availability = "in_stock", currency = "EUR"): Reading => ({
  kind: "ok",
  amount,
  listAmount: null,
  currency,
  availability,
  sure: true,
});

function live(readings: Reading[], r: AlertRules = rules()) {
  let state: TrackerState = newTracker;
  const told = readings.map((reading, i) => {
    const next = step(state, reading, r, i * 1000);
    state = next.state;
    return next.happened;
  });
  return { state, told };
}
const types = (told: { type: string }[][]) => told.map((t) => t.map((h) => h.type).join());

describe("price", () => {
  test("the first reading is a beginning, not a change", () => {
    const { state, told } = live([ok("10")]);
    expect(types(told)).toEqual([""]);
    expect(state).toMatchObject({ status: "ok", amount: "10", first: "10", lowest: "10", highest: "10" });
  });
  test("one event for one change, equal amounts are equal however written", () => {
    expect(types(live([ok("2879.2"), ok("2879.20"), ok("2800"), ok("2800")]).told)).toEqual([
      "",
      "",
      "price_changed",
      "",
    ]);
  });
  test("a fall of more than 60 % is believed at the second equal reading", () => {
    const { state, told } = live([ok("100"), ok("30"), ok("30")]);
    expect(types(told)).toEqual(["", "", "price_changed"]);
    expect(state.amount).toBe("30");
    expect(types(live([ok("100"), ok("30"), ok("99")]).told)).toEqual(["", "", "price_changed"]);
    expect(live([ok("100"), ok("30"), ok("99")]).state.previous).toBe("100");
    expect(types(live([ok("100"), ok("30"), { kind: "unchanged" }]).told)[2]).toBe("price_changed");
  });
  test("a change of currency is doubted once and starts new extremes", () => {
    const { state } = live([ok("100"), ok("110", "in_stock", "USD"), ok("110", "in_stock", "USD")]);
    expect(state).toMatchObject({ amount: "110", currency: "USD", lowest: "110" });
  });
  test("thresholds look at the last alert, so a slow creep is told", () => {
    const { told } = live(
      ["100", "97", "95.5", "94"].map((a) => ok(a)),
      rules({ dropPercent: 5 }),
    );
    expect(told.map((t) => t.flatMap((h) => ("triggers" in h ? h.triggers : [])).join())).toEqual([
      "",
      "",
      "",
      "price_drop",
    ]);
    const previous = live(
      ["100", "97", "95.5", "94"].map((a) => ok(a)),
      rules({ dropPercent: 5, thresholdBase: "previous" }),
    );
    expect(previous.told.flat().flatMap((h) => ("triggers" in h ? h.triggers : []))).toEqual([]);
  });
  test("new lows and highs, rises, bounds", () => {
    const on = ["price_rise", "new_low", "new_high"];
    const { told } = live(
      ["100", "90", "95", "110"].map((a) => ok(a)),
      rules({ on }),
    );
    expect(told.map((t) => t.flatMap((h) => ("triggers" in h ? h.triggers : [])).join())).toEqual([
      "",
      "new_low",
      "price_rise",
      "price_rise,new_high",
    ]);
    const bounded = live(
      ["950", "1000", "890", "1890"].map((a) => ok(a)),
      rules({ on: ["price_drop", "price_rise"], minPrice: "900", maxPrice: "1100", thresholdBase: "previous" }),
    );
    expect(bounded.told.map((t) => t.some((h) => "triggers" in h && h.triggers.length > 0))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
  test("the target is told when it is reached, once", () => {
    expect(
      types(
        live(
          ["12", "10", "9.99", "11", "10"].map((a) => ok(a)),
          rules({ targetPrice: "10" }),
        ).told,
      ),
    ).toEqual(["", "price_changed,target_reached", "price_changed", "price_changed", "price_changed,target_reached"]);
  });
});

describe("stock", () => {
  test("out and back, each told once; unknown says nothing", () => {
    const { state, told } = live([ok("10"), ok("10", "out_of_stock"), ok("10", "unknown"), ok("10", "in_stock")]);
    expect(types(told)).toEqual(["", "availability_changed", "", "availability_changed"]);
    expect(told[3]![0]).toMatchObject({ triggers: ["back_in_stock"] });
    expect(state.availability).toBe("in_stock");
  });
});

describe("failures", () => {
  const no = (failure: any): Reading => ({ kind: "failed", failure });
  test("a failed read keeps the price and marks it stale; the third in a row is told once", () => {
    const { state, told } = live([ok("10"), no("error"), no("error"), no("error"), no("error")]);
    expect(state).toMatchObject({ status: "stale", amount: "10", failures: 4 });
    expect(types(told)).toEqual(["", "", "", "unreadable", ""]);
    expect(live([ok("10"), no("error"), ok("10")]).state).toMatchObject({ status: "ok", failures: 0 });
  });
  test("three times gone is gone", () => {
    expect(types(live([ok("10"), no("gone"), no("gone"), no("gone")]).told)).toEqual(["", "", "", "gone"]);
    expect(live([ok("10"), no("gone")]).state.status).toBe("stale");
    expect(live([ok("10"), no("gone"), no("gone"), no("gone")]).state).toMatchObject({ status: "gone", amount: "10" });
  });
  test("a page that never had a price says why", () => expect(live([no("no_price")]).state.status).toBe("no_price"));
});
