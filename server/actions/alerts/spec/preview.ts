// What a query would have matched among recent content.
import { DAY_MS, formatTime, HOUR_MS } from "../../../lib/time.ts";
import type { Preview } from "../contract/index.ts";
import { Matcher } from "../engine/match/matcher.ts";
import type { Node } from "../engine/query/ast.ts";
import { analyseForHighlights, highlightsOf } from "../engine/query/highlight.ts";
import type { IncomingContent } from "./content.ts";
import type { ParsedWatch } from "./query.ts";

const MAX_SAMPLES = 5;

export interface Recent {
  content: IncomingContent;
  atMs: number;
}

/** A query that matches this share of at least so many contents gets a warning. */
const MIN_SCANNED = 20;
const BROAD_SHARE = 0.5;

export function broadnessWarnings({ scanned, matched }: Preview): ParsedWatch["warnings"] {
  if (scanned < MIN_SCANNED || matched < scanned * BROAD_SHARE) return [];
  return [{ code: "broad_query", term: null, detail: `It matches ${matched} of the last ${scanned} contents.` }];
}

/** `matching` are the places of those that match. */
export function previewOf(node: Node, recent: Recent[]): { preview: Preview; matching: number[] } {
  const matcher = new Matcher();
  matcher.add(1, node);
  const matching = recent.flatMap(({ content }, i) => (matcher.match(content) > 0 ? [i] : []));
  const samples = matching.slice(0, MAX_SAMPLES).map((i) => {
    const { content, atMs } = recent[i];
    const { highlights } = highlightsOf(node, analyseForHighlights(content));
    return { title: content.title ?? null, url: content.url ?? null, at: formatTime(atMs), highlights };
  });
  const times = recent.map((r) => r.atMs);
  const span = times.length > 1 ? Math.max(...times) - Math.min(...times) : 0;
  return {
    matching,
    preview: {
      scanned: recent.length,
      matched: matching.length,
      // Content of less than an hour is too little for an estimate.
      estimated_per_day: span < HOUR_MS ? null : Math.round((matching.length * DAY_MS * 10) / span) / 10,
      samples,
    },
  };
}
