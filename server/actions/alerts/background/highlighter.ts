// Highlights of many matches at once, without stalling the process: a content is analysed once for all its alerts.
import { createTurns } from "../../../lib/turns.ts";
import { type DedupeBy, dedupeKeys } from "../engine/deliver/dedupe.ts";
import type { Node } from "../engine/query/ast.ts";
import type { Analysis } from "../engine/query/evaluate.ts";
import { analyseForHighlights, highlightCost, type Highlighted, highlightsOf } from "../engine/query/highlight.ts";
import type { AlertRow } from "../rows.ts";
import type { IncomingContent } from "../spec/content.ts";
import { nodeOf } from "../spec/query.ts";

/** Characters of work between two turns of the event loop: a few milliseconds. */
const WORK_PER_TURN = 50_000;
/** The work of deciding on one match, in the same unit. */
const DECISION_WORK = 500;

/** A content with its dedupe keys, computed once for all alerts that match it. */
export class PreparedContent {
  readonly content: IncomingContent;
  readonly #keys = new Map<DedupeBy, string[]>();

  constructor(content: IncomingContent) {
    this.content = content;
  }

  keysBy(by: DedupeBy): string[] {
    let keys = this.#keys.get(by);
    if (!keys) this.#keys.set(by, (keys = dedupeKeys(this.content, by, this.content.source ?? "")));
    return keys;
  }
}

/**
 * Highlights the matches of one call: each content is analysed once, each query parsed once, and other work gets its
 * turn in between. Only the last analysis is kept, since the matches of one content come one after the other.
 */
export class Highlighter {
  readonly #nodes = new Map<number, Node>();
  readonly #turn = createTurns(WORK_PER_TURN);
  #prepared: PreparedContent | null = null;
  #analysis: Analysis | null = null;

  async highlight(row: AlertRow, prepared: PreparedContent): Promise<Highlighted> {
    if (this.#prepared !== prepared) {
      await this.#turn(highlightCost(prepared.content));
      this.#analysis = analyseForHighlights(prepared.content);
      this.#prepared = prepared;
    } else await this.#turn(DECISION_WORK);
    let node = this.#nodes.get(row.number);
    if (!node) this.#nodes.set(row.number, (node = nodeOf(row.spec)));
    return highlightsOf(node, this.#analysis!);
  }
}
