// From what a person typed to one security. Two possible meanings are an error with both named, never a guess.
import { readSymbol, sameReading, writeSymbol, type Convention, type Reading } from "./conventions.ts";
import { idOf, type Directory, type Instrument } from "./directory.ts";
import { identify } from "./identifiers.ts";
import { venueOf, venueOfName, venueOfSuffix, type Venue } from "./venues.ts";

export interface Resolved {
  /** Canonical symbol. */
  symbol: string;
  mic: string | null;
  /** How the US conventions read it; null for a line outside the United States. */
  reading: Reading | null;
  /** What the directory knows; null when it does not know the line. */
  instrument: Instrument | null;
}

export type Resolution =
  | { ok: true; value: Resolved }
  | {
      ok: false;
      code: "symbol_invalid" | "symbol_ambiguous" | "symbol_not_found";
      message: string;
      candidates: string[];
    };

const fail = (
  code: Exclude<Resolution, { ok: true }>["code"],
  message: string,
  candidates: string[] = [],
): Resolution => ({ ok: false, code, message, candidates: candidates.slice(0, 10) });

const US = new Set(["XNYS", "XNAS", "XASE", "ARCX", "BATS", "IEXG", "OTCM"]);

export function resolveSymbol(typed: string, directory: Directory): Resolution {
  const text = typed.trim();
  if (!text || text.length > 32 || !/^[A-Za-z0-9.\-/ $^=+#*:&]+$/.test(text)) {
    return fail("symbol_invalid", `"${typed.slice(0, 40)}" is not a symbol.`);
  }
  const coded = byIdentifier(text, directory);
  if (coded) return coded;
  if (text.includes(":")) return byVenue(text, directory);
  return settle(text, possibilities(text, directory), directory);
}

function byIdentifier(text: string, directory: Directory): Resolution | null {
  const [code, mic] = text.toUpperCase().split(":");
  const identifier = identify(code);
  if (!identifier) return null;
  const name = identifier.kind.toUpperCase();
  if (!identifier.valid)
    return fail("symbol_invalid", `${code} has the form of an ${name}, but its check digit is wrong.`);
  const lines = (identifier.kind === "isin" ? directory.byIsin(code) : directory.byFigi(code)).filter(
    (i) => !mic || i.mic === mic,
  );
  if (lines.length === 1) return found(lines[0]);
  if (lines.length > 1)
    return fail("symbol_ambiguous", `${code} is listed in several places; add ":MIC".`, lines.map(idOf));
  return fail("symbol_not_found", `The directory has no line with the ${name} ${code}.`);
}

/** "NYSE:BRK.B", "BRK.B:XNYS", "XLON:VOD". */
function byVenue(text: string, directory: Directory): Resolution {
  const [left, right, more] = text.split(":");
  const venue = more === undefined ? (venueOfName(right) ?? venueOfName(left)) : null;
  if (!venue) return fail("symbol_invalid", `"${text}" names no market that is known here; use a MIC such as XNYS.`);
  const code = venueOfName(right) === venue ? left : right;
  if (!US.has(venue.mic)) {
    const symbol = code.toUpperCase();
    const instrument = directory.bySymbol(symbol).find((i) => i.mic === venue.mic) ?? null;
    return { ok: true, value: { symbol, mic: venue.mic, reading: null, instrument } };
  }
  const readings = usReadings(code);
  const known = readings.flatMap((r) => directory.byReading(r)).filter((i) => i.mic === venue.mic);
  if (known.length === 1) return found(known[0]);
  if (readings.length === 1) {
    const symbol = writeSymbol(readings[0], "canonical")!;
    return { ok: true, value: { symbol, mic: venue.mic, reading: readings[0], instrument: null } };
  }
  if (readings.length === 0) return fail("symbol_invalid", `"${code}" is not a symbol.`);
  return fail(
    "symbol_ambiguous",
    `"${code}" can be read in ${readings.length} ways.`,
    readings.map((r) => `${writeSymbol(r, "canonical")}:${venue.mic}`),
  );
}

interface Possibility {
  reading: Reading | null;
  symbol: string;
  venue: Venue | null;
  known: Instrument[];
}

/** Every US reading, and the reading as CODE.SUFFIX of another market. */
function possibilities(text: string, directory: Directory): Possibility[] {
  const list: Possibility[] = usReadings(text).map((reading) => ({
    reading,
    symbol: writeSymbol(reading, "canonical")!,
    venue: null,
    known: directory.byReading(reading),
  }));
  const dot = text.lastIndexOf(".");
  const venue = dot > 0 ? venueOfSuffix(text.slice(dot + 1)) : null;
  if (venue) {
    const symbol = text.slice(0, dot).toUpperCase();
    list.push({ reading: null, symbol, venue, known: directory.bySymbol(symbol).filter((i) => i.mic === venue.mic) });
  }
  return list;
}

function settle(text: string, list: Possibility[], directory: Directory): Resolution {
  if (list.length === 0)
    return fail("symbol_invalid", `"${text}" is not a symbol in any convention that is known here.`);
  const known = [...new Set(list.flatMap((p) => p.known))];
  if (known.length === 1) return found(known[0]);
  if (known.length > 1)
    return fail("symbol_ambiguous", `"${text}" is listed more than once; add ":MIC".`, known.map(idOf));
  if (list.length === 1) {
    const { symbol, venue, reading } = list[0];
    return { ok: true, value: { symbol, mic: venue?.mic ?? null, reading, instrument: null } };
  }
  const candidates = list.map((p) => (p.venue ? `${p.symbol}:${p.venue.mic}` : p.symbol));
  const near = directory.search(text.split(/[.\-/ ]/)[0], 3).map(idOf);
  return fail(
    "symbol_ambiguous",
    `"${text}" can be read in ${list.length} ways and the directory knows none of them.`,
    [...candidates, ...near],
  );
}

const found = (instrument: Instrument): Resolution => {
  const us = venueOf(instrument.mic)?.country === "US" || instrument.mic === "SIMX";
  const reading = us ? (readSymbol(instrument.symbol, "canonical")[0] ?? null) : null;
  return { ok: true, value: { symbol: instrument.symbol, mic: instrument.mic, reading, instrument } };
};

/** The conventions in which people type a US symbol; lower case matters only to CQS ("ABRpD"). */
function usReadings(text: string): Reading[] {
  const upper = text.toUpperCase();
  const readings: Reading[] = [];
  const add = (form: string, convention: Convention) => {
    for (const r of readSymbol(form, convention))
      if (!readings.some((other) => sameReading(other, r))) readings.push(r);
  };
  add(upper, "canonical");
  if (/^[A-Z0-9]+(p[A-Z]{0,2}|r|w|rw)$/.test(text)) add(text, "cqs");
  if (upper.includes("-")) add(upper, "dash");
  if (upper.includes("/")) add(upper, "slash");
  if (upper.includes(" ")) add(upper, "cms");
  if (/[$]/.test(upper)) add(upper, "act");
  if (/[\^=+#*]/.test(upper)) add(upper, "nasdaq");
  return readings;
}
