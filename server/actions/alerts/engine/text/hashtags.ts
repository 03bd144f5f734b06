// Finds hashtags as people write them: the grammar of twitter-text with today's Unicode, and UAX #31's emoji on request.
// Says nothing about what a tag means; foldTag() makes two spellings one.

export interface Hashtag {
  /** As written, without its sign. */
  tag: string;
  /** Of the sign, in UTF-16 units. */
  start: number;
  end: number;
}

export interface HashtagOptions {
  /** Lets emoji stand in a tag, as UAX #31-R8 does and twitter-text does not. */
  emoji?: boolean;
}

const joiners =
  "\\u200c\\u200d\\ua67e\\u05be\\u05f3\\u05f4\\uff5e\\u301c\\u309b\\u309c\\u30a0\\u30fb\\u3003\\u0f0b\\u0f0c\\u00b7_";
const part = `\\p{L}\\p{M}\\p{Nd}${joiners}`;
const picture = "\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\p{RI}\\ufe0f";
const sign = /[#\uff03\ufe5f]/;

const plain = grammar(part, "\\p{L}\\p{M}");
const withEmoji = grammar(part + picture, `\\p{L}\\p{M}${picture}`);

function grammar(continues: string, letters: string): RegExp {
  // A sign after a letter, a digit or "&" opens no tag; one before a keycap or an emoji selector is a picture.
  return new RegExp(
    `(?<!(?![\\ufe0e\\ufe0f])[${part}&])[#\\uff03\\ufe5f](?![\\ufe0f\\u20e3])` +
      `([${continues}]*[${letters}][${continues}]*)(?![#\\uff03]|://)`,
    "gu",
  );
}

const pathChars = "a-z0-9\\p{sc=Cyrillic}\\u00c0-\\u024f!*';:=+,.$/%#\\[\\]\\-\\u2013_~@|&()?";
const address = new RegExp(
  `(?<![\\p{L}\\p{N}@#\\uff03$_.-])(?:https?://[^\\s/?#]+|(?:[\\p{L}\\p{N}_-]+\\.)+[a-z]{2,63})(?::\\d+)?(?:[/?][${pathChars}]*)?`,
  "giu",
);

export function extractHashtags(text: string, options: HashtagOptions = {}): Hashtag[] {
  if (!sign.test(text)) return [];
  const found: Hashtag[] = [];
  const pattern = options.emoji ? withEmoji : plain;
  let urls: { start: number; end: number }[] | null = null;
  for (const match of text.matchAll(pattern)) {
    // A greedy tag must not be cut short merely to dodge what follows it.
    const end = match.index + match[0].length;
    if (continuesTag(text, end, options.emoji ? part + picture : part)) continue;
    urls ??= [...text.matchAll(address)].map((m) => ({ start: m.index, end: m.index + m[0].length }));
    if (urls.some((url) => match.index >= url.start && match.index < url.end)) continue;
    found.push({ tag: match[1], start: match.index, end });
  }
  return found;
}

const continuing = new Map<string, RegExp>();
function continuesTag(text: string, at: number, chars: string): boolean {
  let pattern = continuing.get(chars);
  if (!pattern) continuing.set(chars, (pattern = new RegExp(`[${chars}]`, "uy")));
  pattern.lastIndex = at;
  return pattern.test(text);
}
