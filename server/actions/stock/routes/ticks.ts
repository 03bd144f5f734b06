// POST /stock/ticks: a batch of a user's own feed. Each tick is read, resolved and applied on its own; the answer counts the outcomes.
import { handle, type Call, type Handler } from "../../../contract/define.ts";
import { invalid } from "../../../contract/registry.ts";
import type { Books } from "../background/books.ts";
import * as contract from "../contract/index.ts";
import type { FeedTerms } from "../engine/feed/book.ts";
import { readTick } from "../engine/feed/tick.ts";
import type { ServedQuote } from "../engine/quote/serve.ts";
import type { Securities } from "../securities.ts";

const MAX_LINES = 100_000;
const decoder = new TextDecoder();

export interface TickDeps {
  books: Books;
  securities: Securities;
  /** Called once for each security that changed. */
  onChange(tenantId: number, key: string, quote: ServedQuote): Promise<void>;
}

async function pushTicks({ books, securities, onChange }: TickDeps, call: Call) {
  const { tenantId } = call.caller;
  const loading = books.ready(tenantId);
  if (loading) await loading;
  const rows = call.body === undefined ? readLines(decoder.decode(call.raw.bytes)) : (call.body.ticks as unknown[]);
  const terms = termsOf({ ...call.query, ...call.body });
  const report = {
    accepted: 0,
    duplicates: 0,
    too_old: 0,
    rejected: 0,
    errors: [] as { index: number; detail: string }[],
  };
  const reject = (index: number, detail: string) => {
    report.rejected++;
    if (report.errors.length < 20) report.errors.push({ index, detail });
  };
  const changed = new Set<string>();
  rows.forEach((row, index) => {
    if (row instanceof Error) return reject(index, row.message);
    const tick = readTick(row);
    if (typeof tick === "string") return reject(index, tick);
    const found = securities.find(tick.symbol);
    if (!found.ok)
      return reject(
        index,
        `${found.failure.message}${found.failure.candidates.length ? ` Candidates: ${found.failure.candidates.slice(0, 3).join(", ")}` : ""}`,
      );
    switch (books.apply(tenantId, found.security, terms, tick)) {
      case "applied":
        report.accepted++;
        changed.add(found.security.key);
        break;
      case "duplicate":
        report.duplicates++;
        break;
      case "too_old":
        report.too_old++;
        break;
      case "unknown_trade":
        reject(index, `seq ${tick.of} is not a trade that can still be changed`);
    }
  });
  for (const key of changed) {
    const quote = books.find(tenantId, key);
    if (quote) await onChange(tenantId, key, quote);
  }
  return report;
}

function readLines(text: string): (unknown | Error)[] {
  const lines = text.split("\n").filter((l) => l.trim() !== "");
  if (lines.length === 0 || lines.length > MAX_LINES) {
    throw invalid([
      {
        pointer: "",
        code: "size",
        detail: lines.length === 0 ? "there are no ticks" : `there are more than ${MAX_LINES} ticks`,
        hint: "Send one JSON object a line",
      },
    ]);
  }
  return lines.map((line) => {
    try {
      return JSON.parse(line);
    } catch {
      return new Error("this line is not JSON");
    }
  });
}

const termsOf = (given: any): FeedTerms => ({
  source: given.source ?? "default",
  currency: given.currency ?? null,
  delivery: given.delivery ?? "realtime",
  delaySeconds:
    given.delay_seconds ?? (given.delivery === "delayed" ? 900 : given.delivery === "end_of_day" ? null : 0),
});

export const tickRoutes = (deps: TickDeps): Handler[] => [handle(contract.ticks, (call) => pushTicks(deps, call))];
