// Counts what hides a text from a reader of its bytes: invisible characters, look-alike letters, odd spaces, case and
// spacing tricks. The models never see them (canonical.ts removes them), so here they are only reported.
import { isInvisible, isLookalike } from "./fold.ts";

export interface Hidden {
  invisible: number;
  softHyphens: number;
  lookalikes: number;
  oddSpaces: number;
  /** Words such as "hEllO": a capital after a small letter, with no more than one word in twenty allowed. */
  mixedCase: number;
  spacedLetters: number;
  /** The first place of each kind, as [UTF-16 offset, code point]. */
  first: Record<string, [number, number]>;
}

export function findHidden(text: string): Hidden {
  const found: Hidden = {
    invisible: 0,
    softHyphens: 0,
    lookalikes: 0,
    oddSpaces: 0,
    mixedCase: 0,
    spacedLetters: 0,
    first: {},
  };
  let latin = 0;
  let inner = 0;
  let run = 0;
  let longestRun = 0;
  let before = 0;
  let beforeThat = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 128) {
      const isSmall = unit >= 97 && unit <= 122;
      const isCapital = unit >= 65 && unit <= 90;
      if (isSmall || isCapital) latin++;
      if (isCapital && before >= 97 && before <= 122) inner++;
      if (unit === 32) {
        run = beforeThat === 32 ? run + 1 : 0;
        if (run > longestRun) longestRun = run;
      }
      beforeThat = before;
      before = unit;
      continue;
    }
    if (unit === 0xad) note(found, "softHyphens", i, unit);
    else if (isInvisible(unit) && !isPartOfEmoji(text, i)) note(found, "invisible", i, unit);
    else if (unit === 0xdb40) note(found, "invisible", i, text.codePointAt(i)!);
    else if (isLookalike(unit)) note(found, "lookalikes", i, unit);
    else if ((unit >= 0x2000 && unit <= 0x200a) || unit === 0x205f || unit === 0x3000)
      note(found, "oddSpaces", i, unit);
  }
  // Letters of another alphabet are a trick only inside a text that is written in Latin ones.
  if (found.lookalikes > latin) found.lookalikes = 0;
  // The patterns cost more than all the rest, and most texts have nothing for them to find.
  if (inner > 2) caseTricks(text, found);
  if (longestRun >= 4) spacedLetters(text, found);
  return found;
}

function note(
  found: Hidden,
  kind: "invisible" | "softHyphens" | "lookalikes" | "oddSpaces",
  at: number,
  point: number,
): void {
  found[kind]++;
  found.first[kind] ??= [at, point];
}

/** A joiner or a variation selector beside an emoji is how the emoji is spelt. */
function isPartOfEmoji(text: string, i: number): boolean {
  const unit = text.charCodeAt(i);
  if (unit !== 0x200d && unit !== 0xfe0f) return false;
  const before = text.charCodeAt(i - 1);
  return (before >= 0xdc00 && before <= 0xdfff) || (before >= 0x2000 && before <= 0x2bff) || before === 0xfe0f;
}

function caseTricks(text: string, found: Hidden): void {
  let words = 0;
  let mixed = 0;
  for (const [word] of text.slice(0, 20_000).matchAll(/[A-Za-z]{3,}/g)) {
    words++;
    if ((word.match(/[a-z][A-Z]/g)?.length ?? 0) >= 2 || /^[a-z]+[A-Z]+$/.test(word)) mixed++;
  }
  if (words >= 20 && mixed > words / 20) found.mixedCase = mixed;
}

function spacedLetters(text: string, found: Hidden): void {
  const spaced = text.slice(0, 20_000).match(/(?:\b[A-Za-z] ){5,}[A-Za-z]\b/g);
  if (spaced) found.spacedLetters = spaced.length;
}
