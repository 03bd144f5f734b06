// The HTML of the pages that a mail links to.
import { escapeHtml } from "../../../lib/html.ts";

/** A page with one question and, if there is anything to do, one button that posts back to the same address. */
export function page(title: string, question: string, button: string | null): Response {
  const form = button === null ? "" : `<form method="post"><button type="submit">${escapeHtml(button)}</button></form>`;
  const html =
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${escapeHtml(title)}</title></head><body style="font:18px sans-serif;max-width:32em;margin:4em auto;padding:0 1em">` +
    `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(question)}</p>${form}</body></html>`;
  return new Response(html, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer",
      "Content-Security-Policy":
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
    },
  });
}
