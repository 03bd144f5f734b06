// Where a line trades: the suffix people type (".L"), the names they use ("NYSE"), the MIC and the usual currency.

export interface Venue {
  mic: string;
  operating: string;
  country: string;
  /** What most lines are quoted in, case-sensitive ("GBp" is pence). A line may differ: a hint, never an answer. */
  quotedIn: string;
  /** Suffixes after a dot, as widely used by data vendors. */
  suffixes: string[];
  /** Names in front of a colon, as in "NYSE:BRK.B". */
  names: string[];
}

const venue = (mic: string, country: string, quotedIn: string, suffixes = "", names = "", operating = mic): Venue => ({
  mic,
  operating,
  country,
  quotedIn,
  suffixes: suffixes.split(" ").filter(Boolean),
  names: names.split(" ").filter(Boolean),
});

export const VENUES: Venue[] = [
  venue("XNYS", "US", "USD", "", "NYSE NYQ"),
  venue("XNAS", "US", "USD", "", "NASDAQ NMS NGM NCM"),
  venue("XASE", "US", "USD", "", "AMEX NYSEAMERICAN ASE", "XNYS"),
  venue("ARCX", "US", "USD", "", "NYSEARCA ARCA PCX", "XNYS"),
  venue("BATS", "US", "USD", "", "CBOE BTS BZX", "XCBO"),
  venue("IEXG", "US", "USD", "", "IEX"),
  venue("OTCM", "US", "USD", "", "OTC OTCMKTS PNK"),
  venue("XTSE", "CA", "CAD", "TO", "TSX TSE"),
  venue("XTSX", "CA", "CAD", "V", "TSXV CVE"),
  venue("XCNQ", "CA", "CAD", "CN", "CSE"),
  venue("NEOE", "CA", "CAD", "NE", "NEO"),
  venue("XMEX", "MX", "MXN", "MX", "BMV"),
  venue("BVMF", "BR", "BRL", "SA", "BVMF B3 BOVESPA"),
  venue("XBUE", "AR", "ARS", "BA", "BCBA"),
  venue("XSGO", "CL", "CLP", "SN", "SGO"),
  venue("XBOG", "CO", "COP", "CL", "BVC"),
  venue("XLIM", "PE", "PEN", "LM", "BVL"),
  venue("XLON", "GB", "GBp", "L", "LSE LON"),
  venue("XDUB", "IE", "EUR", "IR", "ISE"),
  venue("XETR", "DE", "EUR", "DE", "XETRA ETR"),
  venue("XFRA", "DE", "EUR", "F", "FRA FWB"),
  venue("XBER", "DE", "EUR", "BE", "BER"),
  venue("XDUS", "DE", "EUR", "DU", "DUS"),
  venue("XHAM", "DE", "EUR", "HM", "HAM"),
  venue("XHAN", "DE", "EUR", "HA", "HAN"),
  venue("XMUN", "DE", "EUR", "MU", "MUN"),
  venue("XSTU", "DE", "EUR", "SG", "STU"),
  venue("XPAR", "FR", "EUR", "PA", "EPA EURONEXT"),
  venue("XAMS", "NL", "EUR", "AS", "AMS"),
  venue("XBRU", "BE", "EUR", "BR", "EBR"),
  venue("XLIS", "PT", "EUR", "LS", "ELI"),
  venue("XMIL", "IT", "EUR", "MI", "BIT MIL"),
  venue("XMAD", "ES", "EUR", "MC", "BME MAD", "BMEX"),
  venue("XSWX", "CH", "CHF", "SW", "SIX SWX"),
  venue("XWBO", "AT", "EUR", "VI", "VIE"),
  venue("XSTO", "SE", "SEK", "ST", "STO"),
  venue("XCSE", "DK", "DKK", "CO", "CPH"),
  venue("XHEL", "FI", "EUR", "HE", "HEL"),
  venue("XOSL", "NO", "NOK", "OL", "OSL"),
  venue("XICE", "IS", "ISK", "IC", "ICE"),
  venue("XWAR", "PL", "PLN", "WA", "WSE GPW"),
  venue("XPRA", "CZ", "CZK", "PR", "PSE"),
  venue("XBUD", "HU", "HUF", "BD", "BUD"),
  venue("ASEX", "GR", "EUR", "AT", "ATH"),
  venue("XBSE", "RO", "RON", "RO", "BVB"),
  venue("XRIS", "LV", "EUR", "RG", "RSE"),
  venue("XTAL", "EE", "EUR", "TL", "TAL"),
  venue("XLIT", "LT", "EUR", "VS", "VSE"),
  venue("XIST", "TR", "TRY", "IS", "BIST"),
  venue("XMOS", "RU", "RUB", "ME", "MCX MOEX"),
  venue("XTAE", "IL", "ILA", "TA", "TASE TLV"),
  venue("XSAU", "SA", "SAR", "SAU SR", "TADAWUL"),
  venue("XCAI", "EG", "EGP", "CA", "EGX"),
  venue("XJSE", "ZA", "ZAc", "JO", "JSE"),
  venue("XTKS", "JP", "JPY", "T", "TYO", "XJPX"),
  venue("XHKG", "HK", "HKD", "HK", "HKEX HKG"),
  venue("XSHG", "CN", "CNY", "SS SH", "SSE SHA"),
  venue("XSHE", "CN", "CNY", "SZ", "SZSE SHE"),
  venue("XKRX", "KR", "KRW", "KS", "KRX KOSPI"),
  venue("XKOS", "KR", "KRW", "KQ", "KOSDAQ", "XKRX"),
  venue("XTAI", "TW", "TWD", "TW", "TWSE TPE"),
  venue("ROCO", "TW", "TWD", "TWO", "TPEX"),
  venue("XSES", "SG", "SGD", "SI", "SGX"),
  venue("XBOM", "IN", "INR", "BO", "BSE BOM"),
  venue("XNSE", "IN", "INR", "NS", "NSE"),
  venue("XBKK", "TH", "THB", "BK", "SET BKK"),
  venue("XKLS", "MY", "MYR", "KL", "KLSE MYX"),
  venue("XIDX", "ID", "IDR", "JK", "IDX"),
  venue("XPHS", "PH", "PHP", "PS", "PSEI"),
  venue("XASX", "AU", "AUD", "AX", "ASX"),
  venue("XNZE", "NZ", "NZD", "NZ", "NZX NZE"),
];

const BY_MIC = new Map(VENUES.map((v) => [v.mic, v]));
const BY_SUFFIX = new Map(VENUES.flatMap((v) => v.suffixes.map((s) => [s, v] as const)));
const BY_NAME = new Map(VENUES.flatMap((v) => [v.mic, ...v.names].map((n) => [n, v] as const)));
/** Segment MICs that a data source may name instead of the market people know. */
const SEGMENTS: Record<string, string> = {
  XNGS: "XNAS",
  XNMS: "XNAS",
  XNCM: "XNAS",
  AIMX: "XLON",
  MTAA: "XMIL",
  XATH: "ASEX",
  XMCE: "XMAD",
};

/** The two letters behind a symbol at Bloomberg ("VOD LN"); US is any American market. */
const BLOOMBERG: Record<string, string> = Object.fromEntries(
  (
    "UN:XNYS UW:XNAS UQ:XNAS UP:ARCX UA:XASE LN:XLON ID:XDUB GY:XETR GR:XETR GF:XFRA FP:XPAR NA:XAMS BB:XBRU PL:XLIS " +
    "IM:XMIL SM:XMAD SW:XSWX SE:XSWX AV:XWBO SS:XSTO DC:XCSE FH:XHEL NO:XOSL IR:XICE PW:XWAR CP:XPRA HB:XBUD GA:ASEX " +
    "RO:XBSE TI:XIST RM:XMOS IT:XTAE AB:XSAU EY:XCAI SJ:XJSE JP:XTKS JT:XTKS HK:XHKG CG:XSHG CS:XSHE KS:XKRX KP:XKRX " +
    "KQ:XKOS TT:XTAI SP:XSES IB:XBOM IN:XNSE IS:XNSE TB:XBKK MK:XKLS IJ:XIDX PM:XPHS AU:XASX AT:XASX NZ:XNZE CN:XTSE " +
    "CT:XTSE CV:XTSX MM:XMEX BZ:BVMF BS:BVMF AR:XBUE CI:XSGO CB:XBOG PE:XLIM"
  )
    .split(" ")
    .map((pair) => pair.split(":")),
);

/** Digits of a local code where leading zeros are part of it: 700.HK is 0700. */
const CODE_DIGITS: Record<string, number> = { XHKG: 4, XKRX: 6, XKOS: 6, XSHG: 6, XSHE: 6 };

const BY_COUNTRY = Map.groupBy(VENUES, (v) => v.country);

export const venuesIn = (country: string): Venue[] => BY_COUNTRY.get(country.toUpperCase()) ?? [];
export const venueOfBloomberg = (code: string): Venue | null => venueOf(BLOOMBERG[code.toUpperCase()] ?? "");
/** A code as its market writes it. */
export const localCode = (code: string, mic: string): string =>
  /^\d+$/.test(code) ? code.padStart(CODE_DIGITS[mic] ?? 0, "0") : code.toUpperCase();
export const venueOf = (mic: string): Venue | null => BY_MIC.get(SEGMENTS[mic] ?? mic) ?? null;
export const venueOfSuffix = (suffix: string): Venue | null => BY_SUFFIX.get(suffix.toUpperCase()) ?? null;
export const venueOfName = (name: string): Venue | null => BY_NAME.get(name.toUpperCase()) ?? null;
