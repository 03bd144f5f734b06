// Properties of a content besides its words: tags, source, language, site, and the names of its numbers.
import { foldTag } from "../text/fold.ts";
import { extractEmoji, extractHashtags } from "../text/hashtags.ts";
import type { Content } from "../query/ast.ts";
import { hostOf } from "../query/evaluate.ts";

type Each = (name: string) => void;

export function eachTag(content: Content, each: Each): void {
  if (content.tags) for (const tag of content.tags) each(foldTag(tag));
  const written = new Set<string>();
  for (const text of [content.title, content.text]) {
    if (!text) continue;
    for (const { tag } of extractHashtags(text)) written.add(tag);
    for (const emoji of extractEmoji(text)) written.add(emoji);
  }
  for (const tag of written) each(foldTag(tag));
}

/** "lang:en-gb" is also "lang:en", and a host is also every domain above it. */
export function eachFact(content: Content, each: Each): void {
  if (content.source !== undefined) each(`source:${foldTag(content.source)}`);
  if (content.lang) {
    const parts = content.lang.toLowerCase().replace("_", "-").split("-");
    for (let n = 1; n <= parts.length; n++) each(`lang:${parts.slice(0, n).join("-")}`);
  }
  const host = hostOf(content.url);
  if (host !== null) {
    const labels = host.split(".");
    for (let n = 0; n < labels.length; n++) each(`site:${labels.slice(n).join(".")}`);
  }
  for (const field in content.numbers) each(`number:${field}`);
}
