// Turns text into the canonical token stream every model reads: lower case, no accents, no look-alikes, no markup, every
// number as zeros, tokens with one space between. Tricks of case, spacing and invisible characters vanish here.
// Owns no judgement: what was hidden is counted in hidden.ts.
import { DASH, DROP, EMOJI, FOREIGN, fold, foldPair, foldedText, MULTI, SPACE } from "./fold.ts";

/** One reusable buffer of tokens. Tokens are separated by one space in `bytes`; `ends` points at that space. */
export interface Tokens {
  bytes: Uint8Array;
  length: number;
  starts: Int32Array;
  ends: Int32Array;
  hashes: Int32Array;
  /** 1 for a word or number, 0 for punctuation. */
  isWord: Uint8Array;
  /** Where each token stands in the text as it was sent, in UTF-16 units: [at, to). */
  at: Int32Array;
  to: Int32Array;
  count: number;
  words: number;
}

const MAX_BYTES = 65_536;
const MAX_TOKENS = 24_000;
const WORD = new Uint8Array(256);
for (let c = 97; c <= 122; c++) WORD[c] = 1;
WORD[48] = 1;
WORD[FOREIGN] = 1;

export function newTokens(): Tokens {
  return {
    bytes: new Uint8Array(MAX_BYTES + 256),
    length: 0,
    starts: new Int32Array(MAX_TOKENS + 8),
    ends: new Int32Array(MAX_TOKENS + 8),
    hashes: new Int32Array(MAX_TOKENS + 8),
    isWord: new Uint8Array(MAX_TOKENS + 8),
    at: new Int32Array(MAX_TOKENS + 8),
    to: new Int32Array(MAX_TOKENS + 8),
    count: 0,
    words: 0,
  };
}

const plain = new Uint8Array(1 << 18);
const origin = new Int32Array(1 << 18);

/** Fills `into` with the tokens of `text`, at most `maxWords` words. */
export function canonicalise(text: string, into: Tokens, maxWords = 1 << 30): void {
  joinSpacedLetters(foldAll(text, Math.min(text.length, plain.length - 16, maxWords * 24)));
  tokenise(plainLength, into, maxWords);
}

let plainLength = 0;
let spaces = 0;
/** The plain lower-case form of an ASCII character; 0 for what is dropped. */
const ASCII = Uint8Array.from({ length: 128 }, (_, unit) => lower(fold(unit)));

function foldAll(text: string, to: number): number {
  let n = 0;
  spaces = 0;
  for (let i = 0; i < to && n < plain.length - 24; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 128) {
      const code = ASCII[unit];
      if (code === DROP) continue;
      if (code === SPACE) spaces++;
      origin[n] = i;
      plain[n++] = code;
      continue;
    }
    const code = foldWide(text, unit, i);
    const at = i;
    if (unit >= 0xd800 && unit <= 0xdbff) i++;
    if (code === DROP) continue;
    const several = code === MULTI ? foldedText(unit) : null;
    for (let k = 0; k < (several?.length ?? 1); k++) {
      origin[n] = at;
      plain[n++] = lower(several === null ? code : several.charCodeAt(k));
    }
  }
  plainLength = n;
  return n;
}

function foldWide(text: string, unit: number, i: number): number {
  return unit >= 0xd800 && unit <= 0xdbff ? foldPair(unit, text.charCodeAt(i + 1)) : fold(unit);
}

function lower(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

/** Puts "h e l l o" together again, where a text is written so for the most part. */
function joinSpacedLetters(n: number): void {
  if (spaces < n * 0.3) return;
  let single = 0;
  let words = 0;
  for (let i = 0; i < n; i++) {
    if (!isLetter(plain[i]) || (i > 0 && isLetter(plain[i - 1]))) continue;
    words++;
    if (!isLetter(plain[i + 1]) || i + 1 >= n) single++;
  }
  if (words < 20 || single < words * 0.6) return;
  let out = 0;
  for (let i = 0; i < n; i++) {
    const between = plain[i] === SPACE && isLetter(plain[i - 1]) && isLetter(plain[i + 1]);
    if (between) continue;
    origin[out] = origin[i];
    plain[out++] = plain[i];
  }
  plainLength = out;
}

function isLetter(code: number): boolean {
  return code >= 97 && code <= 122;
}

/** A sentence's end counts as a line's: breaking lines there, or not, must change nothing. */
const ENDS_SENTENCE = new Uint8Array(256);
for (const c of ".!?") ENDS_SENTENCE[c.charCodeAt(0)] = 1;

function tokenise(n: number, t: Tokens, maxWords: number): void {
  t.length = t.count = t.words = 0;
  plain[n] = plain[n + 1] = plain[n + 2] = 10;
  let i = 0;
  let lineStart = true;
  while (i < n && t.length < MAX_BYTES - 64 && t.count < MAX_TOKENS && t.words < maxWords) {
    const c = plain[i];
    if (c === 10 || c === SPACE) {
      if (c === 10) lineStart = true;
      i++;
      continue;
    }
    if (lineStart) {
      const next = skipLineMark(i, n);
      lineStart = false;
      if (next > i) {
        i = next;
        continue;
      }
    }
    if (c === 91) {
      const close = citationEnd(i);
      i = close > 0 ? close : i + 1;
      continue;
    }
    if (isWordCode(c)) i = takeWord(i, n, t);
    else {
      i = takeMark(i, c, t);
      lineStart = ENDS_SENTENCE[c] === 1;
    }
  }
}

function isWordCode(c: number): boolean {
  return WORD[c] === 1 || (c >= 48 && c <= 57);
}

/** Headings, bullets, quotation marks and list numbers at the start of a line or sentence are layout, not wording. */
function skipLineMark(i: number, n: number): number {
  let at = i;
  while (at < n && (plain[at] === 35 || plain[at] === 62 || plain[at] === 42 || plain[at] === 43)) at++;
  if (at > i) return at;
  if ((plain[i] === 45 || plain[i] === DASH) && (plain[i + 1] === SPACE || plain[i + 1] === plain[i])) {
    while (plain[at] === 45 || plain[at] === DASH) at++;
    return at;
  }
  while (at < i + 3 && plain[at] >= 48 && plain[at] <= 57) at++;
  if (at === i) return i;
  while (plain[at] === SPACE) at++;
  const after = plain[at + 1];
  return (plain[at] === 46 || plain[at] === 41) && (after === SPACE || after === 10 || after === 42) ? at + 1 : i;
}

/** "[12]" is a reference mark of an encyclopaedia or a paper. */
function citationEnd(i: number): number {
  let at = i + 1;
  while (at < i + 5 && plain[at] >= 48 && plain[at] <= 57) at++;
  return at > i + 1 && plain[at] === 93 ? at + 1 : 0;
}

function takeWord(i: number, n: number, t: Tokens): number {
  const bytes = t.bytes;
  const start = t.length;
  t.at[t.count] = origin[i];
  if (plain[i] === 104 || plain[i] === 119) {
    const after = urlEnd(i, n);
    if (after > 0) return takeUrl(after, t);
  }
  let at = start;
  let hash = 0x2f0b4c47;
  let last = 0;
  while (i < n && at - start < 40) {
    let c = plain[i];
    if (c >= 48 && c <= 57) c = 48;
    else if (WORD[c] !== 1) {
      const next = plain[i + 1];
      const inner = isWordCode(next);
      if (!inner) break;
      const isJoint = c === 39 || (c === 45 && last !== 48);
      if ((c === 46 || c === 44) && last === 48 && next >= 48 && next <= 57) c = 46;
      else if (c === 46 && at - start === 1 && last !== 48) {
        i++;
        continue;
      } else if (!isJoint) break;
    }
    // A long number says no more than a short one.
    if (c === 48 && last === 48 && at - start >= 4) {
      i++;
      continue;
    }
    bytes[at++] = c;
    hash = Math.imul(hash ^ c, 0x01000193);
    last = c;
    i++;
  }
  while (i < n && at - start >= 40 && isWordCode(plain[i])) i++;
  bytes[at] = SPACE;
  t.starts[t.count] = start;
  t.ends[t.count] = at;
  t.hashes[t.count] = finish(hash);
  t.to[t.count] = origin[i - 1] + 1;
  t.isWord[t.count++] = 1;
  t.words++;
  t.length = at + 1;
  return i;
}

/** Where a run of one mark ends; ". . ." is an ellipsis too. */
function runEnd(i: number, c: number): number {
  let end = i + 1;
  for (;;) {
    let at = end;
    if (ENDS_SENTENCE[c] === 1) while (plain[at] === SPACE) at++;
    if (plain[at] !== c) return end;
    end = at + 1;
  }
}

const MARKS = new Uint8Array(256);
for (const c of "!\"$%&'(),-./:;?@=+_".split("")) MARKS[c.charCodeAt(0)] = 1;
MARKS[EMOJI] = 1;

function takeMark(i: number, c: number, t: Tokens): number {
  let code = c;
  if (c === 91 || c === 123 || MARKS[c] !== 1) return i + 1;
  if (c === 39) code = 34;
  if (c === 45) code = plain[i + 1] === 45 || plain[i - 1] === SPACE || plain[i + 1] === SPACE ? DASH : 45;
  const end = runEnd(i, c);
  if (c === 46 && end - i >= 2) code = 94; // "^" stands for an ellipsis
  if (c === 39 && end - i === 2) code = 34;
  t.bytes[t.length] = code;
  t.bytes[t.length + 1] = SPACE;
  t.starts[t.count] = t.length;
  t.ends[t.count] = t.length + 1;
  t.hashes[t.count] = finish(Math.imul(0x2f0b4c47 ^ code, 0x01000193));
  t.at[t.count] = origin[i];
  t.to[t.count] = origin[end - 1] + 1;
  t.isWord[t.count++] = 0;
  t.length += 2;
  return end;
}

function urlEnd(i: number, n: number): number {
  const http = plain[i] === 104 && plain[i + 1] === 116 && plain[i + 2] === 116 && plain[i + 3] === 112;
  const www = plain[i] === 119 && plain[i + 1] === 119 && plain[i + 2] === 119 && plain[i + 3] === 46;
  if (!www && !(http && (plain[i + 4] === 58 || plain[i + 5] === 58))) return 0;
  let at = i;
  while (at < n && plain[at] !== SPACE && plain[at] !== 10 && plain[at] !== 41) at++;
  return at;
}

function takeUrl(after: number, t: Tokens): number {
  t.bytes.set([117, 114, 108, SPACE], t.length);
  t.starts[t.count] = t.length;
  t.ends[t.count] = t.length + 3;
  t.hashes[t.count] = finish(0x75726c);
  t.to[t.count] = origin[after - 1] + 1;
  t.isWord[t.count++] = 1;
  t.words++;
  t.length += 4;
  return after;
}

function finish(hash: number): number {
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}

/** The canonical text, for people and tests. */
export function canonicalText(t: Tokens): string {
  let out = "";
  for (let i = 0; i < t.length - 1; i++) {
    const code = t.bytes[i];
    out += code === FOREIGN ? "§" : code === EMOJI ? "¤" : String.fromCharCode(code);
  }
  return out;
}
