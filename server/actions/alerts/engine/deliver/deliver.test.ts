import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { freshCondition, stepCondition, type Condition } from "./condition.ts";
import { canonicalUrl, dedupeKeys } from "./dedupe.ts";
import { nextDigest, quietUntil, readDays, type Digest } from "./hours.ts";
import { freshPace, onDue, onMatch, type Rules } from "./rules.ts";
import { instantOf, showTime } from "./zone.ts";

const at = (text: string) => Date.parse(text);
const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString().replace(".000Z", "Z"));
const plain: Rules = {
  mode: "instant",
  cooldownMs: 0,
  cooldownMode: "batch",
  maxPerHour: 1000,
  digest: null,
  quiet: [],
};
const berlin = "Europe/Berlin";

describe("digests", () => {
  const daily: Digest = { every: "day", at: "08:00", timezone: berlin, weekday: 1, maxItems: 50, sendEmpty: false };

  test.each([
    ["2026-03-28T12:00:00Z", "2026-03-29T06:00:00Z"],
    ["2026-03-29T06:00:00Z", "2026-03-30T06:00:00Z"],
    ["2026-10-24T12:00:00Z", "2026-10-25T07:00:00Z"],
    ["2026-10-24T05:59:59Z", "2026-10-24T06:00:00Z"],
  ])("daily at 08:00 in Berlin after %s", (now, due) => expect(iso(nextDigest(daily, at(now)))).toBe(due));

  test("a time the clocks jump over or show twice comes once", () => {
    const night = { ...daily, at: "02:30" };
    expect(iso(nextDigest(night, at("2026-03-29T00:00:00Z")))).toBe("2026-03-29T01:30:00Z");
    expect(iso(nextDigest(night, at("2026-10-25T00:00:00Z")))).toBe("2026-10-25T00:30:00Z");
    expect(iso(nextDigest(night, at("2026-10-25T00:30:00Z")))).toBe("2026-10-26T01:30:00Z");
  });

  test("weekly on its day, hourly on its minute", () => {
    expect(iso(nextDigest({ ...daily, every: "week" }, at("2026-11-15T12:00:00Z")))).toBe("2026-11-16T07:00:00Z");
    expect(iso(nextDigest({ ...daily, every: "hour", at: "00:15" }, at("2026-11-15T12:15:00Z")))).toBe(
      "2026-11-15T13:15:00Z",
    );
  });

  test("every day of two years has exactly one, at that hour of the wall", () => {
    for (const timezone of [berlin, "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"]) {
      let now = at("2026-01-01T00:00:00Z");
      for (let day = 0; day < 730; day++) {
        const due = nextDigest({ ...daily, timezone }, now);
        expect(due - now).toBeLessThanOrEqual(25 * 3_600_000);
        expect(showTime(timezone, due)).toEndWith("08:00");
        now = due;
      }
    }
  });
});

describe("quiet hours", () => {
  const nights = [{ days: [1, 2, 3, 4, 5], from: "22:00", to: "07:00", timezone: berlin }];

  test.each([
    ["2026-11-16T20:59:59Z", null],
    ["2026-11-16T21:00:00Z", "2026-11-17T06:00:00Z"],
    ["2026-11-17T05:59:59Z", "2026-11-17T06:00:00Z"],
    ["2026-11-14T23:00:00Z", null],
    ["2026-11-13T23:00:00Z", "2026-11-14T06:00:00Z"],
  ])("%s", (now, until) => expect(iso(quietUntil(nights, at(now)))).toBe(until));

  test("the night of the clock change is an hour longer or shorter", () => {
    const every = [{ ...nights[0], days: [] }];
    expect(quietUntil(every, at("2026-10-24T20:00:00Z"))! - at("2026-10-24T20:00:00Z")).toBe(10 * 3_600_000);
    expect(quietUntil(every, at("2026-03-28T21:00:00Z"))! - at("2026-03-28T21:00:00Z")).toBe(8 * 3_600_000);
  });

  test("windows that touch are one quiet time", () => {
    const two = [
      { days: [], from: "20:00", to: "22:00", timezone: "UTC" },
      { days: [], from: "22:00", to: "23:00", timezone: "UTC" },
    ];
    expect(iso(quietUntil(two, at("2026-11-15T20:30:00Z")))).toBe("2026-11-15T23:00:00Z");
  });

  test("days are read as people write them", () => {
    expect([
      readDays(["mon-fri"]),
      readDays(["Saturday", "sun"]),
      readDays(["fri-mon"]),
      readDays(["someday"]),
    ]).toEqual([[1, 2, 3, 4, 5], [0, 6], [0, 1, 5, 6], null]);
  });
});

describe("rules", () => {
  test("a cooldown holds what follows for one message", () => {
    const rules = { ...plain, cooldownMs: 900_000 };
    const first = onMatch(rules, freshPace(), "", 0);
    expect(first.action).toBe("send");
    expect(onMatch(rules, first.pace, "", 1)).toMatchObject({ action: "hold", reason: "cooldown", dueAt: 900_000 });
    expect(onMatch(rules, first.pace, "other", 1).action).toBe("send");
    expect(onDue(rules, first.pace, "", 900_000).action).toBe("send");
  });

  test("a cooldown that drops counts, and the next message tells", () => {
    const rules: Rules = { ...plain, cooldownMs: 1000, cooldownMode: "drop" };
    let pace = onMatch(rules, freshPace(), "", 0).pace;
    for (let i = 1; i <= 3; i++) pace = onMatch(rules, pace, "", i).pace;
    expect(pace.suppressed.cooldown).toBe(3);
    expect(onMatch(rules, pace, "", 1000)).toMatchObject({ action: "send", pace: { suppressed: { cooldown: 0 } } });
  });

  test("no hour ever holds more messages than the cap, and nothing is lost", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 600_000 }), { maxLength: 200 }),
        fc.integer({ min: 1, max: 5 }),
        (gaps, maxPerHour) => {
          const rules = { ...plain, maxPerHour };
          let pace = freshPace();
          let due: number | null = null;
          let held = 0;
          let told = 0;
          const sent: number[] = [];
          const take = (decision: ReturnType<typeof onMatch>, now: number) => {
            pace = decision.pace;
            if (decision.action === "send") {
              sent.push(now);
              told += held;
              held = 0;
              due = null;
            } else if (decision.action === "hold") due = decision.dueAt;
          };
          let now = 0;
          for (const gap of gaps) {
            now += gap;
            while (due !== null && due <= now) take(onDue(rules, pace, "", due), due);
            held++;
            if (due === null) take(onMatch(rules, pace, "", now), now);
          }
          while (due !== null) take(onDue(rules, pace, "", due), due);
          expect(told).toBe(gaps.length);
          sent.forEach((t, i) => {
            if (i >= maxPerHour) expect(t - sent[i - maxPerHour]).toBeGreaterThanOrEqual(3_600_000);
          });
        },
      ),
      { numRuns: 300 },
    );
  });

  test("snoozed is told as a number; quiet waits", () => {
    expect(onMatch(plain, { ...freshPace(), snoozed: 10 }, "", 5)).toMatchObject({
      action: "suppress",
      reason: "snoozed",
    });
    expect(onMatch(plain, { ...freshPace(), snoozed: 10 }, "", 10).action).toBe("send");
    const quiet = { ...plain, quiet: [{ days: [], from: "22:00", to: "07:00", timezone: "UTC" }] };
    expect(onMatch(quiet, freshPace(), "", at("2026-11-15T23:00:00Z"))).toMatchObject({
      action: "hold",
      reason: "quiet",
      dueAt: at("2026-11-16T07:00:00Z"),
    });
  });
});

describe("conditions", () => {
  const below: Condition = { field: "price", op: "lt", value: "100", rearm: "on_clear", hysteresis: 0.02 };
  const run = (condition: Condition, values: (string | number)[]) => {
    let state = freshCondition();
    return values.map((v) => {
      const step = stepCondition(condition, state, v);
      state = step.state;
      return step.fires;
    });
  };

  test.each([
    [below, [101, 99, 99, 100, 99, 101.99, 99, 102, 99], [false, true, false, false, false, false, false, false, true]],
    [{ ...below, hysteresis: 0 }, [99, 100, 99], [true, false, true]],
    [{ ...below, rearm: "never" }, [99, 200, 99], [true, false, false]],
    [{ ...below, rearm: "always" }, [99, 98, 200, 97], [true, true, false, true]],
    [
      { ...below, op: "crosses_above", hysteresis: 0 },
      [101, 99, 101, 102, 99, 101],
      [false, false, true, false, false, true],
    ],
    [{ ...below, op: "changed", value: null }, ["1.0", "1.00", "2", "2", "1"], [false, false, true, false, true]],
    [{ ...below, op: "gt", value: "0.1", hysteresis: 0 }, ["0.1", "0.10000000000000000001"], [false, true]],
  ] as [Condition, (string | number)[], boolean[]][])("%#", (condition, values, fires) =>
    expect(run(condition, values)).toEqual(fires),
  );
});

describe("knowing an item again", () => {
  test("by id, by address, by words", () => {
    const item = { guid: "1", title: "T", text: "x", url: "https://WWW.e.org/a/?utm_source=z#top" };
    const same = (a: object, b: object) =>
      dedupeKeys(a, "auto", "s").some((k) => dedupeKeys(b, "auto", "s").includes(k));
    expect(same(item, { ...item, text: "edited" })).toBe(true);
    expect(same(item, { ...item, guid: "2", url: "https://e.org/a" })).toBe(true);
    expect(same(item, { ...item, guid: "2", title: "Other" })).toBe(false);
    expect(canonicalUrl(item.url)).toBe("e.org/a");
  });
});

test("an instant of the wall", () => {
  expect(iso(instantOf("America/New_York", 2026, 7, 1, 9, 30))).toBe("2026-07-01T13:30:00Z");
});
