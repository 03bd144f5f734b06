// /stock/ticks: push a batch of a user's own feed, and forget it. Each tick is read, resolved and applied on its own.
import { handle, type CallOf, type Handler } from "../../../contract/define.ts";
import { invalid, invalidFields } from "../../../contract/errors.ts";
import { createTurns } from "../../../lib/loop.ts";
import { formatTime } from "../../../lib/time.ts";
import { notFound } from "../../../platform/pages.ts";
import type { Books } from "../background/books.ts";
import * as contract from "../contract/index.ts";
import type { FeedTerms } from "../engine/feed/book.ts";
import { readTick, type TickFault } from "../engine/feed/tick.ts";
import { MAX_AHEAD_MS } from "../engine/quote/instant.ts";
import type { ServedQuote } from "../engine/quote/serve.ts";
import { symbolFailure, type Securities } from "../securities.ts";

const MAX_LINES = 100_000;
const MAX_ERRORS = 50;
const DECODER = new TextDecoder();

export interface TickDeps {
  books: Books;
  securities: Securities;
  /** Called once for each security that changed. */
  onChange(tenantId: number, key: string, quote: ServedQuote): Promise<void>;
}

type PushCall = CallOf<typeof contract.ticks>;

/** Ticks applied before others have a turn: about a millisecond. */
const YIELD_EVERY = 100;
/** Lines counted before others have a turn. */
const COUNT_EVERY = 5_000;
/** A larger body waits for a turn of its own before it is decoded. */
const YIELD_BYTES = 100_000;
const nextBatchTurn = createTurns();

interface TickReport {
  accepted: number;
  duplicates: number;
  too_old: number;
  rejected: number;
  errors: ({ index: number } & TickFault)[];
}

/** One batch on its way through. */
interface Batch {
  tenantId: number;
  terms: FeedTerms;
  now: number;
  report: TickReport;
  /** The places of the ticks that were applied, by security. */
  applied: Map<string, number[]>;
}

async function pushTicks(deps: TickDeps, call: PushCall): Promise<TickReport> {
  const { books } = deps;
  const { tenantId } = call.caller;
  await books.ready(tenantId);
  const isJson = call.body !== undefined;
  const lines = isJson ? "" : await readText(call.raw.bytes);
  const report: TickReport = { accepted: 0, duplicates: 0, too_old: 0, rejected: 0, errors: [] };
  const terms = termsOf({ ...call.query, ...call.body });
  const batch: Batch = { tenantId, terms, now: call.now, report, applied: new Map() };
  let index = -1;
  for (const given of isJson ? call.body.ticks : linesOf(lines)) {
    index += 1;
    if (index % YIELD_EVERY === YIELD_EVERY - 1) await nextBatchTurn();
    const row = isJson ? given : parseLine(given as string);
    const faults = applyTick(deps, batch, row, index);
    if (faults) reject(report, index, faults);
  }
  const count = index + 1;
  const rejectedBefore = report.rejected;
  const full = await rejectPastCap(books, batch);
  if (full && report.rejected === count && rejectedBefore === 0) throw full;
  if (report.rejected === count) throw allRejected(report, isJson ? "/ticks" : "");
  for (const key of batch.applied.keys()) {
    const quote = books.find(tenantId, key);
    if (quote) await deps.onChange(tenantId, key, quote);
  }
  return report;
}

function reject(report: TickReport, index: number, faults: TickFault[]): void {
  report.rejected++;
  report.errors.push(...faults.slice(0, MAX_ERRORS - report.errors.length).map((fault) => ({ index, ...fault })));
}

const CAP_HINT = "Forget a feed with DELETE /stock/ticks, or move to a larger plan";

/** Securities that the plan does not hold are taken back, and their ticks are refused by name. */
async function rejectPastCap(books: Books, { tenantId, report, applied }: Batch) {
  const { keys, failure } = await books.keepNew(tenantId, [...applied.keys()]);
  for (const key of keys) {
    const indexes = applied.get(key)!;
    applied.delete(key);
    report.accepted -= indexes.length;
    for (const index of indexes) reject(report, index, [{ field: "symbol", detail: failure!.message, hint: CAP_HINT }]);
  }
  return failure;
}

/** Counts the tick in the report, or returns what is wrong with it. */
function applyTick(
  { books, securities }: TickDeps,
  { tenantId, terms, now, report, applied }: Batch,
  row: unknown,
  index: number,
): TickFault[] | null {
  if (row instanceof Error) return [{ field: "", detail: row.message, hint: "Send one JSON object a line" }];
  const tick = readTick(row);
  if (Array.isArray(tick)) return tick;
  const found = securities.find(tick.symbol);
  if (!found.ok) {
    const { message, candidates } = found.failure;
    const hint = candidates.length > 0 ? `Send e.g. "symbol":"${candidates[0]}"` : 'Send e.g. "symbol":"AAPL"';
    return [{ field: "symbol", detail: message, hint }];
  }
  switch (books.apply(tenantId, found.security, terms, tick)) {
    case "applied":
      report.accepted++;
      placesOf(applied, found.security.key).push(index);
      return null;
    case "duplicate":
      report.duplicates++;
      return null;
    case "too_old":
      report.too_old++;
      return null;
    case "too_new":
      return [
        {
          field: "at",
          detail: `at is more than ${MAX_AHEAD_MS / 1000} seconds ahead of the service's clock, which reads ${formatTime(now)}`,
          hint: "Set the clock of the feed, or send the time of the trade in UTC",
        },
      ];
    case "unknown_trade":
      return [
        {
          field: "of",
          detail: `${tick.of} is not the seq of a trade that can still be changed`,
          hint: `Send e.g. "of":${tick.seq - 1}: the seq of one of the last 512 trades; with 64 or more own securities fewer are kept of each`,
        },
      ];
  }
}

function placesOf(applied: Batch["applied"], key: string): number[] {
  let places = applied.get(key);
  if (!places) applied.set(key, (places = []));
  return places;
}

/** Nothing was stored: the status must say so. */
const allRejected = ({ errors }: TickReport, base: string) =>
  invalidFields(
    errors.map(({ index, field, detail, hint }) => ({
      pointer: `${base}/${index}${field ? `/${field}` : ""}`,
      code: "tick",
      detail: `Tick ${index}: ${detail}`,
      hint,
    })),
  );

/** The lines as text; refuses too many before any is applied. */
async function readText(bytes: Uint8Array): Promise<string> {
  if (bytes.length > YIELD_BYTES) await nextBatchTurn();
  const text = DECODER.decode(bytes);
  let count = 0;
  for (const _ of linesOf(text)) {
    count += 1;
    if (count % COUNT_EVERY === 0) await nextBatchTurn();
  }
  if (count === 0 || count > MAX_LINES) {
    const detail = count === 0 ? "there are no ticks" : `there are more than ${MAX_LINES} ticks`;
    throw invalid("", detail, "Send one JSON object a line", "size");
  }
  return text;
}

/** One after the other: all of a large body at once would hold everybody else. */
function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    const line = text.slice(start, end);
    if (line.trim() !== "") yield line;
    start = end + 1;
  }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return new Error("this line is not JSON");
  }
}

const DELAYS: Record<string, number | null> = { realtime: 0, delayed: 900, end_of_day: null };

function termsOf({ source, currency, delivery = "realtime", delay_seconds }: PushCall["query"]): FeedTerms {
  return {
    source: source ?? "default",
    currency: currency ?? null,
    delivery,
    delaySeconds: delay_seconds ?? DELAYS[delivery],
  };
}

async function deleteTicks({ books, securities }: TickDeps, call: CallOf<typeof contract.deleteTicks>) {
  const { symbol, mic, country } = call.query;
  const found = securities.find(symbol, mic ?? country);
  if (!found.ok) throw symbolFailure(found.failure);
  if (!(await books.remove(call.caller.tenantId, found.security.key))) throw notFound("own feed of that symbol");
  return { instrument: found.security.key };
}

export const tickRoutes = (deps: TickDeps): Handler[] => [
  handle(contract.ticks, (call) => pushTicks(deps, call)),
  handle(contract.deleteTicks, (call) => deleteTicks(deps, call)),
];
