// Slack, Discord, Teams, Mattermost: renders a message for each, within its limits, escaped, without mentions.
import { showTime } from "../deliver/zone.ts";
import {
  cut,
  disarm,
  footnote,
  headline,
  manyLines,
  oneLine,
  safeUrl,
  utf8Length,
  type ChannelRequest,
  type Message,
  type MessageItem,
} from "./message.ts";

const JSON_HEADERS = { "Content-Type": "application/json; charset=utf-8" };
const post = (url: string, body: unknown): ChannelRequest => ({
  method: "POST",
  url,
  headers: { ...JSON_HEADERS },
  body: JSON.stringify(body),
});
const COLOURS = { info: 0x2f81f7, warning: 0xd29922, critical: 0xda3633 };

function about(item: MessageItem, message: Message): string {
  return oneLine(
    [item.source, item.publishedAt === null ? null : showTime(message.timezone, item.publishedAt)]
      .filter(Boolean)
      .join(" · "),
  );
}

export function slack(message: Message, target: { url: string }): ChannelRequest[] {
  // Escaping the three signs also disarms <!channel> and <@U123>.
  const escaped = (text: string) =>
    disarm(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  // Cut after escaping could split an entity, so the limits are halved before it.
  const section = (text: string) => ({ type: "section", text: { type: "mrkdwn", text: cut(text, 3000) } });
  const shown = message.items.slice(0, 20);
  const blocks: unknown[] = [
    {
      type: "header",
      text: { type: "plain_text", text: cut(disarm(headline(message)).replaceAll("<", "‹"), 150), emoji: false },
    },
  ];
  for (const item of shown) {
    const url = safeUrl(item.url);
    const title = escaped(cut(oneLine(item.title), 250)).replaceAll("|", "¦");
    const summary = item.summary ? `\n${escaped(cut(manyLines(item.summary), 500))}` : "";
    const foot = about(item, message);
    blocks.push(
      section(
        `${url ? `<${escapeUrl(url)}|${title}>` : `*${title}*`}${summary}${foot ? `\n_${escaped(cut(foot, 200))}_` : ""}`,
      ),
    );
  }
  const note = footnote(message, shown.length);
  if (note) blocks.push({ type: "context", elements: [{ type: "mrkdwn", text: escaped(note) }] });
  return [
    post(target.url, { text: escaped(cut(headline(message), 500)), blocks, unfurl_links: false, unfurl_media: false }),
  ];
}

const escapeUrl = (url: string) => url.replaceAll("&", "&amp;").replaceAll("|", "%7C").replaceAll(">", "%3E");

export function discord(message: Message, target: { url: string }): ChannelRequest[] {
  const escaped = (text: string) => disarm(text).replace(/([\\*_~`|>[\]()#-])/g, "\\$1");
  const shown = message.items.slice(0, 10);
  let left = 5500;
  const embeds = shown.map((item) => {
    const url = safeUrl(item.url);
    const title = cut(oneLine(item.title) || "(no title)", 256);
    const room = Math.max(0, Math.min(400, left - title.length - 200));
    const description = item.summary ? cut(escaped(cut(manyLines(item.summary), room)), room) : "";
    const footer = cut(disarm(about(item, message)), 100);
    left -= title.length + description.length + footer.length;
    return {
      title: cut(disarm(title), 256),
      ...(description ? { description } : {}),
      ...(url ? { url } : {}),
      color: COLOURS[message.alert.severity],
      ...(footer ? { footer: { text: footer } } : {}),
    };
  });
  const note = footnote(message, shown.length);
  const content = cut(escaped(`${headline(message)}${note ? `\n${note}` : ""}`), 2000);
  return [post(target.url, { content, embeds, allowed_mentions: { parse: [] } })];
}

const TEAMS_BYTES = 27_000;

export function teams(message: Message, target: { url: string }): ChannelRequest[] {
  const text = (value: string) => disarm(value).replace(/([\\*_~`[\]()#>-])/g, "\\$1");
  const line = (value: string, more: object = {}) => ({ type: "TextBlock", text: value, wrap: true, ...more });
  for (let count = Math.min(20, message.items.length); ; count--) {
    const shown = message.items.slice(0, count);
    const note = footnote(message, shown.length);
    const body = [
      line(text(cut(headline(message), 300)), { weight: "Bolder", size: "Medium" }),
      ...shown.flatMap((item) => {
        const url = safeUrl(item.url);
        const title = text(cut(oneLine(item.title), 200));
        return [
          line(url ? `[${title}](${url.replaceAll(")", "%29").replaceAll("(", "%28")})` : title, { spacing: "Medium" }),
          ...(item.summary ? [line(text(cut(manyLines(item.summary), 400)), { isSubtle: true, spacing: "None" })] : []),
        ];
      }),
      ...(note ? [line(text(note), { size: "Small", isSubtle: true })] : []),
    ];
    const card = {
      type: "AdaptiveCard",
      $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
      version: "1.4",
      msteams: { width: "Full" },
      body,
    };
    const request = post(target.url, {
      type: "message",
      attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content: card }],
    });
    if (utf8Length(request.body) <= TEAMS_BYTES || count === 0) return [request];
  }
}

export function mattermost(message: Message, target: { url: string }): ChannelRequest[] {
  const escaped = (text: string) => disarm(text).replace(/([\\*_~`|>[\]()#-])/g, "\\$1");
  const lines = [`#### ${escaped(cut(headline(message), 300))}`];
  let shown = 0;
  let length = lines[0].length;
  for (const item of message.items) {
    const url = safeUrl(item.url);
    const title = escaped(cut(oneLine(item.title), 150));
    const summary = item.summary ? `\n${escaped(cut(oneLine(item.summary), 250))}` : "";
    const text = `- ${url ? `[${title}](${url.replaceAll(")", "%29")})` : title}${summary}`;
    if (length + text.length > 3500) break;
    lines.push(text);
    length += text.length + 1;
    shown++;
  }
  const note = footnote(message, shown);
  if (note) lines.push(`_${escaped(note)}_`);
  return [post(target.url, { text: cut(lines.join("\n"), 4000) })];
}
