// Takes the main text out of an HTML page: paragraphs and headings of the article, without menus, scripts and footers.

const DROPPED =
  /<(script|style|noscript|template|svg|iframe|form|nav|header|footer|aside|figure|button|select)\b[^>]*>[\s\S]*?<\/\1\s*>/gi;
const BLOCK =
  /<(p|h[1-6]|li|blockquote|td|dd|pre)\b[^>]*>([\s\S]*?)(?=<\/\1\s*>|<(?:p|h[1-6]|li|blockquote|td|dd|pre|div|section|article|ul|ol|table)\b|$)/gi;
const MOST_CHARACTERS = 2_000_000;
const LEAST_BLOCK_WORDS = 4;

const NAMED: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  mdash: "—",
  ndash: "–",
  hellip: "…",
  rsquo: "’",
  lsquo: "‘",
  rdquo: "”",
  ldquo: "“",
  copy: "©",
  shy: "\u00ad",
  eacute: "é",
};

export function mainText(html: string): string {
  const page = html.slice(0, MOST_CHARACTERS).replace(/<!--[\s\S]*?-->/g, "");
  const region = regionOf(page).replace(DROPPED, " ");
  const blocks: string[] = [];
  for (const [, , inner] of region.matchAll(BLOCK)) {
    const text = plain(inner);
    const words = text.split(" ").length;
    if (text !== "" && words >= LEAST_BLOCK_WORDS && linkShare(inner, text) < 0.5) blocks.push(text);
  }
  return blocks.length > 0 ? blocks.join("\n\n") : plain(region.replace(/<head[\s\S]*?<\/head>/i, ""));
}

/** The longest <article>, else <main>, else the body. */
function regionOf(page: string): string {
  const articles = [...page.matchAll(/<article\b[^>]*>([\s\S]*?)<\/article>/gi)].map(([, inner]) => inner);
  const longest = articles.sort((a, b) => b.length - a.length)[0];
  if (longest && plain(longest).length > 400) return longest;
  const main = /<main\b[^>]*>([\s\S]*?)<\/main>/i.exec(page)?.[1];
  return main && plain(main).length > 400 ? main : page;
}

function linkShare(inner: string, text: string): number {
  const links = [...inner.matchAll(/<a\b[^>]*>([\s\S]*?)<\/a>/gi)].reduce(
    (sum, [, label]) => sum + plain(label).length,
    0,
  );
  return links / Math.max(1, text.length);
}

function plain(html: string): string {
  return html
    .replace(/<[^>]*>/g, " ")
    .replace(/&(#x?[\da-f]+|\w+);/gi, decode)
    .replace(/\s+/g, " ")
    .trim();
}

function decode(whole: string, name: string): string {
  if (name[0] !== "#") return NAMED[name] ?? whole;
  const point = name[1] === "x" || name[1] === "X" ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : "";
}
