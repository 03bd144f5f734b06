// The directory that comes with the product: large companies of many markets, pairs and indices, and made-up securities
// for the simulated market. Not a copy of any exchange's list; operators import their own for full cover.
import { NO_MARKET, type Instrument, type InstrumentType } from "./instrument.ts";
import { AMERICAN_LINES } from "./seed-america.ts";
import { WORLD_LINES } from "./seed-world.ts";
import { venueOf } from "./venues.ts";

/** symbol | name | type | currency | price around which it is simulated. What trades on no exchange, or on many. */
const ASSETS = `
BTC-USD|Bitcoin in US dollars|crypto|USD|95000
ETH-USD|Ether in US dollars|crypto|USD|3200
SOL-USD|Solana in US dollars|crypto|USD|140
EUR/USD|Euro in US dollars|forex|USD|1.16
GBP/USD|Pound sterling in US dollars|forex|USD|1.32
USD/JPY|US dollar in yen|forex|JPY|154
USD/CHF|US dollar in Swiss francs|forex|CHF|0.80
^GSPC|S&P 500 index|index|USD|6750
^DJI|Dow Jones Industrial Average|index|USD|47500
^IXIC|Nasdaq Composite index|index|USD|23000
^FTSE|FTSE 100 index|index|GBP|9700
^GDAXI|DAX index|index|EUR|24000
ES=F|E-mini S&P 500 future|future|USD|6770
GC=F|Gold future|future|USD|4100
CL=F|Crude oil future|future|USD|60`;

/** The pretended market of the made-up securities. Not an ISO 10383 code, on purpose. */
export const SIMULATED_MIC = "SIMX";

/** symbol | name | what it does in the simulated market */
const MADE_UP = `
ACNCALM|Calm Harbour Holdings (fictional)
ACNWAVE|Long Wave Instruments (fictional)
ACNWILD|Wild Geese Aviation (fictional)
ACNPENNY|Penny Farthing Cycles (fictional)
ACNHALT|Halted Elevators (fictional, always halted)
ACNTHIN|Thin Ice Refrigeration (fictional, trades seldom)
ACNGONE|Gone Fishing Stores (fictional, delisted)
ACNDUAL.A|Dual Carriageway Builders Class A (fictional)
ACNDUAL.B|Dual Carriageway Builders Class B (fictional)`;

const lines = (text: string): string[][] =>
  text
    .trim()
    .split("\n")
    .map((l) => l.split("|"));

export const LISTED_INSTRUMENTS: Instrument[] = lines(AMERICAN_LINES)
  .concat(lines(WORLD_LINES))
  .map(([mic, symbol, name, isin, type, price]) => ({
    symbol,
    mic,
    name,
    type: (type || "equity") as InstrumentType,
    quotedIn: venueOf(mic)?.quotedIn ?? "USD",
    isin: isin || null,
    figi: null,
    country: venueOf(mic)?.country ?? null,
    simulatedAround: price,
  }))
  .concat(
    lines(ASSETS).map(([symbol, name, type, quotedIn, price]) => ({
      symbol,
      mic: NO_MARKET,
      name,
      type: type as InstrumentType,
      quotedIn,
      isin: null,
      figi: null,
      country: null,
      simulatedAround: price,
    })),
  );

export const MADE_UP_INSTRUMENTS: Instrument[] = lines(MADE_UP).map(([symbol, name]) => ({
  symbol,
  mic: SIMULATED_MIC,
  name,
  type: "equity",
  quotedIn: "USD",
  isin: null,
  figi: null,
  country: null,
  fictional: true,
}));
