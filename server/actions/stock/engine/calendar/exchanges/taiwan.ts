// Taiwan, whose government fixes bridge days and make-up days every year.
import { dayOf, isWeekend, qingming, type Day } from "../days.ts";
import type { Exchange } from "../exchange.ts";
import { chineseDay } from "../moon.ts";
import { by, dates, fixed, type Span } from "../rules.ts";

/** As announced each year, storms included; weekdays only. */
const TAIWAN_NOTICES = `
2000: 02-03..04 02-07..09 02-28 04-04 05-01 06-06 09-12 10-10
2001: 01-01 01-22..26 02-28 04-05 05-01 06-25 10-01 10-10
2002: 01-01 02-07..08 02-11..15 02-28 04-05 05-01 09-06 10-10
2003: 01-01 01-29..31 02-03..05 02-28 05-01 06-04 09-11 10-10
2004: 01-01 01-19..23 01-26 06-22 08-24..25 09-28 10-25
2005: 02-04 02-07..11 02-28 04-05 07-18 08-05 09-01 10-10
2006: 01-26..27 01-30..02-02 02-28 04-05 05-01 05-31 10-06 10-09..10
2007: 01-01 02-15..16 02-19..23 02-28 04-05..06 05-01 06-18..19 09-18 09-24..25 10-10
2008: 01-01 02-04..08 02-11 02-28 04-04 05-01 07-28 09-29 10-10
2009: 01-01..02 01-22..23 01-26..30 05-01 05-28..29 08-07
2010: 01-01 02-11..12 02-15..19 04-05 06-16 09-22
2011: 01-31..02-04 02-07 02-28 04-04..05 06-06 09-12 10-10
2012: 01-19..20 01-23..27 02-27..28 04-04 05-01 08-02 10-10 12-31
2013: 01-01 02-07..08 02-11..15 02-28 04-04..05 05-01 06-12 08-21 09-19..20 10-10
2014: 01-01 01-28..31 02-03..04 02-28 04-04 05-01 06-02 07-23 09-08 10-10
2015: 01-01..02 02-16..20 02-23 02-27 04-03 04-06 05-01 06-19 07-10 09-28..29 10-09
2016: 01-01 02-04..05 02-08..12 02-29 04-04..05 05-02 06-09..10 07-08 09-15..16 09-27..28 10-10
2017: 01-02 01-25..27 01-30..02-01 02-27..28 04-03..04 05-01 05-29..30 10-04 10-09..10
2018: 01-01 02-13..16 02-19..20 02-28 04-04..06 05-01 06-18 09-24 10-10 12-31
2019: 01-01 01-31..02-01 02-04..08 02-28..03-01 04-04..05 05-01 06-07 08-09 09-13 09-30 10-10..11
2020: 01-01 01-21..24 01-27..29 02-28 04-02..03 05-01 06-25..26 10-01..02 10-09
2021: 01-01 02-08..12 02-15..16 03-01 04-02 04-05 04-30 06-14 09-20..21 10-11 12-31
2022: 01-27..28 01-31..02-03 02-28 04-04..05 05-02 06-03 09-09 10-10
2023: 01-02 01-19..20 01-23..27 02-27..28 04-03..05 05-01 06-22..23 08-03 09-29 10-09..10
2024: 01-01 02-06..09 02-12..14 02-28 04-04..05 05-01 06-10 07-24..25 09-17 10-02..03 10-10
2025: 01-01 01-23..24 01-27..31 02-28 04-03..04 05-01 05-30 09-29 10-06 10-10 10-24 12-25
2026: 01-01 02-12..13 02-16..20 02-27 04-03 04-06 05-01 06-19 09-25 09-28 10-09 10-26 12-25`;

const later: Span = { from: 2027, observe: "nearest" };

/** Two days before the new year go back over a weekend, three days of it go forward. */
function newYearDays(y: number): Day[] {
  const first = chineseDay(y, 1, 1);
  const days: Day[] = [];
  const put = (day: Day, step: 1 | -1) => {
    let at = day;
    while (isWeekend(at) || days.includes(at)) at += step;
    days.push(at);
  };
  put(first - 1, -1);
  put(first - 2, -1);
  for (let i = 0; i < 3; i++) put(first + i, 1);
  return days;
}

export const TAIWAN: Exchange[] = [
  {
    mic: "XTAI",
    name: "Taiwan Stock Exchange",
    country: "TW",
    city: "Taipei",
    zone: "Asia/Taipei",
    currency: "TWD",
    also: ["ROCO"],
    hours: [["1990-01-01", "09:00", "13:30"]],
    closed: [
      dates("Exchange holiday", TAIWAN_NOTICES),
      fixed("Founding Day", "01-01", later),
      by("Lunar New Year", newYearDays, { from: 2027 }),
      fixed("Peace Memorial Day", "02-28", later),
      by("Tomb Sweeping Day", qingming, later),
      by("Children's Day", (y) => dayOf(y, 4, qingming(y) === dayOf(y, 4, 4) ? 3 : 4), { from: 2027 }),
      fixed("Labour Day", "05-01", later),
      by("Dragon Boat Festival", (y) => chineseDay(y, 5, 5), later),
      by("Mid-Autumn Festival", (y) => chineseDay(y, 8, 15), later),
      fixed("Teachers' Day", "09-28", later),
      fixed("National Day", "10-10", later),
      fixed("Retrocession Day", "10-25", later),
      fixed("Constitution Day", "12-25", { from: 2027 }),
    ],
    knownUntil: "2026-12-31",
    unclaimed: "the given table runs to 2034 and puts two lunar feasts of that year before a leap month that it misses",
  },
];
