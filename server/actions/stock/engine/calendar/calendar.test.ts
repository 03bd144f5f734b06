// The calendars: published days, edges of daylight saving, half days, one-off closures, overrides, and the moon.
import { describe, expect, test } from "bun:test";
import { easterSunday, orthodoxEaster, textOfDay } from "./days.ts";
import { readClosures } from "./closures.ts";
import { marketCalendar, openCalendars } from "./index.ts";
import { chineseDay, koreanDay } from "./moon.ts";

const at = (mic: string, time: string) => marketCalendar(mic)!.stateAt(Date.parse(time));
const state = (mic: string, time: string) => at(mic, time).state;
const iso = (t: number | null) => (t === null ? null : new Date(t).toISOString());

/** What the issue asks for at the least. */
const REQUIRED =
  "XNYS XNAS XLON XETR XPAR XAMS XBRU XLIS XMIL XMAD XSWX XSTO XCSE XHEL XOSL XDUB XWBO XWAR XTSE XASX XNZE XTKS XHKG XSHG XKRX XSES XBOM BVMF XJSE XMEX".split(
    " ",
  );

describe("claims", () => {
  test("every required market has a calendar", () => {
    expect(REQUIRED.filter((mic) => marketCalendar(mic) === null)).toEqual([]);
    expect(marketCalendar("ZZZZ")).toBeNull();
  });

  test("New York's days 2023–2028 as published", () => {
    const cal = marketCalendar("XNYS")!;
    const year = (y: number) => [
      cal
        .holidays(y)
        .map((h) => h.date.slice(5))
        .join(" "),
      cal
        .sessions(`${y}-01-01`, `${y}-12-31`)
        .filter((s) => s.unusual)
        .map((s) => s.date.slice(5))
        .join(" "),
    ];
    expect(year(2025)).toEqual([
      "01-01 01-09 01-20 02-17 04-18 05-26 06-19 07-04 09-01 11-27 12-25",
      "07-03 11-28 12-24",
    ]);
    expect(year(2027)).toEqual(["01-01 01-18 02-15 03-26 05-31 06-18 07-05 09-06 11-25 12-24", "11-26"]);
    expect(year(2028)).toEqual(["01-17 02-21 04-14 05-29 06-19 07-04 09-04 11-23 12-25", "07-03 11-24"]);
  });
});

describe("one-off holidays and changes of operator", () => {
  const isSession = (mic: string, date: string) => marketCalendar(mic)!.session(date) !== null;

  test("days that a government declared for one year: elections, a victory, an inauguration, mourning", () => {
    const closed: Record<string, string> = {
      XJSE: "2008-05-02 2011-05-18 2014-05-07 2016-08-03 2019-05-08 2021-11-01 2022-12-27 2023-12-15 2024-05-29",
      XMEX: "2024-10-01 2030-10-01",
      XNYS: "2004-06-11 2007-01-02 2018-12-05 2025-01-09",
      XKRX: "2022-03-09 2024-04-10 2025-06-03 2026-06-03",
      XLON: "2022-09-19 2023-05-08",
    };
    for (const [mic, days] of Object.entries(closed))
      for (const day of days.split(" ")) expect([mic, day, isSession(mic, day)]).toEqual([mic, day, false]);
    expect(isSession("XMEX", "2025-10-01")).toBe(true);
  });

  test("Dublin: the Irish May day until 2018, Euronext's calendar in 2019 and 2020, both since 2021", () => {
    for (const day of [
      "2018-05-07",
      "2019-05-01",
      "2020-05-01",
      "2021-05-03",
      "2022-05-02",
      "2024-05-06",
      "2026-05-04",
    ])
      expect([day, isSession("XDUB", day)]).toEqual([day, false]);
    for (const day of ["2018-05-01", "2019-05-06", "2020-05-04", "2021-06-07"])
      expect([day, isSession("XDUB", day)]).toEqual([day, true]);
  });
});

describe("state", () => {
  test("an American day from pre-market to night", () => {
    const times = ["08:59", "09:00", "14:29", "14:30", "20:59", "21:00"].map((t) =>
      state("XNAS", `2026-11-03T${t}:00Z`),
    );
    expect(times).toEqual(["closed", "pre", "pre", "regular", "regular", "post"]);
    expect(state("XNAS", "2026-11-04T01:00:00Z")).toBe("closed");
  });

  test("an early close ends post-market early too, and says why", () => {
    expect(at("XNYS", "2026-11-27T17:59:59Z")).toMatchObject({
      state: "regular",
      reason: "early_close",
      holiday: "Day after Thanksgiving",
    });
    expect(state("XNYS", "2026-11-27T18:00:00Z")).toBe("post");
    expect(state("XNYS", "2026-11-27T22:00:00Z")).toBe("closed");
  });

  test("lunch in Tokyo and Hong Kong, none on a half day", () => {
    expect(state("XTKS", "2026-11-04T02:30:00Z")).toBe("break");
    expect(state("XTKS", "2026-11-04T03:30:00Z")).toBe("regular");
    expect(state("XHKG", "2026-12-23T04:30:00Z")).toBe("break");
    expect(state("XHKG", "2026-12-24T04:30:00Z")).toBe("closed");
  });

  test("the same wall clock on both sides of a change of the clocks", () => {
    const opens = (mic: string, ...days: string[]) =>
      days.map((d) => iso(marketCalendar(mic)!.session(d)!.open)!.slice(11, 16));
    expect(opens("XNYS", "2026-03-06", "2026-03-09", "2026-10-30", "2026-11-02")).toEqual([
      "14:30",
      "13:30",
      "13:30",
      "14:30",
    ]);
    expect(opens("XLON", "2026-03-27", "2026-03-30", "2026-10-23", "2026-10-26")).toEqual([
      "08:00",
      "07:00",
      "07:00",
      "08:00",
    ]);
    expect(opens("XASX", "2026-04-02", "2026-04-07", "2026-10-02", "2026-10-06")).toEqual([
      "23:00",
      "00:00",
      "00:00",
      "23:00",
    ]);
    expect(opens("BVMF", "2018-11-05", "2020-11-05")).toEqual(["12:00", "13:00"]);
    expect(opens("XMEX", "2022-06-01", "2023-06-01")).toEqual(["13:30", "14:30"]);
  });

  test("weekend, holiday and ad-hoc closure are told apart; next open and close are right", () => {
    expect(at("XNYS", "2026-11-07T15:00:00Z")).toMatchObject({ state: "closed", reason: "weekend" });
    expect(at("XNYS", "2026-12-25T15:00:00Z")).toMatchObject({ reason: "holiday", holiday: "Christmas Day" });
    expect(at("XNYS", "2001-09-12T15:00:00Z")).toMatchObject({
      reason: "ad_hoc",
      holiday: "Terrorist attacks",
      session_date: "2001-09-10",
    });
    expect(at("XTKS", "2020-10-01T02:00:00Z")).toMatchObject({ reason: "ad_hoc", holiday: "System failure" });
    const s = at("XNYS", "2026-11-26T15:00:00Z");
    expect([iso(s.next_open_at), iso(s.next_close_at)]).toEqual([
      "2026-11-27T14:30:00.000Z",
      "2026-11-27T18:00:00.000Z",
    ]);
  });

  test("phaseAt and stateAt agree everywhere, and time only moves forward", () => {
    for (const mic of ["XNYS", "XHKG", "XKRX", "XLON"]) {
      const cal = marketCalendar(mic)!;
      for (let t = Date.parse("2026-02-01T00:00:00Z"); t < Date.parse("2026-03-15T00:00:00Z"); t += 13 * 60_000) {
        const s = cal.stateAt(t);
        expect(s.state).toBe(cal.phaseAt(t));
        expect(s.next_open_at! > t && s.next_close_at! > t).toBe(true);
        if (s.state === "regular") expect(s.open_at! <= t && t < s.close_at!).toBe(true);
      }
    }
  });
});

describe("overrides", () => {
  test("a closure, another closing time and an extra session need no release", () => {
    const calendars = openCalendars([
      { mic: "XNYS", date: "2026-11-10", kind: "closed", reason: "Mourning" },
      { mic: "XNAS", date: "2026-11-11", kind: "hours", close: "12:00", reason: "Outage" },
      { mic: "XNYS", date: "2026-11-14", kind: "open" },
    ]);
    const nyse = calendars.get("XNYS")!;
    expect(nyse.stateAt(Date.parse("2026-11-10T15:00:00Z"))).toMatchObject({
      state: "closed",
      reason: "ad_hoc",
      holiday: "Mourning",
    });
    expect(nyse.session("2026-11-14")).not.toBeNull();
    expect(iso(nyse.session("2026-11-11")!.close)).toBe("2026-11-11T21:00:00.000Z");
    expect(iso(calendars.get("XNAS")!.session("2026-11-11")!.close)).toBe("2026-11-11T17:00:00.000Z");
    calendars.use([]);
    expect(calendars.get("XNYS")!.session("2026-11-10")).not.toBeNull();
  });
});

describe("counting and swapping", () => {
  test("sessions are counted as they are listed, also around closures of the operator", () => {
    const calendars = openCalendars([{ mic: "XNYS", date: "2026-11-10", kind: "closed" }]);
    for (const mic of ["XNYS", "XTKS", "XSHG", "XLON"]) {
      const calendar = calendars.get(mic)!;
      for (const date of ["2014-06-02", "2015-01-01", "2026-11-09", "2026-11-11", "2027-01-04"]) {
        const listed = calendar.sessions("2015-01-01", "2027-12-31").filter((s) => s.date < date).length;
        expect(calendar.sessionsSince(2015, date)).toBe(listed);
      }
    }
  });

  test("calendars are built anew only when the closures differ", () => {
    const closures = () => readClosures('[{"mic":"XNYS","date":"2026-12-10","kind":"closed"}]');
    const calendars = openCalendars(closures());
    const before = calendars.get("XNYS");
    calendars.use(closures());
    expect(calendars.get("XNYS")).toBe(before);
    calendars.use([]);
    expect(calendars.get("XNYS")).not.toBe(before);
  });
});

describe("closures file", () => {
  test("is read as a whole, and every fault is named", () => {
    const good = '[{"mic":"XNYS","date":"2026-12-10","kind":"hours","close":"13:00","reason":"Storm"}]';
    expect(readClosures(good)).toHaveLength(1);
    const bad = '[{"mic":"NYSE!","date":"soon","kind":"shut"},{"mic":"XNYS","date":"2026-12-10","kind":"hours"}]';
    expect(() => readClosures(bad)).toThrow(/entry 0: mic .*entry 0: date .*entry 0: kind .*entry 1: hours needs/);
    expect(() => readClosures("{}")).toThrow("array");
  });
});

describe("feasts", () => {
  test("the lunar new year where a naive computation errs: minutes from midnight", () => {
    expect([2026, 2027, 2028, 2030].map((y) => textOfDay(chineseDay(y, 1, 1)))).toEqual([
      "2026-02-17",
      "2027-02-06",
      "2028-01-26",
      "2030-02-03",
    ]);
    expect([2027, 2028].map((y) => textOfDay(koreanDay(y, 1, 1)))).toEqual(["2027-02-07", "2028-01-27"]);
    expect(textOfDay(chineseDay(2020, 4, 8))).toBe("2020-04-30");
    expect(textOfDay(chineseDay(2033, 8, 15))).toBe("2033-09-08");
  });

  test("both Easters", () => {
    expect([2024, 2025, 2026, 2038].map((y) => textOfDay(easterSunday(y)))).toEqual([
      "2024-03-31",
      "2025-04-20",
      "2026-04-05",
      "2038-04-25",
    ]);
    expect([2024, 2025, 2026].map((y) => textOfDay(orthodoxEaster(y)))).toEqual([
      "2024-05-05",
      "2025-04-20",
      "2026-04-12",
    ]);
  });
});
