// What the directory knows of one security.

export type InstrumentType =
  | "equity"
  | "etf"
  | "fund"
  | "adr"
  | "preferred"
  | "warrant"
  | "right"
  | "unit"
  | "index"
  | "crypto"
  | "forex"
  | "future"
  | "option"
  | "other";

/** ISO 10383 for "no market": what trades on no exchange, such as a currency pair. */
export const NO_MARKET = "XXXX";

export interface Instrument {
  /** Canonical: dot form of the United States, plain local code elsewhere. */
  symbol: string;
  mic: string;
  name: string;
  type: InstrumentType;
  /** What the line is quoted in, case-sensitive. */
  quotedIn: string;
  isin: string | null;
  figi: string | null;
  country: string | null;
  /** The price around which it moves in the simulated market, in what it is quoted in; a decimal. */
  simulatedAround?: string;
  /** Made up by us: exists only in the simulated market. */
  fictional?: boolean;
}

/** Unique in the directory, and accepted wherever a symbol is. */
export const idOf = (i: Instrument): string => (i.mic === NO_MARKET ? i.symbol : `${i.symbol}:${i.mic}`);
