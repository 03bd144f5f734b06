// All stored alerts, and which of them a document matches. A new alert counts for the next document; adding and removing
// cost the same whatever is stored. Single-threaded, no clock, no I/O; alerts are identified by a number.
import { DEFAULT_FIELDS, type Content, type Node } from "../query/ast.ts";
import { compile, type Compiled, type Term } from "./compile.ts";
import { ALL, ANY, kindOf, ONE } from "./kinds.ts";
import { Dictionary } from "./terms/dictionary.ts";
import { grown, NumberMap } from "./terms/growing.ts";
import { gateHash } from "./parts.ts";
import { Postings } from "./terms/postings.ts";
import { Programs } from "./programs.ts";
import { Rarity } from "./rarity.ts";
import { Reader } from "./reader.ts";
import {
  ASKED,
  HEAD,
  INLINE,
  POSITIONAL,
  PREFIX_TERM,
  STAMP,
  STRIDE,
  type TAG_TERM,
  UNSPACED_TERM,
  type WORD_TERM,
} from "./terms/record.ts";
import { holdsPlan, type Resolved, resolve, TooManySteps } from "./verify.ts";

export type MayVerify = (number: number) => boolean;
const always: MayVerify = () => true;

interface Tree {
  terms: Int32Array;
  cover: Int32Array;
  places: Int32Array;
  plan: Resolved;
}

export class Matcher {
  /** Numbers of the alerts that matched the last document, `match()` of them. */
  results = new Int32Array(256);

  readonly #dictionary = new Dictionary();
  readonly #postings = new Postings();
  readonly #reader = new Reader(this.#dictionary);
  readonly #rarity = new Rarity();
  readonly #slots = new NumberMap();
  readonly #trees: (Tree | undefined)[] = [];
  #freeTrees: number[] = [];
  #numbers = new Int32Array(64);
  #kinds = new Uint8Array(64);
  /** ONE: the term. ALL: place of its program. TREE, ANY: index of its tree. */
  #info = new Int32Array(64);
  /** ONE, ALL: index of the posting in its term's list. */
  #places = new Int32Array(64);
  #seen = new Int32Array(64);
  #slotCount = 0;
  #freeSlots: number[] = [];
  readonly #programs = new Programs();
  #turn = 0;
  #count = 0;
  #content: Content = {};
  #mayVerify: MayVerify = always;

  get size(): number {
    return this.#slots.size;
  }

  /** Bytes held beyond the terms' own text. */
  get bytes(): number {
    const slots = this.#numbers.byteLength + this.#kinds.byteLength + this.#info.byteLength + this.#places.byteLength;
    return (
      this.#dictionary.bytes +
      this.#postings.bytes +
      this.#reader.bytes +
      this.#slots.bytes +
      slots +
      this.#seen.byteLength +
      this.#programs.bytes
    );
  }

  has(number: number): boolean {
    return this.#slots.get(number) >= 0;
  }

  /** Makes room for so many alerts at once, when they are loaded at start. */
  reserve(alerts: number): void {
    this.#dictionary.reserve(alerts);
    this.#slots.reserve(alerts);
    this.#growSlots(alerts);
  }

  /** Stores the alert; throws QueryError when nothing must be present for it to match. Replaces one of that number. */
  add(number: number, node: Node): void {
    const compiled = compile(node, (term) => this.#rarity.of(term));
    this.remove(number);
    const slot = this.#freeSlots.pop() ?? this.#slotCount++;
    this.#growSlots(slot + 1);
    this.#numbers[slot] = number;
    this.#slots.set(number, slot);
    const kind = kindOf(compiled);
    const ids = Int32Array.from(compiled.terms, (term) => this.#acquire(term, kind !== ONE));
    this.#kinds[slot] = kind;
    if (kind === ONE) {
      this.#info[slot] = ids[0];
      this.#places[slot] = this.#postings.add(this.#dictionary, ids[0], number << 2);
    } else if (kind === ALL) this.#addProgram(slot, compiled, ids);
    else this.#addTree(slot, kind, compiled, ids);
    if (this.#dictionary.crowded) this.#dictionary.refill(this.#gates());
  }

  /** The same for one bare word or tag that is folded already: nothing to compile. */
  addTerm(number: number, kind: typeof WORD_TERM | typeof TAG_TERM, text: string): void {
    this.remove(number);
    const slot = this.#freeSlots.pop() ?? this.#slotCount++;
    this.#growSlots(slot + 1);
    this.#numbers[slot] = number;
    this.#slots.set(number, slot);
    this.#kinds[slot] = ONE;
    const id = this.#dictionary.acquire(kind, text);
    this.#reader.watch(kind, "", false, 1);
    this.#info[slot] = id;
    this.#places[slot] = this.#postings.add(this.#dictionary, id, number << 2);
    if (this.#dictionary.crowded) this.#dictionary.refill(this.#gates());
  }

  remove(number: number): boolean {
    const slot = this.#slots.get(number);
    if (slot < 0) return false;
    this.#slots.delete(number);
    const info = this.#info[slot];
    const kind = this.#kinds[slot];
    if (kind === ONE) {
      this.#unfile(info, this.#places[slot]);
      this.#release(info);
    } else if (kind === ALL) {
      const terms = this.#programs.remove(info);
      this.#unfile(terms[0], this.#places[slot]);
      for (const term of terms) this.#release(term);
    } else {
      const tree = this.#trees[info]!;
      tree.cover.forEach((term, k) => this.#unfile(term, tree.places[k]));
      for (const term of tree.terms) this.#release(term);
      this.#trees[info] = undefined;
      this.#freeTrees.push(info);
    }
    this.#freeSlots.push(slot);
    return true;
  }

  /** Steps that verifying took on the present document. */
  get steps(): number {
    return this.#reader.steps;
  }
  /** An alert during which the steps pass this number does not match; asked anew for each document. */
  set maxSteps(max: number) {
    this.#reader.maxSteps = max;
  }

  /**
   * How many alerts match; their numbers are in `results`. Where presence alone does not decide, `mayVerify` is asked
   * first: what it refuses costs nothing and is not in the results.
   */
  match(content: Content, mayVerify: MayVerify = always): number {
    this.#count = 0;
    this.#mayVerify = mayVerify;
    this.#reader.steps = 0;
    this.#reader.maxSteps = Infinity;
    this.#turn = (this.#turn + 1) | 0;
    this.#content = content;
    if (this.#rarity.due()) this.#rarity.learn(content);
    const reader = this.#reader;
    reader.read(content);
    const { records, recent } = this.#dictionary;
    for (let k = 0; k < reader.foundCount; k++) reader.found[k] *= STRIDE;
    this.#collect(recent.cells, reader.foundLines, reader.foundLineCount);
    this.#collect(records, reader.found, reader.foundCount);
    return this.#count;
  }

  /** The numbers themselves, in no order. */
  matching(content: Content): number[] {
    const count = this.match(content);
    return [...this.results.subarray(0, count)];
  }

  /** Walks the postings of every found term: `found` says where in `records` they stand. */
  #collect(records: Int32Array, found: Int32Array, foundCount: number): void {
    const { arena } = this.#postings;
    let count = this.#count;
    // All lists are touched before any is walked, so that the waits for memory overlap.
    let capacity = count;
    for (let k = 0; k < foundCount; k++) {
      const head = records[found[k] + HEAD];
      const list = 1 - (head & (head >> 31));
      capacity += head < 0 ? arena[list] : head;
    }
    if (this.results.length < capacity) this.results = grown(this.results, capacity);
    const { results } = this;
    for (let k = 0; k < foundCount; k++) {
      const at = found[k];
      const head = records[at + HEAD];
      const bare = (records[at + STAMP] & DEFAULT_FIELDS) !== 0 ? 1 : 0;
      const cells = head >= 0 ? records : arena;
      const first = head >= 0 ? at + INLINE : 2 - head;
      const end = first + (head >= 0 ? head : arena[1 - head]);
      for (let p = first; p < end; p++) {
        const posting = cells[p];
        if ((posting & 3) === ONE) {
          results[count] = posting >>> 2;
          count += bare;
        } else if (this.#holds(posting & 3, posting >>> 2, bare === 1)) results[count++] = this.#numbers[posting >>> 2];
      }
    }
    this.#count = count;
  }

  #holds(kind: number, slot: number, bare: boolean): boolean {
    if (kind === ALL) return bare && this.#programs.holds(this.#info[slot], this.#reader);
    if (this.#seen[slot] === this.#turn || (kind === ANY && !bare)) return false;
    this.#seen[slot] = this.#turn;
    return kind === ANY || (this.#mayVerify(this.#numbers[slot]) && this.#verify(slot));
  }

  #verify(slot: number): boolean {
    try {
      return holdsPlan(this.#trees[this.#info[slot]]!.plan, this.#reader, this.#content);
    } catch (error) {
      if (error instanceof TooManySteps) return false;
      throw error;
    }
  }

  #acquire(term: Term, asked: boolean): number {
    const id = this.#dictionary.acquire(term.kind, term.text);
    if (asked || term.positional) this.#dictionary.flag(id, ASKED | (term.positional ? POSITIONAL : 0));
    this.#reader.watch(term.kind, term.text, term.positional, 1);
    return id;
  }

  #release(id: number): void {
    const kind = this.#dictionary.kindOf(id);
    const text = kind === PREFIX_TERM || kind === UNSPACED_TERM ? this.#dictionary.textOf(id) : "";
    this.#reader.watch(kind, text, false, -1);
    this.#dictionary.release(id);
  }

  #addProgram(slot: number, compiled: Compiled, ids: Int32Array): void {
    this.#info[slot] = this.#programs.add(compiled, ids);
    this.#places[slot] = this.#postings.add(this.#dictionary, ids[compiled.cover[0]], (slot << 2) | ALL);
  }

  #addTree(slot: number, kind: number, compiled: Compiled, ids: Int32Array): void {
    const cover = Int32Array.from(compiled.cover, (k) => ids[k]);
    const places = cover.map((term) => this.#postings.add(this.#dictionary, term, (slot << 2) | kind));
    const index = this.#freeTrees.pop() ?? this.#trees.length;
    this.#trees[index] = { terms: ids, cover, places, plan: resolve(compiled.plan, ids) };
    this.#info[slot] = index;
    this.#seen = grown(this.#seen, slot + 1);
    this.#seen[slot] = 0;
  }

  #unfile(term: number, place: number): void {
    const moved = this.#postings.remove(this.#dictionary, term, place);
    if (moved < 0) return;
    const kind = moved & 3;
    const slot = kind === ONE ? this.#slots.get(moved >>> 2) : moved >>> 2;
    if (kind === ONE || kind === ALL) this.#places[slot] = place;
    else {
      const tree = this.#trees[this.#info[slot]]!;
      tree.places[tree.cover.indexOf(term)] = place;
    }
  }

  #growSlots(count: number): void {
    if (this.#numbers.length >= count) return;
    this.#numbers = grown(this.#numbers, count);
    this.#kinds = grown(this.#kinds, this.#numbers.length);
    this.#info = grown(this.#info, this.#numbers.length);
    this.#places = grown(this.#places, this.#numbers.length);
  }

  *#gates(): Iterable<number> {
    for (let id = 1; id < this.#dictionary.count; id++) {
      const kind = this.#dictionary.kindOf(id);
      if (kind === PREFIX_TERM || kind === UNSPACED_TERM) yield gateHash(kind, this.#dictionary.textOf(id));
    }
  }
}
