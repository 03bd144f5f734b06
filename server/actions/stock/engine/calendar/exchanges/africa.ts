// Exchanges of Africa.
import type { Exchange } from "../exchange.ts";
import { dates, easter, fixed } from "../rules.ts";
import { goodFriday } from "./feasts.ts";

const sunday = { observe: "sunday" } as const;
/** The exchange is closed on public holidays, also on those that the President declares for one year. */
const PUBLIC_HOLIDAYS_ACT =
  "Public Holidays Act 36 of 1994, section 2A: proclamations in the Government Gazette, e.g. 38 of 2021 (GG 45354)";

export const AFRICA: Exchange[] = [
  {
    mic: "XJSE",
    name: "Johannesburg Stock Exchange",
    country: "ZA",
    city: "Johannesburg",
    zone: "Africa/Johannesburg",
    currency: "ZAR",
    hours: [["1990-01-01", "09:00", "17:00"]],
    closed: [
      fixed("New Year's Day", "01-01", sunday),
      fixed("Human Rights Day", "03-21", sunday),
      goodFriday,
      easter("Family Day", 1),
      fixed("Freedom Day", "04-27", sunday),
      fixed("Workers' Day", "05-01", sunday),
      fixed("Youth Day", "06-16", sunday),
      fixed("National Women's Day", "08-09", sunday),
      fixed("Heritage Day", "09-24", sunday),
      fixed("Day of Reconciliation", "12-16", sunday),
      fixed("Christmas Day", "12-25"),
      fixed("Day of Goodwill", "12-26", sunday),
      dates("Declared holiday", "2008-05-02 2011-12-27 2016-12-27 2022-12-27 2023-12-15", {
        source: PUBLIC_HOLIDAYS_ACT,
      }),
      dates(
        "Election",
        "2004-04-14 2006-03-01 2009-04-22 2011-05-18 2014-05-07 2016-08-03 2019-05-08 2021-11-01 2024-05-29",
        { source: PUBLIC_HOLIDAYS_ACT },
      ),
    ],
    // A day of local elections between November 2026 and January 2027 had not been announced.
    knownUntil: "2026-10-31",
  },
];
