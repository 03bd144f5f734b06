// The pages for people and readers of plain text: /, /docs, llms.txt. Outside the envelope, without a key.
import { handle, type Handler, type Route, route } from "../contract/define.ts";
import { type ErrorEntry, errors, Failure } from "../contract/errors.ts";
import { escapeHtml } from "../lib/html.ts";
import Type from "typebox";
import { Shape } from "../contract/shapes.ts";
import { packText, staticFile } from "../http/compress.ts";
import css from "./assets/docs.css" with { type: "text" };
import js from "./assets/docs.client.txt" with { type: "text" };
import icon from "./assets/icon.svg" with { type: "text" };
import { makeDocument } from "./documents.ts";
import { GUIDES, type Guide } from "./guides.ts";
import { renderLanding } from "./landing.ts";
import { CSP, renderPage } from "./layout.ts";
import { fillIn, renderMarkdown } from "./markdown.ts";
import { createDocsSearch } from "./search.ts";

const HTML = "text/html; charset=utf-8";
const PLAIN = "text/plain; charset=utf-8";
const MARKDOWN = "text/markdown; charset=utf-8";

const page = (id: string, path: string, summary: string, produces = "text/html") =>
  route({ id: `docs.${id}`, method: "GET", path, mount: "root", scope: null, summary, produces });
const question = Shape({ q: Type.Optional(Type.String({ maxLength: 200, description: "Words to look for." })) });

const landing = page("landing", "/", "What this is and the first call");
const index = page("index", "/docs", "The documentation");
const guide = route({
  ...page("guide", "/docs/{name}", "A guide; with .md at its end as Markdown"),
  params: Shape({ name: Type.String({ maxLength: 60, description: "Name of the guide." }) }),
  errors: ["not_found"],
});
const reference = page("reference", "/docs/reference", "Every operation, with a form that sends it");
const errorsPage = page("errors", "/docs/errors", "Every error and its hint");
const searchPage = route({ ...page("search", "/docs/search", "Search the documentation"), query: question });
const searchJson = route({
  ...page("search_json", "/docs/search.json", "Search the documentation, as JSON", "application/json"),
  query: question,
});
const asset = route({
  ...page("asset", "/docs/assets/{name}", "Style, script and icon of the pages", "text/plain"),
  params: Shape({ name: Type.String({ maxLength: 60, description: "File name." }) }),
  errors: ["not_found"],
});
const llms = page("llms", "/llms.txt", "The documentation for language models: a list", "text/plain");
const llmsFull = page("llms_full", "/llms-full.txt", "The documentation for language models: all of it", "text/plain");

export const routes: Route[] = [
  landing,
  index,
  guide,
  reference,
  errorsPage,
  searchPage,
  searchJson,
  asset,
  llms,
  llmsFull,
];

export interface DocsDeps {
  contract: { routes: Route[] };
  publicUrl(): string;
}

export function createDocs({ contract, publicUrl }: DocsDeps): Handler[] {
  const search = createDocsSearch(
    GUIDES,
    contract.routes.filter((r) => r.mount !== "root"),
  );
  const html = (make: () => string | Promise<string>) => withPolicy(staticFile(HTML, make));
  const guides = new Map(GUIDES.map((g) => [g.slug, html(() => guidePage(g, publicUrl()))]));
  const sources = new Map(
    GUIDES.map((g) => [`${g.slug}.md`, staticFile(MARKDOWN, () => fillIn(g.markdown, publicUrl()))]),
  );
  const assets = new Map([
    ["docs.css", staticFile("text/css; charset=utf-8", () => css)],
    ["docs.js", staticFile("text/javascript; charset=utf-8", () => js)],
    ["icon.svg", staticFile("image/svg+xml", () => icon)],
  ]);
  const pages = {
    landing: html(() => renderLanding(publicUrl())),
    index: html(() => indexPage(publicUrl())),
    reference: html(() => makeDocument("reference")),
    errors: html(errorsHtml),
    llms: staticFile(PLAIN, () => llmsText(publicUrl())),
    llmsFull: staticFile(PLAIN, () => GUIDES.map((g) => fillIn(g.markdown, publicUrl())).join("\n\n---\n\n")),
  };
  return [
    handle(landing, ({ request }) => pages.landing(request)),
    handle(index, ({ request }) => pages.index(request)),
    handle(reference, ({ request }) => pages.reference(request)),
    handle(errorsPage, ({ request }) => pages.errors(request)),
    handle(llms, ({ request }) => pages.llms(request)),
    handle(llmsFull, ({ request }) => pages.llmsFull(request)),
    handle(searchJson, ({ query }) => Response.json(search(query.q ?? ""))),
    handle(searchPage, ({ query, request }) => showOnce(searchResults(query.q ?? "", search(query.q ?? "")), request)),
    handle(guide, ({ params, request }) => {
      const serve = guides.get(params.name) ?? sources.get(params.name);
      if (!serve) throw new Failure("not_found", `There is no guide ${params.name}.`, { hint: "See /docs." });
      return serve(request);
    }),
    handle(asset, ({ params, request }) => {
      const serve = assets.get(params.name);
      if (!serve) throw new Failure("not_found", `There is no file ${params.name}.`, { hint: "See /docs." });
      return serve(request);
    }),
  ];
}

function withPolicy(serve: (request: Request) => Promise<Response>) {
  return async (request: Request): Promise<Response> => protect(await serve(request));
}

function protect(response: Response): Response {
  response.headers.set("Content-Security-Policy", CSP);
  response.headers.set("Referrer-Policy", "no-referrer");
  return response;
}

/** A page for this request alone: packed quickly, not as small as can be. */
function showOnce(text: string, request: Request): Response {
  const packed = packText(text, request.headers.get("accept-encoding") ?? undefined);
  const encoding: Record<string, string> = packed ? { "Content-Encoding": "gzip" } : {};
  return protect(
    new Response(packed ?? text, {
      headers: { "Content-Type": HTML, "Cache-Control": "no-store", Vary: "Accept-Encoding", ...encoding },
    }),
  );
}

function menuOf(current: string): string {
  const groups = [...new Set(GUIDES.map((g) => g.group))];
  const link = (href: string, title: string) =>
    `<a href="${href}"${href === `/docs/${current}` ? ' aria-current="page"' : ""}>${escapeHtml(title)}</a>`;
  const lists = groups.map(
    (group) =>
      `<h2>${group}</h2>${GUIDES.filter((g) => g.group === group)
        .map((g) => link(`/docs/${g.slug}`, g.title))
        .join("")}`,
  );
  return `${lists.join("")}<h2>Reference</h2>${link("/docs/reference", "Operations")}${link("/docs/errors", "Errors")}`;
}

function guidePage({ slug, title, markdown }: Guide, url: string): string {
  const { html, headings } = renderMarkdown(markdown, url);
  const contents = headings
    .filter((h) => h.level > 1 && h.level < 4)
    .map((h) => `<a href="#${h.id}"${h.level === 3 ? ' class="deep"' : ""}>${h.title}</a>`)
    .join("");
  const tools = `<div class="page-tools"><a class="copy-markdown" href="/docs/${slug}.md">Copy as Markdown</a></div>`;
  const description = fillIn(markdown, url).split("\n\n")[1]?.slice(0, 150) ?? title;
  return renderPage({ title, description, main: tools + html, menu: menuOf(slug), contents });
}

function indexPage(url: string): string {
  const groups = [...new Set(GUIDES.map((g) => g.group))];
  const cards = (group: string) =>
    GUIDES.filter((g) => g.group === group)
      .map(
        (g) =>
          `<a class="card" href="/docs/${g.slug}"><h3>${escapeHtml(g.title)}</h3><p>${escapeHtml(firstSentence(fillIn(g.markdown, url)))}</p></a>`,
      )
      .join("");
  const main = `<h1>Documentation</h1>${groups.map((group) => `<h2>${group}</h2><div class="cards">${cards(group)}</div>`).join("")}`;
  return renderPage({ title: "Documentation", description: "Guides and reference.", main, menu: menuOf("") });
}

const firstSentence = (markdown: string): string =>
  (markdown.split("\n\n")[1] ?? "").replace(/[`*[\]]|\(.*?\)/g, "").split(/(?<=\.)\s/)[0] ?? "";

function errorsHtml(): string {
  const rows = Object.entries<ErrorEntry>(errors).sort((a, b) => a[1].status - b[1].status || (a[0] < b[0] ? -1 : 1));
  const sections = rows.map(
    ([code, e]) =>
      `<section id="${code}"><h2><a class="anchor" href="#${code}"><code>${code}</code></a></h2><p>${e.status} · ${escapeHtml(e.title)}${e.retryable ? " · retrying later can help" : ""}</p><p><strong>Hint:</strong> ${escapeHtml(e.hint)}</p></section>`,
  );
  const main = `<h1>Errors</h1><p>The <code>type</code> of every error leads to its entry here. How to handle them: <a href="/docs/error-handling">Errors and hints</a>.</p>${sections.join("")}`;
  return renderPage({
    title: "Errors",
    description: "Every error and what to do about it.",
    main,
    menu: menuOf("errors"),
  });
}

function searchResults(q: string, hits: ReturnType<ReturnType<typeof createDocsSearch>>): string {
  const list = hits.map(
    (h) =>
      `<li><a href="${h.href}">${escapeHtml(h.title)}</a> <span class="note">${escapeHtml(h.where)}</span><br>${escapeHtml(h.text)}</li>`,
  );
  const main = `<h1>Search: ${escapeHtml(q)}</h1>${hits.length > 0 ? `<ul>${list.join("")}</ul>` : "<p>Nothing found.</p>"}`;
  return renderPage({ title: "Search", description: "Search results.", main, menu: menuOf("") });
}

function llmsText(url: string): string {
  const lines = GUIDES.map(
    (g) => `- [${g.title}](${url}/docs/${g.slug}.md): ${firstSentence(fillIn(g.markdown, url))}`,
  );
  return `# Action Connector\n\n> A self-hosted REST API for deliveries, product prices, share quotes, alerts and AI-text checks.\n\n## Guides\n\n${lines.join("\n")}\n\n## Reference\n\n- [OpenAPI](${url}/openapi.json): every operation\n- [Everything in one file](${url}/llms-full.txt)\n`;
}
