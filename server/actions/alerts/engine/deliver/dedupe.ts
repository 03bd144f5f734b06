// By what an item is known again: the publisher's id, its address, its words. A feed that gives every item a new id on
// every fetch is still recognised by its words.
import { createHash } from "node:crypto";
import { foldText } from "../text/fold.ts";
import type { Content } from "../query/ast.ts";

export type DedupeBy = "auto" | "guid" | "url" | "content" | "none";

const TRACKING = /^(?:utm_\w+|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|ref_src|_hs\w+|yclid|wt_\w+)$/i;

/** Any of these seen before means: not new. Empty means: never the same. */
export function dedupeKeys(content: Content & { guid?: string | null }, by: DedupeBy, source: string): string[] {
  const guid = content.guid ? `g:${hash(`${source}\n${content.guid}`)}` : null;
  const url = content.url ? `u:${hash(canonicalUrl(content.url))}` : null;
  const said = [content.title ?? "", canonicalUrl(content.url ?? ""), (content.text ?? "").slice(0, 10_000)];
  const facts = [
    ...(content.tags ?? []),
    ...Object.entries(content.numbers ?? {}).map(([name, value]) => `${name}=${value}`),
  ].sort();
  const words = `c:${hash(foldText([...said, ...facts].join("\n")))}`;
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
