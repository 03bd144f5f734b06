// Where the terms of a matching query occur in a content, to show why it matched. Excluded terms are never shown.
import { AUTHOR, TAGS, TEXT, TITLE, URL_FIELD, type Node } from "./ast.ts";
import { type Analysis, matches, spansOf } from "./evaluate.ts";

export interface Highlight {
  field: string;
  start: number;
  end: number;
}

const NAMES: Record<number, string> = {
  [TITLE]: "title",
  [TEXT]: "text",
  [TAGS]: "tags",
  [URL_FIELD]: "url",
  [AUTHOR]: "author",
};

export function highlightsOf(node: Node, about: Analysis, max = 20): { terms: string[]; highlights: Highlight[] } {
  const terms = new Set<string>();
  const found: Highlight[] = [];
  walk(node);
  const unique = new Map(found.map((h) => [`${h.field}${h.start}-${h.end}`, h]));
  return { terms: [...terms].slice(0, max), highlights: [...unique.values()].slice(0, max) };

  function walk(at: Node): void {
    switch (at.type) {
      case "and":
      case "or":
        for (const child of at.children) if (matches(child, about)) walk(child);
        return;
      case "near":
        walk(at.left);
        walk(at.right);
        return;
      case "text": {
        const spans = spansOf(at, about);
        if (spans.length > 0) terms.add(at.prefix ? `${at.source}*` : at.source);
        for (const s of spans) found.push({ field: NAMES[s.field], start: s.start, end: s.end });
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
