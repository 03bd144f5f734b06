// Greater China, Singapore, India, Australia and New Zealand.
import { MON, qingming, SUN, weekdayOf, type Day } from "../days.ts";
import type { Exchange } from "../exchange.ts";
import { chineseDay } from "../moon.ts";
import { by, closure, dates, easter, fixed, nth, type Rule } from "../rules.ts";

const sundayFree = { observe: "sunday-free" } as const;
const free = { observe: "free" } as const;
const sunday = { observe: "sunday" } as const;
const goodFriday = easter("Good Friday", -2);
const easterMonday = easter("Easter Monday", 1);

/** Three days; a Sunday among them gave the eve until 2011, and gives the fourth day since. */
function hongKongNewYear(y: number): Day[] {
  const first = chineseDay(y, 1, 1);
  const days = [first, first + 1, first + 2];
  if (days.some((d) => weekdayOf(d) === SUN)) days.push(y <= 2011 ? first - 1 : first + 3);
  return days;
}

/** The day after the feast; when that is a Sunday, the feast itself until 2011 and the Monday since. */
function hongKongMidAutumn(y: number): Day {
  const day = chineseDay(y, 8, 15) + 1;
  return weekdayOf(day) === SUN && y <= 2011 ? day - 1 : day;
}

const HONG_KONG_STORMS =
  "2001-07-06 2001-07-25 2008-08-06 2008-08-22 2011-09-29 2013-08-14 2016-08-02 2016-10-21 2017-08-23 2020-10-13 2021-10-13 2023-07-17 2024-09-06";

/** Mainland China's exchanges follow the State Council's yearly notice; weekdays only, as announced. */
const CHINA_NOTICES = `
2000: 01-03 01-31..02-11 05-01..05 10-02..06
2001: 01-01 01-22..02-02 05-01..07 10-01..05
2002: 01-01..03 02-11..22 05-01..07 09-30..10-07
2003: 01-01 01-30..02-07 05-01..09 10-01..07
2004: 01-01 01-19..28 05-03..07 10-01..07
2005: 01-03 02-07..15 05-02..06 10-03..07
2006: 01-02..03 01-26..02-03 05-01..05 10-02..06
2007: 01-01..03 02-19..23 05-01..07 10-01..05 12-31
2008: 01-01 02-06..12 04-04 05-01..02 06-09 09-15 09-29..10-03
2009: 01-01..02 01-26..30 04-06 05-01 05-28..29 10-01..08
2010: 01-01 02-15..19 04-05 05-03 06-14..16 09-22..24 10-01..07
2011: 01-03 02-02..08 04-04..05 05-02 06-06 09-12 10-03..07
2012: 01-02..03 01-23..27 04-02..04 04-30..05-01 06-22 10-01..05
2013: 01-01..03 02-11..15 04-04..05 04-29..05-01 06-10..12 09-19..20 10-01..07
2014: 01-01 01-31..02-06 04-07 05-01..02 06-02 09-08 10-01..07
2015: 01-01..02 02-18..24 04-06 05-01 06-22 09-03..04 10-01..07
2016: 01-01 02-08..12 04-04 05-02 06-09..10 09-15..16 10-03..07
2017: 01-02 01-27..02-02 04-03..04 05-01 05-29..30 10-02..06
2018: 01-01 02-15..21 04-05..06 04-30..05-01 06-18 09-24 10-01..05 12-31
2019: 01-01 02-04..08 04-05 05-01..03 06-07 09-13 10-01..07
2020: 01-01 01-24..31 04-06 05-01..05 06-25..26 10-01..08
2021: 01-01 02-11..17 04-05 05-03..05 06-14 09-20..21 10-01..07
2022: 01-03 01-31..02-04 04-04..05 05-02..04 06-03 09-12 10-03..07
2023: 01-02 01-23..27 04-05 05-01..03 06-22..23 09-29 10-02..06
2024: 01-01 02-09..16 04-04..05 05-01..03 06-10 09-16..17 10-01..07
2025: 01-01 01-28..02-04 04-04 05-01..05 06-02 10-01..08
2026: 01-01..02 02-16..23 04-06 05-01..05 06-19 09-25 10-01..07`;

/** What the notice will most likely say: the statutory days, until it is out. */
const CHINA_EXPECTED: Rule[] = [
  fixed("New Year's Day", "01-01", { from: 2027, observe: "monday" }),
  by("Spring Festival", (y) => Array.from({ length: 8 }, (_, i) => chineseDay(y, 1, 1) - 1 + i), { from: 2027 }),
  by("Qingming Festival", qingming, { from: 2027, observe: "monday" }),
  by("Labour Day", (y) => [1, 2, 3, 4, 5].map((d) => Date.UTC(y, 4, d) / 86_400_000), { from: 2027 }),
  by("Dragon Boat Festival", (y) => chineseDay(y, 5, 5), { from: 2027, observe: "monday" }),
  by("Mid-Autumn Festival", (y) => chineseDay(y, 8, 15), { from: 2027, observe: "monday" }),
  by("National Day", (y) => [1, 2, 3, 4, 5, 6, 7].map((d) => Date.UTC(y, 9, d) / 86_400_000), { from: 2027 }),
];

/** Feasts of India's several calendars, as the exchange's circulars name them each year. */
const INDIA_CIRCULARS = `
2000: 03-17 03-20 09-01
2001: 01-01 03-06 04-05 08-22 10-26 11-16 11-30 12-17
2002: 03-25 09-10 10-15 11-06 11-19
2003: 02-13 03-14 03-18 11-26
2004: 01-01 02-02 03-02 04-26 10-13 10-22 11-15 11-26
2005: 01-21 07-28 09-07 10-12 11-03 11-04 11-15
2006: 01-11 02-09 03-15 04-06 04-11 10-24 10-25
2007: 01-01 01-30 02-16 03-27 05-02 12-21
2008: 03-06 03-20 04-18 05-19 09-03 10-09 10-30 11-13 11-27 12-09
2009: 01-08 02-23 03-10..11 04-03 04-07 04-30 09-21 09-28 10-13 10-19 11-02 12-28
2010: 01-01 02-12 03-01 03-24 09-10 11-17 12-17
2011: 03-02 04-12 08-31 09-01 10-06 10-27 11-07 11-10 12-06
2012: 02-20 03-08 04-05 08-20 09-19 10-24 11-14 11-28
2013: 03-27 04-19 04-24 08-09 09-09 10-16 11-04 11-14
2014: 02-27 03-17 04-08 04-24 07-29 08-29 10-03 10-06 10-15 10-23 10-24 11-04 11-06
2015: 02-17 03-06 04-02 09-17 09-25 10-22 11-11 11-12 11-25
2016: 03-07 03-24 04-15 04-19 07-06 09-05 09-13 10-11 10-12 10-31 11-14
2017: 02-24 03-13 04-04 06-26 08-25 10-19 10-20
2018: 02-13 03-02 03-29 08-22 09-13 09-20 10-18 11-07 11-08 11-23
2019: 03-04 03-21 04-17 04-29 06-05 08-12 09-02 09-10 10-08 10-21 10-28 11-12
2020: 02-21 03-10 04-02 04-06 05-25 11-16 11-30
2021: 03-11 03-29 04-21 05-13 07-21 08-19 09-10 10-15 11-04 11-05 11-19
2022: 03-01 03-18 05-03 08-09 08-31 10-05 10-24 10-26 11-08
2023: 03-07 03-30 04-04 06-29 09-19 10-24 11-14 11-27
2024: 01-22 03-08 03-25 04-11 04-17 05-20 06-17 07-17 11-01 11-15 11-20
2025: 02-26 03-14 03-31 04-10 08-27 10-21 10-22 11-05
2026: 01-15 03-03 03-26 03-31 05-28 06-26 09-14 10-20 11-10 11-24`;

/** Feasts of Singapore's Muslim, Hindu and Buddhist communities, as gazetted. */
const SINGAPORE_GAZETTE = {
  vesak: `2000-05-18 2001-05-07 2002-05-27 2003-05-15 2004-06-02 2005-05-23 2006-05-12 2007-05-31 2008-05-19 2010-05-28
    2011-05-17 2013-05-24 2014-05-13 2015-06-01 2017-05-10 2018-05-29 2019-05-20 2020-05-07 2021-05-26 2022-05-16
    2023-06-02 2024-05-22 2025-05-12 2026-06-01`,
  puasa: `2000-12-27 2001-12-17 2002-12-06 2003-11-25 2004-11-15 2005-11-03 2006-10-24 2008-10-01 2009-09-21 2010-09-10
    2011-08-30 2012-08-20 2013-08-08 2014-07-28 2015-07-17 2016-07-06 2017-06-26 2018-06-15 2019-06-05 2020-05-25
    2021-05-13 2022-05-03 2024-04-10 2025-03-31`,
  haji: `2000-03-16 2001-03-06 2003-02-12 2004-02-02 2005-01-21 2006-01-10 2007-01-02 2007-12-20 2008-12-08 2009-11-27
    2010-11-17 2011-11-07 2012-10-26 2013-10-15 2014-10-06 2015-09-24 2016-09-12 2017-09-01 2018-08-22 2019-08-12
    2020-07-31 2021-07-20 2022-07-11 2023-06-29 2024-06-17 2026-05-27`,
  deepavali: `2000-10-26 2001-11-14 2002-11-04 2003-10-24 2004-11-11 2005-11-01 2007-11-08 2008-10-27 2010-11-05 2011-10-26
    2012-11-13 2014-10-22 2015-11-10 2017-10-18 2018-11-06 2019-10-28 2021-11-04 2022-10-24 2023-11-13 2024-10-31
    2025-10-20 2026-11-09`,
  one_off: "2015-08-07 2015-09-11 2020-07-10 2023-09-01",
};

const christmasPair = [fixed("Christmas Day", "12-25", free), fixed("Boxing Day", "12-26", free)];

export const ASIA_PACIFIC: Exchange[] = [
  {
    mic: "XHKG",
    name: "Hong Kong Stock Exchange",
    country: "HK",
    city: "Hong Kong",
    zone: "Asia/Hong_Kong",
    currency: "HKD",
    hours: [
      ["1990-01-01", "10:00", "16:00", "12:00", "13:00"],
      ["2011-03-07", "09:30", "16:00", "12:00", "13:00"],
    ],
    closed: [
      fixed("New Year's Day", "01-01", sunday),
      by("Lunar New Year", hongKongNewYear),
      goodFriday,
      easterMonday,
      by("Ching Ming Festival", qingming, sundayFree),
      fixed("Labour Day", "05-01", sunday),
      by("Birthday of the Buddha", (y) => chineseDay(y, 4, 8), sundayFree),
      by("Tuen Ng Festival", (y) => chineseDay(y, 5, 5), sundayFree),
      fixed("HKSAR Establishment Day", "07-01", sundayFree),
      fixed("National Day", "10-01", sundayFree),
      by("Day after Mid-Autumn Festival", hongKongMidAutumn, sundayFree),
      by("Chung Yeung Festival", (y) => chineseDay(y, 9, 9), sundayFree),
      fixed("Christmas Day", "12-25", sundayFree),
      fixed("Day after Christmas", "12-26", sundayFree),
      dates("70th anniversary of the victory", "2015-09-03"),
      closure("Typhoon or rainstorm", HONG_KONG_STORMS),
    ],
    early: [
      [
        "12:30",
        fixed("Christmas Eve", "12-24", { from: 2000, to: 2010 }),
        fixed("New Year's Eve", "12-31", { to: 2010 }),
      ],
      [
        "12:00",
        fixed("Christmas Eve", "12-24", { from: 2011 }),
        fixed("New Year's Eve", "12-31", { from: 2011 }),
        by("Lunar New Year's Eve", (y) => chineseDay(y, 1, 1) - 1, { from: 2012 }),
      ],
    ],
    around: [
      ["auction", "09:00", "open"],
      ["auction", "close", "+10"],
    ],
    knownUntil: "2026-12-31",
  },
  {
    mic: "XSHG",
    name: "Shanghai Stock Exchange",
    country: "CN",
    city: "Shanghai",
    zone: "Asia/Shanghai",
    currency: "CNY",
    also: ["XSHE"],
    hours: [["1990-12-01", "09:30", "15:00", "11:30", "13:00"]],
    closed: [dates("Public holiday", CHINA_NOTICES), ...CHINA_EXPECTED],
    around: [["auction", "09:15", "09:25"]],
    knownUntil: "2026-12-31",
  },
  {
    mic: "XSES",
    name: "Singapore Exchange",
    country: "SG",
    city: "Singapore",
    zone: "Asia/Singapore",
    currency: "SGD",
    hours: [["1990-01-01", "09:00", "17:00"]],
    closed: [
      fixed("New Year's Day", "01-01", sunday),
      by("Chinese New Year", (y) => [chineseDay(y, 1, 1), chineseDay(y, 1, 2)], sundayFree),
      goodFriday,
      fixed("Labour Day", "05-01", sunday),
      fixed("National Day", "08-09", sunday),
      fixed("Christmas Day", "12-25", sunday),
      dates("Vesak Day", SINGAPORE_GAZETTE.vesak),
      dates("Hari Raya Puasa", SINGAPORE_GAZETTE.puasa),
      dates("Hari Raya Haji", SINGAPORE_GAZETTE.haji),
      dates("Deepavali", SINGAPORE_GAZETTE.deepavali),
      dates("Polling or jubilee holiday", SINGAPORE_GAZETTE.one_off),
      by("Vesak Day (expected)", (y) => chineseDay(y, 4, 15), { from: 2027, ...sunday }),
    ],
    knownUntil: "2026-12-31",
  },
  {
    mic: "XBOM",
    name: "BSE",
    country: "IN",
    city: "Mumbai",
    zone: "Asia/Kolkata",
    currency: "INR",
    also: ["XNSE"],
    hours: [["1990-01-01", "09:15", "15:30"]],
    closed: [
      fixed("Republic Day", "01-26"),
      goodFriday,
      fixed("Ambedkar Jayanti", "04-14"),
      fixed("Maharashtra Day", "05-01"),
      fixed("Independence Day", "08-15"),
      fixed("Gandhi Jayanti", "10-02"),
      fixed("Christmas", "12-25"),
      dates("Exchange holiday", INDIA_CIRCULARS),
    ],
    extra: "2024-01-20 2025-02-01",
    around: [["pre", "09:00", "open"]],
    knownUntil: "2026-12-31",
  },
  {
    mic: "XASX",
    name: "Australian Securities Exchange",
    country: "AU",
    city: "Sydney",
    zone: "Australia/Sydney",
    currency: "AUD",
    hours: [["1990-01-01", "10:00", "16:00"]],
    closed: [
      fixed("New Year's Day", "01-01", { observe: "monday" }),
      fixed("Australia Day", "01-26", { observe: "monday" }),
      goodFriday,
      easterMonday,
      fixed("Anzac Day", "04-25"),
      dates("Anzac Day", "2010-04-26 2011-04-26"),
      nth("King's Birthday", 2, MON, 6),
      ...christmasPair,
      closure("Mourning for Queen Elizabeth II", "2022-09-22"),
    ],
    early: [
      [
        "14:10",
        fixed("Christmas Eve", "12-24", { from: 2010, skip: [2022], observe: "before" }),
        fixed("New Year's Eve", "12-31", { from: 2010, skip: [2022], observe: "before" }),
      ],
    ],
    knownUntil: "2026-12-31",
  },
  {
    mic: "XNZE",
    name: "New Zealand's Exchange",
    country: "NZ",
    city: "Wellington",
    zone: "Pacific/Auckland",
    currency: "NZD",
    hours: [["1990-01-01", "10:00", "16:45"]],
    closed: [
      fixed("New Year's Day", "01-01", free),
      fixed("Day after New Year's Day", "01-02", free),
      fixed("Waitangi Day", "02-06", { to: 2013 }),
      fixed("Waitangi Day", "02-06", { from: 2014, observe: "monday" }),
      goodFriday,
      easterMonday,
      fixed("Anzac Day", "04-25", { to: 2013 }),
      fixed("Anzac Day", "04-25", { from: 2014, observe: "monday" }),
      nth("King's Birthday", 1, MON, 6),
      dates(
        "Matariki",
        `2022-06-24 2023-07-14 2024-06-28 2025-06-20 2026-07-10 2027-06-25 2028-07-14 2029-07-06 2030-06-21
        2031-07-11 2032-07-02 2033-06-24 2034-07-07 2035-06-29`,
      ),
      nth("Labour Day", 4, MON, 10),
      ...christmasPair,
      closure("Mourning for Queen Elizabeth II", "2022-09-26"),
    ],
    early: [
      [
        "12:45",
        fixed("Christmas Eve", "12-24", { from: 2011, observe: "before" }),
        fixed("New Year's Eve", "12-31", { from: 2011, observe: "before" }),
      ],
    ],
    knownUntil: "2026-12-31",
  },
];
