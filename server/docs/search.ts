// Finds sections of the guides and operations of the reference: BM25 over words, titles count more.
import { createTextIndex } from "../lib/text-index.ts";
import type { Route } from "../contract/define.ts";
import type { Guide } from "./guides.ts";
import { slugOf } from "./markdown.ts";

export interface Hit {
  title: string;
  where: string;
  href: string;
  text: string;
}

export function createDocsSearch(guides: Guide[], routes: Route[]) {
  const hits: Hit[] = [...guides.flatMap(sectionsOf), ...routes.map(operationOf)];
  const find = createTextIndex(hits.map((hit) => `${hit.title} ${hit.title} ${hit.title} ${hit.where} ${hit.text}`));
  return (question: string, limit = 12): Hit[] =>
    find(question, limit).map((i) => ({ ...hits[i], text: hits[i].text.slice(0, 160) }));
}

function sectionsOf({ slug, title, markdown }: Guide): Hit[] {
  const parts = markdown.replace(/```.*?```/gs, " ").split(/^##+ /m);
  return parts.map((part, i) => {
    const [heading, ...rest] = part.split("\n");
    const text = (i === 0 ? part.replace(/^# .*$/m, "") : rest.join(" "))
      .replace(/[`*|#>\n]+/g, " ")
      .replace(/ +/g, " ")
      .trim();
    return i === 0
      ? { title, where: "Guide", href: `/docs/${slug}`, text }
      : {
          title: heading.replace(/`/g, ""),
          where: title,
          href: `/docs/${slug}#${slugOf(heading.replace(/`/g, ""))}`,
          text,
        };
  });
}

function operationOf({ id, method, path, summary, description = "" }: Route): Hit {
  return { title: summary, where: `${method} ${path}`, href: `/docs/reference#${id}`, text: `${id} ${description}` };
}
