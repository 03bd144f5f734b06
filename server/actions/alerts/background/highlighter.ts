// Keys and highlights of the matches of one call, found in the pool. The work is counted beforehand: it goes there in pieces,
// and past a bound matches are delivered without highlights.
import { type Account, type Pool, PoolFull, TaskEnded } from "../../../lib/pool/index.ts";
import type { DedupeBy } from "../engine/deliver/dedupe.ts";
import { highlightCost } from "../engine/query/highlight.ts";
import type { AlertRow } from "../rows.ts";
import type { IncomingContent } from "../spec/content.ts";
import { examineContents } from "./parse.ts";
import type { Answers, Examined, Questions } from "./thread-tasks.ts";

/** Characters that are looked at for one piece: some tens of milliseconds. */
const PIECE_WORK = 2_000_000;
/** And for one call: about a second. */
export const MAX_WORK = 40_000_000;
/** The work of a match beside its text. */
const MATCH_WORK = 100;
/** Longer texts are neither highlighted nor told apart behind this. */
const MAX_TEXT = 50_000;

/** One alert and a content that it matches. */
export interface Matched {
  row: AlertRow;
  content: IncomingContent;
}

const NONE: Examined = { terms: [], highlights: [], passages: [] };

/** How much work the highlights of a content are, for each alert that matches it. */
export const workOf = (content: IncomingContent): number => highlightCost(content) + MATCH_WORK;

export class Highlighter {
  readonly #pool: Pool;
  readonly #account: Account;
  #left = MAX_WORK;

  constructor(pool: Pool, account: Account) {
    this.#pool = pool;
    this.#account = account;
  }

  /** For each match the keys that identify its content. */
  keysOf(matches: (Matched & { by: DedupeBy })[]): Promise<string[][]> {
    return inPieces(matches, async (piece) => {
      const questions = new QuestionList();
      const places = piece.map(({ content, by }) => questions.askKeys(content, by));
      const { keys } = await this.#examine(questions);
      return places.map((place) => keys[place]);
    });
  }

  /** For each match where its terms stand; those past the bound, or that cannot be found in time, have none. */
  highlightsOf(matches: Matched[], passages = false): Promise<Examined[]> {
    return inPieces(matches, async (piece) => {
      this.#left -= piece.reduce((sum, { content }) => sum + workOf(content), 0);
      if (this.#left < 0) return piece.map(() => NONE);
      const questions = new QuestionList();
      for (const { row, content } of piece) questions.askHighlights(content, row, passages);
      try {
        return (await this.#examine(questions)).highlights;
      } catch (error) {
        // A match without its highlights is better than no match.
        if (error instanceof TaskEnded || error instanceof PoolFull) return piece.map(() => NONE);
        throw error;
      }
    });
  }

  #examine(list: QuestionList): Promise<Answers> {
    return examineContents(this.#pool, list.questions, list.work, this.#account);
  }
}

/** Questions about a few contents, each of which is sent once. */
class QuestionList {
  readonly questions: Questions = { contents: [], keys: [], highlights: [] };
  work = 0;
  readonly #places = new Map<IncomingContent, number>();
  readonly #keys = new Map<string, number>();

  /** The place of the answer among the keys. */
  askKeys(content: IncomingContent, by: DedupeBy): number {
    const at = this.#place(content);
    const name = `${at} ${by}`;
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    this.work += workOf(content);
    this.#keys.set(name, this.questions.keys.length);
    return this.questions.keys.push({ at, by }) - 1;
  }

  askHighlights(content: IncomingContent, { spec }: AlertRow, passages: boolean): void {
    const { tag, tags, query, match } = spec;
    this.work += workOf(content);
    this.questions.highlights.push({ at: this.#place(content), watch: { tag, tags, query, match }, passages });
  }

  #place(content: IncomingContent): number {
    let at = this.#places.get(content);
    if (at === undefined) {
      at = this.questions.contents.push({ ...content, text: content.text?.slice(0, MAX_TEXT) }) - 1;
      this.#places.set(content, at);
    }
    return at;
  }
}

/** The answers for all of them, in order, asked for in pieces of bounded work. */
async function inPieces<T extends Matched, A>(matches: T[], ask: (piece: T[]) => Promise<A[]>): Promise<A[]> {
  const answers: A[] = [];
  for (let from = 0, to = 0; from < matches.length; from = to) {
    let work = 0;
    do work += workOf(matches[to++].content);
    while (to < matches.length && work + workOf(matches[to].content) <= PIECE_WORK);
    answers.push(...(await ask(matches.slice(from, to))));
  }
  return answers;
}
