// A share of the stored alerts in memory, and which of them a content matches. Knows nothing of the store or of threads.
import { grown } from "../../engine/match/terms/growing.ts";
import { TAG_TERM, WORD_TERM } from "../../engine/match/terms/record.ts";
import { Matcher } from "../../engine/match/matcher.ts";
import type { Content } from "../../engine/query/ast.ts";
import { type Given, nodeOf } from "../../spec/query.ts";

/** What the index needs to know of an alert. */
export interface Entry {
  number: number;
  tenantId: number;
  status: string;
  /** Bits of where its content comes from. */
  sources: number;
  /** 'w:kettle' or 't:launch' when that is all of it; else `given` is parsed. */
  term: string | null;
  given: Given | null;
  feeds: string[];
}

/** Who may match: alerts of each content's tenant that take this kind (1 ingest, 2 events), or the readers of a feed. */
export type Question = { contents: Content[] } & ({ tenants: number[]; kind: number } | { feed: string });

export class Shard {
  readonly #matcher = new Matcher();
  #tenants = new Int32Array(1024);
  #sources = new Uint8Array(1024);
  /** By tenant: ids are small. */
  #counts = new Int32Array(64);
  readonly #feeds = new Map<string, Set<number>>();
  readonly #feedsOf = new Map<number, string[]>();

  get size(): number {
    return this.#matcher.size;
  }

  countOf(tenantId: number): number {
    return this.#counts[tenantId] ?? 0;
  }
  get counts(): [tenantId: number, count: number][] {
    return [...this.#counts].flatMap((count, tenantId) => (count > 0 ? [[tenantId, count] as [number, number]] : []));
  }

  /** Whose alert it is, if it is here. */
  tenantOf(number: number): number | null {
    return this.#matcher.has(number) ? this.#tenants[number] : null;
  }

  /** Makes room for so many alerts, of which the last has this number. */
  reserve(count: number, last: number): void {
    this.#matcher.reserve(count);
    this.#tenants = grown(this.#tenants, last + 1);
    this.#sources = grown(this.#sources, last + 1);
  }

  has(number: number): boolean {
    return this.#matcher.has(number);
  }

  forget(number: number): void {
    if (!this.#matcher.remove(number)) return;
    this.#counts[this.#tenants[number]]--;
    for (const feed of this.#feedsOf.get(number) ?? []) this.#feeds.get(feed)?.delete(number);
    this.#feedsOf.delete(number);
  }

  /** Takes over what is now true of an alert. */
  put(entry: Entry): void {
    this.forget(entry.number);
    if (entry.status !== "active") return;
    if (entry.term !== null) this.#putTerm(entry.number, entry.tenantId, entry.sources, entry.term);
    else {
      this.#matcher.add(entry.number, nodeOf(entry.given!));
      this.#register(entry.number, entry.tenantId, entry.sources);
    }
    for (const feed of entry.feeds) this.link(feed, entry.number);
  }

  /** Many active alerts at once, each a line "number tenant sources what": a term, or JSON of what is to be parsed. */
  putLines(lines: string): void {
    for (let at = 0; at < lines.length; ) {
      const given = [0, 0, 0];
      for (let k = 0; k < 3; k++, at++) {
        for (let unit = lines.charCodeAt(at); unit !== SPACE; unit = lines.charCodeAt(++at))
          given[k] = given[k] * 10 + unit - DIGIT_0;
      }
      const [number, tenantId, sources] = given;
      const newline = lines.indexOf("\n", at);
      const end = newline < 0 ? lines.length : newline;
      const what = lines.slice(at, end);
      if (this.#matcher.has(number)) this.forget(number);
      if (what.charCodeAt(0) !== OPENING_BRACE) this.#putTerm(number, tenantId, sources, what);
      else this.put({ number, tenantId, sources, status: "active", term: null, given: JSON.parse(what), feeds: [] });
      at = end + 1;
    }
  }

  link(feed: string, number: number): void {
    const readers = this.#feeds.get(feed);
    if (readers) readers.add(number);
    else this.#feeds.set(feed, new Set([number]));
    const feeds = this.#feedsOf.get(number);
    if (!feeds) this.#feedsOf.set(number, [feed]);
    else if (!feeds.includes(feed)) feeds.push(feed);
  }

  /** For each content the numbers of the alerts it matches, in no order. */
  match(question: Question): number[][] {
    return question.contents.map((content, i): number[] => {
      const allowed = "feed" in question ? this.#readersOf(question.feed) : this.#alertsOf(question, i);
      if (!allowed) return [];
      const count = this.#matcher.match(content);
      const { results } = this.#matcher;
      const numbers: number[] = [];
      for (let k = 0; k < count; k++) if (allowed(results[k])) numbers.push(results[k]);
      return numbers;
    });
  }

  #readersOf(feed: string): ((number: number) => boolean) | null {
    const readers = this.#feeds.get(feed);
    return readers && readers.size > 0 ? (number) => readers.has(number) : null;
  }

  #alertsOf({ tenants, kind }: { tenants: number[]; kind: number }, i: number): ((number: number) => boolean) | null {
    const tenantId = tenants[i];
    if (this.countOf(tenantId) === 0) return null;
    return (number) => this.#tenants[number] === tenantId && (this.#sources[number] & kind) !== 0;
  }

  #putTerm(number: number, tenantId: number, sources: number, term: string): void {
    this.#matcher.addTerm(number, term.charCodeAt(0) === LETTER_T ? TAG_TERM : WORD_TERM, term.slice(2));
    this.#register(number, tenantId, sources);
  }

  #register(number: number, tenantId: number, sources: number): void {
    this.#tenants = grown(this.#tenants, number + 1);
    this.#sources = grown(this.#sources, number + 1);
    this.#tenants[number] = tenantId;
    this.#sources[number] = sources;
    this.#counts = grown(this.#counts, tenantId + 1);
    this.#counts[tenantId]++;
  }
}

const OPENING_BRACE = 0x7b;
const LETTER_T = 0x74;
const SPACE = 0x20;
const DIGIT_0 = 0x30;
