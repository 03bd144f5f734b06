// A shard of the alerts in memory: which of them match a content. Knows nothing of the store or of threads.
import { grown } from "../../engine/match/terms/growing.ts";
import { TAG_TERM, WORD_TERM } from "../../engine/match/terms/record.ts";
import { Matcher } from "../../engine/match/matcher.ts";
import type { Content } from "../../engine/query/ast.ts";
import type { IndexEntry } from "../../rows.ts";
import { nodeOf } from "../../spec/query.ts";

/** Who may match: alerts of each content's tenant that take this kind (1 ingest, 2 events), or the readers of a feed. */
export type MatchRequest = { contents: Content[] } & MatchScope;
type MatchScope = { tenants: number[]; kind: number } | { feed: string };

/**
 * Places that phrases and NEAR of one tenant may look at in one document: about 10 ms. A thousand phrases that each occur
 * a thousand times fit in; thousands of phrases over one repeated word do not.
 */
export const MAX_STEPS = 1_000_000;

export class Shard {
  readonly #matcher = new Matcher();
  #tenants = new Int32Array(1024);
  #sources = new Uint8Array(1024);
  /** By tenant: ids are small. */
  #counts = new Int32Array(64);
  readonly #feeds = new Map<string, Set<number>>();
  #exceeded = 0;
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

  /** The tenant of an alert; null when it is not here. */
  tenantOf(number: number): number | null {
    return this.#matcher.has(number) ? this.#tenants[number] : null;
  }

  /** Reserves space for `count` alerts up to number `last`. */
  reserve(count: number, last: number): void {
    this.#matcher.reserve(count);
    this.#tenants = grown(this.#tenants, last + 1);
    this.#sources = grown(this.#sources, last + 1);
  }

  has(number: number): boolean {
    return this.#matcher.has(number);
  }

  remove(number: number): void {
    if (!this.#matcher.remove(number)) return;
    this.#counts[this.#tenants[number]]--;
    for (const feed of this.#feedsOf.get(number) ?? []) this.#feeds.get(feed)?.delete(number);
    this.#feedsOf.delete(number);
  }

  /** Replaces what is known of an alert. */
  put(entry: IndexEntry): void {
    this.remove(entry.number);
    if (entry.status !== "active") return;
    if (entry.term !== null) this.#putTerm(entry.number, entry.tenantId, entry.sources, entry.term);
    else {
      this.#matcher.add(entry.number, nodeOf(entry.watch!));
      this.#register(entry.number, entry.tenantId, entry.sources);
    }
    for (const feed of entry.feeds) this.link(feed, entry.number);
  }

  /** Many active alerts at once, each a line "number tenant sources text": a term, or a Watch as JSON. */
  putLines(lines: string): void {
    for (let at = 0; at < lines.length; ) {
      const head = [0, 0, 0];
      for (let k = 0; k < 3; k++, at++) {
        for (let unit = lines.charCodeAt(at); unit !== SPACE; unit = lines.charCodeAt(++at))
          head[k] = head[k] * 10 + unit - DIGIT_0;
      }
      const [number, tenantId, sources] = head;
      const newline = lines.indexOf("\n", at);
      const end = newline < 0 ? lines.length : newline;
      const text = lines.slice(at, end);
      if (this.#matcher.has(number)) this.remove(number);
      if (text.charCodeAt(0) !== OPENING_BRACE) this.#putTerm(number, tenantId, sources, text);
      else this.put({ number, tenantId, sources, status: "active", term: null, watch: JSON.parse(text), feeds: [] });
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
  match(request: MatchRequest): number[][] {
    return request.contents.map((_, i) => this.matchOne(request, i));
  }

  /** How many documents since the last call took more steps than one tenant's alerts may. */
  takeExceeded(): number {
    const exceeded = this.#exceeded;
    this.#exceeded = 0;
    return exceeded;
  }

  /** The same for content number `i` alone. */
  matchOne(request: MatchRequest, i: number): number[] {
    const allowed = "feed" in request ? this.#readersOf(request.feed) : this.#alertsOf(request, i);
    if (!allowed) return [];
    const budget = new StepBudget(this.#matcher);
    const count = this.#matcher.match(
      request.contents[i],
      (number) => allowed(number) && budget.take(this.#tenants[number]),
    );
    if (budget.exceeded) this.#exceeded++;
    const { results } = this.#matcher;
    const numbers: number[] = [];
    for (let k = 0; k < count; k++) if (allowed(results[k])) numbers.push(results[k]);
    return numbers;
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

/** Counts the steps of one document for each tenant: a feed is read by alerts of many, and none pays for another. */
class StepBudget {
  readonly #matcher: Matcher;
  readonly #spent = new Map<number, number>();
  #tenantId = -1;
  #from = 0;
  #max = Infinity;
  #refused = false;

  constructor(matcher: Matcher) {
    this.#matcher = matcher;
  }

  /** Whether an alert of this tenant may be verified next. */
  take(tenantId: number): boolean {
    const { steps } = this.#matcher;
    if (this.#tenantId >= 0)
      this.#spent.set(this.#tenantId, (this.#spent.get(this.#tenantId) ?? 0) + steps - this.#from);
    const left = MAX_STEPS - (this.#spent.get(tenantId) ?? 0);
    this.#tenantId = tenantId;
    this.#from = steps;
    this.#max = steps + left;
    this.#matcher.maxSteps = this.#max;
    if (left <= 0) this.#refused = true;
    return left > 0;
  }

  get exceeded(): boolean {
    return this.#refused || this.#matcher.steps > this.#max;
  }
}

const OPENING_BRACE = 0x7b;
const LETTER_T = 0x74;
const SPACE = 0x20;
const DIGIT_0 = 0x30;
