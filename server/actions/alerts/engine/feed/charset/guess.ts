// Guesses the encoding when none is declared and the bytes are not UTF-8: the legacy encoding whose letters look most like
// a language.

const CANDIDATES: [name: string, label: string][] = [
  ["SHIFT_JIS", "shift_jis"],
  ["EUC-JP", "euc-jp"],
  ["EUC-KR", "euc-kr"],
  ["GB2312", "gb18030"],
  ["Big5", "big5"],
  ["KOI8-R", "koi8-r"],
  ["windows-1251", "windows-1251"],
  ["windows-1255", "windows-1255"],
  ["TIS-620", "windows-874"],
  ["windows-1253", "windows-1253"],
];
const COMMON: Record<string, RegExp> = {
  SHIFT_JIS: /[\u3040-\u30ff]/g,
  "EUC-JP": /[\u3040-\u30ff]/g,
  "EUC-KR": /[\uac00-\ud7a3]/g,
  GB2312:
    /[的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运笔]/g,
  Big5: /[的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直德資命山金指克許統區保至隊形社便空決治展馬科司五基眼書非則聽白卻界達光放強即像難且權思王象完設式色路記南品住告類求據程北邊死張該交規萬取拉格望覺術領共確傳師觀清今切院讓識候帶導爭運]/g,
  "KOI8-R": /[а-яё]/g,
  "windows-1251": /[а-яё]/g,
  "windows-1255": /[\u05d0-\u05ea]/g,
  "TIS-620": /[\u0e01-\u0e4e]/g,
  "windows-1253": /[α-ωά-ώ]/g,
};
const MULTIBYTE = new Set(["SHIFT_JIS", "EUC-JP", "EUC-KR", "GB2312", "Big5"]);
const BAD = /[\ufffd\u0080-\u009f\ue000-\uf8ff\uff61-\uff9f\u2500-\u257f]/g;

export function guessCharset(bytes: Uint8Array): string {
  const sample = bytes.subarray(0, 65536);
  let best = "windows-1252";
  let bestScore = 0.35;
  for (const [name, label] of CANDIDATES) {
    const text = new TextDecoder(label as Bun.Encoding).decode(sample).replace(/[\x00-\x7f]/g, "");
    if (text === "") continue;
    const score = likeness(name, text);
    if (score > bestScore) {
      bestScore = score;
      best = name;
    }
  }
  return best;
}

function likeness(name: string, text: string): number {
  const bad = text.match(BAD)?.length ?? 0;
  const good = text.match(COMMON[name])?.length ?? 0;
  const share = (good - 3 * bad) / text.length;
  // Bytes that pair up without one mistake were hardly meant singly.
  if (MULTIBYTE.has(name)) return share + (bad === 0 && good > 0 ? 0.7 : 0);
  // Any bytes make Cyrillic letters; only Russian makes words with vowels in them.
  if (/KOI8|1251/.test(name) && (text.match(/[аеёиоуыэюя]/gi)?.length ?? 0) / text.length < 0.33) return share / 2;
  return share;
}
