// /docs/reference: every operation from the contract, with its fields and a form that sends it.
import type { Route } from "../contract/define.ts";
import type { Tag } from "../contract/openapi.ts";
import { exampleOf } from "../contract/example.ts";
import { escapeHtml } from "../lib/html.ts";
import { renderPage } from "./layout.ts";
import { codeBlock } from "./markdown.ts";

/** How many members of a nested object are named in its row. */
const MAX_NAMES = 6;

/** Rendered once: the contract does not change while the service runs. */
export function renderReference(routes: Route[], tags: Tag[]): string {
  const shown = routes.filter((route) => route.mount !== "root");
  const groups = tags
    .map((tag) => ({ tag, routes: shown.filter((route) => route.id.split(".")[0] === tag.name) }))
    .filter((group) => group.routes.length > 0);
  const main = `<h1>Reference</h1>
<p>Every operation, from the same contract that checks the requests. <a href="/openapi.json">OpenAPI 3.1</a></p>
<form class="key" autocomplete="off"><label>API key <input type="password" name="key" placeholder="acn_test_…" autocomplete="off"></label>
<span>Kept in this tab alone, for “Send”. Use a test key: a live one acts.</span></form>
${groups.map(({ tag, routes }) => `<section><h2 id="${tag.name}">${tag.name}</h2><p>${escapeHtml(tag.description)}</p>${routes.map(operation).join("")}</section>`).join("")}`;
  const menu = groups
    .map(
      ({ tag, routes }) =>
        `<h2><a href="#${tag.name}">${tag.name}</a></h2>${routes.map((route) => `<a href="#${route.id}">${escapeHtml(route.summary)}</a>`).join("")}`,
    )
    .join("");
  return renderPage({ title: "Reference", description: "Every operation of the API.", main, menu });
}

function operation(route: Route): string {
  const { id, method, path, summary, description, scope } = route;
  const streams = route.produces === "text/event-stream";
  return `<details class="operation" id="${id}"><summary><span class="method ${method.toLowerCase()}">${method}</span> <code>${escapeHtml(path)}</code> <span>${escapeHtml(summary)}</span></summary>
${description ? `<p>${escapeHtml(description)}</p>` : ""}<p class="scope">Scope: ${scope ? `<code>${scope}</code>` : "none"} · SDK: <code>${id}</code></p>
${fields("Path", route.params)}${fields("Query", route.query)}${fields("Body", route.body)}
${streams ? "<p>A stream of server-sent events: open it with curl or an SDK.</p>" : form(route)}${answer(route)}</details>`;
}

/** Folded: long, and asked for less often than the form. */
function answer(route: Route): string {
  const rows = fields("Answer", route.answer);
  return rows ? `<details class="answer"><summary>Fields of the answer</summary>${rows}</details>` : "";
}

function fields(title: string, schema: any): string {
  const properties = Object.entries<any>(schema?.properties ?? {});
  if (properties.length === 0) return "";
  const rows = properties.map(
    ([name, field]) =>
      `<tr><td><code>${name}</code>${schema.required?.includes(name) && title !== "Answer" ? ' <span class="required">required</span>' : ""}</td><td>${escapeHtml(typeOf(field))}</td><td>${escapeHtml(describe(field))}</td></tr>`,
  );
  const heading = title === "Answer" ? "" : `<h4>${title}</h4>`;
  return `${heading}<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table><tbody>${rows.join("")}</tbody></table></div>`;
}

/** What can be null has its description in the branch that is not. */
const describe = (field: any): string =>
  field.description ?? field.anyOf?.find((branch: any) => branch.description)?.description ?? "";

function typeOf(field: any): string {
  if (field.enum) return field.enum.join(" | ");
  const branches: any[] = field.anyOf ?? field.oneOf ?? [];
  if (branches.length > 0) return [...new Set(branches.map(typeOf))].slice(0, 6).join(" | ");
  if (field.const !== undefined) return JSON.stringify(field.const);
  if (field.type === "array") return `${typeOf(field.items ?? {})}[]`;
  const names = Object.keys(field.properties ?? {});
  if (names.length > 0) return `{ ${names.slice(0, MAX_NAMES).join(", ")}${names.length > MAX_NAMES ? ", …" : ""} }`;
  return field.format ?? field.type ?? "any";
}

/** The form of “try it”; without the script it is only a picture of the request. */
function form(route: Route): string {
  const inputs = [
    ...Object.keys((route.params as any)?.properties ?? {}),
    ...Object.keys((route.query as any)?.properties ?? {}),
  ].map((name) => `<label>${name} <input name="${name}"></label>`);
  const body = route.body ? JSON.stringify(exampleOf(route.body), null, 2) : "";
  const bodyField = route.body
    ? `<label>Body <textarea name="body" rows="${Math.min(14, body.split("\n").length + 1)}" spellcheck="false">${escapeHtml(body)}</textarea></label>`
    : "";
  return `<form class="try" data-method="${route.method}" data-path="${route.path}"><h4>Try it</h4>${inputs.join("")}${bodyField}<button>Send</button><output tabindex="0" aria-label="Answer"></output></form>${codeBlock("bash", curlOf(route, body))}`;
}

function curlOf({ method, path }: Route, body: string): string {
  const flags = ['-H "Authorization: Bearer $CONNECTOR_API_KEY"'];
  if (method !== "GET" && !(method === "POST" && body)) flags.unshift(`-X ${method}`);
  if (body)
    flags.push(
      '-H "Content-Type: application/json"',
      `-d '${JSON.stringify(JSON.parse(body)).replaceAll("'", "'\\''")}'`,
    );
  return [`curl -s "$CONNECTOR_URL/api/v1${path}"`, ...flags].join(" \\\n  ");
}
