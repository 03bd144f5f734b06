// What a market is doing at an instant: a sorted list of phase changes and a binary search. Pure.
import { dayOfText, isWeekend, textOfDay, yearOfDay } from "./days.ts";
import { Sessions, type Override, type Session } from "./calendar.ts";
import type { Exchange } from "./exchange.ts";

export type Phase = "closed" | "pre" | "regular" | "break" | "auction" | "post" | "overnight";
const PHASES: Phase[] = ["closed", "pre", "regular", "break", "auction", "post", "overnight"];

export interface MarketState {
  state: Phase;
  reason: "weekend" | "holiday" | "early_close" | "ad_hoc" | null;
  /** The name of the holiday or of the shortened day. */
  holiday: string | null;
  /** The trade date of the session that is on, or of the last one. */
  session_date: string | null;
  open_at: number | null;
  close_at: number | null;
  next_open_at: number | null;
  next_close_at: number | null;
}

interface Timeline {
  from: number;
  to: number;
  at: Float64Array;
  phase: Uint8Array;
  session: Int32Array;
  sessions: Session[];
  /** The whole answer for each stretch, made when first asked for: nothing in it changes before the next edge. */
  states: (MarketState | undefined)[];
}

export class MarketCalendar {
  readonly #sessions: Sessions;
  #line: Timeline | null = null;

  readonly mic: string;
  readonly exchange: Exchange;

  constructor(mic: string, exchange: Exchange, overrides: Override[] = []) {
    this.mic = mic;
    this.exchange = exchange;
    this.#sessions = new Sessions(exchange, overrides);
  }

  get knownUntil(): string {
    return this.exchange.knownUntil;
  }

  /** Sessions whose trade date lies between two dates, both included. */
  sessions(from: string, to: string): Session[] {
    const list: Session[] = [];
    for (let year = Number(from.slice(0, 4)); year <= Number(to.slice(0, 4)); year++) {
      for (const s of this.#sessions.year(year).sessions) if (s.date >= from && s.date <= to) list.push(s);
    }
    return list;
  }

  /** Weekdays of a year on which the market does not open, with the reason's name. */
  holidays(year: number): { date: string; name: string }[] {
    return [...this.#sessions.year(year).holidays]
      .filter(([day]) => !isWeekend(day))
      .sort(([a], [b]) => a - b)
      .map(([day, h]) => ({ date: textOfDay(day), name: h.name }));
  }

  session(date: string): Session | null {
    return this.#sessions.year(Number(date.slice(0, 4))).sessions.find((s) => s.date === date) ?? null;
  }

  /** The last session before the given trade date. */
  previousSession(date: string): Session | null {
    const year = Number(date.slice(0, 4));
    return (
      this.#sessions.year(year).sessions.findLast((s) => s.date < date) ??
      this.#sessions.year(year - 1).sessions.at(-1) ??
      null
    );
  }

  /** How many sessions there were from the first of January of a year until a trade date, which is not counted. */
  sessionsSince(firstYear: number, date: string): number {
    const year = Number(date.slice(0, 4));
    if (year < firstYear) return 0;
    let count = 0;
    for (let y = firstYear; y < year; y++) count += this.#sessions.daysOf(y).days.length;
    const until = dayOfText(date);
    return count + this.#sessions.daysOf(year).days.filter((day) => day < until).length;
  }

  /** The wall-clock date of the exchange at an instant. */
  localDate(t: number): string {
    return textOfDay(this.#sessions.zone.dayAt(t));
  }

  /** The phase alone: the cheap question. */
  phaseAt(t: number): Phase {
    const line = this.#cover(t);
    return PHASES[line.phase[search(line.at, t)]];
  }

  /** Everything; shared between callers, so it is not to be changed. */
  stateAt(t: number): MarketState {
    const line = this.#cover(t);
    const i = search(line.at, t);
    return line.states[i] ?? (line.states[i] = Object.freeze(this.#describe(line, i, t)));
  }

  #describe(line: Timeline, i: number, t: number): MarketState {
    const state = PHASES[line.phase[i]];
    const session = line.sessions[line.session[i]] ?? null;
    return {
      state,
      ...this.#why(state, session, this.localDate(t)),
      session_date: session?.date ?? null,
      open_at: session?.open ?? null,
      close_at: session?.close ?? null,
      next_open_at: this.#next(line, line.session[i], t, "open"),
      next_close_at: this.#next(line, line.session[i], t, "close"),
    };
  }

  nextOpen(t: number): number | null {
    return this.stateAt(t).next_open_at;
  }

  nextClose(t: number): number | null {
    return this.stateAt(t).next_close_at;
  }

  #why(state: Phase, session: Session | null, date: string): Pick<MarketState, "reason" | "holiday"> {
    if (state === "closed" && session?.date !== date) {
      const day = dayOfText(date);
      const holiday = this.#sessions.year(yearOfDay(day)).holidays.get(day);
      if (holiday && !isWeekend(day)) return { reason: holiday.adHoc ? "ad_hoc" : "holiday", holiday: holiday.name };
      if (!this.session(date) && isWeekend(day)) return { reason: "weekend", holiday: null };
      return { reason: null, holiday: null };
    }
    return session?.unusual ? { reason: "early_close", holiday: session.unusual } : { reason: null, holiday: null };
  }

  #next(line: Timeline, from: number, t: number, edge: "open" | "close"): number | null {
    for (let i = Math.max(0, from); i < line.sessions.length; i++)
      if (line.sessions[i][edge] > t) return line.sessions[i][edge];
    return null;
  }

  #cover(t: number): Timeline {
    const line = this.#line;
    if (line && t >= line.from && t < line.to) return line;
    const year = new Date(t).getUTCFullYear();
    // One year at a time, with the sessions of its neighbours: each year costs milliseconds at the first question.
    const first = Math.min(year, line ? new Date(line.from).getUTCFullYear() : year);
    const last = Math.max(year + 1, line ? new Date(line.to).getUTCFullYear() : year + 1);
    return (this.#line = this.#build(first, last));
  }

  #build(first: number, last: number): Timeline {
    const sessions: Session[] = [];
    for (let year = first - 1; year <= last; year++) sessions.push(...this.#sessions.year(year).sessions);
    const at: number[] = [-Infinity];
    const phase: number[] = [0];
    const owner: number[] = [-1];
    const push = (time: number, name: Phase, index: number) => {
      if (at[at.length - 1] === time) {
        at.pop();
        phase.pop();
        owner.pop();
      }
      at.push(time);
      phase.push(PHASES.indexOf(name));
      owner.push(index);
    };
    // While closed the reason (weekend, holiday) changes at midnight, so that is an edge too.
    const midnights = (until: number, index: number) => {
      for (let day = this.#sessions.zone.dayAt(at[at.length - 1]) + 1; ; day++) {
        const midnight = this.#sessions.zone.toUtc(day, 0);
        if (midnight >= until) break;
        push(midnight, "closed", index);
      }
    };
    sessions.forEach((s, index) => {
      const around = (this.exchange.around ?? []).map(([name, from, to]) => ({ name, ...this.#span(s, from, to) }));
      const begins = Math.min(s.open, ...around.filter((a) => a.to <= s.open).map((a) => a.from));
      if (index > 0) midnights(begins, index - 1);
      for (const a of around.filter((a) => a.to <= s.open)) {
        push(a.from, a.name, index);
        if (a.to < s.open) push(a.to, "closed", index);
      }
      push(s.open, "regular", index);
      if (s.breakStart !== null) {
        push(s.breakStart, "break", index);
        push(s.breakEnd!, "regular", index);
      }
      push(s.close, "closed", index);
      for (const a of around.filter((a) => a.from >= s.close)) {
        push(a.from, a.name, index);
        push(a.to, "closed", index);
      }
    });
    return {
      from: Date.UTC(first, 0, 1),
      to: Date.UTC(last, 0, 1),
      at: Float64Array.from(at),
      phase: Uint8Array.from(phase),
      session: Int32Array.from(owner),
      sessions,
      states: [],
    };
  }

  #span(s: Session, from: string, to: string): { from: number; to: number } {
    const day = dayOfText(s.date);
    const clock = (text: string, base: number): number => {
      if (text === "open") return s.open;
      if (text === "close") return s.close;
      if (text.startsWith("+")) return base + Number(text.slice(1)) * 60_000;
      return this.#sessions.zone.toUtc(day, Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5)));
    };
    const start = clock(from, s.close);
    return { from: start, to: clock(to, start) };
  }
}

/** Index of the last entry that is not after t. */
function search(at: Float64Array, t: number): number {
  let low = 0;
  let high = at.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (at[middle] <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}
