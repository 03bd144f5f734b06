// Turns written terms into leaves of the query tree: words, phrases, hashtags and words with signs such as c++.
import { foldTag } from "../text/fold.ts";
import { isEmoji } from "../text/hashtags.ts";
import { tokenise } from "../text/tokens.ts";
import { UNSPACED, WORD } from "../text/chars.ts";
import { TAGS, type Exactness, type Leaf, type MatchOptions, type Piece, type TextLeaf } from "./ast.ts";

/** Longer runs of unspaced script are kept as neighbouring pieces. */
const MAX_UNSPACED = 64;
export const MIN_PREFIX = 3;
const SIGNED = /^(\.?)([\p{L}\p{N}]+)(\+\+|#?)$/u;

/** A leaf for the term, or null when it holds nothing that can be looked for. */
export function textLeaf(source: string, options: MatchOptions, given: Partial<TextLeaf> = {}): TextLeaf | null {
  const pieces: Piece[] = [];
  const originals: string[] = [];
  for (const token of tokenise(source)) {
    const written = source.slice(token.start, token.end).normalize("NFKC");
    const step = token.kind === UNSPACED ? MAX_UNSPACED : token.text.length;
    for (let i = 0; i < token.text.length; i += step) {
      pieces.push({ kind: token.kind, text: token.text.slice(i, i + step) });
      originals.push(token.text.length > step ? written.slice(i, i + step) : written);
    }
  }
  if (pieces.length === 0) return null;
  const sign = SIGNED.exec(source.trim());
  const last = pieces[pieces.length - 1];
  const exactness: Exactness = options.caseSensitive ? "case" : options.diacritics === "exact" ? "marks" : "fold";
  const strict = options.hashtags === "strict" && options.fields !== TAGS;
  const prefix = given.prefix ?? (!options.wholeWord && last.text.length >= MIN_PREFIX);
  return {
    type: "text",
    source,
    pieces,
    originals,
    exactness,
    before: sign?.[1] ?? "",
    after: sign?.[3] ?? "",
    fields: strict ? options.fields & ~TAGS : options.fields,
    outsideHashtags: strict,
    ...given,
    prefix: prefix && last.kind === WORD,
  };
}

/** `#x` and an emoji are tags; anything else a word or a phrase. */
export function termLeaf(source: string, options: MatchOptions): Leaf | null {
  if (/^\s*[#\uff03\ufe5f]/.test(source) || isEmoji(source)) {
    const tag = foldTag(source);
    return tag ? { type: "tag", tag } : null;
  }
  return textLeaf(source, options);
}
