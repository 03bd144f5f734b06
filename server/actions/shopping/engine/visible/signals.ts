// What class names and ids say about the part of a page they mark: prices, old prices, other products. Words that many
// shops use, never those of one shop.

export const PRICE = 1;
export const OLD = 2;
export const CURRENT = 4;
export const SAVING = 8;
export const ASIDE = 16;
export const LISTING = 32;
export const CHROME = 64;
export const HIDDEN = 128;
export const LINK = 256;
export const REVIEW = 512;
export const STOCK = 1024;
export const CODE = 2048;
export const OPTION = 4096;
export const CENTS = 8192;
export const BUY = 16384;
export const OUT = 32768;
/** Struck by the tag or the style itself, not only by a name. */
export const STRUCK = 65536;

const RULES: [number, RegExp][] = [
  [
    PRICE,
    /pri[cx]e|preis|prix|precio|prezzo|pre[cç]o|(?:^|[-_ ])cena|(?:^|[-_ ])pris(?:$|[-_ ])|hinta|fiyat|money|amount|(?:^|[-_ ])pr(?:$|[-_ ])|kaina|tsena/,
  ],
  [
    OLD,
    /(?:^|[^a-z])old(?:$|[^a-z])|priceold|oldprice|price-?old|strike|struck|crossed|line-?through|(?:^|[^a-z])was(?:$|[^a-z])|wasprice|pricewas|rrp|msrp|(?:^|[^a-z])uvp|list-?price|price-?list(?:$|[ _])|price[-_\w]*[-_]+regular|priceregular|regular-?price|original|previous|before|compare-?(?:at|price)|retail-?price|standard-?price|reference-?price|ancien|barre(?:$|[^a-z])|price-?del(?:$|[^a-z])/,
  ],
  [
    CURRENT,
    /sale(?:s|-|_|$|p| )|special|current|final|(?:^|[^a-z])now(?:$|[^a-z])|new-?price|pricenew|price-?new|(?:^|[^a-z])our|actual|today|promo|price-?(?:main|value|item|large|big|lg|xl)|main-?price|product-?price|buying|price-?block|buy-?box|(?:^|[^a-z])pdp/,
  ],
  [SAVING, /sav(?:e|ing)|discount-?(?:amount|label|value|percent|badge)|you-?save|percent|rabatt|ahorr|badge|sticker/],
  [
    ASIDE,
    /shipping|deliver|versand|livraison|instal?l?ment|financ|credit|monthly|per-?month|klarna|afterpay|affirm|laybuy|loyalty|(?:^|[^a-z])points|bonus|deposit|(?:^|[^a-z])tax|(?:^|[^a-z])vat(?:$|[^a-z])|unit-?price|price-?(?:per-)?unit|per-?unit|base-?price|grundpreis|sub-?total|threshold|price-?(?:filter|slider|range)|gift|coupon|voucher|warrant|insurance|protection|trade-?in|(?:^|[^a-z])used|refurb|member|excl|without-?tax|cashback|parcela/,
  ],
  [
    LISTING,
    /related|recommend|carousel|slick|swiper|similar|up-?sell|cross-?sell|also-|recent|histor|product-?(?:list|grid|tile|card)|(?:^|[-_ ])(?:tile|card)(?:$|[-_ ])|suggest|accessor|bundle|mini-?(?:cart|basket)|wish-?list|sponsored|(?:^|[-_ ])ad(?:s|vert)?(?:$|[-_ ])|you-?may|best-?sell|popular|trending|teaser|comparison|together|other-?(?:product|item|seller)|more-?(?:product|item|from)|search-?result|items?-?list|product-?item(?:$|[-_ s])/,
  ],
  [
    CHROME,
    /(?:^|[-_ ])nav(?:$|[-_ ]|bar|igation)|(?:^|[-_ ])menu|footer|flyout|breadcrumb|autocomplete|search-?(?:box|form|bar)|site-?header|page-?header|global-?header|top-?bar|newsletter|cookie|language|currency-?(?:select|switch)|login/,
  ],
  [
    HIDDEN,
    /(?:^|[-_ ])(?:hidden|hide|d-none|invisible|visually-?hidden|sr-only|a-hidden|ng-hide|is-hidden|display-none)(?:$|[ ])/,
  ],
  [
    REVIEW,
    /review|comment|rating|testimonial|question|(?:^|[-_ ])faq|(?:^|[-_ ])qa(?:$|[-_ ])|description|specification/,
  ],
  [STOCK, /stock|availab|verf[uü]gbar|lager|disponib|dispo(?:$|[-_ ])|nalichie|inventory/],
  [
    CODE,
    /(?:^|[-_ ])sku|product-?(?:code|number|reference|ref|id|sku)|item-?(?:code|number|id|no)|art(?:ikel|icle)?-?(?:nr|no|num|number|id|code)|part-?number|catalog-?(?:no|number)|model-?number|pr(?:o?)d-?code|prod-?(?:code|id|num)/,
  ],
  [OPTION, /swatch|variant|option|(?:^|[-_ ])size|(?:^|[-_ ])sizes|colou?r-|selector|twister|dropdown|select/],
  [CENTS, /cents?(?:$|[-_ ])|decimal|fraction|price-?(?:sup|small|minor)|(?:^|[-_ ])sup(?:$|[-_ ])|penny|pence|kopeck/],
  [
    BUY,
    /add-?_?to-?_?(?:cart|basket|bag|trolley|order)|addtocart|addtobasket|addtobag|buy-?(?:now|button|btn|box)|btn-?(?:cart|buy)|(?:cart|buy|basket)-?(?:btn|button)|single_add_to_cart|product-form__submit|purchase/,
  ],
  [OUT, /out-?_?of-?_?stock|sold-?_?out|unavailable|not-?available|no-?stock|ausverkauft|agotado|rupture/],
];

/** `camelCase` and digits apart, so that `priceOld` reads as `price-old`. */
const spread = (name: string): string => name.replaceAll(/([a-z])([A-Z])/g, "$1-$2").toLowerCase();

const KNOWN_MAX = 40_000;
const KNOWN_NAMES = new Map<string, number>();
const KNOWN_WORDS = new Map<string, number>();

function remember(map: Map<string, number>, key: string, bits: number): number {
  if (map.size >= KNOWN_MAX) map.clear();
  map.set(key, bits);
  return bits;
}

/** The signals of a class or id; names and their words are judged once and remembered, as they come again on every page. */
export function bitsOf(name: string): number {
  const known = KNOWN_NAMES.get(name);
  if (known !== undefined) return known;
  let bits = 0;
  for (const word of name.length > 600 ? [name.slice(0, 600)] : name.split(/\s+/))
    if (word.length > 1) bits |= KNOWN_WORDS.get(word) ?? remember(KNOWN_WORDS, word, judge(word));
  return name.length > 200 ? bits : remember(KNOWN_NAMES, name, bits);
}

function judge(word: string): number {
  const text = spread(word.length > 200 ? word.slice(0, 200) : word);
  let bits = 0;
  for (const [bit, rule] of RULES) if (rule.test(text)) bits |= bit;
  return bits;
}
