// From what a person typed to one security. Two possible meanings are an error that names both, never a guess.
import { readAsset, type Asset } from "./assets.ts";
import { readSymbol, sameReading, writeSymbol, type Convention, type Reading } from "./conventions.ts";
import type { Directory } from "./directory.ts";
import { identify } from "./identifiers.ts";
import { idOf, NO_MARKET, type Instrument, type InstrumentType } from "./instrument.ts";
import { isIn, readPlace, type Place } from "./place.ts";
import { localCode, venueOf, venueOfSuffix, venuesIn, type Venue } from "./venues.ts";

export interface Resolved {
  /** Canonical symbol. */
  symbol: string;
  mic: string | null;
  /** How the US conventions read it; null for a line outside the United States. */
  reading: Reading | null;
  /** What the directory knows; null when it does not know the line. */
  instrument: Instrument | null;
  /** What the symbol itself says it is; null when only the directory knows. */
  type: InstrumentType | null;
}

export type Resolution =
  | { ok: true; value: Resolved }
  | {
      ok: false;
      code: "symbol_invalid" | "symbol_ambiguous" | "symbol_not_found";
      message: string;
      candidates: string[];
    };

/** Where a symbol that names no market is meant to trade. */
export interface Preference {
  /** The caller's word: a line elsewhere is not what was asked for. */
  place?: Place | null;
  /** The operator's setting: decides between several lines, and only then. */
  country?: string | null;
}

const fail = (
  code: Exclude<Resolution, { ok: true }>["code"],
  message: string,
  candidates: string[] = [],
): Resolution => ({ ok: false, code, message, candidates: candidates.slice(0, 10) });

export function resolveSymbol(typed: string, directory: Directory, preference: Preference = {}): Resolution {
  const text = typed.trim().replace(/^\$(?=[A-Za-z])/, "");
  if (!text || text.length > 32 || !/^[A-Za-z0-9.\-/ $^=+#*:&]+$/.test(text)) {
    return fail("symbol_invalid", `"${typed.slice(0, 40)}" is not a symbol.`);
  }
  const asset = readAsset(text);
  if (asset) return foundAsset(asset, directory);
  const placed = readPlace(text);
  const identified = byIdentifier(
    placed?.code ?? text,
    placed?.place ?? preference.place ?? null,
    directory,
    preference,
  );
  if (identified) return identified;
  if (placed) {
    if (placed.place) return inPlace(placed.code, placed.place, directory);
    return fail("symbol_invalid", `"${text}" names no market that is known here; use a MIC such as XNYS.`);
  }
  const list = possibilities(text, directory);
  const suffixed = list.some((p) => p.venue && p.known.length > 0);
  if (preference.place && !suffixed) return inPlace(text, preference.place, directory);
  return choose(text, list, directory, preference);
}

function foundAsset(asset: Asset, directory: Directory): Resolution {
  const instrument = directory.bySymbol(asset.symbol).find((i) => i.mic === NO_MARKET) ?? null;
  return { ok: true, value: { symbol: asset.symbol, mic: null, reading: null, instrument, type: asset.type } };
}

function byIdentifier(
  text: string,
  place: Place | null,
  directory: Directory,
  preference: Preference,
): Resolution | null {
  const code = text.toUpperCase();
  const identifier = identify(code);
  if (!identifier) return null;
  const name = identifier.kind.toUpperCase();
  if (!identifier.valid)
    return fail("symbol_invalid", `${code} has the form of an ${name}, but its check digit is wrong.`);
  const all = directory.byIdentifier(identifier.kind, code);
  if (all.length === 0 && identifier.kind === "cusip") return null;
  const lines = place ? all.filter((i) => isIn(place, venueOf(i.mic))) : prefer(all, preference);
  if (lines.length === 1) return found(lines[0]);
  if (lines.length > 1)
    return fail("symbol_ambiguous", `${code} is listed in several places; add ":MIC".`, lines.map(idOf));
  return fail("symbol_not_found", `The directory has no line with the ${name} ${code}.`, all.map(idOf));
}

/** A code whose market is given. */
function inPlace(code: string, place: Place, directory: Directory): Resolution {
  if (place.country === "US" || place.venue?.country === "US") return inAmerica(code, place, directory);
  const venues = place.venue ? [place.venue] : venuesIn(place.country);
  const known = venues.flatMap((v) => directory.bySymbol(localCode(code, v.mic)).filter((i) => i.mic === v.mic));
  if (known.length === 1) return found(known[0]);
  const symbolAt = (v: Venue) => `${localCode(code, v.mic)}:${v.mic}`;
  if (known.length > 1 || venues.length > 1) {
    const candidates = known.length > 0 ? known.map(idOf) : venues.map(symbolAt);
    return fail("symbol_ambiguous", `"${code}" can be listed in several markets of ${place.country}.`, candidates);
  }
  const [{ mic }] = venues;
  return {
    ok: true,
    value: { symbol: localCode(code, mic), mic, reading: null, instrument: null, type: null },
  };
}

function inAmerica(code: string, place: Place, directory: Directory): Resolution {
  const readings = usReadings(code);
  const known = readings.flatMap((r) => directory.byReading(r)).filter((i) => isIn(place, venueOf(i.mic)));
  if (known.length === 1) return found(known[0]);
  const mic = place.venue?.mic ?? null;
  if (known.length === 0 && readings.length === 1) {
    const symbol = writeSymbol(readings[0], "canonical")!;
    return { ok: true, value: { symbol, mic, reading: readings[0], instrument: null, type: null } };
  }
  if (readings.length === 0) return fail("symbol_invalid", `"${code}" is not a symbol.`);
  const candidates =
    known.length > 0 ? known.map(idOf) : readings.map((r) => `${writeSymbol(r, "canonical")}:${mic ?? "US"}`);
  return fail("symbol_ambiguous", `"${code}" can be read in ${candidates.length} ways.`, candidates);
}

interface Possibility {
  reading: Reading | null;
  symbol: string;
  venue: Venue | null;
  known: Instrument[];
}

/** A share class hangs on a root of one to four letters, and its letter is hardly ever that of a market. */
const isClassOfLongRoot = (r: Reading): boolean => r.kind === "class" && r.root.length >= 4;

/** Every US reading, and the reading as CODE.SUFFIX of another market. */
function possibilities(text: string, directory: Directory): Possibility[] {
  const dot = text.lastIndexOf(".");
  const venue = dot > 0 ? venueOfSuffix(text.slice(dot + 1)) : null;
  const american = usReadings(text).map((reading) => ({
    reading,
    symbol: writeSymbol(reading, "canonical")!,
    venue: null,
    known: directory.byReading(reading),
  }));
  if (!venue) return american;
  const symbol = localCode(text.slice(0, dot), venue.mic);
  const known = directory.bySymbol(symbol).filter((i) => i.mic === venue.mic);
  const likely = american.filter((p) => p.known.length > 0 || !isClassOfLongRoot(p.reading));
  return [...likely, { reading: null, symbol, venue, known }];
}

function choose(text: string, list: Possibility[], directory: Directory, preference: Preference): Resolution {
  if (list.length === 0)
    return fail("symbol_invalid", `"${text}" is not a symbol in any convention that is known here.`);
  const known = prefer([...new Set(list.flatMap((p) => p.known))], preference);
  if (known.length === 1) return found(known[0]);
  if (known.length > 1)
    return fail(
      "symbol_ambiguous",
      `"${text}" is listed more than once; add ":MIC", or send country or mic.`,
      known.map(idOf),
    );
  if (list.length === 1) {
    const { symbol, venue, reading } = list[0];
    return { ok: true, value: { symbol, mic: venue?.mic ?? null, reading, instrument: null, type: null } };
  }
  const candidates = list.map((p) => (p.venue ? `${p.symbol}:${p.venue.mic}` : p.symbol));
  const near = directory.search(text.split(/[.\-/ ]/)[0], 3).map(idOf);
  return fail(
    "symbol_ambiguous",
    `"${text}" can be read in ${list.length} ways and the directory knows none of them.`,
    [...candidates, ...near],
  );
}

/** The lines of the operator's country where there are any; all of them otherwise. */
function prefer(lines: Instrument[], { country }: Preference): Instrument[] {
  const home = country ? lines.filter((i) => venueOf(i.mic)?.country === country) : [];
  return home.length > 0 ? home : lines;
}

const found = (instrument: Instrument): Resolution => {
  const us = venueOf(instrument.mic)?.country === "US" || instrument.mic === "SIMX";
  const reading = us ? (readSymbol(instrument.symbol, "canonical")[0] ?? null) : null;
  const { symbol, mic, type } = instrument;
  return { ok: true, value: { symbol, mic, reading, instrument, type } };
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
