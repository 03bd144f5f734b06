// Reads one document in one pass and marks every stored term in it: which fields, and where, if an alert needs that.
// Allocates no object per word. Knows nothing of alerts.
import { SLOW, WORD, fillBlock, foldTable } from "../text/chars.ts";
import { foldText } from "../text/fold.ts";
import { extractHashtags, type Hashtag } from "../text/hashtags.ts";
import { CUT_MAX, cut, ends, hashes, load, starts, stoppedAt } from "../text/kernel/kernel.ts";
import { breakBefore, chunkEnd, cutFolded } from "../text/tokens.ts";
import { AUTHOR, DEFAULT_FIELDS, TAGS, TEXT, TITLE, URL_FIELD, type Content } from "../query/ast.ts";
import type { Dictionary } from "./terms/dictionary.ts";
import { grown } from "./terms/growing.ts";
import { isWord, left, leftCount, places, proves, rows, sift, stampByHash } from "./look-up.ts";
import { eachFact, eachTag } from "./names.ts";
import { Occurrences } from "./occurrences.ts";
import { Parts } from "./parts.ts";
import {
  ASKED,
  ID,
  META,
  META_TERM,
  POSITIONAL,
  PREFIX_TERM,
  PRIME,
  STAMP,
  STRIDE,
  TAG_TERM,
  UNSPACED_TERM,
  WORD_TERM,
  hashOf,
  seedOf,
} from "./terms/record.ts";

const WORD_SEED = seedOf(WORD_TERM);
const MAX_DOC = (1 << 24) - 1;
const EMPTY: readonly string[] = [];

export class Reader {
  readonly dictionary: Dictionary;
  /** Terms of the present document, each once: those read from their copies, by place, and the others, by id. */
  foundLines = new Int32Array(1024);
  foundLineCount = 0;
  found = new Int32Array(64);
  foundCount = 0;
  readonly occurrences = new Occurrences();
  readonly entries: string[] = [];
  readonly entryFields: number[] = [];
  /** Places looked at while alerts were verified on the present document, and how many may be. */
  steps = 0;
  maxSteps = Infinity;

  readonly #hashtags: Hashtag[][] = [];
  #doc = 0;
  #kinds = new Int32Array(8);
  #field = 0;
  #entry = 0;
  #positional = false;
  /** A word was taken for a term of the same hash: the document is read again, comparing every word. */
  #mistaken = false;
  #careful = false;

  readonly #parts: Parts;

  constructor(dictionary: Dictionary) {
    this.dictionary = dictionary;
    this.#parts = new Parts(dictionary, (id, from, to, start, end) => this.#stamp(id, from, to, start, end));
  }

  get bytes(): number {
    return this.occurrences.bytes;
  }

  /** Called for each new use of a term, so that only what is stored is searched for. */
  watch(kind: number, text: string, positional: boolean, by: 1 | -1): void {
    this.#kinds[kind] += by;
    this.#positional ||= positional;
    if (kind === PREFIX_TERM || kind === UNSPACED_TERM) this.#parts.watch(kind, text, by);
  }

  present(term: number, fields: number): boolean {
    const stamp = this.dictionary.records[term * STRIDE + STAMP];
    return stamp >>> 8 === this.#doc && (stamp & fields) !== 0;
  }

  /** The hashtags of an entry, found once per document. */
  hashtagsOf(entry: number): readonly Hashtag[] {
    return (this.#hashtags[entry] ??= extractHashtags(this.entries[entry]));
  }

  /** The first occurrence of a present positional term, or -1. */
  firstOf(term: number): number {
    const stamp = this.dictionary.records[term * STRIDE + STAMP];
    return stamp >>> 8 === this.#doc ? this.occurrences.firstOf(term) : -1;
  }

  read(content: Content): void {
    this.#mistaken = false;
    this.#readOnce(content);
    if (!this.#mistaken) return;
    this.#careful = true;
    this.#readOnce(content);
    this.#careful = false;
  }

  #readOnce(content: Content): void {
    if (++this.#doc > MAX_DOC) this.#wrap();
    this.foundCount = 0;
    this.foundLineCount = 0;
    this.entries.length = 0;
    this.entryFields.length = 0;
    this.#hashtags.length = 0;
    if (this.#positional) this.occurrences.begin(this.dictionary.count);
    if (content.title) this.#readText(content.title, TITLE);
    if (content.text) this.#readText(content.text, TEXT);
    for (const tag of content.tags ?? EMPTY) this.#readText(tag, TAGS);
    if (content.url) this.#readText(content.url, URL_FIELD);
    if (content.author) this.#readText(content.author, AUTHOR);
    this.#field = DEFAULT_FIELDS;
    if (this.#kinds[TAG_TERM] > 0) eachTag(content, this.#tag);
    if (this.#kinds[META_TERM] > 0) eachFact(content, this.#fact);
  }

  #wrap(): void {
    const { records, count } = this.dictionary;
    for (let id = 0; id < count; id++) records[id * STRIDE + STAMP] = 0;
    this.dictionary.recent.clear();
    this.#doc = 1;
  }

  #readText(text: string, field: number): void {
    this.#entry = this.entries.push(text) - 1;
    this.entryFields.push(field);
    this.#field = field;
    for (let base = 0, position = 0; base < text.length; ) {
      const end = breakBefore(text, base, CUT_MAX);
      if (end > base) position = this.#readPart(text, base, end, position);
      else position = this.#readRun(text, base, position);
      // A word longer than the kernel takes is read whole; a separator in front of it is a run of its own, without words.
      base = end > base ? end : Math.max(chunkEnd(text, base), base + 1);
    }
    if (this.#kinds[PREFIX_TERM] > 0) this.#parts.allBeginningsOf(text);
  }

  /** Reads text[base, end), which ends between words and fits the kernel; returns the position after it. */
  #readPart(text: string, base: number, end: number, position: number): number {
    load(base === 0 && end === text.length ? text : text.slice(base, end));
    const length = end - base;
    for (let at = 0; at < length; ) {
      const count = cut(at, length, WORD_SEED);
      at = stoppedAt();
      const known = sift(this.dictionary, count);
      if (known > 0) this.#lookUp(text, base, known, position);
      position += count;
      if (at === length || fillBlock(text.charCodeAt(slowUnit(text, base + at)))) continue;
      position = this.#readRun(text, base + at, position);
      at = chunkEnd(text, base + at) - base;
    }
    return position;
  }

  #lookUp(text: string, base: number, count: number, position: number): void {
    if (this.#careful) {
      for (let k = 0; k < count; k++) this.#findRow(text, base, rows[k], position);
      return;
    }
    const before = this.foundLineCount;
    if (this.foundLines.length <= before + count) this.foundLines = grown(this.foundLines, before + count + 1);
    const { dictionary } = this;
    this.foundLineCount = stampByHash(dictionary, count, this.#doc, this.#field, this.foundLines, before);
    this.#mistaken ||= !proves(dictionary, text, base);
    if (this.#mistaken) return;
    for (let w = 0; w < leftCount(); w++) this.#findRow(text, base, left[w], position);
    if (this.#positional) this.#rememberAll(text, base, count, position, before);
  }

  #mistake(hash: number): void {
    this.#mistaken = true;
    this.dictionary.contest(hash);
  }

  /** Without the help of `recent`. */
  #findRow(text: string, base: number, row: number, position: number): void {
    const start = base + starts[row];
    const end = base + ends[row];
    const id = this.dictionary.find(hashes[row], WORD_TERM, text, start, end, foldTable);
    if (id !== 0) this.#stamp(id, position + row, position + row + 1, start, end);
  }

  #rememberAll(text: string, base: number, count: number, position: number, before: number): void {
    const { cells } = this.dictionary.recent;
    for (let k = before; k < this.foundLineCount; k++) this.occurrences.none(cells[this.foundLines[k] + ID]);
    for (let k = 0; k < count; k++) {
      const at = places[k];
      if (at < 0 || (cells[at + META] & POSITIONAL) === 0) continue;
      const row = rows[k];
      if (!isWord(this.dictionary, text, base, row, at)) this.#mistake(hashes[row]);
      const place = position + row;
      this.occurrences.add(cells[at + ID], place, place + 1, base + starts[row], base + ends[row], this.#entry);
    }
  }

  #stamp(id: number, from: number, to: number, start: number, end: number): void {
    const { records } = this.dictionary;
    const cell = id * STRIDE + STAMP;
    const stamp = records[cell];
    const fresh = stamp >>> 8 !== this.#doc;
    if (fresh) {
      records[cell] = (this.#doc << 8) | this.#field;
      if (this.foundCount === this.found.length) this.found = grown(this.found, this.foundCount + 1);
      this.found[this.foundCount++] = id;
    } else records[cell] = stamp | this.#field;
    if ((records[cell - STAMP + META] & POSITIONAL) === 0) return;
    if (fresh) this.occurrences.none(id);
    this.occurrences.add(id, from, to, start, end, this.#entry);
  }

  /** The same for a word whose copy stands at this line. */
  #stampLine(at: number, position: number, start: number, end: number): void {
    const { cells } = this.dictionary.recent;
    const id = cells[at + ID];
    const stamp = cells[at + STAMP];
    const fresh = stamp >>> 8 !== this.#doc;
    const now = (fresh ? this.#doc << 8 : stamp) | this.#field;
    cells[at + STAMP] = now;
    if (fresh) {
      const count = this.foundLineCount++;
      if (count === this.foundLines.length) this.foundLines = grown(this.foundLines, count + 1);
      this.foundLines[count] = at;
    }
    if ((cells[at + META] & ASKED) !== 0) this.dictionary.records[id * STRIDE + STAMP] = now;
    if ((cells[at + META] & POSITIONAL) === 0) return;
    if (fresh) this.occurrences.none(id);
    this.occurrences.add(id, position, position + 1, start, end, this.#entry);
  }

  /** What stands between two separators, where units do not fold one by one: fold it whole, then cut it. */
  #readRun(text: string, start: number, position: number): number {
    const end = chunkEnd(text, start);
    const chunk = text.slice(start, end);
    const folded = foldText(chunk);
    const aligned = folded.length === chunk.length;
    cutFolded(folded, (kind, from, to) => {
      const first = aligned ? start + from : start;
      const last = aligned ? start + to : end;
      if (kind === WORD) {
        this.#readWord(folded, from, to, position, first, last);
        position++;
      } else {
        if (this.#kinds[UNSPACED_TERM] > 0)
          this.#parts.piecesOf(folded, from, to, position, first, aligned ? -1 : last);
        position += to - from;
      }
    });
    return position;
  }

  #readWord(folded: string, from: number, to: number, position: number, start: number, end: number): void {
    let hash = WORD_SEED;
    for (let i = from; i < to; i++) hash = Math.imul(hash ^ folded.charCodeAt(i), PRIME);
    if (this.dictionary.passes(hash)) this.#findWord(hash, folded, from, to, position, start, end);
    if (this.#kinds[PREFIX_TERM] > 0) this.#parts.beginningsOf(folded, from, to, position, start, end, null);
  }

  #findWord(
    hash: number,
    folded: string,
    from: number,
    to: number,
    position: number,
    start: number,
    end: number,
  ): void {
    const { dictionary } = this;
    const { recent } = dictionary;
    const at = recent.placeOf(hash);
    // Words of one document go one way each, or a term would be found twice.
    if (!this.#careful && (recent.cells[at] === hash || dictionary.recall(at, hash, this.#doc))) {
      const id = recent.cells[at + ID];
      if (id === 0) return;
      if (dictionary.is(id, WORD_TERM, folded, from, to, null)) this.#stampLine(at, position, start, end);
      else this.#mistake(hash);
      return;
    }
    const id = dictionary.find(hash, WORD_TERM, folded, from, to);
    if (id !== 0) this.#stamp(id, position, position + 1, start, end);
  }

  readonly #tag = (tag: string) => this.#name(TAG_TERM, tag);
  readonly #fact = (fact: string) => this.#name(META_TERM, fact);

  #name(kind: number, text: string): void {
    if (text === "") return;
    const hash = hashOf(kind, text);
    const id = this.dictionary.passes(hash) ? this.dictionary.find(hash, kind, text) : 0;
    if (id !== 0) this.#stamp(id, 0, 0, 0, 0);
  }
}

function slowUnit(text: string, from: number): number {
  while (foldTable[text.charCodeAt(from)] !== SLOW) from++;
  return from;
}
