// Markdown to HTML with addresses on headings, code that can be copied, and code of several languages side by side.
import { escapeHtml } from "../lib/html.ts";

const LANGUAGES: Record<string, string> = { bash: "curl", ts: "TypeScript", python: "Python", go: "Go" };

export interface Heading {
  id: string;
  title: string;
  level: number;
}

/** `{{url}}` and `{{key}}` in the text become the address of this service and a placeholder of a key. */
export function renderMarkdown(markdown: string, url: string): { html: string; headings: Heading[] } {
  const headings: Heading[] = [];
  const text = fillIn(markdown, url);
  const html = Bun.markdown
    .html(text, { tables: true, strikethrough: true })
    .replace(/<h([1-4])>(.*?)<\/h\1>/gs, (_, level: string, inner: string) => {
      const title = inner.replace(/<[^>]+>/g, "");
      const id = slugOf(title);
      headings.push({ id, title, level: Number(level) });
      return `<h${level} id="${id}"><a class="anchor" href="#${id}">${inner}</a></h${level}>`;
    })
    // A browser would break a flag behind its dashes.
    .replace(/<code>([^<]{1,24})<\/code>/g, '<code class="short">$1</code>')
    .replace(/<table>/g, '<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>')
    .replace(/<\/table>/g, "</table></div>");
  return { html: withTabs(html), headings };
}

export const fillIn = (text: string, url: string, key = "$CONNECTOR_API_KEY"): string =>
  text.replaceAll("{{url}}", url).replaceAll("{{key}}", key);

export const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/&[a-z#0-9]+;/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");

/** Code blocks that follow one another in different languages become tabs. */
function withTabs(html: string): string {
  const block = /<pre><code class="language-(\w+)">(.*?)<\/code><\/pre>/gs;
  const run = /(?:<pre><code class="language-(?:bash|ts|python|go)">(?:(?!<\/code>).)*<\/code><\/pre>\s*){2,}/gs;
  const grouped = html.replace(run, (blocks) => {
    const found = [...blocks.matchAll(block)];
    if (new Set(found.map(([, language]) => language)).size !== found.length) return blocks;
    const buttons = found.map(
      ([, language], i) =>
        `<button type="button" role="tab" data-language="${language}" aria-selected="${i === 0}">${LANGUAGES[language] ?? language}</button>`,
    );
    const panes = found.map(
      ([whole, language], i) => `<div data-pane="${language}"${i === 0 ? "" : " hidden"}>${whole}</div>`,
    );
    return `<div class="tabs"><div class="tab-list" role="tablist" aria-label="Language">${buttons.join("")}</div>${panes.join("")}</div>`;
  });
  return grouped.replace(/<pre>/g, '<pre tabindex="0">');
}

/** A code block of our own making. */
export const codeBlock = (language: string, code: string): string =>
  `<pre tabindex="0"><code class="language-${language}">${escapeHtml(code)}</code></pre>`;
