// Exchanges of the Americas.
import { FRI, MON, nthWeekday, THU, TUE, WED } from "../days.ts";
import type { Exchange } from "../exchange.ts";
import { by, closure, dates, easter, fixed, from, nth } from "../rules.ts";

const US_AROUND: Exchange["around"] = [
  ["pre", "04:00", "open"],
  ["post", "close", "+240"],
];

const newYear = fixed("New Year's Day", "01-01", { observe: "sunday" });
const goodFriday = easter("Good Friday", -2);
const christmas = fixed("Christmas Day", "12-25", { observe: "nearest" });
const juneteenth = fixed("Juneteenth", "06-19", { from: 2022, observe: "nearest" });
const dayAfterThanksgiving = by("Day after Thanksgiving", (y) => nthWeekday(y, 11, THU, 4) + 1);
/** Shut on stock exchanges, half days on futures exchanges. */
const US_HALF_DAYS = [
  nth("Martin Luther King Jr. Day", 3, MON, 1, { from: 1998 }),
  nth("Washington's Birthday", 3, MON, 2),
  nth("Memorial Day", -1, MON, 5),
  fixed("Independence Day", "07-04", { observe: "nearest" }),
  nth("Labor Day", 1, MON, 9),
  nth("Thanksgiving Day", 4, THU, 11),
];
const US_FULL_CLOSINGS = [newYear, goodFriday, christmas];
const US_HOLIDAYS = [...US_FULL_CLOSINGS, ...US_HALF_DAYS, juneteenth];
const NYSE_RELEASES = "Press releases of the New York Stock Exchange, Nasdaq and Cboe";
const US_MOURNING = [
  closure("Mourning for President Reagan", "2004-06-11", NYSE_RELEASES),
  closure("Mourning for President Ford", "2007-01-02", NYSE_RELEASES),
  closure("Mourning for President Bush", "2018-12-05", NYSE_RELEASES),
  closure("Mourning for President Carter", "2025-01-09", NYSE_RELEASES),
];

/** Days on which every United States stock exchange is shut. */
const US_CLOSED = [
  ...US_HOLIDAYS,
  ...US_MOURNING,
  closure("Terrorist attacks", "2001-09-11..14"),
  closure("Hurricane Sandy", "2012-10-29..30"),
];

const US_EARLY: Exchange["early"] = [
  [
    "13:00",
    fixed("Eve of Independence Day", "07-03", { only: [MON, TUE, THU] }),
    fixed("Eve of Independence Day", "07-03", { only: [WED], from: 2013 }),
    fixed("Day after Independence Day", "07-05", { only: [FRI], to: 2012 }),
    dayAfterThanksgiving,
    fixed("Christmas Eve", "12-24", { only: [MON, TUE, WED, THU] }),
    dates("Day after Christmas", "2003-12-26"),
  ],
];

const weekendToNext = { observe: "free" } as const;

const CNBV_DAYS =
  "CNBV, days on which supervised entities close, 2024 (Diario Oficial de la Federación); Ley Federal del Trabajo, art. 74";

export const AMERICAS: Exchange[] = [
  {
    mic: "XNYS",
    name: "New York Stock Exchange",
    country: "US",
    city: "New York",
    zone: "America/New_York",
    currency: "USD",
    also: ["XNAS", "XASE", "ARCX", "BATS", "BATY", "EDGA", "EDGX", "IEXG", "XCHI", "XPHL", "XBOS", "MEMX"],
    hours: [["1985-09-30", "09:30", "16:00"]],
    closed: US_CLOSED,
    early: US_EARLY,
    around: US_AROUND,
    knownUntil: "2028-12-31",
  },
  {
    mic: "XTSE",
    name: "Toronto Stock Exchange",
    country: "CA",
    city: "Toronto",
    zone: "America/Toronto",
    currency: "CAD",
    also: ["XTSX", "XCNQ", "NEOE"],
    hours: [["1990-01-01", "09:30", "16:00"]],
    closed: [
      fixed("New Year's Day", "01-01", { observe: "monday" }),
      nth("Family Day", 3, MON, 2, { from: 2008 }),
      easter("Good Friday", -2),
      from("Victoria Day", MON, "05-18"),
      fixed("Canada Day", "07-01", { observe: "monday" }),
      nth("Civic Holiday", 1, MON, 8),
      nth("Labour Day", 1, MON, 9),
      nth("Thanksgiving", 2, MON, 10),
      fixed("Christmas Day", "12-25", weekendToNext),
      fixed("Boxing Day", "12-26", weekendToNext),
      closure("Terrorist attacks in New York", "2001-09-11..12"),
    ],
    early: [["13:00", fixed("Christmas Eve", "12-24", { from: 2010 })]],
    knownUntil: "2026-12-31",
  },
  {
    mic: "BVMF",
    name: "B3 (Brasil, Bolsa, Balcão)",
    country: "BR",
    city: "São Paulo",
    zone: "America/Sao_Paulo",
    currency: "BRL",
    hours: [
      ["1990-01-01", "10:00", "17:00"],
      ["2019-11-04", "10:00", "18:00"],
    ],
    closed: [
      fixed("Universal Fraternization", "01-01"),
      fixed("Anniversary of São Paulo", "01-25", { to: 2021 }),
      easter("Carnival Monday", -48),
      easter("Carnival Tuesday", -47),
      easter("Good Friday", -2),
      fixed("Tiradentes", "04-21"),
      fixed("Labour Day", "05-01"),
      easter("Corpus Christi", 60),
      fixed("Constitutionalist Revolution", "07-09", { to: 2021, skip: [2020] }),
      fixed("Independence Day", "09-07"),
      fixed("Our Lady of Aparecida", "10-12"),
      fixed("All Souls' Day", "11-02"),
      fixed("Proclamation of the Republic", "11-15"),
      fixed("Black Consciousness Day", "11-20", { from: 2006, to: 2019, skip: [2010, 2011] }),
      fixed("Black Consciousness Day", "11-20", { from: 2024 }),
      fixed("Christmas Eve", "12-24"),
      fixed("Christmas Day", "12-25"),
      fixed("Last weekday of the year", "12-31", { observe: "before" }),
      dates("Opening of the World Cup", "2014-06-12"),
    ],
    late: [["13:00", easter("Ash Wednesday", -46, { from: 2016 })]],
    knownUntil: "2026-12-31",
  },
  {
    mic: "XMEX",
    name: "Bolsa Mexicana de Valores",
    country: "MX",
    city: "Mexico City",
    zone: "America/Mexico_City",
    currency: "MXN",
    also: ["BIVA"],
    hours: [["1990-01-01", "08:30", "15:00"]],
    closed: [
      fixed("New Year's Day", "01-01"),
      fixed("Constitution Day", "02-05", { to: 2006 }),
      nth("Constitution Day", 1, MON, 2, { from: 2007 }),
      fixed("Benito Juárez's Birthday", "03-21", { to: 2006 }),
      nth("Benito Juárez's Birthday", 3, MON, 3, { from: 2007 }),
      easter("Maundy Thursday", -3),
      easter("Good Friday", -2),
      fixed("Labour Day", "05-01"),
      fixed("Independence Day", "09-16"),
      fixed("All Souls' Day", "11-02", { from: 2006 }),
      fixed("Revolution Day", "11-20", { to: 2006 }),
      nth("Revolution Day", 3, MON, 11, { from: 2007 }),
      fixed("Our Lady of Guadalupe", "12-12"),
      fixed("Christmas Day", "12-25"),
      dates("Bicentennial", "2010-09-17"),
      // On 1 October every six years; on 1 December until 2018, when the tables show sessions.
      fixed("Inauguration of the President", "10-01", { years: [2024, 2030, 2036], source: CNBV_DAYS }),
    ],
    knownUntil: "2026-12-31",
  },
  {
    mic: "XCBF",
    name: "Cboe Futures Exchange",
    country: "US",
    city: "Chicago",
    zone: "America/Chicago",
    currency: "USD",
    hours: [["1990-01-01", "08:30", "15:15"]],
    closed: [...US_HOLIDAYS, ...US_MOURNING, closure("Hurricane Sandy", "2012-10-29..30")],
    early: [["12:15", dayAfterThanksgiving]],
    knownUntil: "2023-12-31",
  },
  {
    mic: "CMES",
    name: "CME Globex equity index futures",
    country: "US",
    city: "Chicago",
    zone: "America/Chicago",
    currency: "USD",
    hours: [["1990-01-01", "17:00-1", "17:00"]],
    closed: [...US_FULL_CLOSINGS, ...US_MOURNING],
    early: [
      [
        "12:00",
        ...US_HALF_DAYS,
        juneteenth,
        dayAfterThanksgiving,
        fixed("Christmas Eve", "12-24", { only: [MON, TUE, WED, THU] }),
      ],
    ],
    knownUntil: "2026-12-31",
  },
  {
    mic: "IEPA",
    name: "ICE Futures U.S.",
    country: "US",
    city: "New York",
    zone: "America/New_York",
    currency: "USD",
    hours: [["1990-01-01", "20:00-1", "18:00"]],
    closed: [...US_FULL_CLOSINGS, ...US_MOURNING, closure("Hurricane Sandy", "2012-10-29")],
    early: [["13:00", ...US_HALF_DAYS]],
    knownUntil: "2017-12-31",
  },
  {
    mic: "XBDA",
    name: "Bermuda Stock Exchange",
    country: "BM",
    city: "Hamilton",
    zone: "Atlantic/Bermuda",
    currency: "BMD",
    hours: [["1990-01-01", "09:00", "16:30"]],
    closed: [
      fixed("New Year's Day", "01-01", { observe: "monday" }),
      goodFriday,
      by("Bermuda Day", (y) => nthWeekday(y, 5, MON, -1) - 3, { skip: [2020] }),
      dates("Bermuda Day", "2020-05-29"),
      nth("National Heroes Day", 3, MON, 6),
      by("Emancipation Day", (y) => nthWeekday(y, 8, MON, 1) - 4),
      by("Mary Prince Day", (y) => nthWeekday(y, 8, MON, 1) - 3),
      nth("Labour Day", 1, MON, 9),
      fixed("Remembrance Day", "11-11", { observe: "monday" }),
      fixed("Christmas Day", "12-25", weekendToNext),
      fixed("Boxing Day", "12-26", weekendToNext),
      dates("Public holiday", "2021-10-18"),
      closure("Funeral of Queen Elizabeth II", "2022-09-19"),
      dates("Coronation of King Charles III", "2023-05-08"),
    ],
    early: [["14:00", fixed("Christmas Eve", "12-24", { observe: "before" })]],
    knownUntil: "2026-12-31",
  },
];
