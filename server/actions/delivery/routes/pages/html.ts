// The frame of the public pages: escaped text, one style sheet, a policy that lets nothing in from outside.
import { createHash } from "node:crypto";
import { escapeHtml } from "../../../../lib/html.ts";

/** Text that is already HTML. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** html`<b>${name}</b>`: every value is escaped unless it is Html. */
export function html(parts: TemplateStringsArray, ...values: unknown[]): Html {
  const shown = (value: unknown): string => {
    if (value instanceof Html) return value.text;
    if (Array.isArray(value)) return value.map(shown).join("");
    return value === null || value === undefined || value === false ? "" : escapeHtml(String(value));
  };
  return new Html(parts.reduce((out, part, i) => out + part + (i < values.length ? shown(values[i]) : ""), ""));
}

const STYLE = `
:root{color-scheme:light dark;--ink:#1b1f24;--soft:#5b6570;--line:#d8dee4;--paper:#fff;--go:#0b6b4f;
--warn:#9a3412;--sea:#cfe3f1;--land:#f3f0e8}
@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9aa4af;--line:#30363d;--paper:#0d1117;--go:#3fb98f;--warn:#fb923c;--sea:#0a2030;--land:#1c2228}}
*{box-sizing:border-box}body{margin:0 auto;max-width:34rem;padding:1rem;
font:1rem/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
h1{font-size:1.4rem;margin:.2rem 0}
h2{font-size:1.1rem;margin:1.2rem 0 .3rem}p{margin:.3rem 0}.soft{color:var(--soft)}.warn{color:var(--warn)}
svg{direction:ltr;width:100%;height:auto;border:1px solid var(--line);border-radius:.5rem;
background:var(--sea)}
.land{fill:var(--land);stroke:color-mix(in srgb,var(--soft) 45%,transparent)}text.town{fill:var(--soft)}circle.town{fill:var(--soft)}
.way{fill:none;stroke:var(--go);stroke-width:3;stroke-dasharray:2 8;stroke-linecap:round}.way.done{stroke-dasharray:none;opacity:.55}
ol{list-style:none;padding:0;border-inline-start:3px solid var(--go);margin:.5rem .4rem 0}li{padding:.15rem .8rem}
article{border:1px solid var(--line);border-radius:.5rem;padding:.8rem;margin:.8rem 0}
form{display:inline-block;margin:.3rem .3rem 0 0}label{display:block;margin:.3rem 0}
button,input{font:inherit;min-height:2.75rem;
padding:.4rem .9rem;border:1px solid var(--line);border-radius:.5rem;color:inherit;background:transparent}
button.main{background:var(--go);border-color:var(--go);color:var(--paper)}input{width:100%}
button.main,label.button{display:block;width:100%;font-weight:600;text-align:center}button:disabled{opacity:.45}
label.button{border:2px solid var(--go);border-radius:.5rem;padding:.6rem;cursor:pointer}
.camera{position:absolute;opacity:0;width:1px;height:1px;min-height:0;padding:0}.preview{max-width:9rem;border-radius:.4rem;display:block}
.preview[hidden]{display:none}.pad{width:100%;background:#fff;border:1px solid var(--line);border-radius:.5rem;touch-action:none}
a{color:var(--go)}ul{margin:.4rem 0;padding-inline-start:1.2rem}.way{margin-inline-start:.5rem}.block{display:block}
.languages{margin-top:2rem;font-size:.85rem}
.brand{font-weight:700;color:var(--go)}.pin{font-size:1.5rem;letter-spacing:.2em}
.photo{width:100%;border-radius:.5rem}form.wide{display:block;margin-top:1rem}.stars label{display:inline-block;margin-inline-end:.6rem}
.stars input{width:auto;min-height:0}article button{margin:.4rem .4rem 0 0}`;

const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

export interface PageOptions {
  status?: number;
  /** BCP 47, and the direction it is written in. */
  language?: string;
  direction?: "ltr" | "rtl";
  /** For browsers without scripts; the others are kept up to date by theirs. */
  refreshSeconds?: number;
  /** The address of the one script it runs. */
  script?: string;
  /** The address of the app that the page can be installed as. */
  app?: string;
  /** A colour of the sender's brand, `#rrggbb`. */
  accent?: string | null;
}

/** The page as a Response, with a policy that lets nothing in from outside. */
export function page(title: string, body: Html, options: PageOptions = {}): Response {
  const { status = 200, language = "en", direction = "ltr", refreshSeconds, app, accent } = options;
  const script = options.script ?? (app && `${app}/app.js`);
  // Joined here and not in a template: the policy hashes the very bytes between the tags.
  const style = accent
    ? `${STYLE}:root{--go:${accent}}@media(prefers-color-scheme:dark){:root{--go:color-mix(in srgb,${accent} 60%,#fff)}}`
    : STYLE;
  const document = html`<!doctype html>
    <html lang="${language}" dir="${direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${refreshSeconds ? html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}" /></noscript>` : ""}
        ${app ? html`<link rel="manifest" href="${app}/app.webmanifest" /><link rel="icon" href="${app}/icon.svg" />` : ""}
        ${new Html(`<style>${style}</style>`)}
      </head>
      <body>
        <main>${body}</main>
        ${script ? html`<script type="module" src="${script}"></script>` : ""}
      </body>
    </html>`;
  const policy = [
    "default-src 'none'",
    `style-src ${hash(style)}`,
    "img-src 'self' blob:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(script ? ["script-src 'self'", "connect-src 'self'"] : []),
    ...(app ? ["manifest-src 'self'", "worker-src 'self'"] : []),
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
