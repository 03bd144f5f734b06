// Lima and Bogotá.
import { MON, nthWeekday, SUN, textOfDay } from "../days.ts";
import type { Exchange } from "../exchange.ts";
import { dates, easter, fixed, from } from "../rules.ts";

/** Bogotá does not change its clocks, but its exchange follows New York's. */
const BOGOTA_HOURS: Exchange["hours"] = Array.from({ length: 41 }, (_, i) => 2000 + i).flatMap(
  (y): Exchange["hours"] => {
    const summer = y < 2007 ? nthWeekday(y, 4, SUN, 1) : nthWeekday(y, 3, SUN, 2);
    const winter = y < 2007 ? nthWeekday(y, 10, SUN, -1) : nthWeekday(y, 11, SUN, 1);
    return [
      [`${y}-01-01`, "09:30", "16:00"],
      [textOfDay(summer), "08:30", "15:00"],
      [textOfDay(winter), "09:30", "16:00"],
    ];
  },
);

export const ANDES: Exchange[] = [
  {
    mic: "XLIM",
    name: "Bolsa de Valores de Lima",
    country: "PE",
    city: "Lima",
    zone: "America/Lima",
    currency: "PEN",
    hours: [["1990-01-01", "09:00", "16:00"]],
    closed: [
      fixed("New Year's Day", "01-01"),
      easter("Maundy Thursday", -3),
      easter("Good Friday", -2),
      fixed("Labour Day", "05-01"),
      fixed("Battle of Arica", "06-07", { from: 2024 }),
      fixed("Saints Peter and Paul", "06-29"),
      fixed("Air Force Day", "07-23", { from: 2024 }),
      fixed("Independence Day", "07-28"),
      fixed("Independence Day", "07-29"),
      fixed("Battle of Junín", "08-06", { from: 2022 }),
      fixed("Santa Rosa de Lima", "08-30"),
      fixed("Battle of Angamos", "10-08"),
      fixed("All Saints' Day", "11-01"),
      fixed("Immaculate Conception", "12-08"),
      fixed("Battle of Ayacucho", "12-09", { from: 2022 }),
      fixed("Christmas Day", "12-25"),
      dates(
        "Bridge day",
        "2001-12-31 2002-12-31 2003-12-31 2004-12-31 2007-12-31 2009-01-02 2009-07-27 2015-01-02 2015-07-27",
      ),
      dates("Summit", "2012-10-01..02 2015-10-09 2016-11-17..18 2018-04-13"),
      dates("Battle of Ayacucho", "2024-12-09"),
    ],
    knownUntil: "2025-12-31",
  },
  {
    mic: "XBOG",
    name: "Bolsa de Valores de Colombia",
    country: "CO",
    city: "Bogotá",
    zone: "America/Bogota",
    currency: "COP",
    hours: BOGOTA_HOURS,
    closed: [
      fixed("New Year's Day", "01-01"),
      from("Epiphany", MON, "01-06"),
      from("St. Joseph's Day", MON, "03-19"),
      easter("Maundy Thursday", -3),
      easter("Good Friday", -2),
      fixed("Labour Day", "05-01"),
      easter("Ascension Day", 43),
      easter("Corpus Christi", 64),
      easter("Sacred Heart", 71),
      from("Saints Peter and Paul", MON, "06-29"),
      fixed("Independence Day", "07-20"),
      fixed("Battle of Boyacá", "08-07"),
      from("Assumption Day", MON, "08-15"),
      from("Day of the Race", MON, "10-12"),
      from("All Saints' Day", MON, "11-01"),
      from("Independence of Cartagena", MON, "11-11"),
      fixed("Immaculate Conception", "12-08"),
      fixed("Christmas Day", "12-25"),
      fixed("Last weekday of the year", "12-31", { observe: "before" }),
    ],
    knownUntil: "2020-12-31",
  },
];
