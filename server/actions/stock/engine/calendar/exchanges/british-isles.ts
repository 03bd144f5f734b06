// London and Dublin.
import { MON } from "../days.ts";
import type { Exchange } from "../exchange.ts";
import { closure, dates, nth, type Rule } from "../rules.ts";
import {
  before,
  boxingDay,
  christmas,
  christmasEve,
  easterMonday,
  free,
  goodFriday,
  labourDay,
  monday,
  newYear,
  newYearsEve,
} from "./feasts.ts";

const BRITISH_CHRISTMAS: Rule[] = [christmas(free), boxingDay(free)];

/** Dublin moved to the systems and the calendar of Euronext on 4 February 2019; two years later it took its own May day back. */
const EURONEXT_2019 = "Euronext, 2019 Holiday Calendar for its Cash and Derivatives markets, 18 October 2018";
const EURONEXT_2021 = "Euronext, Trading hours & holidays, the calendars of 2021 and later";

export const BRITISH_ISLES: Exchange[] = [
  {
    mic: "XLON",
    name: "London Stock Exchange",
    country: "GB",
    city: "London",
    zone: "Europe/London",
    currency: "GBP",
    also: ["AIMX", "CHIX", "BATE", "TRQX"],
    hours: [["1990-01-01", "08:00", "16:30"]],
    closed: [
      newYear(monday),
      goodFriday,
      easterMonday,
      nth("Early May Bank Holiday", 1, MON, 5, { skip: [2020] }),
      dates("Victory in Europe Day", "2020-05-08"),
      nth("Spring Bank Holiday", -1, MON, 5, { skip: [2002, 2012, 2022] }),
      dates("Jubilee", "2002-06-03..04 2012-06-04..05 2022-06-02..03"),
      nth("Summer Bank Holiday", -1, MON, 8),
      ...BRITISH_CHRISTMAS,
      dates("Royal Wedding", "2011-04-29"),
      closure("Funeral of Queen Elizabeth II", "2022-09-19"),
      dates("Coronation of King Charles III", "2023-05-08"),
      dates("Millennium", "1999-12-31"),
    ],
    early: [["12:30", christmasEve(before), newYearsEve(before)]],
    around: [
      ["auction", "07:50", "open"],
      ["auction", "close", "+5"],
    ],
    knownUntil: "2027-12-31",
  },
  {
    mic: "XDUB",
    name: "Euronext Dublin",
    country: "IE",
    city: "Dublin",
    zone: "Europe/Dublin",
    currency: "EUR",
    hours: [["1990-01-01", "08:00", "16:28"]],
    closed: [
      newYear(monday),
      dates("St. Patrick's Day", "2000-03-17"),
      goodFriday,
      easterMonday,
      labourDay({ years: [2008, 2009] }),
      labourDay({ from: 2019, source: EURONEXT_2019 }),
      nth("May Bank Holiday", 1, MON, 5, { to: 2018 }),
      nth("May Bank Holiday", 1, MON, 5, { from: 2021, source: EURONEXT_2021 }),
      nth("June Bank Holiday", 1, MON, 6, { to: 2018 }),
      christmasEve({ to: 2004 }),
      ...BRITISH_CHRISTMAS,
      closure("Snow storm", "2018-03-02"),
    ],
    early: [
      [
        "12:28",
        christmasEve({ from: 2010, ...before }),
        newYearsEve({ from: 2010, ...before }),
        closure("Snow storm", "2018-03-01"),
      ],
    ],
    knownUntil: "2026-12-31",
  },
];
