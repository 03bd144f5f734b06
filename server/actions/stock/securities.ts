// Resolves what people type to a security: the shipped directory, the operator's import, and a cache over both.
import { Failure } from "../../contract/errors.ts";
import { resolveSymbol, type Resolution } from "./engine/symbols/resolve.ts";
import { openDirectory, type Directory } from "./engine/symbols/directory.ts";
import { idOf, type Instrument } from "./engine/symbols/instrument.ts";
import { placeOf } from "./engine/symbols/place.ts";
import { LISTED_INSTRUMENTS, MADE_UP_INSTRUMENTS } from "./engine/symbols/seed.ts";
import { quoteFailure, type QuoteFailure, type Security } from "./engine/upstream/source.ts";

export type Found = { ok: true; security: Security } | { ok: false; failure: QuoteFailure };

const MAX_CACHED = 20_000;

export interface Securities {
  /** `place` is where a symbol without a market is meant to trade: a MIC, a market's name or a country. */
  find(typed: string, place?: string): Found;
  /** A security by its own symbol and market, also when the directory does not know it. */
  of(symbol: string, mic: string | null): Security;
  search(query: string, count: number): Instrument[];
  /** Swaps the operator's part. */
  use(imported: Instrument[]): void;
  /** Changes with every swap. */
  readonly revision: number;
}

export interface SecuritiesOptions {
  /** The country whose line is meant when a symbol is listed in several; null to refuse such a symbol. */
  country?: string | null;
}

export function createSecurities({ country = null }: SecuritiesOptions = {}): Securities {
  let directory: Directory = openDirectory(LISTED_INSTRUMENTS, MADE_UP_INSTRUMENTS);
  let known = new Map<string, Found>();
  let revision = 0;

  function find(typed: string, place?: string): Found {
    const cacheKey = place ? `${place}\n${typed}` : typed;
    const remembered = known.get(cacheKey);
    if (remembered) return remembered;
    const preference = { country, place: place ? placeOf(place) : null };
    const found =
      place && !preference.place ? unknownPlace(place) : foundOf(resolveSymbol(typed, directory, preference));
    if (known.size >= MAX_CACHED) known = new Map();
    known.set(cacheKey, found);
    return found;
  }

  return {
    find,
    of(symbol, mic) {
      const key = mic ? `${symbol}:${mic}` : symbol;
      const found = find(key);
      return found.ok ? found.security : { key, symbol, mic, reading: null, instrument: null, type: null };
    },
    search: (query, count) => directory.search(query, count),
    use(imported) {
      directory = openDirectory(LISTED_INSTRUMENTS, MADE_UP_INSTRUMENTS, imported);
      known = new Map();
      revision++;
    },
    get revision() {
      return revision;
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
  const { value } = resolution;
  const { symbol, mic, instrument } = value;
  return { ok: true, security: { key: instrument ? idOf(instrument) : mic ? `${symbol}:${mic}` : symbol, ...value } };
}

const unknownPlace = (place: string): Found => ({
  ok: false,
  failure: quoteFailure("symbol_invalid", `"${place}" is no market or country that is known here.`),
});

/** The refusal of a route that takes securities only: which code, and what may have been meant. */
export function symbolFailure({ code, message, candidates }: QuoteFailure): Failure {
  const hint = candidates.length > 0 ? { hint: `Did you mean ${candidates.slice(0, 5).join(", ")}?` } : {};
  return new Failure(code === "symbol_ambiguous" ? code : "symbol_invalid", message, hint);
}
