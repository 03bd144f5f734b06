// Symbols: conventions, check digits, resolution of what people type, search and import.
import { describe, expect, test } from "bun:test";
import { convertSymbol, readSymbol } from "./conventions.ts";
import { readDelimited } from "./delimited.ts";
import { openDirectory } from "./directory.ts";
import { identify, isFigi, isIsin } from "./identifiers.ts";
import { importDirectory } from "./import.ts";
import { placeOf } from "./place.ts";
import { resolveSymbol, type Preference } from "./resolve.ts";
import { LISTED_INSTRUMENTS, MADE_UP_INSTRUMENTS } from "./seed.ts";
import { VENUES } from "./venues.ts";

const directory = openDirectory(LISTED_INSTRUMENTS, MADE_UP_INSTRUMENTS);
const id = (text: string) => {
  const found = resolveSymbol(text, directory);
  return found.ok ? `${found.value.symbol}:${found.value.mic}` : found.code;
};

describe("check digits", () => {
  test("every ISIN we ship is valid, and one wrong digit is seen", () => {
    const isins = LISTED_INSTRUMENTS.map((i) => i.isin).filter((i) => i !== null);
    expect(isins.filter((i) => !isIsin(i))).toEqual([]);
    for (const isin of isins) {
      const last = (Number(isin[11]) + 1) % 10;
      expect(isIsin(isin.slice(0, 11) + last)).toBe(false);
    }
  });

  test("FIGI: Apple and Microsoft hold, a swapped digit, a vowel and a country prefix do not", () => {
    expect(isFigi("BBG000B9XRY4")).toBe(true);
    expect(isFigi("BBG000BPH459")).toBe(true);
    expect(isFigi("BBG000BPH458")).toBe(false);
    expect(isFigi("BBG000A9XRY4")).toBe(false);
    expect(isFigi("GBG000B9XRY4")).toBe(false);
    expect(identify("US0378331006")).toEqual({ kind: "isin", valid: false });
    expect(identify("AAPL")).toBeNull();
  });
});

describe("conventions", () => {
  test("one security in every form", () => {
    const forms = (s: string) =>
      (["act", "cqs", "nasdaq", "dash", "slash", "cms"] as const).map((to) => {
        const c = convertSymbol(s, "canonical", to);
        return c.ok ? c.symbol : c.code;
      });
    expect(forms("BRK.B")).toEqual(["BRK.B", "BRK.B", "BRK.B", "BRK-B", "BRK/B", "BRK B"]);
    expect(forms("ABR.PRD")).toEqual(["ABR$D", "ABRpD", "ABR-D", "ABR-PD", "ABR/PRD", "ABR PRD"]);
    expect(forms("ACHR.WS")).toEqual(["ACHR.W", "ACHR.WS", "ACHR+", "ACHR-WT", "ACHR/WS", "ACHR WS"]);
    expect(forms("AAC.U")).toEqual(["AAC.U", "AAC.U", "AAC=", "AAC-UN", "AAC/U", "AAC U"]);
    expect(forms("AIIA.RT")).toEqual(["AIIA.R", "AIIAr", "AIIA^", "AIIA-RI", "AIIA/RT", "AIIA RT"]);
  });

  test("a dash is two readings, and a name settles it", () => {
    expect(readSymbol("ABR-D", "dash").map((r) => r.kind)).toEqual(["class", "preferred"]);
    expect(convertSymbol("ABR-D", "dash", "cqs")).toMatchObject({
      ok: false,
      code: "symbol_ambiguous",
      candidates: ["ABR.D", "ABRpD"],
    });
    expect(convertSymbol("ABR-D", "dash", "cqs", "6.375% Series D Preferred Stock")).toMatchObject({
      ok: true,
      symbol: "ABRpD",
    });
  });
});

/** Written by us in the layout of the listing files; the companies are made up. */
const OTHER_LISTED = `ACT Symbol,Company Name,Security Name,Exchange,CQS Symbol,ETF,Round Lot Size,Test Issue,NASDAQ Symbol
ZZA,Zeta Acme Corporation Common Stock,Zeta Acme Corporation Common Stock,N,ZZA,N,100.0,N,ZZA
ZZA.B,Zeta Acme Corporation,Zeta Acme Corporation Class B Common Stock,N,ZZA.B,N,100.0,N,ZZA.B
ZZA$D,Zeta Acme Corporation,Zeta Acme Corporation 6.375% Series D Preferred Stock,N,ZZApD,N,100.0,N,ZZA-D
ZZA.W,Zeta Acme Corporation,"Zeta Acme Corporation Warrants, each for one share",A,ZZA.WS,N,100.0,N,ZZA+
ZZA.U,Zeta Acme Corporation,"Zeta Acme Corporation Units, each of one share and one warrant",N,ZZA.U,N,100.0,N,ZZA=
`;
const NASDAQ_LISTED = `Symbol,Company Name,Security Name,Market Category,Test Issue,Financial Status,Round Lot Size,ETF,NextShares
ZZQA,Zeta Quartz Inc.,Zeta Quartz Inc. - Common Stock,Q,N,N,100,N,N
ZZTEST,Zeta Test Issue,Zeta Test Issue,Q,Y,N,100,N,N
`;

describe("listing files", () => {
  test("each kind of security converts between its three conventions, both ways", () => {
    const columns = [
      ["act", "ACT Symbol"],
      ["cqs", "CQS Symbol"],
      ["nasdaq", "NASDAQ Symbol"],
    ] as const;
    const wrong: string[] = [];
    for (const row of readDelimited(OTHER_LISTED)) {
      for (const [from, source] of columns) {
        for (const [to, target] of columns) {
          const found = convertSymbol(row[source], from, to, row["Security Name"]);
          if (!found.ok || found.symbol !== row[target])
            wrong.push(`${row[source]} ${from}→${to} ${row[target]}: ${found.ok ? found.symbol : "none"}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  test("an operator can import both kinds; test issues are left out", () => {
    const other = importDirectory(OTHER_LISTED);
    const nasdaq = importDirectory(NASDAQ_LISTED);
    expect(other.instruments.length).toBe(other.rows - other.skipped.length);
    expect(nasdaq.instruments.map((i) => i.symbol)).toEqual(["ZZQA"]);
    const own = openDirectory(LISTED_INSTRUMENTS, other.instruments, nasdaq.instruments);
    expect(resolveSymbol("ZZA-D", own)).toMatchObject({ ok: true, value: { symbol: "ZZA.PRD", mic: "XNYS" } });
    expect(own.search("zeta quartz", 3)[0].symbol).toBe("ZZQA");
  });
});

describe("venues", () => {
  test("every MIC has four characters, a country, a currency and an operator that is a MIC too", () => {
    for (const venue of VENUES) {
      expect(venue.mic).toMatch(/^[A-Z0-9]{4}$/);
      expect(venue.operating).toMatch(/^[A-Z0-9]{4}$/);
      expect(venue.country).toMatch(/^[A-Z]{2}$/);
    }
    expect(new Set(VENUES.map((v) => v.mic)).size).toBe(VENUES.length);
  });
});

describe("what people type", () => {
  test("plain, class, suffix, market prefix and identifiers", () => {
    expect(id("aapl")).toBe("AAPL:XNAS");
    for (const form of ["BRK.B", "brk-b", "BRK/B", "BRK B", "NYSE:BRK.B", "BRK.B:XNYS", "US0846707026"])
      expect(id(form)).toBe("BRK.B:XNYS");
    expect(id("VOD.L")).toBe("VOD:XLON");
    expect(id("7203.T")).toBe("7203:XTKS");
    expect(id("XLON:VOD")).toBe("VOD:XLON");
    expect(id("US0378331005")).toBe("AAPL:XNAS");
    expect(id("US0378331006")).toBe("symbol_invalid");
    expect(id("ACNCALM")).toBe("ACNCALM:SIMX");
  });

  test("a symbol nobody knows passes when it has one reading, and is refused with candidates when it has two", () => {
    expect(id("ZZTOP")).toBe("ZZTOP:null");
    expect(id("ZZTOP.DE")).toBe("ZZTOP:XETR");
    const two = resolveSymbol("ZZT.L", directory);
    expect(two).toMatchObject({ ok: false, code: "symbol_ambiguous", candidates: ["ZZT.L", "ZZT:XLON"] });
    for (const etf of ["CSPX.L", "ZZTOP.L"]) expect(id(etf)).toBe(`${etf.slice(0, -2)}:XLON`);
    expect(resolveSymbol("ZZTOP-D", directory)).toMatchObject({ ok: false, candidates: ["ZZTOP.D", "ZZTOP.PRD"] });
  });

  test("the same letters in two places are ambiguous, never guessed", () => {
    const found = resolveSymbol("SHOP", directory);
    expect(found).toMatchObject({ ok: false, code: "symbol_ambiguous", candidates: ["SHOP:XNAS", "SHOP:XTSE"] });
    expect(resolveSymbol("INE002A01018", directory)).toMatchObject({
      ok: false,
      candidates: ["500325:XBOM", "RELIANCE:XNSE"],
    });
    expect(id("INE002A01018:XNSE")).toBe("RELIANCE:XNSE");
  });

  test("the forms of data vendors: country, Bloomberg, cashtag, CUSIP, codes without leading zeros", () => {
    for (const form of ["AAPL.US", "AAPL:US", "us:aapl", "AAPL-US", "AAPL US", "AAPL US Equity", "$AAPL", "037833100"])
      expect([form, id(form)]).toEqual([form, "AAPL:XNAS"]);
    for (const form of ["BRK/B US Equity", "BRK.B:US", "084670702"]) expect(id(form)).toBe("BRK.B:XNYS");
    for (const form of ["VOD LN", "vod ln equity", "VOD:GB"]) expect(id(form)).toBe("VOD:XLON");
    for (const form of ["700.HK", "700 HK", "0700.HK", "700:HK", "HKEX:700"]) expect(id(form)).toBe("0700:XHKG");
    expect(id("5930.KS")).toBe("005930:XKRX");
    expect(id("SAP GY")).toBe("SAP:XETR");
    expect(id("AAPL XX Equity")).toBe("symbol_invalid");
    expect(resolveSymbol("ZZQ:DE", directory)).toMatchObject({ code: "symbol_ambiguous" });
  });

  test("a ticker with an American and a foreign line is refused, unless a country or market is preferred", () => {
    const twins = ["SAP", "SHEL", "ASML", "AZN", "BP", "RIO", "TTE", "RY", "VOD", "TSCO"];
    for (const ticker of twins) expect([ticker, id(ticker)]).toEqual([ticker, "symbol_ambiguous"]);
    const preferring = (typed: string, preference: Preference) => {
      const found = resolveSymbol(typed, directory, preference);
      return found.ok ? `${found.value.symbol}:${found.value.mic}` : found.code;
    };
    expect(preferring("SHEL", { place: placeOf("us") })).toBe("SHEL:XNYS");
    expect(preferring("SHEL", { place: placeOf("GB") })).toBe("SHEL:XLON");
    expect(preferring("SHEL", { place: placeOf("nyse") })).toBe("SHEL:XNYS");
    expect(preferring("SHEL", { country: "US" })).toBe("SHEL:XNYS");
    expect(preferring("CA7800871021", { country: "CA" })).toBe("RY:XTSE");
    // The caller's word is strict, the operator's setting only decides between lines that are there.
    expect(preferring("BMW", { place: placeOf("US") })).toBe("BMW:null");
    expect(preferring("BMW", { country: "US" })).toBe("BMW:XETR");
    expect(preferring("VOD.L", { place: placeOf("US") })).toBe("VOD:XLON");
  });

  test("crypto, currencies, indices, futures and options have one spelling each", () => {
    const spelled = (typed: string) => {
      const found = resolveSymbol(typed, directory);
      return found.ok ? `${found.value.symbol} ${found.value.type}` : found.code;
    };
    for (const form of ["BTC-USD", "btc/usd", "BTCUSD", "X:BTCUSD"]) expect(spelled(form)).toBe("BTC-USD crypto");
    for (const form of ["EUR/USD", "EURUSD=X", "eurusd", "EUR-USD", "C:EURUSD"])
      expect(spelled(form)).toBe("EUR/USD forex");
    for (const form of ["^GSPC", "I:SPX"]) expect(spelled(form)).toBe("^GSPC index");
    expect(spelled("ES=F")).toBe("ES=F future");
    for (const form of ["AAPL261218C00200000", "O:AAPL261218C00200000", "AAPL  261218C00200000"])
      expect(spelled(form)).toBe("AAPL261218C00200000 option");
    expect(spelled("WEIRD-USDT")).toBe("WEIRD-USDT crypto");
    expect(spelled("BRK-B")).toBe("BRK.B equity");
    expect(id("AIIA^")).toBe("AIIA.RT:null");
  });

  test("rubbish is invalid", () => {
    for (const bad of ["", "  ", "A".repeat(40), "DROP;TABLE", "<x>", "AAPL:NOWHERE", "😀"])
      expect(id(bad)).toBe("symbol_invalid");
  });
});

describe("search and import", () => {
  test("exact symbol, then prefix, then words of the name", () => {
    expect(directory.search("BRK", 5).map((i) => i.symbol)).toEqual(["BRK.A", "BRK.B"]);
    expect(directory.search("brk-b", 5).map((i) => i.symbol)).toEqual(["BRK.B"]);
    expect(directory.search("coca", 5).map((i) => i.symbol)).toEqual(["KO"]);
    expect(directory.search("hath berk", 5).map((i) => i.symbol)).toEqual(["BRK.A", "BRK.B"]);
    for (const q of ["loreal", "L'Oréal", "oreal"]) expect(directory.search(q, 5).map((i) => i.symbol)).toEqual(["OR"]);
    expect(directory.search("Møller", 5).map((i) => i.symbol)).toEqual(["MAERSK-B"]);
    expect(directory.search("moet", 5).map((i) => i.symbol)).toEqual(["MC"]);
    expect(directory.search(" ", 5)).toEqual([]);
  });

  test("an ISIN, a CUSIP, and a name or symbol with a typing error", () => {
    const symbols = (query: string) => directory.search(query, 5).map((i) => i.symbol);
    expect(symbols("US0378331005")).toEqual(["AAPL"]);
    expect(symbols("037833100")).toEqual(["AAPL"]);
    expect(symbols("aple")[0]).toBe("AAPL");
    expect(symbols("micorsoft")[0]).toBe("MSFT");
    expect(symbols("NVDAA")).toContain("NVDA");
    expect(symbols("EUR/USD")).toEqual(["EUR/USD"]);
    expect(symbols("qqqqqqq")).toEqual([]);
  });

  test("any table with symbol, name and market; bad rows are named", () => {
    const read = importDirectory(
      'symbol;name;mic;isin;currency\nABC;"A ""B"" C";XLON;GB00BH4HKS39;USD\nX;Y;XXXX;;\nY;Z;XNYS;US0378331006;\n',
    );
    expect(read.instruments).toMatchObject([{ symbol: "ABC", name: 'A "B" C', mic: "XLON", quotedIn: "USD" }]);
    expect(read.skipped).toEqual([
      { row: 3, why: 'X: unknown market "XXXX"; use a MIC' },
      { row: 4, why: "Y: ISIN US0378331006 has a wrong check digit" },
    ]);
  });
});
