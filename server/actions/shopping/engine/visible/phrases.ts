// Phrases of shops in their languages: sold out, in stock, buy, codes, labels of prices. Data and matching only.

import { PhraseBook } from "./phrase-book.ts";

const OUT = `out of stock|sold out|currently unavailable|temporarily unavailable|not available|no longer available|unavailable|
not in stock|item is unavailable|out-of-stock|back in stock soon|notify me when|email me when available|
e-mail me when|discontinued|product has expired|this item has sold|this listing has ended|this listing ended|
nicht mehr verfügbar|nicht mehr lieferbar|nicht mehr vorrätig|nicht mehr auf lager|nicht mehr lagernd|
nicht mehr erhältlich|nicht verfügbar|nicht lieferbar|nicht vorrätig|nicht auf lager|nicht lagernd|
nicht erhältlich|derzeit nicht|ausverkauft|vergriffen|zurzeit nicht|momentan nicht|indisponible|rupture de stock|
en rupture|épuisé|plus disponible|n'est plus en vente|non disponible|non disponibile|esaurito|non è disponibile|
attualmente non|agotado|no disponible|sin stock|sin existencias|producto no disponible|sin inventario|
temporalmente sin|esgotado|indisponível|sem stock|sem estoque|fora de stock|avise-me|uitverkocht|niet op voorraad|
niet leverbaar|niet beschikbaar|tijdelijk niet|niedostępny|brak w magazynie|wyprzedane|produkt niedostępny|
brak towaru|chwilowo niedostępny|vyprodáno|není skladem|nedostupné|vypredané|nie je skladom|momentálně nedostupn|
slutsåld|ej i lager|slut i lager|finns ej|udsolgt|ikke på lager|utsolgt|loppu|ei varastossa|loppuunmyyty|
ei saatavilla|elfogyott|nincs készleten|nincs raktáron|nem elérhető|stoc epuizat|indisponibil|nu este disponibil|
epuizat|нет в наличии|нет на складе|распродан|закончился|снят с продажи|немає в наявності|товар отсутствует|
няма в наличност|изчерпан|εξαντλ|μη διαθέσιμο|tükendi|stokta yok|mevcut değil|ni na zalogi|razprodano|nedobavljivo|
nije dostupno|rasprodano|nema na zalihi|trenutno nedostupno|אזל מהמלאי|אינו במלאי|לא במלאי|غير متوفر|نفذت الكمية|
نفد من المخزون|ناموجود|品切れ|在庫切れ|在庫なし|売り切れ|售完|缺货|缺貨|已售完|无货|補貨中|已結束|품절|일시품절|สินค้าหมด|hết hàng|stok habis|išparduota|
nav pieejams|izpārdots|pole laos|läbi müüdud`;

const IN = `in stock|available now|available for|auf lager|sofort lieferbar|lieferbar|verfügbar|vorrätig|en stock|disponible|
disponibile|disponibilità immediata|disponível|em stock|op voorraad|dostępny|w magazynie|skladem|na sklade|i lager|
på lager|varastossa|készleten|raktáron|în stoc|in stoc|в наличии|есть в наличии|є в наявності|на склад|διαθέσιμο|
σε απόθεμα|stokta|na zalogi|na voljo|dobavljivo|na zalihi|dostupno|במלאי|متوفر|موجود|在庫あり|有货|有貨|现货|現貨|재고 있음|
còn hàng|tersedia|noliktavā|pieejams|laos`;

const BUY = `add to cart|add to basket|add to bag|add to trolley|add to order|add to my bag|buy it now|buy now|buy online|
purchase|add to shopping|place bid|order now|preorder|pre-order|in den warenkorb|in den einkaufswagen|in den korb|
jetzt kaufen|kaufen|bestellen|ajouter au panier|acheter|añadir al|añadir a la|añadir a|agregar al|comprar|
aggiungi al|acquista|adicionar ao|in winkelwagen|in winkelmand|in mijn|kopen|do koszyka|kup teraz|kup|do košíku|
koupit|kúpiť|lägg i|köp|legg i|læg i|kjøp|køb|ostoskoriin|lisää|kosárba|vásárol|adauga în cos|adauga în coș|
adauga in cos|adauga in coș|adaugă în cos|adaugă în coș|adaugă in cos|adaugă in coș|cumpar|cumpăr|в корзину|купить|
оформить|до кошика|купити|добави в|купи|καλάθι|αγορά|sepete|satın al|v košarico|dodaj|kupi|u košaricu|הוסף לסל|
לרכישה|קנה|הוספה לסל|أضف إلى|اشتر|افزودن به|カートに|購入|加入购物车|加入購物車|放入購物車|立即购买|立即購買|馬上買|我要買|장바구니|구매|mua ngay|thêm vào|
beli|pievienot|į krepšelį|ostukorvi`;

const out = new PhraseBook(OUT);
const into = new PhraseBook(IN);
const buy = new PhraseBook(BUY);

/** Things a shop may lack without lacking the product. */
const OTHER_MATTER =
  /image|photo|picture|bild|immagin|imagen|foto|collect|in-?\s?store|pick-?\s?up|abholung|filial|click (?:&|and)|store availab|video|review|gift|wrap|delivery (?:to|option)|express|retrait|magasin|tienda|negozio|loja|option is|postcode|feature|javascript|browser|account|offer (?:is )?not|financ|ratenzahl|this colou?r|this size/i;

export const saysOut = (text: string): boolean => out.isIn(text) && !OTHER_MATTER.test(text);
export const saysIn = (text: string): boolean => into.isIn(text) && !out.isIn(text);
export const saysBuy = (text: string): boolean => text.length < 60 && buy.begins(text);

/** A label in front of a product code, the code itself where it stands in the same text. */
const CODE =
  /^[\s(•·|-]*(?:\p{L}{2,12} (?=item number))?(sku|product (?:code|number|id|no\.?)|item (?:code|number|no\.?|id|#|model|ref)|style (?:code|number|no\.?|#)|article (?:number|no\.?|code)|catalog(?:ue)? (?:number|no\.?)|order (?:code|number)|asin|web id|stock (?:code|number)|artikel-?\s?(?:nummer|nr\.?)|art\.?\s?-?\s?nr\.?|art\.?\s?no\.?|bestell-?\s?(?:nummer|nr\.?)|produktnummer|modellnummer|varenummer|varenr\.?|artikelnr\.?|artnr\.?|référence|réf\.?|ref\.?|referencia|referência|referenz|code article|code produit|codice(?: prodotto| articolo)?|cod\.?(?: produs)?|código(?: do produto| de producto)?|codigo|artikelcode|productcode|productnummer|kod produktu|kod producenta|indeks|symbol|kód(?: produktu| zboží)?|katalogové číslo|cikkszám|termékkód|šifra(?: artikla| izdelka)?|код(?: товара)?|артикул|арт\.?|ürün kodu|stok kodu|κωδικός|מק"ט|מק״ט|מקט|קוד מוצר|品番|商品番号|商品编号|商品編號|型番|貨號|货号|商品コード|상품번호|mã sản phẩm|mã sp|post id|ad id|listing id|anzeigen-?(?:id|nr\.?|nummer)|inserat-?nr\.?|anzeigennummer|preces kods|artikuls|prekės kodas|tootekood|part number|mfr part|product ref(?:erence)?|product sku|skuid|isbn(?:-13)?)\s*(?:[:#№.=‎]|\s-\s)*\s*(.*)$/iu;

/** First words of the labels: a cheap look before the expression. */
const codeWords = new PhraseBook(
  "ad|anzeigen|anzeigennummer|art|article|artikel|artikelcode|artikelnr|artikuls|artnr|asin|bestell|bestellnummer|bestellnr|artikelnummer|catalog|cikkszám|cod|code|codice|codigo|código|indeks|inserat|isbn|item|katalogové|kod|kód|listing|mfr|modellnummer|mã|order|part|post|preces|prekės|product|productcode|productnummer|produktnummer|ref|referencia|referenz|referência|réf|référence|sku|skuid|stock|stok|style|symbol|termékkód|tootekood|varenr|varenummer|web|ürün|šifra|κωδικός|арт|артикул|код|מק|מקט|קוד|品番|商品コード|商品番号|商品編號|商品编号|型番|貨號|货号|상품번호",
);

/** How much a label is worth: a maker's number or a bare `ref` is not quite the shop's code. */
export function codeLabel(text: string): { rest: string; weight: number } | null {
  if (text.length > 90 || !codeWords.begins(text)) return null;
  const match = CODE.exec(text);
  if (!match) return null;
  const label = match[1]!.toLowerCase();
  const weak =
    /^(?:ref|réf|cod|symbol|indeks|part|mfr|isbn|model)/.test(label) && !/^cod\.? produs|^codice|^código/.test(label);
  const bare = /^(?:code?|арт|код|kód|ref\.?|réf\.?|cod\.?)$/.test(label);
  if (bare && !/[:#№]/.test(text)) return null;
  return { rest: match[2]!.trim(), weight: weak ? 6 : 9 };
}

/** The code at the front of a text, or null: letters and digits with a digit in it, no sentence. */
export function codeIn(text: string): string | null {
  const match = /^[\s:#№]*([A-Za-z0-9][A-Za-z0-9._/+-]*(?: [A-Z0-9-]{1,6}\d[A-Z0-9-]*)?)(?=$|[\s,;|)(])/.exec(text);
  if (!match) return null;
  const code = match[1]!.replace(/[.,/]+$/, "");
  return code.length >= 3 && code.length <= 40 && /\d/.test(code) ? code : null;
}

export type Label = "old" | "saving" | "aside" | "now" | null;
const OLD_LABEL =
  /(?:^|[^\p{L}])(?:was|rrp|msrp|uvp|list price|regular price|reg\.|original price|retail price|old price|before|statt|vorher|ursprünglich|instead of|prix (?:conseillé|barré|initial)|au lieu de|avant|antes|precio anterior|precio normal|pvpr|prezzo (?:consigliato|precedente)|invece di|adviesprijs|van|de\s?:|běžná cena|původní cena|bežná cena|cena regularna|najniższa cena|poprzednia cena|ord\.? pris|tidigare|førpris|før|normalpreis|ovh|régi ár|eredeti ár|preț vechi|prp|старая цена|до скидки|обычная цена|redna cena|stara cijena|redovna cijena|piyasa|מחיר מחירון|מחיר רגיל|typical price)\s*:?\s*$|(?:原價|原价|定價|市價|市场价|建議售價|통상|정가)\s*[:：]?\s*$/iu;
const SAVING_LABEL =
  /(?:^|[^\p{L}])(?:save|you save|saving|discount|sparen|sie sparen|ersparnis|économisez|remise|ahorras?|ahorro|descuento|risparmi|sconto|poupe|economize|desconto|bespaar|korting|oszczędzasz|rabat|ušetříte|sleva|spara|spar|скидка|экономия|expediting|off)\s*:?\s*[-–]?\s*$/iu;
const ASIDE_LABEL =
  /(?:shipping|postage|delivery|versand|lieferung|livraison|frais de port|envío|spedizione|portes|frete|verzend|bezorg|dostawa|doprava|frakt|fragt|доставк|szállítás|livrare|運費|送料|deposit|instal?ments?|per month|monatlich|orders? over|over|ab einem|from orders|minimum|points|excl|ohne mwst|netto|bez dph|without tax|hors taxe|p\/p|p&p|import charges|trade[- ]in|gift|protection|warranty|used from|new from|gebraucht|usato|occasion|or\s+\d+\s*x|x\s+de)\s*:?\s*(?:from|ab|of)?\s*$/iu;
const NOW_LABEL =
  /(?:^|[^\p{L}])(?:price|our price|now|now only|sale price|sale|today|only|deal|nur|jetzt|preis|unser preis|prix|notre prix|ahora|precio|prezzo|ora|preço|por|prijs|nu|cena|naše cena|naša cena|pris|hinta|ár|preț|цена|ціна|fiyat|τιμή|cijena|מחיר|السعر)\s*:?\s*$|(?:特價|售價|優惠價|直購價|促銷價|现价|售价|价格|價格|価格|판매가)\s*[:：]?\s*(?:\S{1,4}\s?折)?\s*$/iu;

/** What the words in front of a price make of it. */
export function labelOf(before: string): Label {
  const text = before.length > 40 ? before.slice(-40) : before;
  if (OLD_LABEL.test(text)) return "old";
  if (SAVING_LABEL.test(text)) return "saving";
  if (ASIDE_LABEL.test(text)) return "aside";
  return NOW_LABEL.test(text) ? "now" : null;
}
