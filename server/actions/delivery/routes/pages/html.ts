// The frame of the public pages: escaped text, one style sheet, a policy that lets nothing in from outside.
import { createHash } from "node:crypto";

/** Text that is already HTML. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (value: unknown): string => String(value ?? "").replace(/[&<>"']/g, (c) => ESCAPES[c]);

/** html`<b>${name}</b>`: every value is escaped unless it is Html. */
export function html(parts: TemplateStringsArray, ...values: unknown[]): Html {
  const shown = (value: unknown): string => {
    if (value instanceof Html) return value.text;
    if (Array.isArray(value)) return value.map(shown).join("");
    return value === null || value === undefined || value === false ? "" : escaped(value);
  };
  return new Html(parts.reduce((out, part, i) => out + part + (i < values.length ? shown(values[i]) : ""), ""));
}

const STYLE = `
:root{color-scheme:light dark;--ink:#1b1f24;--soft:#5b6570;--line:#d8dee4;--paper:#fff;--go:#0b6b4f;
--warn:#9a3412}
@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9aa4af;--line:#30363d;--paper:#0d1117;--go:#3fb98f;--warn:#fb923c}}
*{box-sizing:border-box}body{margin:0 auto;max-width:34rem;padding:1rem;
font:1rem/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
h1{font-size:1.4rem;margin:.2rem 0}
h2{font-size:1.1rem;margin:1.2rem 0 .3rem}p{margin:.3rem 0}.soft{color:var(--soft)}.warn{color:var(--warn)}
svg{width:100%;height:auto;border:1px solid var(--line);border-radius:.5rem;
background:color-mix(in srgb,var(--line) 25%,transparent)}
ol{list-style:none;padding:0;border-left:3px solid var(--go);margin:.5rem 0 0 .4rem}li{padding:.15rem 0 .15rem .8rem}
article{border:1px solid var(--line);border-radius:.5rem;padding:.8rem;margin:.8rem 0}
form{display:inline-block;margin:.3rem .3rem 0 0}label{display:block;margin:.3rem 0}
button,input{font:inherit;min-height:2.75rem;
padding:.4rem .9rem;border:1px solid var(--line);border-radius:.5rem;color:inherit;background:transparent}
button.main{background:var(--go);border-color:var(--go);color:var(--paper)}input{width:100%}`;

// Joined here and not in a template: the policy hashes the very bytes between the tags.
const STYLE_TAG = new Html(`<style>${STYLE}</style>`);
const scriptTag = (script: string): Html => new Html(`<script>${script}</script>`);

const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** The page as a Response. `script` is the one script it may run. */
export function page(
  title: string,
  body: Html,
  options: { status?: number; refreshSeconds?: number; script?: string } = {},
): Response {
  const { status = 200, refreshSeconds, script } = options;
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${refreshSeconds ? html`<meta http-equiv="refresh" content="${refreshSeconds}" />` : ""}
        ${STYLE_TAG}
      </head>
      <body>
        <main>${body}</main>
        ${script ? scriptTag(script) : ""}
      </body>
    </html>`;
  const policy = [
    "default-src 'none'",
    `style-src ${hash(STYLE)}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(script ? [`script-src ${hash(script)}`, "connect-src 'self'"] : []),
  ].join("; ");
  return new Response(document.text, {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": policy,
      "Referrer-Policy": "no-referrer",
      "Cache-Control": "no-store",
    },
  });
}

/** A time as people at that place read it. */
export function localText(iso: string, timeZone: string | null): string {
  const options = {
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: timeZone ?? "UTC",
    timeZoneName: "short",
  } as const;
  return new Intl.DateTimeFormat("en-GB", options).format(Date.parse(iso));
}
