// American lines: part of the directory that comes with the product, written by hand.
// One line a security: mic | symbol | name | isin | type (equity where empty) | price around which it is simulated.

export const AMERICAN_LINES = `
XNAS|AAPL|Apple Inc.|US0378331005||270
XNAS|MSFT|Microsoft Corporation|US5949181045||500
XNAS|GOOGL|Alphabet Inc. Class A|US02079K3059||280
XNAS|GOOG|Alphabet Inc. Class C|US02079K1079||281
XNAS|AMZN|Amazon.com, Inc.|US0231351067||240
XNAS|NVDA|NVIDIA Corporation|US67066G1040||185
XNAS|META|Meta Platforms, Inc. Class A|US30303M1027||640
XNAS|TSLA|Tesla, Inc.|US88160R1014||430
XNAS|AVGO|Broadcom Inc.|US11135F1012||350
XNAS|NFLX|Netflix, Inc.|US64110L1061||110
XNAS|COST|Costco Wholesale Corporation|US22160K1051||920
XNAS|CSCO|Cisco Systems, Inc.|US17275R1023||75
XNAS|INTC|Intel Corporation|US4581401001||37
XNAS|AMD|Advanced Micro Devices, Inc.|US0079031078||245
XNAS|PEP|PepsiCo, Inc.|US7134481081||145
XNAS|ADBE|Adobe Inc.|US00724F1012||335
XNAS|QCOM|QUALCOMM Incorporated|US7475251036||170
XNAS|TXN|Texas Instruments Incorporated|US8825081040||160
XNAS|AMGN|Amgen Inc.|US0311621009||330
XNAS|SBUX|Starbucks Corporation|US8552441094||85
XNAS|PYPL|PayPal Holdings, Inc.|US70450Y1038||63
XNAS|QQQ|Invesco QQQ Trust|US46090E1038|etf|610
XNAS|WMT|Walmart Inc.|US9311421039||102
XNAS|SHOP|Shopify Inc.|CA82509L1076||146
XNAS|COIN|Coinbase Global, Inc. Class A|US19260Q1076||300
XNAS|PLTR|Palantir Technologies Inc. Class A|US69608A1088||175
XNAS|MSTR|Strategy Inc Class A|US5949724083||230
XNAS|ABNB|Airbnb, Inc. Class A|US0090661010||122
XNAS|HOOD|Robinhood Markets, Inc. Class A|US7707001027||125
XNAS|RIVN|Rivian Automotive, Inc. Class A|US76954A1034||15
XNAS|SOFI|SoFi Technologies, Inc.|US83406F1021||28
XNAS|ROKU|Roku, Inc. Class A|||100
XNAS|ZM|Zoom Communications, Inc. Class A|US98980L1017||85
XNAS|DDOG|Datadog, Inc. Class A|US23804L1035||180
XNAS|CRWD|CrowdStrike Holdings, Inc. Class A|US22788C1053||530
XNAS|PANW|Palo Alto Networks, Inc.|US6974351057||205
XNAS|ARM|Arm Holdings plc ADR|US0420682058|adr|145
XNAS|SMCI|Super Micro Computer, Inc.|US86800U3023||38
XNAS|MU|Micron Technology, Inc.|US5951121038||245
XNAS|AMAT|Applied Materials, Inc.|US0382221051||228
XNAS|INTU|Intuit Inc.|US4612021034||650
XNAS|ISRG|Intuitive Surgical, Inc.|US46120E6023||560
XNAS|GILD|Gilead Sciences, Inc.|US3755581036||122
XNAS|BKNG|Booking Holdings Inc.|US09857L1089||4950
XNAS|MRNA|Moderna, Inc.|US60770K1079||25
XNAS|CMCSA|Comcast Corporation Class A|US20030N1019||27
XNAS|TMUS|T-Mobile US, Inc.|US8725901040||212
XNAS|HON|Honeywell International Inc.|US4385161066||195
XNAS|PDD|PDD Holdings Inc. ADR|US7223041028|adr|130
XNAS|ASML|ASML Holding N.V. New York registry shares|USN070592100||1020
XNAS|VOD|Vodafone Group plc ADR|US92857W3088|adr|12
XNAS|TSCO|Tractor Supply Company|US8923561067||54
XNAS|TLT|iShares 20+ Year Treasury Bond ETF|US4642874329|etf|89
XNAS|BND|Vanguard Total Bond Market ETF|US9219378356|etf|74
XNAS|TQQQ|ProShares UltraPro QQQ|US74347X8314|etf|105
XNAS|IBIT|iShares Bitcoin Trust ETF|US46438F1012|etf|58
XNYS|BRK.A|Berkshire Hathaway Inc. Class A|US0846701086||750000
XNYS|BRK.B|Berkshire Hathaway Inc. Class B|US0846707026||500
XNYS|BF.A|Brown-Forman Corporation Class A|US1156371007||29
XNYS|BF.B|Brown-Forman Corporation Class B|US1156372096||29
XNYS|JPM|JPMorgan Chase & Co.|US46625H1005||310
XNYS|BAC|Bank of America Corporation|US0605051046||53
XNYS|WFC|Wells Fargo & Company|US9497461015||86
XNYS|C|Citigroup Inc.|US1729674242||102
XNYS|GS|The Goldman Sachs Group, Inc.|US38141G1040||790
XNYS|MS|Morgan Stanley|US6174464486||165
XNYS|V|Visa Inc. Class A|US92826C8394||335
XNYS|MA|Mastercard Incorporated Class A|US57636Q1040||545
XNYS|JNJ|Johnson & Johnson|US4781601046||195
XNYS|PFE|Pfizer Inc.|US7170811035||25
XNYS|MRK|Merck & Co., Inc.|US58933Y1055||93
XNYS|LLY|Eli Lilly and Company|US5324571083||1000
XNYS|UNH|UnitedHealth Group Incorporated|US91324P1021||320
XNYS|PG|The Procter & Gamble Company|US7427181091||147
XNYS|KO|The Coca-Cola Company|US1912161007||71
XNYS|MCD|McDonald's Corporation|US5801351017||305
XNYS|HD|The Home Depot, Inc.|US4370761029||365
XNYS|NKE|NIKE, Inc. Class B|US6541061031||64
XNYS|DIS|The Walt Disney Company|US2546871060||107
XNYS|XOM|Exxon Mobil Corporation|US30231G1022||118
XNYS|CVX|Chevron Corporation|US1667641005||155
XNYS|IBM|International Business Machines Corporation|US4592001014||305
XNYS|ORCL|Oracle Corporation|US68389X1054||220
XNYS|CRM|Salesforce, Inc.|US79466L3024||240
XNYS|BA|The Boeing Company|US0970231058||195
XNYS|CAT|Caterpillar Inc.|US1491231015||560
XNYS|GE|General Electric Company|US3696043013||305
XNYS|MMM|3M Company|US88579Y1010||170
XNYS|F|Ford Motor Company|US3453708600||13.2
XNYS|GM|General Motors Company|US37045V1008||71
XNYS|T|AT&T Inc.|US00206R1023||25.5
XNYS|VZ|Verizon Communications Inc.|US92343V1044||41
XNYS|UPS|United Parcel Service, Inc. Class B|US9113121068||95
XNYS|FDX|FedEx Corporation|US31428X1063||270
XNYS|TSM|Taiwan Semiconductor Manufacturing Company Limited ADR|US8740391003|adr|285
XNYS|BABA|Alibaba Group Holding Limited ADR|US01609W1027|adr|160
XNYS|BHP|BHP Group Limited ADR||adr|56
XNYS|GME|GameStop Corp. Class A|US36467W1099||22
XNYS|UBER|Uber Technologies, Inc.|US90353T1007||93
XNYS|AMC|AMC Entertainment Holdings, Inc. Class A|US00165C3025||2.6
XNYS|SNOW|Snowflake Inc. Class A|US8334451098||260
XNYS|XYZ|Block, Inc. Class A|US8522341036||65
XNYS|RBLX|Roblox Corporation Class A|US7710491033||105
XNYS|SPOT|Spotify Technology S.A.|LU1778762911||620
XNYS|SNAP|Snap Inc. Class A|US83304A1060||8
XNYS|PINS|Pinterest, Inc. Class A|||27
XNYS|NET|Cloudflare, Inc. Class A|US18915M1071||220
XNYS|DELL|Dell Technologies Inc. Class C|US24703L2025||135
XNYS|NOW|ServiceNow, Inc.|US81762P1021||860
XNYS|ACN|Accenture plc Class A|IE00B4BNMY34||245
XNYS|ABBV|AbbVie Inc.|US00287Y1091||232
XNYS|ABT|Abbott Laboratories|US0028241000||130
XNYS|TMO|Thermo Fisher Scientific Inc.|US8835561023||585
XNYS|BMY|Bristol-Myers Squibb Company|US1101221083||47
XNYS|CVS|CVS Health Corporation|US1266501006||78
XNYS|LOW|Lowe's Companies, Inc.|US5486611073||230
XNYS|TGT|Target Corporation|US87612E1064||90
XNYS|PM|Philip Morris International Inc.|US7181721090||153
XNYS|MO|Altria Group, Inc.|US02209S1033||58
XNYS|LMT|Lockheed Martin Corporation|US5398301094||465
XNYS|RTX|RTX Corporation|US75513E1010||177
XNYS|DE|Deere & Company|US2441991054||475
XNYS|UNP|Union Pacific Corporation|US9078181081||222
XNYS|AXP|American Express Company|US0258161092||360
XNYS|SCHW|The Charles Schwab Corporation|US8085131055||95
XNYS|SPGI|S&P Global Inc.|US78409V1044||495
XNYS|BX|Blackstone Inc.|US09260D1072||145
XNYS|COP|ConocoPhillips|US20825C1045||88
XNYS|NEE|NextEra Energy, Inc.|US65339F1012||84
XNYS|DUK|Duke Energy Corporation|US26441C2044||124
XNYS|NIO|NIO Inc. ADR|US62914V1061|adr|6.5
XNYS|SAP|SAP SE ADR|US8030542042|adr|246
XNYS|SHEL|Shell plc ADR|US7802593050|adr|74
XNYS|AZN|AstraZeneca PLC||adr|178
XNYS|BP|BP p.l.c. ADR|US0556221044|adr|36
XNYS|RIO|Rio Tinto plc ADR|US7672041008|adr|71
XNYS|GSK|GSK plc ADR|US37733W2044|adr|47
XNYS|TTE|TotalEnergies SE ADR|US89151E1091|adr|65
XNYS|SAN|Banco Santander, S.A. ADR|US05964H1059|adr|10.5
XNYS|TEF|Telefónica, S.A. ADR|US8793822086|adr|4.4
XNYS|EQNR|Equinor ASA ADR|US29446M1027|adr|23.8
XNYS|INFY|Infosys Limited ADR|US4567881085|adr|17
XNYS|TEVA|Teva Pharmaceutical Industries Limited ADR|US8816242098|adr|25
XNYS|RACE|Ferrari N.V.|NL0011585146||405
XNYS|RY|Royal Bank of Canada|CA7800871021||147
XNYS|TD|The Toronto-Dominion Bank|CA8911605092||82
XNYS|ENB|Enbridge Inc.|CA29250N1050||48
XNYS|DTE|DTE Energy Company|US2333311072||138
XNYS|ALV|Autoliv, Inc.|US0528001094||119
XNYS|MC|Moelis & Company Class A|US60786M1053||64
XNYS|OR|OR Royalties Inc.|||34
XNYS|AIR|AAR Corp.|US0003611052||83
XNYS|ROG|Rogers Corporation|US7751331015||83
XNYS|EBS|Emergent BioSolutions Inc.|US29089Q1058||11
XNYS|CSL|Carlisle Companies Incorporated|US1423391002||320
ARCX|SPY|SPDR S&P 500 ETF Trust|US78462F1030|etf|675
ARCX|VTI|Vanguard Total Stock Market ETF|US9229087690|etf|330
ARCX|VOO|Vanguard S&P 500 ETF|US9229083632|etf|620
ARCX|GLD|SPDR Gold Shares|US78463V1070|etf|375
ARCX|IVV|iShares Core S&P 500 ETF|US4642872000|etf|677
ARCX|IWM|iShares Russell 2000 ETF|US4642876555|etf|240
ARCX|DIA|SPDR Dow Jones Industrial Average ETF Trust|US78467X1090|etf|475
ARCX|EEM|iShares MSCI Emerging Markets ETF|US4642872349|etf|55
ARCX|XLF|Financial Select Sector SPDR Fund|US81369Y6059|etf|53
ARCX|XLE|Energy Select Sector SPDR Fund|US81369Y5069|etf|90
ARCX|XLK|Technology Select Sector SPDR Fund|US81369Y8030|etf|288
ARCX|SLV|iShares Silver Trust|US46428Q1094|etf|46
ARCX|HYG|iShares iBoxx $ High Yield Corporate Bond ETF|US4642885135|etf|80
ARCX|LQD|iShares iBoxx $ Investment Grade Corporate Bond ETF|US4642872422|etf|111
ARCX|AGG|iShares Core U.S. Aggregate Bond ETF|US4642872265|etf|100
BATS|ARKK|ARK Innovation ETF||etf|80`;
