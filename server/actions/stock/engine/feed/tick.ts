// Reads and validates one tick of a user's own feed. Unknown fields are refused by name.
import { isDecimal, toDecimal, type Decimal } from "../../../../lib/decimal.ts";
import { meantBy } from "../../../../contract/synonyms.ts";
import { nearest } from "../../../../lib/nearest.ts";
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
const MAX_SYMBOL = 32;
const DATE = /^\d{4}-\d\d-\d\d$/;
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

export interface TickFault {
  /** Empty when the tick as a whole is at fault. */
  field: string;
  detail: string;
  hint: string;
}

/** The tick, or everything that is wrong with it. Only a tick with a fault costs the second, slower look. */
export function readTick(row: any): Tick | TickFault[] {
  return readValid(row) ?? findTickFaults(row);
}

function readValid(row: any): Tick | null {
  if (row === null || typeof row !== "object" || Array.isArray(row)) return null;
  const type = row.type ?? "trade";
  if (!TYPES.has(type)) return null;
  if (typeof row.symbol !== "string" || row.symbol.length === 0 || row.symbol.length > MAX_SYMBOL) return null;
  if (!Number.isSafeInteger(row.seq) || row.seq < 0) return null;
  if (typeof row.at !== "string" || !isTime(row.at)) return null;
  const atMs = millis(row.at);
  if (atMs !== atMs || unknownName(row) !== null) return null;
  if (type === "trade") return readTrade(row, atMs);
  if (type === "quote") return readQuote(row, atMs);
  return readRare({ type, symbol: row.symbol, seq: row.seq, at: row.at, atMs, venue: row.venue ?? null }, row);
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

function readTrade(row: any, atMs: number): Tick | null {
  const price = priceOf(row.price);
  const size = sizeOf(row.size);
  if (price === null || size === undefined) return null;
  const conditions = Array.isArray(row.conditions) ? row.conditions.slice(0, 10).map(String) : NONE;
  const { symbol, seq, at } = row;
  return { type: "trade", symbol, seq, at, atMs, venue: row.venue ?? null, price, size, conditions, regular: false };
}

function readQuote(row: any, atMs: number): Tick | null {
  const bid = row.bid == null ? null : priceOf(row.bid);
  const ask = row.ask == null ? null : priceOf(row.ask);
  const bid_size = sizeOf(row.bid_size);
  const ask_size = sizeOf(row.ask_size);
  if ((row.bid != null && !bid) || (row.ask != null && !ask)) return null;
  if (bid_size === undefined || ask_size === undefined) return null;
  const { symbol, seq, at } = row;
  return { type: "quote", symbol, seq, at, atMs, venue: row.venue ?? null, bid, bid_size, ask, ask_size };
}

/** The rare kinds: statuses, closes, corrections and cancels. */
function readRare(tick: Tick, row: any): Tick | null {
  switch (tick.type) {
    case "status":
      if (!STATUSES.has(row.status)) return null;
      tick.status = row.status;
      tick.reason = typeof row.reason === "string" ? row.reason.slice(0, 200) : null;
      return tick;
    case "cancel":
    case "correction":
      if (!Number.isSafeInteger(row.of)) return null;
      tick.of = row.of;
      if (tick.type === "cancel") return tick;
      break;
    case "close":
      if (row.date !== undefined && !DATE.test(row.date)) return null;
      tick.date = row.date;
      break;
  }
  const price = priceOf(row.price);
  const size = sizeOf(row.size);
  if (price === null || size === undefined) return null;
  tick.price = price;
  tick.size = size;
  return tick;
}

const needsPrice = (type: string): boolean => type === "trade" || type === "correction" || type === "close";
const isPriceOrNull = (value: unknown): boolean => value == null || priceOf(value) !== null;

/** For each field: which ticks it concerns, what it must be, and an example. */
const FIELDS: {
  field: string;
  concerns(type: string): boolean;
  holds(row: any): boolean;
  must: string;
  hint: string;
}[] = [
  {
    field: "type",
    concerns: () => true,
    holds: (row) => TYPES.has(row.type ?? "trade"),
    must: `must be one of ${[...TYPES].join(", ")}`,
    hint: 'Send e.g. "type":"trade"',
  },
  {
    field: "symbol",
    concerns: () => true,
    holds: ({ symbol }) => typeof symbol === "string" && symbol.length > 0 && symbol.length <= MAX_SYMBOL,
    must: `is required: 1 to ${MAX_SYMBOL} characters`,
    hint: 'Send e.g. "symbol":"AAPL"',
  },
  {
    field: "seq",
    concerns: () => true,
    holds: ({ seq }) => Number.isSafeInteger(seq) && seq >= 0,
    must: "must be a whole number that grows within the source and symbol",
    hint: 'Send e.g. "seq":1',
  },
  {
    field: "at",
    concerns: () => true,
    holds: ({ at }) => typeof at === "string" && TIME.test(at) && !Number.isNaN(millis(at)),
    must: "must be a UTC time",
    hint: 'Send e.g. "at":"2026-11-13T15:30:00.123456Z"',
  },
  {
    field: "price",
    concerns: needsPrice,
    holds: (row) => priceOf(row.price) !== null,
    must: "must be a decimal above zero",
    hint: 'Send e.g. "price":"271.30"',
  },
  ...["bid", "ask"].map((field) => ({
    field,
    concerns: (type: string) => type === "quote",
    holds: (row: any) => isPriceOrNull(row[field]),
    must: "must be a decimal above zero, or null",
    hint: `Send e.g. "${field}":"271.29"`,
  })),
  ...["size", "bid_size", "ask_size"].map((field) => ({
    field,
    concerns: (type: string) => (field === "size" ? needsPrice(type) : type === "quote"),
    holds: (row: any) => sizeOf(row[field]) !== undefined,
    must: "must be a number of shares",
    hint: `Send e.g. "${field}":100`,
  })),
  {
    field: "of",
    concerns: (type) => type === "cancel" || type === "correction",
    holds: ({ of }) => Number.isSafeInteger(of),
    must: "must be the seq of the trade it is about",
    hint: 'Send e.g. "of":1',
  },
  {
    field: "status",
    concerns: (type) => type === "status",
    holds: ({ status }) => STATUSES.has(status),
    must: `must be one of ${[...STATUSES].join(", ")}`,
    hint: 'Send e.g. "status":"halted"',
  },
  {
    field: "date",
    concerns: (type) => type === "close",
    holds: ({ date }) => date === undefined || DATE.test(date),
    must: "must be a day",
    hint: 'Send e.g. "date":"2026-11-13"',
  },
];

function findTickFaults(row: any): TickFault[] {
  if (row === null || typeof row !== "object" || Array.isArray(row))
    return [{ field: "", detail: "a tick must be a JSON object", hint: "Send one object for each tick" }];
  const type = String(row.type ?? "trade");
  const faults = FIELDS.filter((f) => f.concerns(type) && !f.holds(row)).map(({ field, must, hint }) => ({
    field,
    detail: `${field} ${must}`,
    hint,
  }));
  for (const name of Object.keys(row).filter((n) => !NAMES.has(n))) {
    const near = meantBy(name, [...NAMES]) ?? nearest(name, NAMES);
    const example = FIELDS.find((known) => known.field === near)?.hint ?? "";
    const field = name.slice(0, 30);
    faults.push({
      field,
      detail: `${field} is not a field of a tick`,
      hint: near ? `Did you mean "${near}"? ${example}`.trim() : "Remove it",
    });
  }
  return faults.length > 0
    ? faults
    : [{ field: "", detail: "the tick cannot be read", hint: "Send plain JSON values" }];
}
