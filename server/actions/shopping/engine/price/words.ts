// Words beside a price that change what it means, in the languages shops use. Data only.

export const FROM = 1;
export const OLD = 2;
export const NOW = 3;
export const COUNT = 4;
export const TO = 5;
export const MONTH = 6;
export const SAVE = 7;

const TABLE: [number, string][] = [
  [FROM, "FROM STARTING AB VANAF DESDE PARTIR PARTIRE OD FRÅN FRA ОТ ALKAEN FROM: MIN. BEGINNING À_PARTIR DÈS"],
  [
    OLD,
    "WAS RRP MSRP UVP STATT REG REGULAR ORIGINALLY ORIGINAL LIST PREVIOUSLY BEFORE ANTES AVANT PRIMA VORHER FØR FÖRE TIDLIGERE EERDER OLD",
  ],
  [NOW, "NOW JETZT NU AHORA ORA MAINTENANT TERAZ NYNÍ NÅ NYT TODAY СЕЙЧАС AGORA"],
  [SAVE, "SAVE SAVING SAVINGS SPARE SPAREN SPAR AHORRA ÉCONOMISEZ RISPARMI BESPAAR СКИДКА"],
  [COUNT, "QTY QUANTITY MIN МИН ORDER ЗАКАЗ MENGE ANZAHL PCS ШТ STOCK"],
  [TO, "TO BIS À A DO ДО TOT TIL AL ATÉ"],
  [
    MONTH,
    `JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER JAN FEB APR JUN JUL AUG SEP SEPT OCT NOV DEC
    JANUAR FEBRUAR MÄRZ MAI JUNI JULI OKTOBER DEZEMBER JANVIER FÉVRIER MARS AVRIL JUIN JUILLET AOÛT SEPTEMBRE OCTOBRE NOVEMBRE DÉCEMBRE
    ENERO FEBRERO MARZO ABRIL MAYO JUNIO JULIO AGOSTO SEPTIEMBRE OCTUBRE NOVIEMBRE DICIEMBRE`,
  ],
];

export const LABELS = new Map<string, number>();
for (const [label, words] of TABLE) for (const word of words.split(/\s+/)) LABELS.set(word, label);

/** Words that say the price is nothing, when they stand alone. */
export const FREE_WORDS = new Set([
  "FREE",
  "GRATIS",
  "KOSTENLOS",
  "GRATUIT",
  "GRATUITO",
  "БЕСПЛАТНО",
  "ZDARMA",
  "ILMAINEN",
  "無料",
  "免费",
  "免費",
  "INGYENES",
]);
/** The length of the longest of them. */
export const FREE_MAX = Math.max(...[...FREE_WORDS].map((word) => word.length));

const PERIOD =
  /^\s*(?:\/|per|pro|par|al|por|im|a|à|на|в|p\.?)?\s*(?:1\s*)?(month|mo|mth|mths|monthly|monat|monatlich|mtl|mois|mese|mes|mês|miesiąc|mies|maand|mnd|mån|md|мес|месяц|ay|week|wk|woche|semaine|year|yr|jahr|an|day|tag|jour|night|nacht|nuit)\b/iu;
const UNIT =
  /^\s*(?:\/|per\s|pro\s|par\s|je\s|al\s|por\s|за\s|à\s|=|kostet)\s*(\d*[.,]?\d*\s*(?:kg|g|mg|l|ltr|liter|litre|litro|ml|cl|dl|m|cm|mm|m2|m²|m3|m³|sq\.?\s?ft|ft|oz|fl\.?\s?oz|lb|lbs|100\s?g|100\s?ml|kilogramm|kilo|stück|stk|st|each|ea|unit|unité|piece|pc|шт|ks|db|szt))(?![\p{L}\d])/iu;
const TIMES = /(?:^|\s)(\d{1,2})\s*[x×]\s*(?:de\s|of\s|à\s|de)?\s*$/iu;

export type After = { kind: "period" | "unit"; per: string } | null;

/** What stands right behind an amount: `/month`, `per 100 g`, `/EA`. */
export function perOf(tail: string): After {
  if (tail.length < 2) return null;
  const period = PERIOD.exec(tail);
  if (period) return { kind: "period", per: period[1]!.toLowerCase() };
  const unit = UNIT.exec(tail);
  return unit ? { kind: "unit", per: unit[1]!.trim().toLowerCase() } : null;
}

/** The first two letters of what PERIOD and UNIT accept; `p` and `a` go with any second character. */
const PER_STARTS = new Set("im mo mt me mi ma mn md we wk wo se ye yr ja je da ta ni na nu ko".split(" ").map(pairOf));
function pairOf(pair: string): number {
  return pair.charCodeAt(0) * 128 + pair.charCodeAt(1);
}

/** False where no period and no unit begins with these two characters; true for all that is not ASCII. */
export function mayBeginPer(first: number, second: number): boolean {
  if (first > 127 || second > 127) return true;
  const letter = first | 32;
  return letter === 112 || letter === 97 || PER_STARTS.has(letter * 128 + (second | 32));
}

/** `12x de R$ 44`: the amount that begins at `end` is one of several payments. */
export const isInstalment = (text: string, end: number): boolean =>
  (text.includes("x") || text.includes("X") || text.includes("×")) && TIMES.test(text.slice(0, end));
