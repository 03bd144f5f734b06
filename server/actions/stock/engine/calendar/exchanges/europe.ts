// Exchanges of western, northern and central Europe.
import { FRI, MON, THU } from "../days.ts";
import type { Exchange } from "../exchange.ts";
import { closure, dates, easter, fixed, from, nth, type Rule, type Span } from "../rules.ts";

const newYear = (span?: Span) => fixed("New Year's Day", "01-01", span);
const epiphany = (span?: Span) => fixed("Epiphany", "01-06", span);
const maundyThursday = easter("Maundy Thursday", -3);
const goodFriday = easter("Good Friday", -2);
const easterMonday = easter("Easter Monday", 1);
const labourDay = (span?: Span) => fixed("Labour Day", "05-01", span);
const ascension = (span?: Span) => easter("Ascension Day", 39, span);
const whitMonday = (span?: Span) => easter("Whit Monday", 50, span);
const corpusChristi = (span?: Span) => easter("Corpus Christi", 60, span);
const assumption = (span?: Span) => fixed("Assumption Day", "08-15", span);
const allSaints = (span?: Span) => fixed("All Saints' Day", "11-01", span);
const christmasEve = (span?: Span) => fixed("Christmas Eve", "12-24", span);
const christmas = (span?: Span) => fixed("Christmas Day", "12-25", span);
const boxingDay = (span?: Span) => fixed("Boxing Day", "12-26", span);
const newYearsEve = (span?: Span) => fixed("New Year's Eve", "12-31", span);

const CORE: Rule[] = [newYear(), goodFriday, easterMonday, labourDay(), christmas(), boxingDay()];
const EVES: Rule[] = [christmasEve(), newYearsEve()];
const monday = { observe: "monday" } as const;
const free = { observe: "free" } as const;
const before = { observe: "before" } as const;

const euronext = (mic: string, name: string, country: string, city: string, zone: string, more: Rule[] = []): Exchange => ({
  mic, name, country, city, zone, currency: "EUR", hours: [["1990-01-01", "09:00", "17:30"]],
  closed: [...CORE, whitMonday({ to: 2001 }), dates("Change to the euro", "2001-12-31"), ...more],
  early: [["14:05", christmasEve({ from: 2001 }), newYearsEve({ from: 2001 })]],
  around: [["auction", "07:15", "open"], ["auction", "close", "+5"]],
  knownUntil: "2026-12-31",
});

const GERMAN_CLOSED: Rule[] = [
  ...CORE, ...EVES, whitMonday({ years: [2007, 2015, 2016, 2017, 2018, 2019, 2020, 2021] }),
  fixed("German Unity Day", "10-03", { from: 2014, to: 2021 }), dates("Reformation Day", "2017-10-31"),
];
const LAST_DAY_EARLY: Exchange["early"] = [["14:00", fixed("Last session of the year", "12-30", { from: 2010, ...before })]];
const german = (mic: string, name: string, city: string, open: string, close: string, more: Partial<Exchange> = {}): Exchange => ({
  mic, name, country: "DE", city, zone: "Europe/Berlin", currency: "EUR", hours: [["1990-01-01", open, close]],
  closed: GERMAN_CLOSED, early: LAST_DAY_EARLY, knownUntil: "2026-12-31", ...more,
});

const BRITISH_CHRISTMAS: Rule[] = [christmas(free), boxingDay(free)];

export const EUROPE: Exchange[] = [
  {
    mic: "XLON", name: "London Stock Exchange", country: "GB", city: "London", zone: "Europe/London", currency: "GBP",
    also: ["AIMX", "CHIX", "BATE", "TRQX"],
    hours: [["1990-01-01", "08:00", "16:30"]],
    closed: [
      newYear(monday), goodFriday, easterMonday,
      nth("Early May Bank Holiday", 1, MON, 5, { skip: [2020] }), dates("Victory in Europe Day", "2020-05-08"),
      nth("Spring Bank Holiday", -1, MON, 5, { skip: [2002, 2012, 2022] }),
      dates("Jubilee", "2002-06-03..04 2012-06-04..05 2022-06-02..03"),
      nth("Summer Bank Holiday", -1, MON, 8), ...BRITISH_CHRISTMAS,
      dates("Royal Wedding", "2011-04-29"), closure("Funeral of Queen Elizabeth II", "2022-09-19"),
      dates("Coronation of King Charles III", "2023-05-08"), dates("Millennium", "1999-12-31"),
    ],
    early: [["12:30", christmasEve(before), newYearsEve(before)]],
    around: [["auction", "07:50", "open"], ["auction", "close", "+5"]],
    knownUntil: "2027-12-31",
  },
  {
    mic: "XDUB", name: "Euronext Dublin", country: "IE", city: "Dublin", zone: "Europe/Dublin", currency: "EUR",
    hours: [["1990-01-01", "08:00", "16:28"]],
    closed: [
      newYear(monday), dates("St. Patrick's Day", "2000-03-17"), goodFriday, easterMonday,
      labourDay({ years: [2008, 2009] }), labourDay({ from: 2019 }), nth("May Bank Holiday", 1, MON, 5, { to: 2018 }),
      nth("June Bank Holiday", 1, MON, 6, { to: 2018 }), christmasEve({ to: 2004 }), ...BRITISH_CHRISTMAS,
      closure("Snow storm", "2018-03-02"),
    ],
    early: [["12:28", christmasEve({ from: 2010, ...before }), newYearsEve({ from: 2010, ...before }), closure("Snow storm", "2018-03-01")]],
    knownUntil: "2020-12-31",
  },
  german("XETR", "Xetra", "Frankfurt am Main", "09:00", "17:30", { around: [["auction", "08:50", "open"], ["auction", "close", "+5"]] }),
  german("XFRA", "Börse Frankfurt", "Frankfurt am Main", "09:00", "17:30"),
  german("XDUS", "Börse Düsseldorf", "Düsseldorf", "08:00", "22:00"),
  german("XHAM", "Börse Hamburg", "Hamburg", "08:00", "22:00"),
  german("XSTU", "Börse Stuttgart", "Stuttgart", "07:30", "22:00", { closed: [...CORE, ...EVES], early: [] }),
  german("XEUR", "Eurex", "Eschborn", "08:00", "22:00", { closed: [...CORE, ...EVES], early: [] }),
  german("XEEE", "European Energy Exchange", "Leipzig", "08:00", "18:00", { closed: [...CORE, ...EVES], early: [] }),
  euronext("XPAR", "Euronext Paris", "FR", "Paris", "Europe/Paris", [dates("Bastille Day", "2000-07-14")]),
  euronext("XAMS", "Euronext Amsterdam", "NL", "Amsterdam", "Europe/Amsterdam", [
    ascension({ to: 2000 }), dates("Queen's Day", "2001-04-30"),
  ]),
  euronext("XBRU", "Euronext Brussels", "BE", "Brussels", "Europe/Brussels", [
    ascension({ to: 2000 }), dates("National Day", "2000-07-21"),
  ]),
  {
    mic: "XLIS", name: "Euronext Lisbon", country: "PT", city: "Lisbon", zone: "Europe/Lisbon", currency: "EUR",
    hours: [["1990-01-01", "08:00", "16:30"]],
    closed: [
      ...CORE, easter("Carnival", -47, { to: 2002 }), fixed("Freedom Day", "04-25", { to: 2002 }), corpusChristi({ to: 2002 }),
      fixed("Portugal Day", "06-10", { to: 2002 }), fixed("St. Anthony's Day", "06-13", { to: 2001 }), assumption({ to: 2002 }),
      fixed("Republic Day", "10-05", { to: 2002 }), allSaints({ to: 2002 }), fixed("Restoration of Independence", "12-01", { to: 2002 }),
      fixed("Immaculate Conception", "12-08", { to: 2002 }), christmasEve({ to: 2002 }),
    ],
    early: [["13:05", christmasEve({ from: 2003 }), newYearsEve({ from: 2001 })]], knownUntil: "2026-12-31",
  },
  {
    mic: "XMIL", name: "Borsa Italiana", country: "IT", city: "Milan", zone: "Europe/Rome", currency: "EUR", also: ["MTAA"],
    hours: [["1990-01-01", "09:00", "17:30"]], closed: [...CORE, assumption(), ...EVES], knownUntil: "2026-12-31",
  },
  {
    mic: "XMAD", name: "Bolsa de Madrid", country: "ES", city: "Madrid", zone: "Europe/Madrid", currency: "EUR", also: ["XBAR", "XBIL", "XVAL", "XMCE"],
    hours: [["1990-01-01", "09:00", "17:30"]],
    closed: [
      ...CORE, epiphany({ to: 2006 }), assumption({ to: 2003 }), dates("Assumption Day", "2004-08-16"),
      fixed("National Day", "10-12", { to: 2004 }), allSaints({ to: 2004 }), fixed("Constitution Day", "12-06", { to: 2004 }),
      fixed("Immaculate Conception", "12-08", { to: 2004 }), christmasEve({ to: 2010 }), newYearsEve({ to: 2010 }),
      dates("Christmas Eve", "2021-12-24"), dates("New Year's Eve", "2021-12-31"),
    ],
    early: [["14:00", christmasEve({ from: 2012 }), newYearsEve({ from: 2012 })]], knownUntil: "2026-12-31",
  },
  {
    mic: "XSWX", name: "SIX Swiss Exchange", country: "CH", city: "Zurich", zone: "Europe/Zurich", currency: "CHF", also: ["XVTX"],
    hours: [["1990-01-01", "09:00", "17:30"]],
    closed: [...CORE, ...EVES, fixed("Berchtold's Day", "01-02"), ascension(), whitMonday(), fixed("National Day", "08-01")],
    knownUntil: "2026-12-31",
  },
  {
    mic: "XWBO", name: "Wiener Börse", country: "AT", city: "Vienna", zone: "Europe/Vienna", currency: "EUR",
    hours: [["1990-01-01", "09:00", "17:30"]],
    closed: [
      ...CORE, epiphany({ to: 2018 }), ascension({ to: 2018 }), whitMonday({ to: 2022 }), corpusChristi({ to: 2018 }),
      assumption({ to: 2018 }), fixed("National Day", "10-26"), allSaints({ to: 2018 }),
      fixed("Immaculate Conception", "12-08", { to: 2018 }), christmasEve(),
      newYearsEve({ to: 2015, ...before }), newYearsEve({ from: 2016 }),
    ],
    early: [["14:15", fixed("Last session of the year", "12-30", { from: 2017, ...before })]], knownUntil: "2026-12-31",
  },
  {
    mic: "XWAR", name: "Warsaw Stock Exchange", country: "PL", city: "Warsaw", zone: "Europe/Warsaw", currency: "PLN",
    hours: [["1990-01-01", "09:00", "17:00"]],
    closed: [
      ...CORE, epiphany({ from: 2011 }), fixed("Constitution Day", "05-03"), corpusChristi(), assumption(), allSaints(),
      fixed("Independence Day", "11-11"), christmasEve({ skip: [2004] }), newYearsEve({ from: 2011 }),
      closure("Funeral of Pope John Paul II", "2005-04-08"), dates("Bridge day", "2007-12-31 2008-05-02 2009-01-02"),
      closure("Technical changeover", "2013-04-16 2018-01-02"), dates("Centenary of independence", "2018-11-12"),
    ],
    knownUntil: "2026-12-31",
  },
  {
    mic: "XSTO", name: "Nasdaq Stockholm", country: "SE", city: "Stockholm", zone: "Europe/Stockholm", currency: "SEK",
    hours: [["1990-01-01", "09:00", "17:30"]],
    closed: [
      ...CORE, ...EVES, epiphany(), ascension(), whitMonday({ to: 2004 }), fixed("National Day", "06-06", { from: 2005 }),
      from("Midsummer Eve", FRI, "06-19"),
    ],
    early: [[
      "13:00", fixed("Eve of Epiphany", "01-05"), maundyThursday, fixed("Walpurgis Night", "04-30"),
      easter("Eve of Ascension", 38), from("Eve of All Saints", FRI, "10-30"),
    ]],
    knownUntil: "2026-12-31",
  },
  {
    mic: "XCSE", name: "Nasdaq Copenhagen", country: "DK", city: "Copenhagen", zone: "Europe/Copenhagen", currency: "DKK",
    hours: [["1990-01-01", "09:00", "17:00"]],
    closed: [
      newYear(), maundyThursday, goodFriday, easterMonday, easter("General Prayer Day", 26, { to: 2023 }), ascension(),
      easter("Day after Ascension", 40, { from: 2009 }), whitMonday(), fixed("Constitution Day", "06-05"), christmas(), boxingDay(), ...EVES,
    ],
    knownUntil: "2026-12-31",
  },
  {
    mic: "XHEL", name: "Nasdaq Helsinki", country: "FI", city: "Helsinki", zone: "Europe/Helsinki", currency: "EUR",
    hours: [["1990-01-01", "10:00", "18:30"]],
    closed: [...CORE, ...EVES, epiphany(), ascension(), from("Midsummer Eve", FRI, "06-19"), fixed("Independence Day", "12-06")],
    knownUntil: "2026-12-31",
  },
  {
    mic: "XOSL", name: "Oslo Børs", country: "NO", city: "Oslo", zone: "Europe/Oslo", currency: "NOK",
    hours: [["1990-01-01", "09:00", "16:20"]],
    closed: [...CORE, ...EVES, maundyThursday, fixed("Constitution Day", "05-17"), ascension(), whitMonday()],
    early: [["13:00", easter("Wednesday before Easter", -4, { from: 2011 })]], knownUntil: "2026-12-31",
  },
  {
    mic: "XLUX", name: "Luxembourg Stock Exchange", country: "LU", city: "Luxembourg", zone: "Europe/Luxembourg", currency: "EUR",
    hours: [["1990-01-01", "09:00", "17:40"]], closed: CORE, early: [["14:05", ...EVES]], knownUntil: "2026-12-31",
  },
  {
    mic: "XICE", name: "Nasdaq Iceland", country: "IS", city: "Reykjavik", zone: "Atlantic/Reykjavik", currency: "ISK",
    hours: [["1990-01-01", "09:30", "15:30"]],
    closed: [
      ...CORE, maundyThursday, from("First Day of Summer", THU, "04-19"),
      ascension(), whitMonday(), fixed("National Day", "06-17"), nth("Commerce Day", 1, MON, 8), christmasEve(), newYearsEve({ skip: [2018] }),
    ],
    knownUntil: "2026-12-31",
  },
];
