// The simulated market: any security of the directory, and made-up ones, with a price that respects the calendar.
// Every number it gives is marked as simulated.
import type { Decimal } from "../../../../lib/decimal.ts";
import type { MarketCalendar, Session } from "../calendar/index.ts";
import { fromMillis } from "../quote/instant.ts";
import { emptyDraft, type Draft } from "../quote/model.ts";
import { knotTicks, priceTicks, seedOf, type Character } from "./path.ts";

const EPOCH = "2015-01-01";
const MINUTE = 60_000;
/** Trading minutes that a session takes up on the path, however long it was. */
const SESSION_MINUTES = 512;

interface Behaviour {
  baseTicks?: number;
  volatility?: number;
  /** Seconds between trades. */
  gap?: number;
  status?: "halted" | "delisted";
}

const SPECIAL: Record<string, Behaviour> = {
  ACNCALM: { baseTicks: 10_000, volatility: 0.2 },
  ACNWAVE: { baseTicks: 5_000, volatility: 1 },
  ACNWILD: { baseTicks: 25_000, volatility: 4 },
  ACNPENNY: { baseTicks: 85, volatility: 2 },
  ACNHALT: { baseTicks: 4_200, status: "halted" },
  ACNTHIN: { baseTicks: 31_400, gap: 600 },
  ACNGONE: { status: "delisted" },
};

/** Currencies that have no smaller unit in trading: the tick is one whole. */
const WHOLE = new Set(["JPY", "KRW", "CLP", "IDR", "VND"]);

export interface SimulatedInstrument {
  symbol: string;
  mic: string;
  quotedIn: string;
}

export function simulateQuote(
  instrument: SimulatedInstrument,
  calendar: MarketCalendar,
  now: number,
  seed = "connector",
): Draft {
  const behaviour = SPECIAL[instrument.symbol] ?? {};
  const draft = emptyDraft(instrument.symbol, "simulated");
  const places = WHOLE.has(instrument.quotedIn) ? 0 : 2;
  const common: Draft = {
    ...draft,
    mic: instrument.mic,
    quotedIn: instrument.quotedIn,
    feed: "simulation",
    coverage: "derived",
    delivery: "simulated",
    delaySeconds: 0,
    attribution: "Made up by Action Connector. Not market data.",
    trading: {
      status: behaviour.status ?? "trading",
      code: null,
      reason: behaviour.status === "halted" ? "made-up halt" : null,
      since: null,
    },
  };
  if (behaviour.status === "delisted") return common;
  const character = characterOf(instrument, behaviour, seed);
  const session = currentSession(calendar, now);
  if (!session) return common;
  const price = (ticks: number): Decimal => format(ticks, places);
  const gapMs = (behaviour.gap ?? 1 + (character.seed % 4)) * 1000;
  const end = Math.min(now, session.close);
  const at = behaviour.status === "halted" ? session.open : Math.max(session.open, Math.floor(end / gapMs) * gapMs);
  const start = sessionStart(calendar, session.date);
  const minutes = (at - session.open) / MINUTE;
  const lastTicks = priceTicks(character, start + minutes);
  const spread = Math.max(1, Math.round(lastTicks / 4000));
  const closed = now >= session.close;
  const before = calendar.previousSession(session.date);
  const shape = dayShape(character, start, minutes);
  const size = 100 * (1 + (seedOf(`${character.seed}:${at}`) % 9));
  const quoteAt = fromMillis(at);
  return {
    ...common,
    trade: { price: price(lastTicks), size, at: quoteAt, venue: instrument.mic, conditions: [] },
    bid: closed
      ? null
      : { price: price(Math.max(1, lastTicks - spread)), size: 100 + (size % 500), at: quoteAt, venue: instrument.mic },
    ask: closed
      ? null
      : { price: price(lastTicks + spread), size: 100 + (size % 700), at: quoteAt, venue: instrument.mic },
    day: {
      date: session.date,
      open: price(shape.open),
      high: price(Math.max(shape.high, lastTicks)),
      low: price(Math.min(shape.low, lastTicks)),
      close: closed ? price(lastTicks) : null,
      volume: Math.floor(minutes * (500 + (character.seed % 5000))),
      vwap: null,
      trades: null,
    },
    previousClose: before && {
      price: price(priceTicks(character, sessionStart(calendar, before.date) + (before.close - before.open) / MINUTE)),
      date: before.date,
      adjusted: false,
    },
    sequence: String(Math.floor(at / 1000)),
  };
}

function characterOf(instrument: SimulatedInstrument, behaviour: Behaviour, seed: string): Character {
  const own = seedOf(`${seed}|${instrument.symbol}:${instrument.mic}`);
  return {
    seed: own,
    baseTicks: behaviour.baseTicks ?? 800 + (own % 49_200),
    volatility: behaviour.volatility ?? 0.6 + (own % 7) / 10,
  };
}

/** The session that is on, else the last one. */
function currentSession(calendar: MarketCalendar, now: number): Session | null {
  const state = calendar.stateAt(now);
  if (state.session_date === null) return null;
  const session = calendar.session(state.session_date);
  return session && session.open <= now ? session : calendar.previousSession(state.session_date);
}

const counts = new WeakMap<MarketCalendar, Map<string, number>>();

/** Where on the path a session begins: its number since the epoch, so the price goes on from day to day. */
function sessionStart(calendar: MarketCalendar, date: string): number {
  let days = counts.get(calendar);
  if (!days?.has(date)) {
    days = new Map(calendar.sessions(EPOCH, `${Number(date.slice(0, 4)) + 1}-12-31`).map((s, i) => [s.date, i]));
    counts.set(calendar, days);
  }
  return (days.get(date) ?? 0) * SESSION_MINUTES;
}

/** Open, high and low over the knots up to now: exact, since the price runs straight between them. */
function dayShape(character: Character, start: number, minutes: number) {
  const open = knotTicks(character, start);
  let high = open;
  let low = open;
  for (let m = 1; m <= Math.floor(minutes); m++) {
    const ticks = knotTicks(character, start + m);
    if (ticks > high) high = ticks;
    if (ticks < low) low = ticks;
  }
  return { open, high, low };
}

function format(ticks: number, places: number): Decimal {
  if (places === 0) return String(ticks);
  const text = String(ticks).padStart(places + 1, "0");
  return `${text.slice(0, -places)}.${text.slice(-places)}`;
}
