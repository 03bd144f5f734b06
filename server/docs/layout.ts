// The frame of every page: head, menu, search, footer. Pages are plain HTML; the script only adds comfort.
import { escapeHtml } from "../lib/html.ts";

export interface Page {
  title: string;
  description: string;
  /** HTML of the main part. */
  main: string;
  /** HTML of the menu; a page without one is as wide as it likes. */
  menu?: string;
  /** HTML of the list of headings beside the text. */
  contents?: string;
}

/** Nothing from elsewhere is loaded, and nothing inline is run. */
export const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const LINKS = [
  ["/docs", "Docs"],
  ["/docs/reference", "Reference"],
  ["/docs/mcp", "MCP"],
  ["/console", "Console"],
];

export function renderPage({ title, description, main, menu, contents }: Page): string {
  const links = LINKS.map(([href, name]) => `<a href="${href}">${name}</a>`).join("");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Action Connector</title>
<meta name="description" content="${escapeHtml(description)}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/docs/assets/icon.svg">
<link rel="stylesheet" href="/docs/assets/docs.css">
<script src="/docs/assets/docs.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header><a class="brand" href="/"><img src="/docs/assets/icon.svg" alt="" width="22" height="22"> Action Connector</a>
<nav aria-label="Site">${links}</nav>
<form class="search" role="search" action="/docs/search" method="get"><input type="search" name="q" placeholder="Search (press /)" aria-label="Search the documentation" autocomplete="off"><div class="hits" hidden></div></form></header>
<div class="frame${menu ? "" : " wide"}">
${menu ? `<details class="menu" open><summary>Menu</summary><nav aria-label="Guides">${menu}</nav></details>` : ""}
<main id="main">${main}</main>
${contents ? `<nav class="contents" aria-label="On this page">${contents}</nav>` : ""}
</div>
</body>
</html>`;
}
