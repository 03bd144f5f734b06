// Reads and validates one tick of a user's own feed. Unknown fields are refused by name.
import { isDecimal, toDecimal, type Decimal } from "../../../../lib/decimal.ts";
import type { Size, TradingStatus } from "../quote/model.ts";

export type TickType = "trade" | "quote" | "correction" | "cancel" | "status" | "close";

export interface Tick {
  type: TickType;
  symbol: string;
  /** Grows within a source and symbol; the same number twice is the same tick. */
  seq: number;
  at: string;
  atMs: number;
  price?: Decimal;
  size?: Size | null;
  bid?: Decimal | null;
  bid_size?: Size | null;
  ask?: Decimal | null;
  ask_size?: Size | null;
  venue?: string | null;
  conditions?: string[];
  /** The seq of the trade that a correction or cancel is about. */
  of?: number;
  status?: TradingStatus;
  reason?: string | null;
  /** The session a close belongs to. */
  date?: string;
  /** Set by the book: whether a trade fell into the regular session. */
  regular?: boolean;
}

const TYPES = new Set<string>(["trade", "quote", "correction", "cancel", "status", "close"]);
const NAMES = new Set([
  "type",
  "symbol",
  "seq",
  "at",
  "price",
  "size",
  "bid",
  "bid_size",
  "ask",
  "ask_size",
  "venue",
  "conditions",
  "of",
  "status",
  "reason",
  "date",
]);
const STATUSES = new Set<string>(["trading", "halted", "paused", "suspended"]);
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/;
/** A decimal above zero. */
const PRICE = /^(?:[1-9]\d*(?:\.\d+)?|0\.\d*[1-9]\d*)$/;

/** A price above zero as a decimal; null when it is not one. */
function priceOf(value: unknown): Decimal | null {
  if (typeof value === "string") return PRICE.test(value) ? value : null;
  return typeof value === "number" && value > 0 ? toDecimal(value) : null;
}

function sizeOf(value: unknown): Size | null | undefined {
  if (value === undefined || value === null) return null;
  if (typeof value === "number")
    return value >= 0 && Number.isFinite(value) ? (Number.isSafeInteger(value) ? value : toDecimal(value)!) : undefined;
  return isDecimal(value) && !value.startsWith("-") ? value : undefined;
}

/** Same result as TIME, without the regular expression for the usual "2026-11-13T15:30:00.123Z". */
function isTime(at: string): boolean {
  if (at.length !== 24 || at.slice(0, 10) !== lastDay) return TIME.test(at);
  for (let i = 11; i < 23; i++) {
    const c = at.charCodeAt(i);
    if (i === 13 || i === 16 ? c !== 58 : i === 19 ? c !== 46 : c < 48 || c > 57) return false;
  }
  return at.charCodeAt(10) === 84 && at.charCodeAt(23) === 90;
}

let lastDay = "";
let lastDayMs = 0;

/** Milliseconds of a checked time; the date part is remembered, since ticks come day by day. */
function millis(at: string): number {
  const day = at.slice(0, 10);
  if (day !== lastDay) {
    lastDayMs = Date.parse(`${day}T00:00:00Z`);
    lastDay = day;
  }
  const two = (i: number) => (at.charCodeAt(i) - 48) * 10 + at.charCodeAt(i + 1) - 48;
  const seconds = two(11) * 3600 + two(14) * 60 + two(17);
  let ms = 0;
  if (at.charCodeAt(19) === 46)
    for (let i = 20, unit = 100; i < 23 && at.charCodeAt(i) !== 90; i++, unit /= 10)
      ms += (at.charCodeAt(i) - 48) * unit;
  return lastDayMs + seconds * 1000 + ms;
}

/** The tick, or what is wrong with it. */
export function readTick(row: any): Tick | string {
  if (row === null || typeof row !== "object" || Array.isArray(row)) return "a tick is a JSON object";
  const type = row.type ?? "trade";
  if (!TYPES.has(type)) return `type "${String(type).slice(0, 20)}" is none of ${[...TYPES].join(", ")}`;
  if (typeof row.symbol !== "string" || row.symbol.length === 0 || row.symbol.length > 32) return "symbol is missing";
  if (!Number.isSafeInteger(row.seq) || row.seq < 0)
    return "seq must be a whole number that grows within the source and symbol";
  if (typeof row.at !== "string" || !isTime(row.at)) return "at must be a UTC time such as 2026-11-13T15:30:00.123456Z";
  const atMs = millis(row.at);
  if (atMs !== atMs) return "at is not a time";
  const odd = unknownName(row);
  if (odd !== null) return `"${odd.slice(0, 30)}" is not a field of a tick`;
  if (type === "trade") return readTrade(row, atMs);
  if (type === "quote") return readQuote(row, atMs);
  return fill({ type, symbol: row.symbol, seq: row.seq, at: row.at, atMs, venue: row.venue ?? null }, row);
}

const NONE: string[] = [];

/** Fast path: when the number of fields equals the number of known fields present, no name is looked up. */
function unknownName(row: any): string | null {
  let all = 0;
  for (const _ in row) all++;
  let known = 3;
  if (row.type !== undefined) known++;
  if (row.price !== undefined) known++;
  if (row.size !== undefined) known++;
  if (row.bid !== undefined) known += 1;
  if (row.bid_size !== undefined) known++;
  if (row.ask !== undefined) known++;
  if (row.ask_size !== undefined) known++;
  if (row.venue !== undefined) known++;
  if (all === known) return null;
  for (const name in row) if (!NAMES.has(name)) return name;
  return null;
}

function readTrade(row: any, atMs: number): Tick | string {
  const price = priceOf(row.price);
  const size = sizeOf(row.size);
  if (price === null) return "price must be a decimal above zero";
  if (size === undefined) return "size must be a number of shares";
  const conditions = Array.isArray(row.conditions) ? row.conditions.slice(0, 10).map(String) : NONE;
  const { symbol, seq, at } = row;
  return { type: "trade", symbol, seq, at, atMs, venue: row.venue ?? null, price, size, conditions, regular: false };
}

function readQuote(row: any, atMs: number): Tick | string {
  const bid = row.bid == null ? null : priceOf(row.bid);
  const ask = row.ask == null ? null : priceOf(row.ask);
  const bid_size = sizeOf(row.bid_size);
  const ask_size = sizeOf(row.ask_size);
  if ((row.bid != null && !bid) || (row.ask != null && !ask)) return "bid and ask must be decimals above zero, or null";
  if (bid_size === undefined || ask_size === undefined) return "bid_size and ask_size must be numbers of shares";
  const { symbol, seq, at } = row;
  return { type: "quote", symbol, seq, at, atMs, venue: row.venue ?? null, bid, bid_size, ask, ask_size };
}

/** The rare kinds: statuses, closes, corrections and cancels. */
function fill(tick: Tick, row: any): Tick | string {
  switch (tick.type) {
    case "status":
      if (!STATUSES.has(row.status)) return `status must be one of ${[...STATUSES].join(", ")}`;
      tick.status = row.status;
      tick.reason = typeof row.reason === "string" ? row.reason.slice(0, 200) : null;
      return tick;
    case "cancel":
    case "correction":
      if (!Number.isSafeInteger(row.of)) return "of must be the seq of the trade it is about";
      tick.of = row.of;
      if (tick.type === "cancel") return tick;
      break;
    case "close":
      if (row.date !== undefined && !/^\d{4}-\d\d-\d\d$/.test(row.date)) return "date must be YYYY-MM-DD";
      tick.date = row.date;
      break;
  }
  const price = priceOf(row.price);
  const size = sizeOf(row.size);
  if (price === null) return "price must be a decimal above zero";
  if (size === undefined) return "size must be a number of shares";
  tick.price = price;
  tick.size = size;
  return tick;
}
