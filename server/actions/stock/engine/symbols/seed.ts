// The directory that comes with the product, written by hand: large companies of many markets, and made-up securities
// for the simulated market. Not a copy of any exchange's list; operators import their own for full cover.
import type { Instrument, InstrumentType } from "./directory.ts";
import { venueOf } from "./venues.ts";

/** mic | symbol | name | isin | type (equity where absent) */
const LISTED = `
XNAS|AAPL|Apple Inc.|US0378331005
XNAS|MSFT|Microsoft Corporation|US5949181045
XNAS|GOOGL|Alphabet Inc. Class A|US02079K3059
XNAS|GOOG|Alphabet Inc. Class C|US02079K1079
XNAS|AMZN|Amazon.com, Inc.|US0231351067
XNAS|NVDA|NVIDIA Corporation|US67066G1040
XNAS|META|Meta Platforms, Inc. Class A|US30303M1027
XNAS|TSLA|Tesla, Inc.|US88160R1014
XNAS|AVGO|Broadcom Inc.|US11135F1012
XNAS|NFLX|Netflix, Inc.|US64110L1061
XNAS|COST|Costco Wholesale Corporation|US22160K1051
XNAS|CSCO|Cisco Systems, Inc.|US17275R1023
XNAS|INTC|Intel Corporation|US4581401001
XNAS|AMD|Advanced Micro Devices, Inc.|US0079031078
XNAS|PEP|PepsiCo, Inc.|US7134481081
XNAS|ADBE|Adobe Inc.|US00724F1012
XNAS|QCOM|QUALCOMM Incorporated|US7475251036
XNAS|TXN|Texas Instruments Incorporated|US8825081040
XNAS|AMGN|Amgen Inc.|US0311621009
XNAS|SBUX|Starbucks Corporation|US8552441094
XNAS|PYPL|PayPal Holdings, Inc.|US70450Y1038
XNAS|QQQ|Invesco QQQ Trust|US46090E1038|etf
XNYS|BRK.A|Berkshire Hathaway Inc. Class A|US0846701086
XNYS|BRK.B|Berkshire Hathaway Inc. Class B|US0846707026
XNYS|BF.A|Brown-Forman Corporation Class A|US1156371007
XNYS|BF.B|Brown-Forman Corporation Class B|US1156372096
XNYS|JPM|JPMorgan Chase & Co.|US46625H1005
XNYS|BAC|Bank of America Corporation|US0605051046
XNYS|WFC|Wells Fargo & Company|US9497461015
XNYS|C|Citigroup Inc.|US1729674242
XNYS|GS|The Goldman Sachs Group, Inc.|US38141G1040
XNYS|MS|Morgan Stanley|US6174464486
XNYS|V|Visa Inc. Class A|US92826C8394
XNYS|MA|Mastercard Incorporated Class A|US57636Q1040
XNYS|JNJ|Johnson & Johnson|US4781601046
XNYS|PFE|Pfizer Inc.|US7170811035
XNYS|MRK|Merck & Co., Inc.|US58933Y1055
XNYS|LLY|Eli Lilly and Company|US5324571083
XNYS|UNH|UnitedHealth Group Incorporated|US91324P1021
XNYS|PG|The Procter & Gamble Company|US7427181091
XNYS|KO|The Coca-Cola Company|US1912161007
XNYS|MCD|McDonald's Corporation|US5801351017
XNYS|WMT|Walmart Inc.|US9311421039
XNYS|HD|The Home Depot, Inc.|US4370761029
XNYS|NKE|NIKE, Inc. Class B|US6541061031
XNYS|DIS|The Walt Disney Company|US2546871060
XNYS|XOM|Exxon Mobil Corporation|US30231G1022
XNYS|CVX|Chevron Corporation|US1667641005
XNYS|IBM|International Business Machines Corporation|US4592001014
XNYS|ORCL|Oracle Corporation|US68389X1054
XNYS|CRM|Salesforce, Inc.|US79466L3024
XNYS|BA|The Boeing Company|US0970231058
XNYS|CAT|Caterpillar Inc.|US1491231015
XNYS|GE|General Electric Company|US3696043013
XNYS|MMM|3M Company|US88579Y1010
XNYS|F|Ford Motor Company|US3453708600
XNYS|GM|General Motors Company|US37045V1008
XNYS|T|AT&T Inc.|US00206R1023
XNYS|VZ|Verizon Communications Inc.|US92343V1044
XNYS|UPS|United Parcel Service, Inc. Class B|US9113121068
XNYS|FDX|FedEx Corporation|US31428X1063
XNYS|TSM|Taiwan Semiconductor Manufacturing Company Limited ADR|US8740391003|adr
XNYS|BABA|Alibaba Group Holding Limited ADR|US01609W1027|adr
XNYS|BHP|BHP Group Limited ADR||adr
XNYS|SHOP|Shopify Inc.||
ARCX|SPY|SPDR S&P 500 ETF Trust|US78462F1030|etf
ARCX|VTI|Vanguard Total Stock Market ETF|US9229087690|etf
ARCX|VOO|Vanguard S&P 500 ETF|US9229083632|etf
ARCX|GLD|SPDR Gold Shares|US78463V1070|etf
XLON|VOD|Vodafone Group plc|GB00BH4HKS39
XLON|BP|BP p.l.c.|GB0007980591
XLON|SHEL|Shell plc|GB00BP6MXD84
XLON|HSBA|HSBC Holdings plc|GB0005405286
XLON|AZN|AstraZeneca PLC|GB0009895292
XLON|ULVR|Unilever PLC|GB00B10RZP78
XLON|GSK|GSK plc|GB00BN7SWP63
XLON|RIO|Rio Tinto plc|GB0007188757
XLON|BARC|Barclays PLC|GB0031348658
XLON|LLOY|Lloyds Banking Group plc|GB0008706128
XLON|TSCO|Tesco PLC|GB00BLGZ9862
XLON|BT.A|BT Group plc|GB0030913577
XETR|SAP|SAP SE|DE0007164600
XETR|SIE|Siemens AG|DE0007236101
XETR|ALV|Allianz SE|DE0008404005
XETR|BMW|Bayerische Motoren Werke AG|DE0005190003
XETR|BAS|BASF SE|DE000BASF111
XETR|DTE|Deutsche Telekom AG|DE0005557508
XETR|DBK|Deutsche Bank AG|DE0005140008
XETR|ADS|adidas AG|DE000A1EWWW0
XETR|VOW3|Volkswagen AG preference shares|DE0007664039|preferred
XETR|MBG|Mercedes-Benz Group AG|DE0007100000
XPAR|MC|LVMH Moët Hennessy Louis Vuitton SE|FR0000121014
XPAR|OR|L'Oréal S.A.|FR0000120321
XPAR|TTE|TotalEnergies SE|FR0000120271
XPAR|SAN|Sanofi|FR0000120578
XPAR|AIR|Airbus SE|NL0000235190
XPAR|BNP|BNP Paribas|FR0000131104
XPAR|RMS|Hermès International|FR0000052292
XAMS|ASML|ASML Holding N.V.|NL0010273215
XAMS|INGA|ING Groep N.V.|NL0011821202
XAMS|HEIA|Heineken N.V.|NL0000009165
XBRU|ABI|Anheuser-Busch InBev SA/NV|BE0974293251
XBRU|KBC|KBC Group NV|BE0003565737
XLIS|EDP|EDP, S.A.|PTEDP0AM0009
XMIL|ENI|Eni S.p.A.|IT0003132476
XMIL|ENEL|Enel S.p.A.|IT0003128367
XMIL|ISP|Intesa Sanpaolo S.p.A.|IT0000072618
XMIL|RACE|Ferrari N.V.|NL0011585146
XMAD|SAN|Banco Santander, S.A.|ES0113900J37
XMAD|ITX|Industria de Diseño Textil, S.A. (Inditex)|ES0148396007
XMAD|IBE|Iberdrola, S.A.|ES0144580Y14
XMAD|TEF|Telefónica, S.A.|ES0178430E18
XSWX|NESN|Nestlé S.A.|CH0038863350
XSWX|NOVN|Novartis AG|CH0012005267
XSWX|ROG|Roche Holding AG|CH0012032048
XSWX|UBSG|UBS Group AG|CH0244767585
XSWX|ABBN|ABB Ltd|CH0012221716
XSTO|VOLV-B|AB Volvo class B|SE0000115446
XSTO|ERIC-B|Telefonaktiebolaget LM Ericsson class B|SE0000108656
XCSE|NOVO-B|Novo Nordisk A/S class B|DK0062498333
XCSE|MAERSK-B|A.P. Møller - Mærsk A/S class B|DK0010244508
XHEL|NOKIA|Nokia Corporation|FI0009000681
XOSL|EQNR|Equinor ASA|NO0010096985
XWBO|EBS|Erste Group Bank AG|AT0000652011
XWAR|PKO|PKO Bank Polski S.A.|PLPKO0000016
XTSE|RY|Royal Bank of Canada|CA7800871021
XTSE|TD|The Toronto-Dominion Bank|CA8911605092
XTSE|SHOP|Shopify Inc.|CA82509L1076
XTSE|ENB|Enbridge Inc.|CA29250N1050
XASX|BHP|BHP Group Limited|AU000000BHP4
XASX|CBA|Commonwealth Bank of Australia|AU000000CBA7
XASX|CSL|CSL Limited|AU000000CSL8
XNZE|AIR|Air New Zealand Limited|NZAIRE0001S2
XTKS|7203|Toyota Motor Corporation|JP3633400001
XTKS|6758|Sony Group Corporation|JP3435000009
XTKS|9984|SoftBank Group Corp.|JP3436100006
XTKS|7974|Nintendo Co., Ltd.|JP3756600007
XHKG|0700|Tencent Holdings Limited|KYG875721634
XHKG|9988|Alibaba Group Holding Limited|KYG017191142
XHKG|0005|HSBC Holdings plc|GB0005405286
XSHG|600519|Kweichow Moutai Co., Ltd.|CNE0000018R8
XSHE|000001|Ping An Bank Co., Ltd.|CNE000000040
XKRX|005930|Samsung Electronics Co., Ltd.|KR7005930003
XKRX|000660|SK hynix Inc.|KR7000660001
XTAI|2330|Taiwan Semiconductor Manufacturing Company Limited|TW0002330008
XSES|D05|DBS Group Holdings Ltd|SG1L01001701
XNSE|RELIANCE|Reliance Industries Limited|INE002A01018
XBOM|500325|Reliance Industries Limited|INE002A01018
XNSE|TCS|Tata Consultancy Services Limited|INE467B01029
XNSE|INFY|Infosys Limited|INE009A01021
BVMF|PETR4|Petróleo Brasileiro S.A. - Petrobras preferred|BRPETRACNPR6|preferred
BVMF|VALE3|Vale S.A.|BRVALEACNOR0
XMEX|WALMEX|Wal-Mart de México, S.A.B. de C.V.|
XJSE|NPN|Naspers Limited|ZAE000015889
XIST|THYAO|Türk Hava Yolları A.O.|TRATHYAO91M5
XTAE|TEVA|Teva Pharmaceutical Industries Limited|IL0006290147`;

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

export const LISTED_INSTRUMENTS: Instrument[] = lines(LISTED).map(([mic, symbol, name, isin, type]) => ({
  symbol,
  mic,
  name,
  type: (type || "equity") as InstrumentType,
  quotedIn: venueOf(mic)?.quotedIn ?? "USD",
  isin: isin || null,
  figi: null,
  country: venueOf(mic)?.country ?? null,
}));

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
