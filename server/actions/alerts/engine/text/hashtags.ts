// Finds hashtags: the grammar of twitter-text with current Unicode, and UAX #31 emoji on request. foldTag() decides when
// two spellings are the same tag.

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

const JOINERS =
  "\\u200c\\u200d\\ua67e\\u05be\\u05f3\\u05f4\\uff5e\\u301c\\u309b\\u309c\\u30a0\\u30fb\\u3003\\u0f0b\\u0f0c\\u00b7_";
const PART = `\\p{L}\\p{M}\\p{Nd}${JOINERS}`;
const PICTURE = "\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\p{RI}\\ufe0f";
const SIGN = /[#\uff03\ufe5f]/;

const PLAIN = grammar(PART, "\\p{L}\\p{M}");
const WITH_EMOJI = grammar(PART + PICTURE, `\\p{L}\\p{M}${PICTURE}`);

function grammar(continues: string, letters: string): RegExp {
  // A sign after a letter, a digit or "&" opens no tag; one before a keycap or an emoji selector is a picture.
  return new RegExp(
    `(?<!(?![\\ufe0e\\ufe0f])[${PART}&])[#\\uff03\\ufe5f](?![\\ufe0f\\u20e3])` +
      `([${continues}]*[${letters}][${continues}]*)(?![#\\uff03]|://)`,
    "gu",
  );
}

const PATH_CHARS = "a-z0-9\\p{sc=Cyrillic}\\u00c0-\\u024f!*';:=+,.$/%#\\[\\]\\-\\u2013_~@|&()?";
const ADDRESS = new RegExp(
  `(?<![\\p{L}\\p{N}@#\\uff03$_.-])(?:https?://[^\\s/?#]+|(?:[\\p{L}\\p{N}_-]+\\.)+[a-z]{2,63})(?::\\d+)?(?:[/?][${PATH_CHARS}]*)?`,
  "giu",
);

export function extractHashtags(text: string, options: HashtagOptions = {}): Hashtag[] {
  if (!SIGN.test(text)) return [];
  const found: Hashtag[] = [];
  const pattern = options.emoji ? WITH_EMOJI : PLAIN;
  let urls: { start: number; end: number }[] | null = null;
  let url = 0;
  for (const match of text.matchAll(pattern)) {
    // A greedy tag must not be cut short merely to dodge what follows it.
    const end = match.index + match[0].length;
    if (continuesTag(text, end, options.emoji ? PART + PICTURE : PART)) continue;
    urls ??= [...text.matchAll(ADDRESS)].map((m) => ({ start: m.index, end: m.index + m[0].length }));
    // Both are in order, so the addresses before this tag are never looked at again.
    while (url < urls.length && urls[url].end <= match.index) url++;
    if (url < urls.length && match.index >= urls[url].start) continue;
    found.push({ tag: match[1], start: match.index, end });
  }
  return found;
}

/** Lead units and the blocks of the plane below them: whatever has none of these has no emoji worth looking for. */
const MAY_BE_EMOJI = /[\u203c-\u3299\ud83c-\ud83e]/;
const EMOJI = /\p{RGI_Emoji}/gv;
const EMOJI_ALONE = /^\p{RGI_Emoji}+$/v;

/** Every emoji of the text: each is a tag of its own, with a sign before it or without. */
export const extractEmoji = (text: string): string[] => (MAY_BE_EMOJI.test(text) ? (text.match(EMOJI) ?? []) : []);

export const isEmoji = (text: string): boolean => MAY_BE_EMOJI.test(text) && EMOJI_ALONE.test(text.trim());

const CONTINUING = new Map<string, RegExp>();
function continuesTag(text: string, at: number, chars: string): boolean {
  let pattern = CONTINUING.get(chars);
  if (!pattern) CONTINUING.set(chars, (pattern = new RegExp(`[${chars}]`, "uy")));
  pattern.lastIndex = at;
  return pattern.test(text);
}
