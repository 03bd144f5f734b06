// The state machine of a tracker: doubts, thresholds, stock, failures.
import { describe, expect, test } from "bun:test";
import { seededRandom } from "../../lib/random.ts";
import { type AlertRules, type Reading, type TrackerEvent, type TrackerState, NEW_TRACKER, step } from "./machine.ts";

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
  let state: TrackerState = NEW_TRACKER;
  const told = readings.map((reading, i) => {
    const next = step(state, reading, r, i * 1000);
    state = next.state;
    return next.events;
  });
  return { state, told };
}
/** The types of the events of each step; the alert that sums them up is looked at by `triggers`. */
const types = (told: TrackerEvent[][]) =>
  told.map((events) =>
    events
      .map((e) => e.type)
      .filter((type) => type !== "alert")
      .join(),
  );
const triggers = (told: TrackerEvent[][]) =>
  told.map((events) => events.flatMap((e) => (e.type === "alert" ? e.triggers : [])).join());

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
  test("a slow creep is alerted when it has gone far enough", () => {
    const { told } = live(
      ["100", "97", "95.5", "94"].map((a) => ok(a)),
      rules({ dropPercent: 5 }),
    );
    expect(triggers(told)).toEqual(["", "", "", "price_drop"]);
    const previous = live(
      ["100", "97", "95.5", "94"].map((a) => ok(a)),
      rules({ dropPercent: 5, thresholdBase: "previous" }),
    );
    expect(triggers(previous.told)).toEqual(["", "", "", ""]);
  });
  test("new lows and highs, rises, bounds", () => {
    const on = ["price_rise", "new_low", "new_high"];
    const { told } = live(
      ["100", "90", "95", "110"].map((a) => ok(a)),
      rules({ on }),
    );
    expect(triggers(told)).toEqual(["", "new_low", "price_rise", "price_rise,new_high"]);
    const bounded = live(
      ["1200", "1000", "800", "950", "1300"].map((a) => ok(a)),
      rules({ on: ["price_drop", "price_rise"], minPrice: "900", maxPrice: "1100" }),
    );
    expect(triggers(bounded.told)).toEqual(["", "price_drop", "", "price_rise", ""]);
  });
  test("the target causes one event when it is reached", () => {
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
  test("out and back, one event each; unknown says nothing", () => {
    const { state, told } = live([ok("10"), ok("10", "out_of_stock"), ok("10", "unknown"), ok("10", "in_stock")]);
    expect(types(told)).toEqual(["", "availability_changed", "", "availability_changed"]);
    expect(told[3]![0]).toMatchObject({ triggers: ["back_in_stock"] });
    expect(state.availability).toBe("in_stock");
  });
});

describe("failures", () => {
  const no = (failure: any): Reading => ({ kind: "failed", failure });
  test("a failed read keeps the price and marks it stale; the third in a row causes one event", () => {
    const { state, told } = live([ok("10"), no("error"), no("error"), no("error"), no("error")]);
    expect(state).toMatchObject({ status: "stale", amount: "10", failures: 4 });
    expect(types(told)).toEqual(["", "", "", "check_failed", ""]);
    expect(live([ok("10"), no("error"), ok("10")]).state).toMatchObject({ status: "ok", failures: 0 });
  });
  test("three times gone is gone", () => {
    expect(types(live([ok("10"), no("gone"), no("gone"), no("gone")]).told)).toEqual(["", "", "", "page_gone"]);
    expect(live([ok("10"), no("gone")]).state.status).toBe("stale");
    expect(live([ok("10"), no("gone"), no("gone"), no("gone")]).state).toMatchObject({ status: "gone", amount: "10" });
  });
  test("a page that was never read is gone only after three answers of 404", () => {
    expect(live([no("gone")]).state).toMatchObject({ status: "error", failure: "gone" });
    expect(live([no("gone"), no("gone"), no("gone")]).state.status).toBe("gone");
  });
  test("a page that never had a price says why", () => expect(live([no("no_price")]).state.status).toBe("no_price"));
});

describe("falls", () => {
  const prices = (...amounts: string[]) => amounts.map((a) => ok(a));

  test("a fall after a rise is a new fall, at the same price too", () => {
    expect(triggers(live(prices("59", "49", "59", "49", "59", "49")).told)).toEqual([
      "",
      "price_drop",
      "",
      "price_drop",
      "",
      "price_drop",
    ]);
    expect(triggers(live(prices("39.90", "49.90", "39.90"), rules({ dropPercent: 10 })).told)[2]).toBe("price_drop");
  });

  test("a rise after a fall is a new rise", () => {
    const { told } = live(prices("50", "60", "50", "60"), rules({ on: ["price_rise"] }));
    expect(triggers(told)).toEqual(["", "price_rise", "", "price_rise"]);
  });

  test("a rise is never called a fall, whatever it is measured against", () => {
    const { told } = live(prices("100", "80", "85"), rules({ thresholdBase: "first", dropPercent: 10 }));
    expect(triggers(told)).toEqual(["", "price_drop", ""]);
  });

  test("a fall outside the bounds is alerted when it comes inside them", () => {
    expect(triggers(live(prices("100", "80", "60"), rules({ maxPrice: "70" })).told)).toEqual(["", "", "price_drop"]);
  });

  test("another currency is a new beginning for every threshold", () => {
    const dollars = (amount: string) => ok(amount, "in_stock", "USD");
    const { told } = live([ok("100"), dollars("50"), dollars("50"), dollars("45")], rules({ dropPercent: 5 }));
    expect(triggers(told)).toEqual(["", "", "", "price_drop"]);
  });

  test("all that one reading sets off is one alert", () => {
    const { told } = live(
      [ok("10", "out_of_stock"), ok("8", "in_stock")],
      rules({ on: ["price_drop", "new_low", "back_in_stock"], targetPrice: "9" }),
    );
    expect(told[1]!.filter((e) => e.type === "alert")).toEqual([
      {
        type: "alert",
        triggers: ["price_drop", "new_low", "back_in_stock", "target_price"],
        previous: "10",
        amount: "8",
        availability: "in_stock",
      },
    ]);
  });

  test("in 1,000 random walks every fall beyond the threshold is announced exactly once", () => {
    const random = seededRandom("price walks");
    for (let walk = 0; walk < 1_000; walk++) {
      const percent = walk % 4 === 0 ? null : 1 + Math.floor(random.unit() * 20);
      const cents = [2_000 + Math.floor(random.unit() * 90_000)];
      // Steps of at most 40 %, so that no reading is doubted.
      while (cents.length < 60) cents.push(Math.max(100, Math.round(cents.at(-1)! * (0.7 + random.unit() * 0.6))));
      const { told } = live(
        cents.map((c) => ok((c / 100).toFixed(2))),
        rules({ dropPercent: percent }),
      );
      const alerts = cents.map((_, i) => triggers(told)[i] === "price_drop");
      const fell = (from: number, to: number) =>
        cents[to]! < cents[from]! && (cents[from]! - cents[to]!) * 100 >= cents[from]! * (percent ?? 0);
      let last = 0;
      for (let i = 1; i < cents.length; i++) {
        // Whether the price lies far enough below any price since the last announced fall.
        const isNewFall = cents[i]! < cents[i - 1]! && cents.slice(last, i).some((_, j) => fell(last + j, i));
        expect([walk, i, alerts[i]]).toEqual([walk, i, isNewFall]);
        if (alerts[i]) last = i;
      }
    }
  });
});
