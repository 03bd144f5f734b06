// Resolves what people type to a security: the shipped directory, the operator's import, and a cache over both.
import { Failure } from "../../contract/errors.ts";
import { resolveSymbol, type Resolution } from "./engine/symbols/resolve.ts";
import { idOf, openDirectory, type Directory, type Instrument } from "./engine/symbols/directory.ts";
import { LISTED_INSTRUMENTS, MADE_UP_INSTRUMENTS } from "./engine/symbols/seed.ts";
import { quoteFailure, type QuoteFailure, type Security } from "./engine/upstream/source.ts";

export type Found = { ok: true; security: Security } | { ok: false; failure: QuoteFailure };

const MAX_CACHED = 20_000;

export interface Securities {
  find(typed: string): Found;
  search(query: string, count: number): Instrument[];
  /** Swaps the operator's part. */
  use(imported: Instrument[]): void;
}

export function createSecurities(): Securities {
  let directory: Directory = openDirectory(LISTED_INSTRUMENTS, MADE_UP_INSTRUMENTS);
  let known = new Map<string, Found>();
  return {
    find(typed) {
      const remembered = known.get(typed);
      if (remembered) return remembered;
      const found = foundOf(resolveSymbol(typed, directory));
      if (known.size >= MAX_CACHED) known = new Map();
      known.set(typed, found);
      return found;
    },
    search: (query, count) => directory.search(query, count),
    use(imported) {
      directory = openDirectory(LISTED_INSTRUMENTS, MADE_UP_INSTRUMENTS, imported);
      known = new Map();
    },
  };
}

function foundOf(resolution: Resolution): Found {
  if (!resolution.ok) {
    return {
      ok: false,
      failure: quoteFailure(resolution.code, resolution.message, { candidates: resolution.candidates }),
    };
  }
  const { symbol, mic, reading, instrument } = resolution.value;
  const key = instrument ? idOf(instrument) : mic ? `${symbol}:${mic}` : symbol;
  return { ok: true, security: { key, symbol, mic, reading, instrument } };
}

/** The refusal of a route that takes securities only: which code, and what may have been meant. */
export function symbolFailure({ code, message, candidates }: QuoteFailure): Failure {
  const hint = candidates.length > 0 ? { hint: `Did you mean ${candidates.slice(0, 5).join(", ")}?` } : {};
  return new Failure(code === "symbol_ambiguous" ? code : "symbol_invalid", message, hint);
}
