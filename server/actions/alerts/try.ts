// `connector try query|feed|hashtags`: single questions to the engines of alerts.
import { readFileSync } from "node:fs";
import { readTextOrFile, type Try } from "../../contract/try.ts";
import { contentOf } from "./engine/feed/item-content.ts";
import { readFeed } from "./engine/feed/read.ts";
import { Matcher } from "./engine/match/matcher.ts";
import { QueryError, type Content } from "./engine/query/ast.ts";
import { canonical } from "./engine/query/canonical.ts";
import { Analysis } from "./engine/query/evaluate.ts";
import { highlightsOf } from "./engine/query/highlight.ts";
import { parseQuery } from "./engine/query/parse.ts";
import { extractHashtags } from "./engine/text/hashtags.ts";

function askQuery(query: string, content: Content) {
  try {
    const node = parseQuery(query);
    const matcher = new Matcher();
    matcher.add(1, node);
    const matched = matcher.match(content) > 0;
    return {
      matched,
      canonical: canonical(node),
      ...(matched ? highlightsOf(node, new Analysis(content)) : { terms: [], highlights: [] }),
    };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return { error: error.message, code: error.code, position: error.position, expected: error.expected };
  }
}

function askFeed(bytes: Uint8Array, contentType: string | null, url: string | null) {
  const feed = readFeed(bytes, { contentType, url });
  return {
    format: feed.format,
    encoding: feed.encoding,
    fault: feed.fault,
    title: feed.channel.title?.value ?? null,
    link: feed.channel.link,
    items: feed.items.map((item) => {
      const { publishedAt, ...content } = contentOf(item, feed);
      return { ...content, published_at: publishedAt === null ? null : new Date(publishedAt).toISOString() };
    }),
  };
}

export const tries: Record<string, Try> = {
  query: {
    usage: 'query "kettle AND steel" "A steel kettle" | FILE [--title T] [--url U] [--lang L]',
    minWords: 2,
    ask: ([query, ...text], flags) =>
      askQuery(query, {
        text: readTextOrFile(text),
        title: flags.title,
        url: flags.url,
        lang: flags.lang,
      }),
    askRow: (row) => askQuery(row.query, row.content ?? { text: row.text, title: row.title }),
  },
  feed: {
    usage: "feed FILE [--type CONTENT-TYPE] [--url URL]",
    ask: ([file], flags) => askFeed(readFileSync(file), flags.type ?? null, flags.url ?? null),
    askRow: (row) =>
      askFeed(
        row.xml_base64 ? Buffer.from(row.xml_base64, "base64") : Buffer.from(row.xml ?? ""),
        row.content_type ?? null,
        row.url ?? null,
      ),
  },
  hashtags: {
    usage: 'hashtags "TEXT" [--emoji]',
    ask: (words, flags) => extractHashtags(words.join(" "), { emoji: "emoji" in flags }),
    askRow: (row) => extractHashtags(row.text ?? "", { emoji: row.emoji === true }),
  },
};
