// The table of currencies: ISO 4217 codes, their decimals, their countries, and every sign and word that shops write.
// Data and look-ups only; which sign in a text is the currency is decided in parse.ts.

/** code, decimals, countries (ISO 3166) whose shops use it. */
const ISO_ROWS = `AED 2 AE|AFN 2 AF|ALL 2 AL|AMD 2 AM|ANG 2|AOA 2 AO|ARS 2 AR|AUD 2 AU KI NR|AWG 2 AW|AZN 2 AZ|BAM 2 BA|BBD 2 BB|
BDT 2 BD|BGN 2|BHD 3 BH|BIF 0 BI|BMD 2 BM|BND 2 BN|BOB 2 BO|BOV 2|BRL 2 BR|BSD 2 BS|BTC 8|BTN 2 BT|BWP 2 BW|BYN 2 BY|
BYR 0|BZD 2 BZ|CAD 2 CA|CDF 2 CD|CHE 2|CHF 2 CH LI|CHW 2|CLF 4|CLP 0 CL|CNY 2 CN|COP 2 CO|COU 2|CRC 2 CR|CUC 2|CUP 2 CU|CVE 2 CV|
CZK 2 CZ|DJF 0 DJ|DKK 2 DK GL FO|DOP 2 DO|DZD 2 DZ|EEK 2|EGP 2 EG|ERN 2 ER|ETB 2 ET|
EUR 2 AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK ME AD MC SM XK EU BG VA AX GF GP MQ RE YT PM|FJD 2 FJ|FKP 2 FK|
GBP 2 GB UK IM JE GG|GEL 2 GE|GHS 2 GH|GIP 2 GI|GMD 2 GM|GNF 0 GN|GTQ 2 GT|GYD 2 GY|HKD 2 HK|HNL 2 HN|HRK 2|
HTG 2 HT|HUF 2 HU|IDR 2 ID|ILS 2 IL PS|INR 2 IN|IQD 3 IQ|IRR 2 IR|IRT 0|ISK 0 IS|JMD 2 JM|JOD 3 JO|JPY 0 JP|KES 2 KE|
KGS 2 KG|KHR 2 KH|KMF 0 KM|KPW 2 KP|KRW 0 KR|KWD 3 KW|KYD 2 KY|KZT 2 KZ|LAK 2 LA|LBP 2 LB|LKR 2 LK|LRD 2 LR|
LSL 2 LS|LTL 2|LVL 2|LYD 3 LY|MAD 2 MA|MDL 2 MD|MGA 2 MG|MKD 2 MK|MMK 2 MM|MNT 2 MN|MOP 2 MO|MRU 2 MR|MUR 2 MU|
MVR 2 MV|MWK 2 MW|MXN 2 MX|MXV 2|MYR 2 MY|MZN 2 MZ|NAD 2 NA|NGN 2 NG|NIO 2 NI|NOK 2 NO|NPR 2 NP|NZD 2 NZ CK|OMR 3 OM|
PAB 2 PA|PEN 2 PE|PGK 2 PG|PHP 2 PH|PKR 2 PK|PLN 2 PL|PTE 0|PYG 0 PY|QAR 2 QA|RON 2 RO|RSD 2 RS|RUB 2 RU|RWF 0 RW|
SAR 2 SA|SBD 2 SB|SCR 2 SC|SDG 2 SD|SEK 2 SE|SGD 2 SG|SHP 2 SH|SLE 2 SL|SLL 2|SOS 2 SO|SRD 2 SR|SSP 2 SS|STN 2 ST|
SVC 2|SYP 2 SY|SZL 2 SZ|THB 2 TH|TJS 2 TJ|TMT 2 TM|TND 3 TN|TOP 2 TO|TRY 2 TR|TTD 2 TT|TWD 2 TW|TZS 2 TZ|UAH 2 UA|
UGX 0 UG|USD 2 US PR EC SV GU VI TL|USN 2|UYI 0|UYU 2 UY|UYW 4|UZS 2 UZ|VED 2|VEF 2|VES 2 VE|VND 0 VN|VUV 0 VU|WST 2 WS|
XAF 0 CM GA TD CF CG GQ|XAG 0|XAU 0|
XCD 2 AG DM GD KN LC VC|XCG 2 CW SX|XDR 0|XOF 0 SN CI BJ BF ML NE TG GW|XPD 0|XPF 0 PF NC WF|XPT 0|YER 2 YE|ZAR 2 ZA|ZMW 2 ZM|
ZWG 2 ZW|ZWL 2`;

/** A sign or word, then the codes it may stand for, the likeliest first. `-` where no single code is known. */
const SIGN_ROWS = `$ USD CAD AUD NZD MXN CLP COP ARS SGD HKD TWD UYU BRL|US$ USD|U$S USD|USD$ USD|AU$ AUD|A$ AUD|AUD$ AUD|AR$ ARS|
CA$ CAD|C$ CAD NIO|CAN$ CAD|CDN$ CAD|CAD$ CAD|CL$ CLP|CLP$ CLP|CO$ COP|COL$ COP|CV$ CVE|CUC$ CUC|MX$ MXN|MXN$ MXN|
MEX$ MXN|NZ$ NZD|NZD$ NZD|HK$ HKD|HKD$ HKD|NT$ TWD|NT TWD|S$ SGD|SG$ SGD|SGD$ SGD|R$ BRL|RD$ DOP|TT$ TTD|J$ JMD|
JA$ JMD|JM$ JMD|BZ$ BZD|BN$ BND|B$ BND BSD|BDS$ BBD|BD$ BMD|EC$ XCD|FJ$ FJD|F$ FJD|G$ GYD|GY$ GYD|L$ LRD|LD$ LRD|
N$ NAD|NA$ NAD|SI$ SBD|MOP$ MOP|T$ TOP|WS$ WST|Z$ ZWL|ZWL$ ZWL|$U UYU|UY$ UYU|$B BOB|BS BOB VES|BS.F VEF|BS.S VES|
₡ CRC SVC|€ EUR|£ GBP|GBP£ GBP|GB£ GBP|E£ EGP|LE EGP|£E EGP|LB£ LBP|L.L LBP|SY£ SYP|₤ GBP TRY ITL|STG GBP|
¥ JPY CNY|JP¥ JPY|CN¥ CNY|RMB CNY|RMB¥ CNY|元 CNY TWD|円 JPY|圓 TWD JPY HKD|圆 CNY|人民币 CNY|人民幣 CNY|人民元 CNY|YEN JPY|
YUAN CNY|₩ KRW|원 KRW|WON KRW|₽ RUB|РУБ RUB|РУБ. RUB|РУБЛЕЙ RUB|РУБЛЬ RUB|РУБЛЯ RUB|Р RUB|Р. RUB|RUR RUB|RUBLES RUB|
RBL RUB|BR BYN ETB|BR. BYN ETB|ГРН UAH|ГРН. UAH|₴ UAH|ГРИВЕН UAH|ТГ KZT|ТГ. KZT|ТЕНГЕ KZT|₸ KZT|₹ INR|
₨ INR PKR LKR NPR MUR SCR|RS INR PKR LKR NPR MUR SCR|RS. INR PKR LKR NPR MUR SCR|RE INR|रु INR NPR|रू NPR INR|
ரூ INR LKR|රු LKR|৳ BDT|TK BDT|TK. BDT|৲ INR|૱ INR|₪ ILS|NIS ILS|ש"ח ILS|שח ILS|שקל ILS|₫ VND|Đ VND|VNĐ VND|
VND VND|ĐỒNG VND|฿ THB|บาท THB|BAHT THB|₱ PHP|₦ NGN|₵ GHS|GH₵ GHS|GHC GHS|₭ LAK|៛ KHR|₮ MNT|₺ TRY|TL TRY|₼ AZN|
MAN AZN|МАН AZN|₾ GEL|ლარი GEL|LARI GEL|֏ AMD|ԴՐ AMD|؋ AFN|₲ PYG|GS PYG|GS. PYG|₿ BTC|₣ -|FF -|ƒ ANG AWG|NAƒ ANG|
AFL AWG|﷼ IRR SAR YER OMR QAR|ریال IRR|ريال SAR QAR OMR YER IRR|تومان IRR IRT|TOMAN IRR IRT|ر.س SAR|ر.س. SAR|
SR SAR|ر.ق QAR|QR QAR|ر.ع OMR|ر.ع. OMR|ر.ي YER|د.إ AED|د.إ. AED|DH AED MAD|DHS AED MAD|DHS. AED|DIRHAM AED MAD|
DIRHAMS AED MAD|درهم AED MAD|د.ك KWD|د.ك. KWD|KD KWD|دينار KWD IQD JOD|دينار_كويتي KWD|دينار_أردني JOD|
دينار_عراقي IQD|دينار_بحريني BHD|د.ب BHD|BD BHD|د.أ JOD|JD JOD|د.ا JOD|ID IQD|د.ع IQD|ع.د IQD|د. JOD|د.ل LYD|
ل.د LYD|LD LYD|د.ت TND|DT TND|د.م MAD|د.م. MAD|دج DZD|د.ج DZD|DA DZD|جنيه EGP|ج.م EGP|ج.م. EGP|ل.س SYP|ل.ل LBP|
ل.ل. LBP|ش.ص SOS|ر.إ IRR|نافكا ERN|NFK ERN|ZŁ PLN|ZL PLN|ZŁOTYCH PLN|KČ CZK|KC CZK|KCS CZK|FT HUF|FT. HUF|
FORINT HUF|LEI RON MDL|LEU RON MDL|ЛВ BGN|ЛВ. BGN|LV BGN|LV. BGN|KN HRK|KN. HRK|KUNA HRK|KM BAM|КМ BAM|DIN RSD|
DIN. RSD|ДИН RSD|ДИН. RSD|DINARA RSD|DEN MKD|DEN. MKD|ДЕН MKD|ДЕН. MKD|LEK ALL|LEKË ALL|KR SEK NOK DKK ISK|
KR. DKK SEK NOK ISK|ÍKR ISK|EUR EUR|EURO EUR|EUROS EUR|EUROA EUR|ΕΥΡΩ EUR|ЕВРО EUR|SFR CHF|SFR. CHF|FR CHF|FR. CHF|
FRS CHF|FRANC -|FRANCS -|STUTZ CHF|FCFA XAF XOF|F XOF|F.CFA XAF XOF|CFA XOF XAF|CFPF XPF|FDJ DJF|FBU BIF|FG GNF|
GFR GNF|FRW RWF|RF MVR|RF. MVR|MVR. MVR|CF KMF|R ZAR|RAND ZAR|KSH KES|KSHS KES|KSH. KES|TSH TZS|TSHS TZS|USH UGX|
USHS UGX|SH KES|SH.SO SOS|ZK ZMW|K ZMW MMK PGK|KS MMK|MK MWK|KZ AOA|KWZ AOA|MT MZN|MTN MZN|NU BTN|NU. BTN|AR MGA|
DB STN|SL SLE|LE. SLE|UM MRU|D GMD|E SZL|P BWP PHP|RM MYR|RP IDR|RP. IDR|S/ PEN|S/. PEN|SOLES PEN|B/ PAB|B/. PAB|
Q GTQ|L HNL|LPS HNL|ESC CVE PTE|PESOS MXN ARS COP CLP|PESO MXN ARS PHP|REAIS BRL|DOLLARS USD|DOLLAR USD|POUNDS GBP|
ТОМ -|SOM KGS UZS|SO'M UZS|SOʻM UZS|S' UZS|Sʻ UZS|СУМ UZS|С KGS|СОМ KGS|СОМОНӢ TJS|SM TJS|DRAM AMD|LIRA TRY|
TÜRK_LIRASI TRY|GBP GBP|POUND GBP|KHR KHR|RIEL KHR|KIP LAK|TUGRIK MNT|AZN AZN|MANAT AZN TMT|TAKA BDT|RUPEES INR|
RUPEE INR|RUPIAH IDR|RINGGIT MYR|Ƀ BTC|GBX -|PTE PTE|⃀ KGS|⃁ SAR|௹ INR|CI$ KYD|KY$ KYD|SR$ SRD|FK£ FKP|SH£ SHP|GI£ GIP|CG XCG|
XCG XCG|ZIG ZWG|
FC CDF|UF CLF|UVR COU|VT VUV|VATU VUV|KINA PGK|TALA WST|PAʻANGA TOP|PA'ANGA TOP|BS. BOB VES|L. HNL|F_CFA XOF XAF|CFP XPF|
KWACHA ZMW MWK|CEDI GHS|CEDIS GHS|NAIRA NGN|SHILLING KES TZS UGX SOS|SHILLINGS KES TZS UGX SOS|BIRR ETB|ብር ETB|NAKFA ERN|
PULA BWP|DALASI GMD|DALASIS GMD|LEONE SLE|LEONES SLE|METICAL MZN|METICAIS MZN|ARIARY MGA|OUGUIYA MRU|DOBRA STN|
DOBRAS STN|LILANGENI SZL|EMALANGENI SZL|LOTI LSL|MALOTI LSL|KWANZA AOA|KWANZAS AOA|ESCUDO CVE|ESCUDOS CVE|
DINAR KWD IQD JOD BHD TND DZD LYD RSD|DINARS KWD IQD JOD BHD TND DZD LYD RSD|RIYAL SAR QAR YER OMR|RIYALS SAR QAR YER OMR|
RIAL IRR OMR YER|RIALS IRR OMR YER|PATACA MOP|PATACAS MOP|GOURDE HTG|GOURDES HTG|CÓRDOBA NIO|CÓRDOBAS NIO|LEMPIRA HNL|
LEMPIRAS HNL|QUETZAL GTQ|QUETZALES GTQ|COLÓN CRC SVC|COLONES CRC SVC|BALBOA PAB|BALBOAS PAB|GUARANÍ PYG|GUARANÍES PYG|
BOLÍVAR VES|BOLÍVARES VES|BOLIVIANO BOB|BOLIVIANOS BOB|GUILDER XCG|GUILDERS XCG|FLORIN AWG|FLORINS AWG|KORUN CZK|
KORUNY CZK|KORUNA CZK|ZŁOTY PLN|ZŁOTE PLN|ZLOTY PLN|ЛЕВА BGN|ЛЕВ BGN|LEVA BGN|ДЕНАРИ MKD|DENARI MKD|ДИНАРА RSD|
MARAKA BAM|KRÓNUR ISK|KRÓNA ISK|KRONOR SEK|KRONA SEK ISK|KRONER NOK DKK|KRONE NOK DKK|ГРИВНА UAH|ГРИВНЯ UAH|ГРИВНІ UAH|
ГРИВЕНЬ UAH|HRYVNIA UAH|РУБЛИ RUB|БЕЛ.РУБ BYN|Б.Р BYN|Б.Р. BYN|ЛЕЙ MDL|ЛЕЕВ MDL|МАНАТ AZN TMT|СОМОНИ TJS|СМН TJS|
СЎМ UZS|SO‘M UZS|ТӨГРӨГ MNT|ДРАМ AMD|ԴՐԱՄ AMD|ԴՐ. AMD|ლ GEL|KYAT MMK|ကျပ် MMK|រៀល KHR|ກີບ LAK|टका BDT|টাকা BDT|
රු. LKR|रु. INR NPR|रू. NPR INR|ރ MVR|RUFIYAA MVR|NGULTRUM BTN|PISO PHP|RENMINBI CNY|块 CNY|塊 TWD CNY|港元 HKD|港币 HKD|
港幣 HKD|新台幣 TWD|台幣 TWD|台币 TWD|美元 USD|美金 USD|欧元 EUR|歐元 EUR|英镑 GBP|英鎊 GBP|日元 JPY|日圓 JPY|ユーロ EUR|
ドル USD|ポンド GBP|달러 USD|유로 EUR|엔 JPY|ЙЕНА JPY|ДОЛЛАРОВ USD|ДОЛЛАР USD|EUROT EUR|EIRO EUR|EURŲ EUR|EVRO EUR|EVROV EUR|
EVRA EUR|AVRO EUR|يورو EUR|دولار USD|روپیه INR PKR|روپے PKR|PKR PKR`;

/** Codes that are also words or units: believed only next to a number. */
const WORDLIKE = new Set(
  "ALL TOP TRY CUP MOP PEN GEL BAM ANG SOS MAD COP BOB NAD LAK AMD BIF CAD MUR DOP SAR VES BOV CHE CHW COU MXV USN UYI UYW XDR XAG XAU XPD XPT".split(
    " ",
  ),
);

/**
 * Spellings that are units before they are money: kilometres, feet, litres, tons, decibels, denier, thousands. `KM`, `Ft`, `MT` are
 * money. In a country whose currency it is, the unit's spelling is money too.
 */
export const UNIT_SPELLINGS: ReadonlySet<string> = new Set("km Km ft ft. l mt cf db dB den k d".split(" "));

export interface Sign {
  /** Possible ISO codes, likeliest first; empty where the sign names none. */
  codes: readonly string[];
  /** 3: a code or a sign no text uses otherwise; 2: a word of money; 1: only beside a number. */
  strength: 1 | 2 | 3;
  iso: boolean;
  source: "code" | "sign" | "word";
  /** Whether its likeliest currency has thousandths. */
  three: boolean;
}

export const DECIMALS_OF = new Map<string, number>();
const CURRENCY_OF_COUNTRY = new Map<string, string>();
/** Signs by upper-case text; words joined by `_` are two words. */
export const SIGNS = new Map<string, Sign>();
/** First words of two-word names. */
export const PAIR_STARTS = new Set<string>();

for (const row of ISO_ROWS.replaceAll("\n", "").split("|")) {
  const [code, decimals, ...countries] = row.split(" ");
  DECIMALS_OF.set(code!, Number(decimals));
  for (const country of countries) CURRENCY_OF_COUNTRY.set(country, code!);
  const strength = WORDLIKE.has(code!) ? 1 : 3;
  SIGNS.set(code!, { codes: [code!], strength, iso: true, source: "code", three: decimals === "3" });
}
for (const row of SIGN_ROWS.replaceAll("\n", "").split("|")) {
  const [written, ...codes] = row.split(" ");
  const text = written!.endsWith("ƒ") ? written! : written!.toUpperCase();
  if (SIGNS.get(text)?.iso) continue;
  const isSign = /[$€£¥₩₽₴₸₹₨₪₫฿₱₦₵₭៛₮₺₼₾֏؋₲₿₣ƒ﷼₡₤৳⃀⃁௹元円圓圆원]/u.test(text);
  const word = text.replaceAll(/[./_'ʻ"]/g, "");
  const strength = isSign ? 3 : /^[\x00-\x7f]+$/.test(word) ? (word.length <= 3 ? 1 : 2) : word.length <= 1 ? 1 : 2;
  const named = codes.filter((c) => c !== "-");
  const source = strength === 3 ? "sign" : "word";
  SIGNS.set(text, { codes: named, strength, iso: false, source, three: DECIMALS_OF.get(named[0] ?? "") === 3 });
  if (text.includes("_")) PAIR_STARTS.add(text.slice(0, text.indexOf("_")));
}
for (const safe of ["ZŁ", "KČ", "LEI", "ГРН", "РУБ", "KR", "KR."]) SIGNS.get(safe)!.strength = 2;

/** The currency a place name points to: `de-AT`, `en_GB`, `AT`, a host's country ending. */
export function currencyOfPlace(place: string | null | undefined): string | null {
  if (!place) return null;
  let known = PLACES.get(place);
  if (known === undefined) {
    if (PLACES.size > 1000) PLACES.clear();
    PLACES.set(place, (known = findCurrency(place)));
  }
  return known;
}

/** A page asks for its own place with every price on it. */
const PLACES = new Map<string, string | null>();

function findCurrency(place: string): string | null {
  const region = /(?:^|[-_.])([A-Za-z]{2})$/.exec(place.trim());
  const found = region && CURRENCY_OF_COUNTRY.get(region[1]!.toUpperCase());
  if (found) return found;
  return /^ja\b/i.test(place) ? "JPY" : /^zh\b/i.test(place) ? "CNY" : null;
}

/** Of several codes a sign may mean, the one that the place uses; the likeliest otherwise. */
export function resolve(
  codes: readonly string[],
  placeCurrency: string | null,
): { code: string | null; certain: boolean } {
  if (codes.length === 0) return { code: null, certain: false };
  if (codes.length === 1) return { code: codes[0]!, certain: true };
  if (placeCurrency && codes.includes(placeCurrency)) return { code: placeCurrency, certain: true };
  return { code: codes[0]!, certain: false };
}
