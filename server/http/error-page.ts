// The page that every error's `type` points at: the one table of errors, for people.
import { type ErrorEntry, errors } from "../contract/errors.ts";
import { escapeHtml } from "../lib/html.ts";

/** Written once; the table does not change while the service runs. */
export const errorPage = ((): string => {
  const rows = Object.entries<ErrorEntry>(errors).sort((a, b) => a[1].status - b[1].status || (a[0] < b[0] ? -1 : 1));
  const sections = rows.map(
    ([code, e]) => `<section id="${code}"><h2><code>${code}</code></h2>
<p>${e.status} · ${escapeHtml(e.title)}${e.retryable ? " · retrying later can help" : ""}</p>
<p><strong>Hint:</strong> ${escapeHtml(e.hint)}</p></section>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Errors · Action Connector</title>
<style>body{font:16px/1.5 system-ui;max-width:44rem;margin:2rem auto;padding:0 1rem}section:target{background:#fff6d6}</style>
<h1>Errors</h1>${sections.join("\n")}</html>`;
})();
