// The simulated market: any security of the directory, and made-up ones, with a price that respects the calendar.
// Every number it gives is marked as simulated.
import type { Decimal } from "../../../../lib/decimal.ts";
import { MINUTE_MS } from "../../../../lib/time.ts";
import type { MarketCalendar } from "../calendar/index.ts";
import { fromMillis } from "../quote/instant.ts";
import { emptyDraft, type Draft } from "../quote/model.ts";
import { NO_MARKET } from "../symbols/instrument.ts";
import { knotTicks, priceTicks, seedOf, type Character } from "./path.ts";
import { ALWAYS_OPEN, tradingDaysOf, type TradingDay, type TradingDays } from "./trading-days.ts";

const YEAR_OF_SESSIONS = 252;

interface Behaviour {
  baseTicks?: number;
  volatility?: number;
  /** Seconds between trades. */
  gap?: number;
  status?: "halted" | "delisted";
  /** Moves like this other line: two classes of one company. */
  like?: string;
}

const SPECIAL: Record<string, Behaviour> = {
  ACNCALM: { baseTicks: 10_000, volatility: 0.2 },
  ACNWAVE: { baseTicks: 5_000, volatility: 1 },
  ACNWILD: { baseTicks: 25_000, volatility: 4 },
  ACNPENNY: { baseTicks: 85, volatility: 2 },
  ACNHALT: { baseTicks: 4_200, status: "halted" },
  ACNTHIN: { baseTicks: 31_400, gap: 600 },
  ACNGONE: { status: "delisted" },
  GOOG: { like: "GOOGL" },
  "BRK.A": { like: "BRK.B" },
  "BF.A": { like: "BF.B" },
};

/** Currencies that have no smaller unit in trading: the tick is one whole. */
const WHOLE = new Set(["JPY", "KRW", "CLP", "IDR", "VND"]);
/** Around a known price the simulation stays near it; without one it may roam. */
const NEAR_VOLATILITY = 0.25;

export interface SimulatedInstrument {
  symbol: string;
  mic: string;
  quotedIn: string;
  type?: string;
  simulatedAround?: string;
}

/** Without a calendar the market never closes: pairs, indices and futures. */
export function simulateQuote(
  instrument: SimulatedInstrument,
  calendar: MarketCalendar | null,
  now: number,
  seed = "connector",
): Draft {
  const behaviour = SPECIAL[instrument.symbol] ?? {};
  const common = commonPart(instrument, behaviour);
  if (behaviour.status === "delisted") return common;
  const places = placesOf(instrument);
  const character = characterOf(instrument, behaviour, seed, places);
  const days = calendar ? tradingDaysOf(calendar) : ALWAYS_OPEN;
  const day = days.current(now);
  if (!day) return common;
  const price = (ticks: number): Decimal => format(ticks, places);
  const gapMs = (behaviour.gap ?? 1 + (character.seed % 4)) * 1000;
  const end = Math.min(now, day.close);
  const at = behaviour.status === "halted" ? day.open : Math.max(day.open, Math.floor(end / gapMs) * gapMs);
  const minutes = (at - day.open) / MINUTE_MS;
  const lastTicks = priceTicks(character, day.start + minutes);
  const shape = dayShape(character, day.start, minutes, lastTicks);
  const year = yearRange(character, days, day);
  const before = days.previous(day.date);
  const size = 100 * (1 + (seedOf(`${character.seed}:${at}`) % 9));
  const spread = Math.max(1, Math.round(lastTicks / 4000));
  const side = (ticks: number, extra: number) => ({
    price: price(Math.max(1, ticks)),
    size: 100 + (size % extra),
    at: fromMillis(at),
    venue: common.mic,
  });
  return {
    ...common,
    trade: { price: price(lastTicks), size, at: fromMillis(at), venue: common.mic, conditions: [] },
    bid: side(lastTicks - spread, 500),
    ask: side(lastTicks + spread, 700),
    day: {
      date: day.date,
      open: price(shape.open),
      high: price(shape.high),
      low: price(shape.low),
      close: now >= day.close ? price(lastTicks) : null,
      volume: Math.floor(minutes * (500 + (character.seed % 5000))),
      vwap: price(shape.average),
      trades: Math.floor((at - day.open) / gapMs) + 1,
    },
    previousClose: before && {
      price: price(priceTicks(character, before.start + (before.close - before.open) / MINUTE_MS)),
      date: before.date,
      adjusted: false,
    },
    range52w: { low: price(Math.min(year.low, shape.low)), high: price(Math.max(year.high, shape.high)) },
    sequence: String(Math.floor(at / 1000)),
  };
}

/** What every simulated quote says of itself. */
function commonPart(instrument: SimulatedInstrument, { status }: Behaviour): Draft {
  return {
    ...emptyDraft(instrument.symbol, "simulated"),
    mic: instrument.mic === NO_MARKET ? null : instrument.mic,
    quotedIn: instrument.quotedIn,
    feed: "simulation",
    coverage: "derived",
    delivery: "simulated",
    delaySeconds: 0,
    attribution: "Made up by Action Connector. Not market data.",
    trading: {
      status: status ?? "trading",
      code: null,
      reason: status === "halted" ? "made-up halt" : null,
      since: null,
    },
  };
}

function placesOf({ type, quotedIn }: SimulatedInstrument): number {
  if (type === "forex") return quotedIn === "JPY" ? 3 : 5;
  return WHOLE.has(quotedIn) ? 0 : 2;
}

function characterOf(instrument: SimulatedInstrument, behaviour: Behaviour, seed: string, places: number): Character {
  const own = seedOf(`${seed}|${behaviour.like ?? instrument.symbol}:${instrument.mic}`);
  const around = instrument.simulatedAround ? Math.round(Number(instrument.simulatedAround) * 10 ** places) : null;
  return {
    seed: own,
    baseTicks: behaviour.baseTicks ?? around ?? 800 + (own % 49_200),
    volatility: behaviour.volatility ?? (around ? NEAR_VOLATILITY : 0.6 + (own % 7) / 10),
  };
}

/** Open, high, low and average up to now; high and low are exact, since the price runs straight between the knots. */
function dayShape(character: Character, start: number, minutes: number, lastTicks: number) {
  const open = knotTicks(character, start);
  let high = Math.max(open, lastTicks);
  let low = Math.min(open, lastTicks);
  let sum = open;
  const whole = Math.floor(minutes);
  for (let m = 1; m <= whole; m++) {
    const ticks = knotTicks(character, start + m);
    if (ticks > high) high = ticks;
    if (ticks < low) low = ticks;
    sum += ticks;
  }
  return { open, high, low, average: Math.round(sum / (whole + 1)) };
}

const YEARS = new Map<string, { low: number; high: number }>();
const MAX_YEARS = 5000;

/** The range of the year before, by the opening prices of its sessions; kept for the day. */
function yearRange(character: Character, days: TradingDays, day: TradingDay) {
  const key = `${character.seed}:${character.baseTicks}:${day.date}`;
  const known = YEARS.get(key);
  if (known) return known;
  const range = { low: Infinity, high: 0 };
  for (let n = 0; n < YEAR_OF_SESSIONS; n++) {
    const start = day.start - n * days.minutesPerDay;
    if (start < 0) break;
    const ticks = knotTicks(character, start);
    range.low = Math.min(range.low, ticks);
    range.high = Math.max(range.high, ticks);
  }
  if (YEARS.size >= MAX_YEARS) YEARS.clear();
  YEARS.set(key, range);
  return range;
}

function format(ticks: number, places: number): Decimal {
  if (places === 0) return String(ticks);
  const text = String(ticks).padStart(places + 1, "0");
  return `${text.slice(0, -places)}.${text.slice(-places)}`;
}
