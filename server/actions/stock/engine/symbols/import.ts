// An operator's own directory: Nasdaq Trader's listing files, or any table with a symbol and a name. Pure text to rows.
import { convertSymbol, kindFromName, readSymbol, writeSymbol, type Kind } from "./conventions.ts";
import { readDelimited } from "./delimited.ts";
import type { Instrument, InstrumentType } from "./instrument.ts";
import { isFigi, isIsin } from "./identifiers.ts";
import { venueOf, venueOfName } from "./venues.ts";

export interface Imported {
  instruments: Instrument[];
  /** Rows that were left out, and why; the first fifty. */
  skipped: { row: number; why: string }[];
  rows: number;
}

const OTHER_LISTED_MICS: Record<string, string> = { N: "XNYS", A: "XASE", P: "ARCX", Z: "BATS", V: "IEXG" };
const TYPES: Record<Kind, InstrumentType> = {
  common: "equity",
  class: "equity",
  preferred: "preferred",
  warrant: "warrant",
  right: "right",
  unit: "unit",
  when_distributed: "equity",
  called: "other",
};
const KNOWN_TYPES = new Set<string>([
  "equity",
  "etf",
  "fund",
  "adr",
  "preferred",
  "warrant",
  "right",
  "unit",
  "index",
  "other",
]);

export function importDirectory(text: string): Imported {
  const rows = readDelimited(text);
  const instruments: Instrument[] = [];
  const skipped: Imported["skipped"] = [];
  rows.forEach((row, i) => {
    const read =
      "ACT Symbol" in row ? fromOtherListed(row) : "Market Category" in row ? fromNasdaqListed(row) : fromTable(row);
    if (typeof read !== "string") instruments.push(read);
    else if (skipped.length < 50) skipped.push({ row: i + 2, why: read });
  });
  return { instruments, skipped, rows: rows.length };
}

function fromOtherListed(row: Record<string, string>): Instrument | string {
  if (row["Test Issue"] === "Y") return "test issue";
  const name = row["Security Name"] || row["Company Name"];
  const found = convertSymbol(
    row["CQS Symbol"] || row["ACT Symbol"],
    row["CQS Symbol"] ? "cqs" : "act",
    "canonical",
    name,
  );
  if (!found.ok) return `${row["ACT Symbol"]}: ${found.code}`;
  const mic = OTHER_LISTED_MICS[row.Exchange];
  if (!mic) return `${row["ACT Symbol"]}: unknown exchange "${row.Exchange}"`;
  return line(found.symbol, mic, name, row.ETF === "Y" ? "etf" : typeOf(found.reading.kind, name));
}

function fromNasdaqListed(row: Record<string, string>): Instrument | string {
  if (!row.Symbol || /^File Creation/.test(row.Symbol)) return "not a security";
  if (row["Test Issue"] === "Y") return "test issue";
  const name = row["Security Name"] || row["Company Name"] || "";
  const [reading] = readSymbol(row.Symbol, "nasdaq");
  if (!reading) return `${row.Symbol}: not a symbol`;
  return line(
    writeSymbol(reading, "canonical")!,
    "XNAS",
    name,
    row.ETF === "Y" ? "etf" : typeOf(kindFromName(name), name),
  );
}

/** Any header with symbol, name and mic (or exchange); isin, figi, currency, type and country when there. */
function fromTable(row: Record<string, string>): Instrument | string {
  const get = (...names: string[]) => {
    for (const [key, value] of Object.entries(row))
      if (names.includes(key.toLowerCase().replace(/[\s-]+/g, "_"))) return value;
    return "";
  };
  const symbol = get("symbol", "ticker", "code").toUpperCase();
  const place = get("mic", "exchange", "market");
  const venue = venueOf(place.toUpperCase()) ?? venueOfName(place);
  if (!symbol) return "no symbol";
  if (!venue) return `${symbol}: unknown market "${place}"; use a MIC`;
  const isin = get("isin").toUpperCase();
  const figi = get("figi").toUpperCase();
  if (isin && !isIsin(isin)) return `${symbol}: ISIN ${isin} has a wrong check digit`;
  if (figi && !isFigi(figi)) return `${symbol}: FIGI ${figi} has a wrong check digit`;
  const type = get("type").toLowerCase();
  return {
    symbol,
    mic: venue.mic,
    name: get("name", "security_name", "company_name") || symbol,
    type: KNOWN_TYPES.has(type) ? (type as InstrumentType) : "equity",
    quotedIn: get("currency", "quoted_in") || venue.quotedIn,
    isin: isin || null,
    figi: figi || null,
    country: get("country") || venue.country,
  };
}

const typeOf = (kind: Kind, name: string): InstrumentType =>
  kind === "common" && /\b(ADR|ADS|american depositary)\b/i.test(name) ? "adr" : TYPES[kind];

const line = (symbol: string, mic: string, name: string, type: InstrumentType): Instrument => ({
  symbol,
  mic,
  name: name.trim(),
  type,
  quotedIn: "USD",
  isin: null,
  figi: null,
  country: null,
});
