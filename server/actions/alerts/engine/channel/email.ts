// Renders a message as an e-mail: subject, text and HTML parts, and one-click unsubscribe (RFC 8058).
import { showTime } from "../deliver/zone.ts";
import { cut, footnote, headline, manyLines, oneLine, safeUrl, type Message } from "./message.ts";
import { escapeHtml } from "./push.ts";

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
}

export interface MailTarget {
  to: string /** Ends the subscription when it is posted to; a GET only shows a page. */;
  unsubscribeUrl: string;
  domain: string;
}

export function email(message: Message, target: MailTarget): Mail {
  const shown = message.items.slice(0, 100);
  const note = footnote(message, shown.length);
  const when = (at: number | null) => (at === null ? null : `${showTime(message.timezone, at)} (${message.timezone})`);
  const text = shown
    .map((item) =>
      [
        `* ${oneLine(item.title)}`,
        [item.source, when(item.publishedAt)]
          .filter(Boolean)
          .map((t) => oneLine(t!))
          .join(" · "),
        item.summary ? cut(manyLines(item.summary), 600) : "",
        safeUrl(item.url) ?? "",
      ]
        .filter(Boolean)
        .join("\n  "),
    )
    .join("\n\n");
  const html = shown
    .map((item) => {
      const url = safeUrl(item.url);
      const title = escapeHtml(cut(oneLine(item.title), 300));
      const foot = escapeHtml(
        [item.source, when(item.publishedAt)]
          .filter(Boolean)
          .map((t) => oneLine(t!))
          .join(" · "),
      );
      return (
        `<li style="margin:0 0 16px"><strong>${url ? `<a href="${escapeHtml(url)}">${title}</a>` : title}</strong>` +
        `${foot ? `<br><small>${foot}</small>` : ""}${item.summary ? `<br>${escapeHtml(cut(manyLines(item.summary), 600)).replaceAll("\n", "<br>")}` : ""}</li>`
      );
    })
    .join("");
  const head = headline(message);
  const end = `To stop these messages: ${target.unsubscribeUrl}`;
  return {
    to: target.to,
    subject: cut(head, 200),
    text: [head, text, note, `-- \n${end}`].filter(Boolean).join("\n\n"),
    html:
      `<!doctype html><html><body><h2>${escapeHtml(head)}</h2><ul>${html}</ul>${note ? `<p>${escapeHtml(note)}</p>` : ""}` +
      `<p><small><a href="${escapeHtml(target.unsubscribeUrl)}">Stop these messages</a></small></p></body></html>`,
    headers: {
      "Message-ID": `<${message.id}@${target.domain}>`,
      "List-Unsubscribe": `<${target.unsubscribeUrl}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      "List-Id": `<${message.alert.id}.alerts.${target.domain}>`,
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
    },
  };
}

/** The first mail to an address. It says nothing of the alert: whoever asked could write anything into its name. */
export function verificationMail(target: { to: string; confirmUrl: string; domain: string; id: string }): Mail {
  const asked = `Someone asked to send alerts from ${target.domain} to this address.`;
  const ignore = "If that was not you, do nothing: nothing more will be sent.";
  return {
    to: target.to,
    subject: "Confirm your address for alerts",
    text: `${asked}\n\nTo agree, open:\n${target.confirmUrl}\n\n${ignore}`,
    html:
      `<!doctype html><html><body><p>${escapeHtml(asked)}</p>` +
      `<p><a href="${escapeHtml(target.confirmUrl)}">Agree</a></p><p>${ignore}</p></body></html>`,
    headers: { "Message-ID": `<${target.id}@${target.domain}>`, "Auto-Submitted": "auto-generated" },
  };
}
