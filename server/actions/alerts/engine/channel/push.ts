// Telegram, ntfy, Gotify, Matrix, PagerDuty: renders a message for each, within its limits, escaped, without mentions.
import { showTime } from "../deliver/zone.ts";
import {
  cut,
  cutBytes,
  disarm,
  footnote,
  headline,
  manyLines,
  oneLine,
  safeUrl,
  type ChannelRequest,
  type Message,
} from "./message.ts";

const json = (
  method: "POST" | "PUT",
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): ChannelRequest => ({
  method,
  url,
  headers: { "Content-Type": "application/json; charset=utf-8", ...headers },
  body: JSON.stringify(body),
});
const trim = (url: string) => url.replace(/\/+$/, "");

export const escapeHtml = (text: string) =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");

/** One paragraph an item, as HTML; pieces stay whole so that no tag is ever cut. */
function htmlParts(message: Message, titleMost: number, summaryMost: number): string[] {
  return message.items.map((item) => {
    const url = safeUrl(item.url);
    const title = escapeHtml(disarm(cut(oneLine(item.title), titleMost)));
    const summary = item.summary ? `\n${escapeHtml(disarm(cut(manyLines(item.summary), summaryMost)))}` : "";
    return `${url ? `<a href="${escapeHtml(url)}">${title}</a>` : `<b>${title}</b>`}${summary}`;
  });
}

/** Long messages are split, not refused: at most four of 4096 characters. */
export function telegram(
  message: Message,
  target: { token: string; chatId: string; threadId?: number; baseUrl?: string },
): ChannelRequest[] {
  const head = `<b>${escapeHtml(disarm(cut(headline(message), 300)))}</b>`;
  const pages: string[] = [head];
  let shown = 0;
  for (const part of htmlParts(message, 200, 500)) {
    const last = pages.length - 1;
    if (pages[last].length + part.length + 2 <= 4000) pages[last] += `\n\n${part}`;
    else if (pages.length === 4) break;
    else
      pages.push(
        part.length > 4000 ? `${part.slice(0, 0)}${escapeHtml(cut(oneLine(message.items[shown].title), 500))}` : part,
      );
    shown++;
  }
  const note = footnote(message, shown);
  if (note) pages[pages.length - 1] += `\n\n<i>${escapeHtml(cut(note, 80))}</i>`;
  const base = trim(target.baseUrl ?? "https://api.telegram.org");
  return pages.map((text) =>
    json("POST", `${base}/bot${target.token}/sendMessage`, {
      chat_id: target.chatId,
      text,
      parse_mode: "HTML",
      link_preview_options: { is_disabled: true },
      ...(target.threadId === undefined ? {} : { message_thread_id: target.threadId }),
    }),
  );
}

function plainLines(message: Message): { text: string; shown: number } {
  const parts = message.items.map((item) => {
    const when = item.publishedAt === null ? "" : ` (${showTime(message.timezone, item.publishedAt)})`;
    const summary = item.summary ? `\n${cut(manyLines(item.summary), 300)}` : "";
    return `${cut(oneLine(item.title), 200)}${when}${summary}${safeUrl(item.url) ? `\n${item.url}` : ""}`;
  });
  let text = "";
  let shown = 0;
  for (const part of parts) {
    if (text.length + part.length > 3000) break;
    text += `${text ? "\n\n" : ""}${part}`;
    shown++;
  }
  const note = footnote(message, shown);
  return { text: `${text}${note ? `${text ? "\n\n" : ""}${note}` : ""}` || headline(message), shown };
}

const PRIORITY = { info: 3, warning: 4, critical: 5 };

export function ntfy(message: Message, target: { topic: string; baseUrl?: string; token?: string }): ChannelRequest[] {
  const click = message.total === 1 ? safeUrl(message.items[0]?.url ?? null) : null;
  return [
    json(
      "POST",
      `${trim(target.baseUrl ?? "https://ntfy.sh")}/`,
      {
        topic: target.topic,
        title: cutBytes(headline(message), 200),
        message: cutBytes(plainLines(message).text, 3900),
        priority: PRIORITY[message.alert.severity],
        tags: ["bell"],
        ...(click ? { click } : {}),
      },
      target.token ? { Authorization: `Bearer ${target.token}` } : {},
    ),
  ];
}

export function gotify(message: Message, target: { baseUrl: string; token: string }): ChannelRequest[] {
  const click = message.total === 1 ? safeUrl(message.items[0]?.url ?? null) : null;
  return [
    json(
      "POST",
      `${trim(target.baseUrl)}/message`,
      {
        title: cut(headline(message), 200),
        message: cut(plainLines(message).text, 8000),
        priority: { info: 4, warning: 6, critical: 9 }[message.alert.severity],
        extras: {
          "client::display": { contentType: "text/plain" },
          ...(click ? { "client::notification": { click: { url: click } } } : {}),
        },
      },
      { "X-Gotify-Key": target.token },
    ),
  ];
}

export function matrix(message: Message, target: { baseUrl: string; roomId: string; token: string }): ChannelRequest[] {
  const head = disarm(cut(headline(message), 300));
  const parts = htmlParts(message, 200, 500).slice(0, 30);
  const note = footnote(message, parts.length);
  const html = [
    `<strong>${escapeHtml(head)}</strong>`,
    ...parts.map((p) => p.replaceAll("\n", "<br>")),
    ...(note ? [`<em>${escapeHtml(note)}</em>`] : []),
  ].join("<br><br>");
  const room = encodeURIComponent(target.roomId);
  // The transaction id makes a retry the same event.
  return [
    json(
      "PUT",
      `${trim(target.baseUrl)}/_matrix/client/v3/rooms/${room}/send/m.room.message/${encodeURIComponent(message.id)}`,
      {
        msgtype: "m.notice",
        body: cutBytes(disarm(`${head}\n\n${plainLines(message).text}`), 20_000),
        format: "org.matrix.custom.html",
        formatted_body: utf8(html) <= 40_000 ? html : escapeHtml(head),
        "m.mentions": {},
      },
      { Authorization: `Bearer ${target.token}` },
    ),
  ];
}

const utf8 = (text: string) => Buffer.byteLength(text);

export function pagerduty(message: Message, target: { routingKey: string; baseUrl?: string }): ChannelRequest[] {
  const first = message.items[0];
  const link = safeUrl(first?.url ?? null);
  return [
    json("POST", `${trim(target.baseUrl ?? "https://events.pagerduty.com")}/v2/enqueue`, {
      routing_key: target.routingKey,
      event_action: "trigger",
      dedup_key: cut(`${message.alert.id}:${first?.id ?? message.id}`, 255),
      payload: {
        summary: cut(headline(message), 1024),
        source: cut(oneLine(first?.source ?? "action-connector"), 255),
        severity: message.alert.severity,
        timestamp: new Date(message.at).toISOString(),
        component: message.alert.id,
        custom_details: {
          total: message.total,
          suppressed: message.suppressed,
          items: message.items.slice(0, 20).map((i) => ({ title: cut(i.title, 500), url: i.url, terms: i.terms })),
        },
      },
      links: link ? [{ href: link, text: cut(oneLine(first.title), 200) }] : [],
    }),
  ];
}
