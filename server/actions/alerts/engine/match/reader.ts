// Reads one document in one pass and stamps every known term in it: which fields, and where, if any alert asks where.
// Makes no object for a word. Knows nothing of alerts.
import { SEPARATOR, SLOW, WORD, fillBlock, foldTable } from "../text/chars.ts";
import { foldTag, foldText } from "../text/fold.ts";
import { extractHashtags } from "../text/hashtags.ts";
import { chunkEnd, cutFolded } from "../text/tokens.ts";
import { AUTHOR, DEFAULT_FIELDS, TAGS, TEXT, TITLE, URL_FIELD, type Content } from "../query/ast.ts";
import { hostOf } from "../query/evaluate.ts";
import { MAX_UNSPACED } from "../query/terms.ts";
import {
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
  type Dictionary,
} from "./dictionary.ts";
import { grown } from "./growing.ts";
import { Candidates, isWord, proves, scanWords, stampByHash } from "./scan.ts";

const WORD_SEED = seedOf(WORD_TERM);
const PREFIX_SEED = seedOf(PREFIX_TERM);
const UNSPACED_SEED = seedOf(UNSPACED_TERM);
const PREFIX_GATE = 3;
const MAX_DOC = (1 << 24) - 1;
const EMPTY: readonly string[] = [];

/** Where a term stands: words from-to, units start-end of the entry's text. Chained per term. */
export const OCCURRENCE = 6;

export class Reader {
  readonly dictionary: Dictionary;
  /** Terms of the present document, each once. */
  found = new Int32Array(1024);
  foundCount = 0;
  /** from, to, start, end, entry, next */
  occurrences = new Int32Array(OCCURRENCE * 256);
  occurrenceCount = 0;
  readonly entries: string[] = [];
  readonly entryFields: number[] = [];

  #doc = 0;
  #chains = new Int32Array(64);
  #kinds = new Int32Array(8);
  #prefixLengths = new Int32Array(256);
  #prefixMax = 0;
  #unspacedLengths = new Int32Array(MAX_UNSPACED + 1);
  #unspacedMax = 0;
  #field = 0;
  #entry = 0;
  #positional = false;
  /** A word was taken for a term of the same hash: the document is read again, comparing every word. */
  #mistaken = false;
  #careful = false;
  readonly #words = new Candidates();

  constructor(dictionary: Dictionary) {
    this.dictionary = dictionary;
  }

  get bytes(): number {
    return this.#chains.byteLength;
  }

  /** Told of each new user of a term, so that only what is stored is looked for. */
  watch(kind: number, text: string, positional: boolean, by: 1 | -1): void {
    this.#kinds[kind] += by;
    this.#positional ||= positional;
    if (kind === PREFIX_TERM) {
      const length = Math.min(text.length, 255);
      this.#prefixLengths[length] += by;
      this.#prefixMax = Math.max(this.#prefixMax, length);
      this.dictionary.mark(gateHash(kind, text));
    } else if (kind === UNSPACED_TERM) {
      this.#unspacedLengths[text.length] += by;
      this.#unspacedMax = Math.max(this.#unspacedMax, text.length);
      if (text.length > 1) this.dictionary.mark(gateHash(kind, text));
    }
  }

  present(term: number, fields: number): boolean {
    const stamp = this.dictionary.records[term * STRIDE + STAMP];
    return stamp >>> 8 === this.#doc && (stamp & fields) !== 0;
  }

  /** The first occurrence of a present positional term, or -1. */
  firstOf(term: number): number {
    const stamp = this.dictionary.records[term * STRIDE + STAMP];
    return stamp >>> 8 === this.#doc ? this.#chains[term] : -1;
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
    this.occurrenceCount = 0;
    this.entries.length = 0;
    this.entryFields.length = 0;
    if (this.#chains.length < this.dictionary.count) this.#chains = grown(this.#chains, this.dictionary.count);
    if (content.title) this.#readText(content.title, TITLE);
    if (content.text) this.#readText(content.text, TEXT);
    for (const tag of content.tags ?? EMPTY) this.#readText(tag, TAGS);
    if (content.url) this.#readText(content.url, URL_FIELD);
    if (content.author) this.#readText(content.author, AUTHOR);
    if (this.#kinds[TAG_TERM] > 0) this.#readTags(content);
    if (this.#kinds[META_TERM] > 0) this.#readMeta(content);
  }

  #wrap(): void {
    const { records, count } = this.dictionary;
    for (let id = 0; id < count; id++) records[id * STRIDE + STAMP] = 0;
    this.#doc = 1;
  }

  #readText(text: string, field: number): void {
    this.#entry = this.entries.push(text) - 1;
    this.entryFields.push(field);
    this.#field = field;
    const words = this.#words;
    words.reserve((text.length >>> 1) + 1);
    words.count = 0;
    words.at = 0;
    words.position = 0;
    const { filter, filterShift } = this.dictionary;
    for (;;) {
      scanWords(text, foldTable, filter, filterShift, words);
      if (words.at >= text.length) break;
      this.#readSlowly(text, words);
    }
    if (words.count > 0) this.#lookUp(text, words);
    if (this.#kinds[PREFIX_TERM] > 0) this.#readAllPrefixes(text);
  }

  #lookUp(text: string, words: Candidates): void {
    const before = this.foundCount;
    if (this.found.length <= before + words.count) this.found = grown(this.found, before + words.count + 1);
    if (!this.#careful) {
      this.foundCount = stampByHash(this.dictionary, words, this.#doc << 8, this.#field, this.found, before);
      this.#mistaken ||= !proves(text, foldTable, this.dictionary, words);
      if (this.#positional && !this.#mistaken) this.#rememberAll(text, words, before);
      return;
    }
    for (let k = 0; k < words.count; k++) {
      const id = this.dictionary.find(words.hashes[k], WORD_TERM, text, words.starts[k], words.ends[k], foldTable);
      if (id !== 0) this.#stamp(id, words.positions[k], words.positions[k] + 1, words.starts[k], words.ends[k]);
    }
  }

  /** The scan stands at a word that holds a unit it cannot fold alone. */
  #readSlowly(text: string, words: Candidates): void {
    const start = words.at;
    let at = start;
    while (foldTable[text.charCodeAt(at)] !== SLOW) at++;
    if (fillBlock(text.charCodeAt(at))) return;
    const end = chunkEnd(text, at);
    words.position = this.#readChunk(text, start, end, words.position);
    words.at = end;
  }

  #rememberAll(text: string, words: Candidates, before: number): void {
    for (let k = before; k < this.foundCount; k++) this.#chains[this.found[k]] = -1;
    const { records } = this.dictionary;
    const { ids, starts, ends, positions, count } = words;
    for (let k = 0; k < count; k++) {
      if (ids[k] === 0 || (records[ids[k] * STRIDE + META] & POSITIONAL) === 0) continue;
      if (!isWord(text, foldTable, this.dictionary, starts[k], ends[k], ids[k])) this.#mistaken = true;
      this.#remember(ids[k], false, positions[k], positions[k] + 1, starts[k], ends[k]);
    }
  }

  /** Beginnings are looked for in a pass of their own, so that nobody pays for it who stores none. */
  #readAllPrefixes(text: string): void {
    let position = 0;
    for (let i = 0; i < text.length; ) {
      const start = i;
      let slow = false;
      for (; i < text.length; i++) {
        const unit = foldTable[text.charCodeAt(i)];
        if (unit === SEPARATOR) break;
        slow ||= unit === SLOW;
      }
      if (i === start) i++;
      else if (!slow) {
        if (i - start >= PREFIX_GATE) this.#readPrefixes(text, start, i, position, start, i, foldTable);
        position++;
      } else {
        cutFolded(foldText(text.slice(start, i)), (kind, from, to) => {
          position += kind === WORD ? 1 : to - from;
        });
      }
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
    if ((records[cell - STAMP + META] & POSITIONAL) !== 0) this.#remember(id, fresh, from, to, start, end);
  }

  #remember(id: number, fresh: boolean, from: number, to: number, start: number, end: number): void {
    const at = this.occurrenceCount * OCCURRENCE;
    if (at === this.occurrences.length) this.occurrences = grown(this.occurrences, at + OCCURRENCE);
    const o = this.occurrences;
    o[at] = from;
    o[at + 1] = to;
    o[at + 2] = start;
    o[at + 3] = end;
    o[at + 4] = this.#entry;
    o[at + 5] = fresh ? -1 : this.#chains[id];
    this.#chains[id] = at;
    this.occurrenceCount++;
  }

  /** A chunk that does not fold unit by unit: fold it whole, then cut it. */
  #readChunk(text: string, start: number, end: number, position: number): number {
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
        if (this.#kinds[UNSPACED_TERM] > 0) this.#readUnspaced(folded, from, to, position, first, aligned ? -1 : last);
        position += to - from;
      }
    });
    return position;
  }

  #readWord(folded: string, from: number, to: number, position: number, start: number, end: number): void {
    let hash = WORD_SEED;
    for (let i = from; i < to; i++) hash = Math.imul(hash ^ folded.charCodeAt(i), PRIME);
    if (this.#passes(hash)) {
      const id = this.dictionary.find(hash, WORD_TERM, folded, from, to);
      if (id !== 0) this.#stamp(id, position, position + 1, start, end);
    }
    if (this.#kinds[PREFIX_TERM] > 0 && to - from >= PREFIX_GATE) {
      this.#readPrefixes(folded, from, to, position, start, end, null);
    }
  }

  #passes(hash: number): boolean {
    const { filter, filterShift } = this.dictionary;
    return ((filter[hash >>> (filterShift + 5)] >>> (hash >>> filterShift)) & 1) !== 0;
  }

  /** Stored beginnings of the word text[from, to). With `fold` the text is the original, else it is folded already. */
  #readPrefixes(
    text: string,
    from: number,
    to: number,
    position: number,
    start: number,
    end: number,
    fold: Uint16Array | null,
  ): void {
    let hash = PREFIX_SEED;
    const most = Math.min(to - from, this.#prefixMax);
    for (let length = 1; length <= most; length++) {
      const unit = text.charCodeAt(from + length - 1);
      hash = Math.imul(hash ^ (fold ? fold[unit] : unit), PRIME);
      if (length < PREFIX_GATE) continue;
      if (length === PREFIX_GATE && !this.#passes(hash)) return;
      if (this.#prefixLengths[length] === 0 || !this.#passes(hash)) continue;
      const id = this.dictionary.find(hash, PREFIX_TERM, text, from, from + length, fold);
      if (id !== 0) this.#stamp(id, position, position + 1, start, end);
    }
  }

  /** Stored terms that begin anywhere in the run folded[from, to). `end` below 0: places are unit by unit. */
  #readUnspaced(folded: string, from: number, to: number, position: number, start: number, end: number): void {
    for (let i = from; i < to; i++) {
      let hash = UNSPACED_SEED;
      const most = Math.min(to - i, this.#unspacedMax);
      for (let length = 1; length <= most; length++) {
        hash = Math.imul(hash ^ folded.charCodeAt(i + length - 1), PRIME);
        if (length === 2 && !this.#passes(hash)) break;
        if (this.#unspacedLengths[length] === 0 || !this.#passes(hash)) continue;
        const id = this.dictionary.find(hash, UNSPACED_TERM, folded, i, i + length);
        if (id === 0) continue;
        const at = position + i - from;
        const first = end < 0 ? start + i - from : start;
        this.#stamp(id, at, at + length, first, end < 0 ? first + length : end);
      }
    }
  }

  #readTags(content: Content): void {
    this.#field = DEFAULT_FIELDS;
    for (const tag of content.tags ?? EMPTY) this.#name(TAG_TERM, foldTag(tag));
    if (content.title) for (const h of extractHashtags(content.title)) this.#name(TAG_TERM, foldTag(h.tag));
    if (content.text) for (const h of extractHashtags(content.text)) this.#name(TAG_TERM, foldTag(h.tag));
  }

  #readMeta(content: Content): void {
    this.#field = DEFAULT_FIELDS;
    if (content.source !== undefined) this.#name(META_TERM, `source:${foldTag(content.source)}`);
    if (content.lang) {
      const parts = content.lang.toLowerCase().replace("_", "-").split("-");
      for (let n = 1; n <= parts.length; n++) this.#name(META_TERM, `lang:${parts.slice(0, n).join("-")}`);
    }
    const host = hostOf(content.url);
    if (host !== null) {
      const labels = host.split(".");
      for (let n = 0; n < labels.length; n++) this.#name(META_TERM, `site:${labels.slice(n).join(".")}`);
    }
    for (const field in content.numbers) this.#name(META_TERM, `number:${field}`);
  }

  #name(kind: number, text: string): void {
    if (text === "") return;
    const hash = hashOf(kind, text);
    const id = this.#passes(hash) ? this.dictionary.find(hash, kind, text) : 0;
    if (id !== 0) this.#stamp(id, 0, 0, 0, 0);
  }
}

/** The hash whose bit says that some stored term begins like this. */
export function gateHash(kind: number, text: string): number {
  return hashOf(kind, text.slice(0, kind === PREFIX_TERM ? PREFIX_GATE : 2));
}
