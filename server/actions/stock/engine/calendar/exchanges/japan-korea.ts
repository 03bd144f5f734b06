// Tokyo and Seoul: the two states whose laws move a holiday that meets another holiday.
import { dayOf, equinox, isWeekend, MON, nthWeekday, SUN, weekdayOf, type Day } from "../days.ts";
import type { Exchange } from "../exchange.ts";
import { koreanDay } from "../moon.ts";
import { by, closure, dates, fixed } from "../rules.ts";

/** The national holidays that the law names, before substitutes. */
function japaneseBase(y: number): Day[] {
  const on = (month: number, date: number) => dayOf(y, month, date);
  const days = [
    on(1, 1),
    nthWeekday(y, 1, MON, 2),
    on(2, 11),
    equinox(y, "spring"),
    on(4, 29),
    on(5, 3),
    on(5, 5),
    equinox(y, "autumn"),
    on(11, 3),
    on(11, 23),
  ];
  if (y >= 2007) days.push(on(5, 4));
  if (y <= 2018) days.push(on(12, 23));
  if (y >= 2020) days.push(on(2, 23));
  if (y === 2019) days.push(on(5, 1), on(10, 22));
  const olympic: Record<number, Day[]> = {
    2020: [on(7, 23), on(7, 24), on(8, 10)],
    2021: [on(7, 22), on(7, 23), on(8, 8)],
  };
  if (olympic[y]) days.push(...olympic[y]);
  else {
    days.push(y <= 2002 ? on(7, 20) : nthWeekday(y, 7, MON, 3), nthWeekday(y, 10, MON, 2));
    if (y >= 2016) days.push(on(8, 11));
  }
  days.push(y <= 2002 ? on(9, 15) : nthWeekday(y, 9, MON, 3));
  return days.sort((a, b) => a - b);
}

/** With the substitute for a Sunday, and the day that stands between two holidays. */
function japaneseHolidays(y: number): Day[] {
  const base = new Set(japaneseBase(y));
  const more = new Set<Day>();
  for (const day of base) {
    if (weekdayOf(day) !== SUN) continue;
    let next = day + 1;
    while (y >= 2007 && base.has(next)) next++;
    more.add(next);
  }
  for (const day of base) if (base.has(day + 2) && !base.has(day + 1) && weekdayOf(day + 1) !== SUN) more.add(day + 1);
  return [...base, ...more];
}

interface Feast {
  days: Day[];
  /** Which meetings give a substitute day. */
  moves: "never" | "sunday" | "weekend";
}

function koreanFeasts(y: number): Feast[] {
  const one = (month: number, date: number, moves: Feast["moves"]): Feast => ({ days: [dayOf(y, month, date)], moves });
  const three = (day: Day): Feast => ({ days: [day - 1, day, day + 1], moves: y >= 2014 ? "sunday" : "never" });
  const national = y >= 2022 ? "weekend" : "never";
  const autumn = y >= 2021 ? "weekend" : "never";
  const feasts = [
    one(1, 1, "never"),
    three(koreanDay(y, 1, 1)),
    one(3, 1, national),
    one(5, 1, "never"),
    one(5, 5, y >= 2014 ? "weekend" : "never"),
    { days: [koreanDay(y, 4, 8)], moves: y >= 2023 ? "weekend" : "never" } as Feast,
    one(6, 6, "never"),
    one(8, 15, autumn),
    three(koreanDay(y, 8, 15)),
    one(10, 3, autumn),
    one(12, 25, y >= 2023 ? "weekend" : "never"),
  ];
  if (y <= 2005) feasts.push(one(4, 5, "never"));
  if (y <= 2007) feasts.push(one(7, 17, "never"));
  if (y >= 2013) feasts.push(one(10, 9, autumn));
  return feasts;
}

function koreanHolidays(y: number): Day[] {
  const feasts = koreanFeasts(y);
  const all = new Set(feasts.flatMap((f) => f.days));
  const used = new Set<Day>();
  for (const feast of feasts) {
    const hit = feast.days.some((d) => {
      const others = feasts.filter((f) => f !== feast && f.days.includes(d));
      const overlaps =
        feast.days.length > 1 ? others.length > 0 : used.has(d) && others.every((f) => f.days.length === 1);
      return feast.moves !== "never" && (overlaps || (feast.moves === "weekend" ? isWeekend(d) : weekdayOf(d) === SUN));
    });
    for (const d of feast.days) used.add(d);
    if (!hit) continue;
    let next = feast.days[feast.days.length - 1] + 1;
    while (isWeekend(next) || all.has(next)) next++;
    all.add(next);
  }
  return [...all];
}

/** The university entrance examination: everything starts an hour late so that the roads are free. */
const EXAM_DAYS = [
  "2000-11-15 2001-11-07 2002-11-06 2003-11-05 2004-11-17 2005-11-23 2006-11-16 2007-11-15",
  "2008-11-13 2009-11-12 2010-11-18 2011-11-10 2012-11-08 2013-11-07 2014-11-13 2015-11-12",
].join(" ");
const EXAM_DAYS_LATER =
  "2016-11-17 2017-11-16 2017-11-23 2018-11-15 2019-11-14 2020-12-03 2021-11-18 2022-11-17 2023-11-16 2024-11-14 2025-11-13";
const at = (hours: string, days: string) =>
  days
    .split(" ")
    .map((d) => `${d} ${hours}`)
    .join(", ");

export const JAPAN_KOREA: Exchange[] = [
  {
    mic: "XTKS",
    name: "Tokyo Stock Exchange",
    country: "JP",
    city: "Tokyo",
    zone: "Asia/Tokyo",
    currency: "JPY",
    also: ["XJPX", "XNGO", "XFKA", "XSAP"],
    hours: [
      ["1990-01-01", "09:00", "15:00", "11:30", "12:30"],
      ["2024-11-05", "09:00", "15:30", "11:30", "12:30"],
    ],
    closed: [
      by("National holiday", japaneseHolidays),
      fixed("New Year bank holiday", "01-02"),
      fixed("New Year bank holiday", "01-03"),
      fixed("New Year's Eve bank holiday", "12-31"),
      closure("System failure", "2020-10-01"),
    ],
    knownUntil: "2027-12-31",
  },
  {
    mic: "XKRX",
    name: "Korea Exchange",
    country: "KR",
    city: "Seoul",
    zone: "Asia/Seoul",
    currency: "KRW",
    also: ["XKOS", "XKON"],
    hours: [
      ["1998-12-07", "09:00", "15:00", "12:00", "13:00"],
      ["2000-05-22", "09:00", "15:00"],
      ["2016-08-01", "09:00", "15:30"],
    ],
    closed: [
      by("Public holiday", koreanHolidays),
      fixed("Year-end closing", "12-31", { observe: "before" }),
      dates("Year-end closing", "2000-01-03 2000-12-27..28"),
      dates(
        "Election",
        [
          "2000-04-13 2002-06-13 2002-12-19 2004-04-15 2006-05-31 2007-12-19 2008-04-09 2010-06-02 2012-04-11 2012-12-19",
          "2014-06-04 2016-04-13 2017-05-09 2018-06-13 2020-04-15 2022-03-09 2022-06-01 2024-04-10 2025-06-03 2026-06-03",
        ].join(" "),
      ),
      dates(
        "Temporary holiday",
        "2002-07-01 2015-08-14 2016-05-06 2017-10-02 2020-08-17 2023-10-02 2024-10-01 2025-01-27",
      ),
    ],
    late: [["10:00", fixed("First session of the year", "01-02", { from: 2001, observe: "after" })]],
    special: `${at("10:00-16:00", EXAM_DAYS)}, ${at("10:00-16:30", EXAM_DAYS_LATER)}, 2026-12-30 10:00-15:30`,
    knownUntil: "2026-12-31",
  },
];
