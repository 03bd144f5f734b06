// Keys that identify an item: the publisher's id, its address, its words. A feed that gives every item a new id on every
// fetch is still recognised by its words.
import { createHash } from "node:crypto";
import { foldText } from "../text/fold.ts";
import type { Content } from "../query/ast.ts";

export type DedupeBy = "auto" | "guid" | "url" | "content" | "none";

const TRACKING = /^(?:utm_\w+|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|ref_src|_hs\w+|yclid|wt_\w+)$/i;

type Item = Content & { guid?: string | null };

/** Any of these seen before means: not new. Empty means: never the same. */
export function dedupeKeys(content: Item, by: DedupeBy, source: string): string[] {
  const guid = guidKey(content, source);
  const url = content.url ? `u:${hash(canonicalUrl(content.url))}` : null;
  const words = wordsKey(content);
  switch (by) {
    case "none":
      return [];
    case "guid":
      return [guid ?? url ?? words];
    case "url":
      return [url ?? guid ?? words];
    case "content":
      return [words];
    case "auto":
      return [...new Set([guid ?? url, words])].filter((k) => k !== null);
  }
}

function guidKey(content: Item, source: string): string | null {
  return content.guid ? `g:${hash(`${source}\n${content.guid}`)}` : null;
}

function wordsKey(content: Item): string {
  const said = [content.title ?? "", canonicalUrl(content.url ?? ""), (content.text ?? "").slice(0, 10_000)];
  const facts = [
    ...(content.tags ?? []),
    ...Object.entries(content.numbers ?? {}).map(([name, value]) => `${name}=${value}`),
  ].sort();
  return `c:${hash(foldText([...said, ...facts].join("\n")))}`;
}

const MAX_PASSAGES = 50;
/** Characters before and after the place. */
const MAX_SENTENCE = 500;
const SENTENCE_ENDS = new Set([..."!.?\n\u3002\uff01\uff1f"].map((sign) => sign.charCodeAt(0)));

/**
 * The sentences that matched, as keys: an edited item is news to who asked for that when one of them was not there
 * before. What matches by no words, as a price does, is news whenever anything was changed.
 */
export function passageKeys(
  content: Item,
  source: string,
  highlights: { field: string; start: number; end: number }[],
): string[] {
  const identity = guidKey(content, source) ?? canonicalUrl(content.url ?? "");
  const passages = highlights.map(({ field, start, end }) => {
    const text = field === "title" || field === "text" ? (content[field] ?? "") : null;
    return text === null ? `${field}\n${(content as Record<string, unknown>)[field]}` : sentenceAt(text, start, end);
  });
  const distinct = [...new Set(passages.map((p) => foldText(p).replace(/\s+/g, " ").trim()))].slice(0, MAX_PASSAGES);
  if (distinct.length === 0) return [`p:${hash(`${identity}\n${wordsKey(content)}`)}`];
  return distinct.map((passage) => `p:${hash(`${identity}\n${passage}`)}`);
}

/** The sentence around a place, cut where it would be longer than a sentence is. */
function sentenceAt(text: string, start: number, end: number): string {
  let from = start;
  const first = Math.max(0, start - MAX_SENTENCE);
  while (from > first && !SENTENCE_ENDS.has(text.charCodeAt(from - 1))) from--;
  let to = end;
  const last = Math.min(text.length, end + MAX_SENTENCE);
  while (to < last && !SENTENCE_ENDS.has(text.charCodeAt(to))) to++;
  return text.slice(from, to);
}

/** The same page under its several spellings: no fragment, no tracking parameters, host in lower case. */
export function canonicalUrl(url: string): string {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return url.trim();
  }
  parsed.hash = "";
  for (const name of [...parsed.searchParams.keys()]) if (TRACKING.test(name)) parsed.searchParams.delete(name);
  const path = parsed.pathname.replace(/\/+$/, "");
  return `${parsed.host.replace(/^www\./, "")}${path}${parsed.search}`;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
