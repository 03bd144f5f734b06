// Hostile texts of any size, for every parser of foreign bytes: units repeated without end, nothing ever closed, deep nesting,
// near matches. A parser is linear when four times the text takes about four times the steps on each of them.

export interface HostileShape {
  name: string;
  /** A text of about `length` characters. */
  make(length: number): string;
}

/** `unit` again and again, between a head and a tail. */
const repeated = (name: string, unit: string, head = "", tail = ""): HostileShape => ({
  name,
  make: (length) => head + unit.repeat(Math.max(1, Math.floor(length / unit.length))) + tail,
});

/** Two halves: all the beginnings first, then all the ends. */
const nested = (name: string, open: string, close: string, head = "", tail = ""): HostileShape => ({
  name,
  make(length) {
    const depth = Math.max(1, Math.floor(length / (open.length + close.length)));
    return head + open.repeat(depth) + close.repeat(depth) + tail;
  },
});

const LD = '<script type="application/ld+json">';

const markup: HostileShape[] = [
  repeated("tags that never close", "<a"),
  repeated("tags with a blank", "<a "),
  repeated("link tags that never close", "<link "),
  repeated("base tags that never close", "<base "),
  repeated("angle brackets", "<"),
  repeated("closing brackets", ">"),
  repeated("end tags without a beginning", "</div>"),
  repeated("end tags that never close", "</"),
  repeated("comments that never close", "<!--"),
  repeated("comment ends", "-->"),
  repeated("CDATA that never closes", "<![CDATA["),
  repeated("doctypes with a subset", "<!DOCTYPE ["),
  repeated("processing instructions", "<?x "),
  nested("nested elements", "<div>", "</div>"),
  nested("nested lists", "<ul><li>", "</li></ul>"),
  nested("nested tables", "<table><tr><td>", "</td></tr></table>"),
  repeated("paragraphs left open", "<p>a"),
  repeated("attributes without a value", " a", "<div", ">"),
  repeated("attributes with an open quote", ' a="b', "<div"),
  repeated("equals signs in a tag", "=", "<div ", ">"),
  repeated("quotes in a tag", '"', "<div ", ">"),
  repeated("one long class", "price-old ", '<div class="', '">9</div>'),
  repeated("scripts that never close", "<script>"),
  repeated("script ends", "</script>", "<script>"),
  repeated("empty scripts", "<script></script>"),
  repeated("title tags", "<title>"),
  repeated("headings", "<h1>a</h1>"),
  repeated("metas", '<meta property="og:price:amount" content="1">'),
  repeated("canonical links", '<link rel="canonical" href="/a">'),
  nested("nested microdata", '<div itemscope itemprop="offers" itemtype="https://schema.org/Offer">', "</div>"),
  repeated("itemrefs", '<div itemscope itemref="a"></div>', '<div id="a" itemprop="price">1</div>'),
  nested("nested RDFa", '<div vocab="https://schema.org/" typeof="Product" property="offers">', "</div>"),
  repeated("prices in elements", '<span class="price">$1</span>'),
  repeated("struck prices", "<del>9,99 €</del>"),
  repeated("buttons", "<button>Add to cart</button>"),
  repeated("hidden inputs", '<input type="hidden" name="price" value="1">'),
  repeated("data attributes", '<i data-price="1" data-sku="a1">'),
  repeated("feed items left open", "<item><title>"),
  repeated("entries left open", "<entry><link href='a'>"),
  repeated("entity definitions", '<!ENTITY a "bbbbbbbb">', "<!DOCTYPE x [", "]>"),
];

const json: HostileShape[] = [
  repeated("JSON: comments that never close", "<!--", LD, "</script>"),
  nested("JSON: nested arrays", "[", "]", LD, "</script>"),
  nested("JSON: nested objects", '{"a":', "}", LD, "</script>"),
  repeated("JSON: open braces", "{", LD, "</script>"),
  repeated("JSON: open brackets and braces", "[{", LD, "</script>"),
  repeated("JSON: block comments", "/*", LD, "</script>"),
  repeated("JSON: line comments", "{//\n", LD, "</script>"),
  repeated("JSON: keys without a value", '"a",', `${LD}{`, "</script>"),
  repeated("JSON: colons", ":", `${LD}{`, "</script>"),
  repeated("JSON: one open string", "a", `${LD}{"a":"`),
  repeated("JSON: escapes", "\\u0041", `${LD}{"a":"`, '"}</script>'),
  repeated("JSON: offers", '{"@type":"Offer","price":1},', `${LD}{"@type":"Product","offers":[`, "]}</script>"),
  repeated("JSON: references", '{"@id":"#a"},', `${LD}{"@graph":[{"@id":"#a","name":"b"},`, "]}</script>"),
  repeated("JSON: escaped quotes", "&quot;{", LD, "</script>"),
];

const texts: HostileShape[] = [
  repeated("one letter", "a"),
  repeated("letters and blanks", "a "),
  repeated("blanks", " "),
  repeated("tabs and line breaks", "\t\n"),
  repeated("carriage returns", "\r"),
  repeated("digits", "1"),
  repeated("digits and blanks", "1 "),
  repeated("digits and points", "1."),
  repeated("groups of digits", "123 456,"),
  repeated("signs of money", "$"),
  repeated("prices", "$1 "),
  repeated("ranges of prices", "1 - 2 € "),
  repeated("currency codes", "EUR "),
  repeated("points", "."),
  repeated("ampersands", "&"),
  repeated("entities", "&amp;"),
  repeated("numbers of characters", "&#x41;"),
  repeated("entities without an end", "&#12345"),
  repeated("percent signs", "%"),
  repeated("escaped octets", "%41"),
  repeated("quotes", '"'),
  repeated("backslashes", "\\"),
  repeated("open brackets of every kind", "([{<"),
  repeated("hash tags", "#a "),
  repeated("at signs", "@a.b "),
  repeated("web addresses", "https://a.b/c?d=e "),
  repeated("slashes", "/"),
  repeated("colons", "a: "),
  repeated("sentences", "A b. "),
  repeated("ideographs", "中"),
  repeated("euro signs", "€"),
  repeated("emoji", "🔥"),
  repeated("marks on one letter", "\u0301", "e"),
  repeated("zero-width characters", "\u200b"),
  repeated("half surrogates", "\ud800"),
  repeated("capitals with dots", "İ"),
  repeated("wildcards", "*a"),
];

const robots: HostileShape[] = [
  repeated("robots: rules", "Disallow: /a\n", "User-agent: *\n"),
  repeated("robots: wildcards", "*a", "User-agent: *\nDisallow: /", "$\n"),
  repeated("robots: agents", "User-agent: a\n"),
  repeated("robots: groups", "User-agent: *\nDisallow: /a\n"),
  repeated("robots: foreign letters", "ä", "User-agent: *\nDisallow: /"),
  repeated("robots: remarks", "#\n"),
  repeated("robots: colons", ":"),
];

export const hostileShapes: readonly HostileShape[] = [...markup, ...json, ...texts, ...robots];
