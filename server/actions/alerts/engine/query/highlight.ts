// Where the terms of a matching query occur in a content, to show why it matched. Excluded terms are never shown.
import { AUTHOR, TAGS, TEXT, TITLE, URL_FIELD, type Content, type Node } from "./ast.ts";
import { Analysis, matches, spansOf } from "./evaluate.ts";

export interface Highlight {
  field: string;
  start: number;
  end: number;
}

export interface Highlighted {
  terms: string[];
  highlights: Highlight[];
}

const NAMES: Record<number, string> = {
  [TITLE]: "title",
  [TEXT]: "text",
  [TAGS]: "tags",
  [URL_FIELD]: "url",
  [AUTHOR]: "author",
};
const MAX_HIGHLIGHTS = 20;
/** Terms are looked for in so many characters of each field; what a person reads lies well within. */
const MAX_TEXT = 50_000;

/** A content prepared once for all alerts that match it. */
export const analyseForHighlights = (content: Content): Analysis => new Analysis(content, MAX_TEXT);

/** How much work the analysis of a content is, in characters. */
export const highlightCost = ({ title, text }: Content): number =>
  Math.min(title?.length ?? 0, MAX_TEXT) + Math.min(text?.length ?? 0, MAX_TEXT);

/** Expects a query that matches the content. */
export function highlightsOf(node: Node, about: Analysis): Highlighted {
  const terms = new Set<string>();
  const found = new Map<string, Highlight>();
  walk(node);
  return { terms: [...terms].slice(0, MAX_HIGHLIGHTS), highlights: [...found.values()].slice(0, MAX_HIGHLIGHTS) };

  function walk(at: Node): void {
    switch (at.type) {
      case "and":
        for (const child of at.children) walk(child);
        return;
      case "or":
        for (const child of at.children) if (child.type === "text" || matches(child, about)) walk(child);
        return;
      case "near":
        walk(at.left);
        walk(at.right);
        return;
      case "text": {
        const spans = spansOf(at, about, MAX_HIGHLIGHTS);
        if (spans.length > 0) terms.add(at.prefix ? `${at.source}*` : at.source);
        for (const { field, start, end } of spans) {
          found.set(`${field} ${start} ${end}`, { field: NAMES[field], start, end });
        }
        return;
      }
      case "tag":
        if (about.tags.has(at.tag)) terms.add(`#${at.tag}`);
        return;
      case "number":
        terms.add(at.field);
        return;
      default:
    }
  }
}
