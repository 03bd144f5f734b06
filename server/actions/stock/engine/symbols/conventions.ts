// How the United States write a security that is not plain common stock: ACT, CQS, Nasdaq and the forms people type.
// A form that can be read in two ways gives two readings; choosing between them is the directory's business.

export type Convention = "act" | "cqs" | "nasdaq" | "canonical" | "dash" | "slash" | "cms";
export type Kind = "common" | "class" | "preferred" | "warrant" | "right" | "unit" | "when_distributed" | "called";

export interface Reading {
  root: string;
  kind: Kind;
  /** The letter after the kind: class B, series D. Empty when there is none. */
  series: string;
  whenIssued: boolean;
}

type Shape = (series: string, whenIssued: boolean) => string;

const wi = (mark: string, whenIssued: boolean) => (whenIssued ? mark : "");

/** How each kind is written, by convention. A convention that cannot write a kind has no entry. */
const WRITE: Record<Convention, Partial<Record<Kind, Shape>>> = {
  act: {
    common: (_, w) => wi(".V", w),
    class: (s, w) => `.${s}${wi(".V", w)}`,
    preferred: (s, w) => `$${s}${wi(".V", w)}`,
    warrant: (s, w) => (s ? `.${s}` : ".W") + wi(".V", w),
    right: (_, w) => (w ? ".V" : ".R"),
    unit: (_, w) => `.U${wi(".V", w)}`,
    when_distributed: () => ".WD",
    called: () => ".CL",
  },
  cqs: {
    common: (_, w) => wi("w", w),
    class: (s, w) => `.${s}${wi("w", w)}`,
    preferred: (s, w) => `p${s}${wi("w", w)}`,
    warrant: (s, w) => `.WS${s ? `.${s}` : ""}${wi("w", w)}`,
    right: (_, w) => `r${wi("w", w)}`,
    unit: (_, w) => `.U${wi("w", w)}`,
    when_distributed: () => ".WD",
    called: () => ".CL",
  },
  nasdaq: {
    common: (_, w) => wi("#", w),
    class: (s, w) => `.${s}${wi("#", w)}`,
    preferred: (s, w) => `-${s}${wi("#", w)}`,
    warrant: (s, w) => `+${s}${wi("#", w)}`,
    right: (_, w) => `^${wi("#", w)}`,
    unit: (_, w) => `=${wi("#", w)}`,
    when_distributed: () => "$",
    called: () => "*",
  },
  canonical: {
    common: (_, w) => wi(".WI", w),
    class: (s, w) => `.${s}${wi(".WI", w)}`,
    preferred: (s, w) => `.PR${s}${wi(".WI", w)}`,
    warrant: (s, w) => `.WS${s ? `.${s}` : ""}${wi(".WI", w)}`,
    right: (_, w) => `.RT${wi(".WI", w)}`,
    unit: (_, w) => `.U${wi(".WI", w)}`,
    when_distributed: () => ".WD",
    called: () => ".CL",
  },
  dash: {
    common: (_, w) => wi("-WI", w),
    class: (s, w) => `-${s}${wi("-WI", w)}`,
    preferred: (s, w) => `-P${s}${wi("-WI", w)}`,
    warrant: (s, w) => `-WT${s}${wi("-WI", w)}`,
    right: (_, w) => `-RI${wi("-WI", w)}`,
    unit: (_, w) => `-UN${wi("-WI", w)}`,
  },
  slash: {
    common: (_, w) => wi("/WI", w),
    class: (s, w) => `/${s}${wi("/WI", w)}`,
    preferred: (s, w) => `/PR${s}${wi("/WI", w)}`,
    warrant: (s, w) => `/WS${s ? `/${s}` : ""}${wi("/WI", w)}`,
    right: (_, w) => `/RT${wi("/WI", w)}`,
    unit: (_, w) => `/U${wi("/WI", w)}`,
  },
  cms: {
    common: (_, w) => wi(" WI", w),
    class: (s, w) => ` ${s}${wi(" WI", w)}`,
    preferred: (s, w) => ` PR${s}${wi("WI", w)}`,
    warrant: (s, w) => ` WS${s}${wi("WI", w)}`,
    right: (_, w) => ` RT${wi("WI", w)}`,
    unit: (_, w) => ` U${wi("WI", w)}`,
  },
};

interface Pattern {
  match: RegExp;
  kind: Kind;
  whenIssued?: boolean;
}

const ROOT = "(?<root>[A-Z0-9]+)";
const of = (suffix: string, kind: Kind, whenIssued = false): Pattern => ({
  match: new RegExp(`^${ROOT}${suffix}$`),
  kind,
  whenIssued,
});
const S = "(?<series>[A-Z]{1,2})";
const ONE = "(?<series>[A-Z])";
/** A class letter that is not already the sign of a unit, warrant, right or when-issued line. */
const LETTER = "(?<series>[A-QST])";

const READ: Record<Convention, Pattern[]> = {
  act: [
    of("", "common"),
    of("\\.V", "common", true),
    of("\\.V", "right", true),
    of("\\.(?<series>[A-QSTVX-Z])", "class"),
    of("\\.(?<series>[A-QSTX-Z])", "warrant"),
    of(`\\$${S}?`, "preferred"),
    of(`\\$${S}?\\.V`, "preferred", true),
    of(`\\.${LETTER}\\.V`, "class", true),
    of("\\.W", "warrant"),
    of("\\.R", "right"),
    of("\\.U", "unit"),
    of("\\.WD", "when_distributed"),
    of("\\.CL", "called"),
  ],
  cqs: [
    of("", "common"),
    of("w", "common", true),
    of(`\\.(?<series>[A-TV-Z])`, "class"),
    of(`\\.(?<series>[A-TV-Z])w`, "class", true),
    of(`p${S}?`, "preferred"),
    of(`p${S}?w`, "preferred", true),
    of("\\.WS", "warrant"),
    of(`\\.WS\\.${ONE}`, "warrant"),
    of("\\.WSw", "warrant", true),
    of(`\\.WS\\.${ONE}w`, "warrant", true),
    of("r", "right"),
    of("rw", "right", true),
    of("\\.U", "unit"),
    of("\\.Uw", "unit", true),
    of("\\.WD", "when_distributed"),
    of("\\.CL", "called"),
  ],
  nasdaq: [
    of("", "common"),
    of("#", "common", true),
    of(`\\.${ONE}`, "class"),
    of(`\\.${ONE}#`, "class", true),
    of(`-${S}?`, "preferred"),
    of(`-${S}?#`, "preferred", true),
    of(`\\+${ONE}?`, "warrant"),
    of(`\\+${ONE}?#`, "warrant", true),
    of("\\^", "right"),
    of("\\^#", "right", true),
    of("=", "unit"),
    of("=#", "unit", true),
    of("\\$", "when_distributed"),
    of("\\*", "called"),
  ],
  canonical: marked("\\."),
  dash: [
    of("", "common"),
    of(`-${ONE}`, "class"),
    of(`-${ONE}`, "preferred"),
    of(`-P${S}?`, "preferred"),
    of("-WT", "warrant"),
    of(`-WT${ONE}`, "warrant"),
    of("-WS", "warrant"),
    of("-RI", "right"),
    of("-RT", "right"),
    of("-UN", "unit"),
    of("-U", "unit"),
    of("-WI", "common", true),
  ],
  slash: marked("/"),
  cms: marked(" ").concat([of(` WS${ONE}`, "warrant"), of(" RTWI", "right", true)]),
};

function marked(mark: string): Pattern[] {
  return [
    of("", "common"),
    of(`${mark}WI`, "common", true),
    of(`${mark}(?<series>[A-TV-Z])`, "class"),
    of(`${mark}(?<series>[A-TV-Z])${mark}WI`, "class", true),
    of(`${mark}PR${S}?`, "preferred"),
    of(`${mark}PR${S}?${mark}WI`, "preferred", true),
    of(`${mark}WS`, "warrant"),
    of(`${mark}WS${mark}${ONE}`, "warrant"),
    of(`${mark}WS${mark}WI`, "warrant", true),
    of(`${mark}RT`, "right"),
    of(`${mark}RT${mark}WI`, "right", true),
    of(`${mark}U`, "unit"),
    of(`${mark}WD`, "when_distributed"),
    of(`${mark}CL`, "called"),
  ];
}

/** Every way to read a symbol in one convention; none when it cannot be read. */
export function readSymbol(text: string, convention: Convention): Reading[] {
  const readings: Reading[] = [];
  for (const { match, kind, whenIssued } of READ[convention]) {
    const found = match.exec(text);
    if (!found) continue;
    const reading = {
      root: found.groups!.root,
      kind,
      series: found.groups!.series ?? "",
      whenIssued: whenIssued ?? false,
    };
    if (!readings.some((r) => sameReading(r, reading))) readings.push(reading);
  }
  return readings;
}

export const sameReading = (a: Reading, b: Reading): boolean =>
  a.root === b.root && a.kind === b.kind && a.series === b.series && a.whenIssued === b.whenIssued;

/** The symbol in a convention, or null when that convention has no way to write it. */
export function writeSymbol(reading: Reading, convention: Convention): string | null {
  const shape = WRITE[convention][reading.kind];
  return shape ? reading.root + shape(reading.series, reading.whenIssued) : null;
}

export type Conversion =
  | { ok: true; symbol: string; reading: Reading }
  | { ok: false; code: "symbol_ambiguous" | "symbol_invalid"; candidates: string[] };

/** From one convention to another; `name` (of the security) settles what the letters alone cannot. */
export function convertSymbol(text: string, from: Convention, to: Convention, name?: string): Conversion {
  let readings = readSymbol(text, from);
  if (readings.length > 1 && name) {
    const hint = kindFromName(name);
    const issued = /\bwhen[- ]issued\b/i.test(name);
    const fitting = readings.filter((r) =>
      issued ? r.whenIssued && (r.kind === "right") === (hint === "right") : r.kind === hint,
    );
    if (fitting.length === 1) readings = fitting;
  }
  const written = readings
    .map((reading) => ({ reading, symbol: writeSymbol(reading, to) }))
    .filter((w) => w.symbol !== null);
  const distinct = [...new Set(written.map((w) => w.symbol!))];
  if (distinct.length === 1) return { ok: true, symbol: distinct[0], reading: written[0].reading };
  return { ok: false, code: distinct.length ? "symbol_ambiguous" : "symbol_invalid", candidates: distinct };
}

/** What a security's registered name says it is, as far as it decides between two readings of one symbol. */
export function kindFromName(name: string): Kind {
  if (/\bwarrants?\b/i.test(name) && !/\bunits?\b/i.test(name)) return "warrant";
  if (/\brights?\b/i.test(name) && !/\b(units?|common|ordinary|class [a-z])\b/i.test(name)) return "right";
  if (/\bunits?,? each\b|\bunits?\b.*\bconsisting\b/i.test(name)) return "unit";
  if (/\bpreferred\b|\bpreference\b|\bdepositary shares?\b.*\bseries\b/i.test(name)) return "preferred";
  return /\bclass [a-z]\b|\bseries [a-z]\b|\bcommon\b|\bordinary\b|\bshares?\b/i.test(name) ? "class" : "common";
}
