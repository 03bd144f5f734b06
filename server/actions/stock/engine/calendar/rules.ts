// The rules that exchange tables are written in: which day a holiday falls on, in which years, and where it moves when it
// falls on a weekend or on another holiday. Dates only; hours belong to the calendar.
import {
  dayOf,
  dayOfText,
  easterSunday,
  isWeekend,
  nthWeekday,
  onOrAfter,
  orthodoxEaster,
  SAT,
  SUN,
  weekdayOf,
  type Day,
} from "./days.ts";

/**
 * Where a day goes that meets a weekend:
 * stay (it is lost) · nearest (Sat→Fri, Sun→Mon) · monday (Sat, Sun→Mon) · sunday (only Sun→Mon) ·
 * free (weekend or taken → next free weekday) · sunday-free (Sunday or taken → next free weekday) ·
 * before / after (weekend → the last / next weekday).
 */
export type Observe = "stay" | "nearest" | "monday" | "sunday" | "free" | "sunday-free" | "before" | "after";

export interface Span {
  /** First and last year in which the rule holds, both included. */
  from?: number;
  to?: number;
  /** Only when the raw day is one of these weekdays (0 = Sunday). */
  only?: number[];
  /** Only in these years. */
  years?: number[];
  /** Not in these years. */
  skip?: number[];
  observe?: Observe;
  /** Not foreseen by any rule: storms, mourning, failures. */
  adHoc?: boolean;
  /** Whose notice it is, where public tables disagree or leave the day out. */
  source?: string;
}

export interface Rule extends Span {
  name: string;
  /** The raw days of a year, before they move. */
  raw(year: number): Day[];
}

const rule = (name: string, raw: (year: number) => Day[], span: Span = {}): Rule => ({ name, raw, ...span });

/** A fixed "MM-DD". */
export const fixed = (name: string, monthDay: string, span?: Span): Rule =>
  rule(name, (y) => [dayOf(y, +monthDay.slice(0, 2), +monthDay.slice(3))], span);
/** Days after Western Easter Sunday (Good Friday is -2). */
export const easter = (name: string, offset: number, span?: Span): Rule =>
  rule(name, (y) => [easterSunday(y) + offset], span);
/** Days after Orthodox Easter Sunday. */
export const orthodox = (name: string, offset: number, span?: Span): Rule =>
  rule(name, (y) => [orthodoxEaster(y) + offset], span);
/** The nth weekday of a month; -1 is the last. */
export const nth = (name: string, n: number, weekday: number, month: number, span?: Span): Rule =>
  rule(name, (y) => [nthWeekday(y, month, weekday, n)], span);
/** The first such weekday on or after "MM-DD". */
export const from = (name: string, weekday: number, monthDay: string, span?: Span): Rule =>
  rule(name, (y) => [onOrAfter(dayOf(y, +monthDay.slice(0, 2), +monthDay.slice(3)), weekday)], span);
/** Whatever a function of the year says; null is "not this year". */
export const by = (name: string, of: (year: number) => Day | Day[] | null, span?: Span): Rule =>
  rule(name, (y) => [of(y) ?? []].flat(), span);

/** Listed days. "2001-09-11..14" is a run; "2012: 01-02 01-23..27" names the year once. */
export function dates(name: string, list: string, span?: Span): Rule {
  const days = new Map<number, Day[]>();
  for (const day of readDays(list)) {
    const year = new Date(day * 86_400_000).getUTCFullYear();
    days.set(year, [...(days.get(year) ?? []), day]);
  }
  return rule(name, (y) => days.get(y) ?? [], span);
}

/** Listed days on which an exchange was closed unexpectedly. */
export const closure = (name: string, list: string, source?: string): Rule =>
  dates(name, list, { adHoc: true, source });

/** Reads the notation of `dates` into day numbers, in the order written. */
export function readDays(list: string): Day[] {
  const days: Day[] = [];
  let year = "";
  for (const word of list.split(/\s+/).filter(Boolean)) {
    if (/^\d{4}:$/.test(word)) {
      year = word.slice(0, 4);
      continue;
    }
    const [first, last] = word.split("..");
    const text = first.length === 5 ? `${year}-${first}` : first;
    const start = dayOfText(text);
    const end = !last ? start : dayOfText(last.length === 5 ? `${text.slice(0, 4)}-${last}` : text.slice(0, 8) + last);
    for (let day = start; day <= end; day++) days.push(day);
  }
  return days;
}

export interface Holiday {
  name: string;
  adHoc: boolean;
}

/** The holidays of a year as day → name. Rules are applied in order, so an earlier one is never moved by a later one. */
export function holidaysOf(rules: Rule[], year: number): Map<Day, Holiday> {
  const taken = new Map<Day, Holiday>();
  for (const y of [year - 1, year, year + 1]) {
    const raw = rules.flatMap((r) =>
      holds(r, y)
        ? r
            .raw(y)
            .filter((d) => fits(r, d))
            .map((day) => ({ r, day }))
        : [],
    );
    const claimed = new Set(raw.filter(({ day }) => !isWeekend(day)).map(({ day }) => day));
    const seen = new Set<Day>();
    for (const { r, day } of raw) {
      const at = move(day, r.observe ?? "stay", (d) => seen.has(d) || (d !== day && claimed.has(d)));
      seen.add(at);
      if (!taken.has(at)) taken.set(at, { name: r.name, adHoc: r.adHoc ?? false });
    }
  }
  const start = dayOf(year, 1, 1);
  const end = dayOf(year, 12, 31);
  return new Map([...taken].filter(([day]) => day >= start && day <= end));
}

/** The days of one list of rules (early closes, late opens), moved but never pushed by one another. */
export function daysOf(rules: Rule[], year: number): Day[] {
  return rules.flatMap((r) =>
    holds(r, year)
      ? r
          .raw(year)
          .filter((d) => fits(r, d))
          .map((d) => move(d, r.observe ?? "stay", () => false))
      : [],
  );
}

const holds = (r: Rule, year: number): boolean =>
  year >= (r.from ?? -Infinity) &&
  year <= (r.to ?? Infinity) &&
  !r.skip?.includes(year) &&
  (!r.years || r.years.includes(year));
const fits = (r: Rule, day: Day): boolean => !r.only || r.only.includes(weekdayOf(day));

function move(day: Day, observe: Observe, taken: (day: Day) => boolean): Day {
  const weekday = weekdayOf(day);
  switch (observe) {
    case "stay":
      return day;
    case "nearest":
      return weekday === SAT ? day - 1 : weekday === SUN ? day + 1 : day;
    case "monday":
      return weekday === SAT ? day + 2 : weekday === SUN ? day + 1 : day;
    case "sunday":
      return weekday === SUN ? day + 1 : day;
    case "before":
      return weekday === SAT ? day - 1 : weekday === SUN ? day - 2 : day;
    case "after":
      return weekday === SAT ? day + 2 : weekday === SUN ? day + 1 : day;
    default: {
      let at = day;
      const mustMove = (d: Day) => (observe === "free" ? isWeekend(d) : weekdayOf(d) === SUN) || taken(d);
      if (!mustMove(at)) return at;
      do at++;
      while (isWeekend(at) || taken(at));
      return at;
    }
  }
}
