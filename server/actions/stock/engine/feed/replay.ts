// A recorded file as books: daily bars (CSV) or ticks (NDJSON). Dates stay what they were; nothing is moved to today.
import { toDecimal } from "../../../../lib/decimal.ts";
import type { MarketCalendar } from "../calendar/index.ts";
import { fromMillis } from "../quote/instant.ts";
import { readDelimited } from "../symbols/delimited.ts";
import { Book } from "./book.ts";
import { readTick } from "./tick.ts";

export interface Replayed {
  symbol: string;
  /** What Book.load takes. */
  state: unknown;
}

export interface ReplayReport {
  books: Replayed[];
  rows: number;
  skipped: { row: number; why: string }[];
}

export function readReplay(
  text: string,
  calendarOf: (symbol: string) => MarketCalendar | null,
  now: number,
): ReplayReport {
  return text.trimStart().startsWith("{") ? fromTicks(text, calendarOf, now) : fromBars(text, calendarOf);
}

function fromTicks(text: string, calendarOf: (symbol: string) => MarketCalendar | null, now: number): ReplayReport {
  const books = new Map<string, Book>();
  const skipped: ReplayReport["skipped"] = [];
  const lines = text.split("\n").filter((l) => l.trim());
  lines.forEach((line, i) => {
    const tick = readTick(parse(line));
    if (Array.isArray(tick)) return void skipped.push({ row: i + 1, why: tick.map((f) => f.detail).join("; ") });
    let book = books.get(tick.symbol);
    if (!book) books.set(tick.symbol, (book = new Book(tick.symbol)));
    if (book.apply(tick, calendarOf(tick.symbol), now) === "too_new")
      skipped.push({ row: i + 1, why: "at is in the future" });
  });
  return { books: [...books].map(([symbol, book]) => ({ symbol, state: book.save() })), rows: lines.length, skipped };
}

interface Bar {
  date: string;
  open: string | null;
  high: string | null;
  low: string | null;
  close: string;
  volume: number | null;
}

/** The last bar of each symbol is its day; the one before gives the previous close. */
function fromBars(text: string, calendarOf: (symbol: string) => MarketCalendar | null): ReplayReport {
  const rows = readDelimited(text);
  const bars = new Map<string, Bar[]>();
  const skipped: ReplayReport["skipped"] = [];
  rows.forEach((row, i) => {
    const get = (...names: string[]) =>
      Object.entries(row).find(([k]) => names.includes(k.toLowerCase().trim()))?.[1] ?? "";
    const symbol = get("symbol", "ticker", "name", "stock");
    const date = get("date", "day").slice(0, 10);
    const close = toDecimal(get("close", "c"));
    if (!symbol || !/^\d{4}-\d\d-\d\d$/.test(date) || !close)
      return void skipped.push({ row: i + 2, why: "needs symbol, date (YYYY-MM-DD) and close" });
    const volume = Number(get("volume", "v"));
    bars.set(symbol, [
      ...(bars.get(symbol) ?? []),
      {
        date,
        open: toDecimal(get("open", "o")),
        high: toDecimal(get("high", "h")),
        low: toDecimal(get("low", "l")),
        close,
        volume: Number.isSafeInteger(volume) && volume > 0 ? volume : null,
      },
    ]);
  });
  return {
    books: [...bars].map(([symbol, list]) => ({ symbol, state: stateOf(list, calendarOf(symbol)) })),
    rows: rows.length,
    skipped,
  };
}

function stateOf(list: Bar[], calendar: MarketCalendar | null): unknown {
  const sorted = list.sort((a, b) => (a.date < b.date ? -1 : 1));
  const bar = sorted[sorted.length - 1];
  const before = sorted.findLast((b) => b.date < bar.date);
  const session = calendar?.session(bar.date);
  const at = session ? fromMillis(session.close) : `${bar.date}T23:59:59Z`;
  const { date, open, high, low, close, volume } = bar;
  return {
    v: 1,
    top: 0,
    last: { seq: 0, price: close, size: null, at, atMs: Date.parse(at), venue: null, conditions: [], regular: true },
    day: { date, open, high, low, close, volume, vwap: null, trades: null },
    previous: before ? { price: before.close, date: before.date } : null,
    quoted: null,
    trading: null,
  };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
