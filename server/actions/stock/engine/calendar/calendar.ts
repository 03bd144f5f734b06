// One exchange's sessions as instants, and what the market is doing at an instant. Pure: the caller brings the time.
import { dayOfText, isWeekend, textOfDay, weekdayOf, yearOfDay, dayOf, type Day } from "./days.ts";
import type { Exchange, Hours } from "./exchange.ts";
import { daysOf, holidaysOf, readDays, type Holiday } from "./rules.ts";
import { zoneOf, type Zone } from "./zone.ts";

export interface Session {
  /** The trade date, which may differ from the calendar date of the open. */
  date: string;
  open: number;
  close: number;
  breakStart: number | null;
  breakEnd: number | null;
  /** Why the hours are unusual: the name of the early close or late open, else null. */
  unusual: string | null;
}

/** A change to the tables that an operator loads without a release. */
export interface Override {
  mic: string;
  date: string;
  /** closed: no session · open: a session on a day that has none · hours: other times (wall clock). */
  kind: "closed" | "open" | "hours";
  reason?: string;
  open?: string;
  close?: string;
}

/** The days of a year on which there is a session, ascending. */
interface YearDays {
  days: Day[];
  holidays: Map<Day, Holiday>;
}

interface YearTable {
  sessions: Session[];
  holidays: Map<Day, Holiday>;
}

const minutesOf = (text: string): number => {
  const [clock, back] = text.split("-");
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5)) - (back ? 1440 * Number(back) : 0);
};

/** Builds sessions a year at a time, on first use. */
export class Sessions {
  readonly zone: Zone;
  readonly #years = new Map<number, YearTable>();
  readonly #days = new Map<number, YearDays>();
  readonly #specials: Map<Day, [string, string]>;
  readonly #extra: Set<Day>;
  readonly #overrides: Map<Day, Override>;

  readonly exchange: Exchange;

  constructor(exchange: Exchange, overrides: Override[] = []) {
    this.exchange = exchange;
    this.zone = zoneOf(exchange.zone);
    this.#specials = readSpecials(exchange.special ?? "");
    this.#extra = new Set(readDays(exchange.extra ?? ""));
    this.#overrides = new Map(overrides.map((o) => [dayOfText(o.date), o]));
  }

  year(year: number): YearTable {
    let table = this.#years.get(year);
    if (!table) this.#years.set(year, (table = this.#build(year)));
    return table;
  }

  /** Without the hours of the sessions, which need the offsets of the zone and cost most. */
  daysOf(year: number): YearDays {
    let days = this.#days.get(year);
    if (!days) this.#days.set(year, (days = this.#findDays(year)));
    return days;
  }

  #findDays(year: number): YearDays {
    const holidays = holidaysOf(this.exchange.closed, year);
    for (const [day, o] of this.#overrides) {
      if (yearOfDay(day) === year && o.kind === "closed") {
        holidays.set(day, { name: o.reason ?? "Ad-hoc closure", adHoc: true });
      }
    }
    const days: Day[] = [];
    const end = dayOf(year, 12, 31);
    for (let day = dayOf(year, 1, 1); day <= end; day++) {
      const override = this.#overrides.get(day);
      const opened = this.#specials.has(day) || this.#extra.has(day) || override?.kind === "open";
      if (override?.kind === "closed") continue;
      if (opened || (!holidays.has(day) && this.#trades(day))) days.push(day);
    }
    return { days, holidays };
  }

  #build(year: number): YearTable {
    const early = changes(this.exchange.early ?? [], year);
    const late = changes(this.exchange.late ?? [], year);
    const { days, holidays } = this.daysOf(year);
    const sessions = days.map((day) =>
      this.#session(day, early.get(day), late.get(day), this.#specials.get(day), this.#overrides.get(day)),
    );
    return { sessions, holidays };
  }

  #trades(day: Day): boolean {
    const { week } = this.exchange;
    if (!week) return !isWeekend(day);
    const text = textOfDay(day);
    return week.findLast(([since]) => since <= text)?.[1].includes(weekdayOf(day)) ?? !isWeekend(day);
  }

  #session(day: Day, early?: Change, late?: Change, special?: [string, string], override?: Override): Session {
    const date = textOfDay(day);
    const [, open, close, breakStart, breakEnd] = hoursOn(this.exchange.hours, date);
    const opens = override?.open ?? special?.[0] ?? late?.time ?? open;
    const closes = override?.close ?? special?.[1] ?? early?.time ?? close;
    const hasBreak = breakStart && minutesOf(closes) > minutesOf(breakEnd!) && minutesOf(opens) < minutesOf(breakStart);
    const at = (clock: string) => this.zone.toUtc(day, minutesOf(clock));
    const changed =
      override?.kind === "hours" ? (override.reason ?? "Changed hours") : special ? "Special hours" : null;
    return {
      date,
      open: at(opens),
      close: at(closes),
      breakStart: hasBreak ? at(breakStart) : null,
      breakEnd: hasBreak ? at(breakEnd!) : null,
      unusual: changed ?? early?.name ?? late?.name ?? null,
    };
  }
}

interface Change {
  time: string;
  name: string;
}

function changes(lists: NonNullable<Exchange["early"]>, year: number): Map<Day, Change> {
  const map = new Map<Day, Change>();
  for (const [time, ...rules] of lists) {
    for (const rule of rules) for (const day of daysOf([rule], year)) map.set(day, { time, name: rule.name });
  }
  return map;
}

function hoursOn(table: Hours[], date: string): Hours {
  return table.findLast(([since]) => since <= date) ?? table[0];
}

function readSpecials(text: string): Map<Day, [string, string]> {
  const map = new Map<Day, [string, string]>();
  for (const entry of text
    .split(",")
    .map((e) => e.trim())
    .filter(Boolean)) {
    const [date, hours] = entry.split(" ");
    map.set(dayOfText(date), hours.split("-") as [string, string]);
  }
  return map;
}
