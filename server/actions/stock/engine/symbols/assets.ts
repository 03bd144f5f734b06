// Symbols that are no shares: crypto and currency pairs, indices, futures and options, in the forms vendors use.
import type { InstrumentType } from "./instrument.ts";

export type AssetType = Extract<InstrumentType, "crypto" | "forex" | "index" | "future" | "option">;

export interface Asset {
  /** Canonical: BTC-USD, EUR/USD, ^GSPC, ES=F, or the 21-character OCC code without spaces. */
  symbol: string;
  type: AssetType;
  /** The currency of the price where the symbol names it. */
  quotedIn: string | null;
}

const CURRENCIES = new Set([...Intl.supportedValuesOf("currency"), "XAU", "XAG", "XPT", "XPD"]);
/** Coins that prices are quoted in besides currencies. */
const QUOTE_COINS = new Set(["USDT", "USDC", "BTC", "ETH"]);
/** Coins that are recognised without a separator ("BTCUSD"); with one, any code is. */
const COINS = new Set(
  "BTC ETH SOL XRP ADA DOGE LTC BCH DOT AVAX LINK POL UNI ATOM XLM TRX TON SHIB NEAR ETC FIL APT ARB OP AAVE ALGO HBAR ICP SUI PEPE BNB XMR XTZ INJ USDT USDC DAI".split(
    " ",
  ),
);
/** The index codes of feeds that write no caret. */
const INDEX_CODES: Record<string, string> = {
  SPX: "^GSPC",
  DJI: "^DJI",
  COMP: "^IXIC",
  NDX: "^NDX",
  RUT: "^RUT",
  VIX: "^VIX",
};

/** The asset that a text names, or null when it can only be a share. */
export function readAsset(text: string): Asset | null {
  const typed = text.trim().toUpperCase();
  return readIndex(typed) ?? readFuture(typed) ?? readOption(typed) ?? readPair(typed);
}

function readIndex(text: string): Asset | null {
  const code = /^I:([A-Z0-9]{1,10})$/.exec(text)?.[1];
  if (code) return { symbol: INDEX_CODES[code] ?? `^${code}`, type: "index", quotedIn: null };
  return /^\^[A-Z][A-Z0-9.]{0,11}$/.test(text) ? { symbol: text, type: "index", quotedIn: null } : null;
}

function readFuture(text: string): Asset | null {
  return /^[A-Z0-9]{1,6}=F$/.test(text) ? { symbol: text, type: "future", quotedIn: null } : null;
}

/** The OCC code: root, date, C or P, strike in thousandths; with "O:" in front or spaces after the root. */
function readOption(text: string): Asset | null {
  const found = /^(?:O:)?([A-Z]{1,6}) *(\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[CP]\d{8})$/.exec(text);
  return found ? { symbol: found[1] + found[2], type: "option", quotedIn: "USD" } : null;
}

/** "BTC-USD", "BTC/USDT", "EURUSD=X", "C:EURUSD", "X:BTCUSD", "EURUSD". */
function readPair(text: string): Asset | null {
  const bare = text.replace(/^(?:C|X|FX|CRYPTO):/, "").replace(/=X$/, "");
  const separated = /^([A-Z0-9]{2,10})[-/]([A-Z]{3,4})$/.exec(bare);
  if (separated) return pairOf(separated[1], separated[2]);
  const joined = /^([A-Z]{3})([A-Z]{3})$/.exec(bare);
  if (joined && (bothCurrencies(joined[1], joined[2]) || COINS.has(joined[1]))) return pairOf(joined[1], joined[2]);
  const coin = /^([A-Z]{3,5})(USD|EUR|GBP|USDT|USDC)$/.exec(bare);
  return coin && COINS.has(coin[1]) ? pairOf(coin[1], coin[2]) : null;
}

const bothCurrencies = (base: string, quote: string): boolean => CURRENCIES.has(base) && CURRENCIES.has(quote);

function pairOf(base: string, quote: string): Asset | null {
  if (base === quote) return null;
  if (bothCurrencies(base, quote)) return { symbol: `${base}/${quote}`, type: "forex", quotedIn: quote };
  if (!CURRENCIES.has(quote) && !QUOTE_COINS.has(quote)) return null;
  return { symbol: `${base}-${quote}`, type: "crypto", quotedIn: CURRENCIES.has(quote) ? quote : null };
}
