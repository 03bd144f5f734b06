// A message before any channel renders it, and the functions that shorten and neutralise text for all channels.

export type Severity = "info" | "warning" | "critical";

export interface MessageItem {
  /** Stable: the match's id. */
  id: string;
  title: string;
  url: string | null;
  summary: string | null;
  source: string | null;
  publishedAt: number | null;
  terms: string[];
}

export interface Message {
  /** Stable over retries. */
  id: string;
  type: "alert.match" | "alert.digest" | "alert.test" | "alert.state";
  at: number;
  timezone: string;
  alert: { id: string; name: string; severity: Severity; labels: Record<string, string>; url: string };
  items: MessageItem[];
  /** How many matched in all; `items` may be only the first of them. */
  total: number;
  /** Matches since the last message that were only counted, by reason. */
  suppressed: Record<string, number>;
  /** For alert.state: what changed. */
  note: string | null;
}

/** The mail that asks an address for consent. It carries no text of the caller: it goes to a stranger. */
export interface VerifyMessage {
  verify: true;
}

/** What a channel is asked to send. A channel may need several requests for one message. */
export interface ChannelRequest {
  method: "POST" | "PUT";
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** At most `max` units, cut between characters, with an ellipsis when something was cut. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  let end = Math.max(0, max - 1);
  if (/[\ud800-\udbff]/.test(text[end - 1] ?? "")) end--;
  return `${text.slice(0, end)}…`;
}

export const utf8Length = (text: string) => Buffer.byteLength(text, "utf8");

/** The same for a limit in bytes. */
export function cutBytes(text: string, max: number): string {
  if (utf8Length(text) <= max) return text;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (utf8Length(cut(text, middle)) <= max) low = middle;
    else high = middle - 1;
  }
  return cut(text, low);
}

/** One line: no line breaks, no other control characters, no marks that turn text around. */
export function oneLine(text: string): string {
  return text
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ")
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, "")
    .replace(/ +/g, " ")
    .trim();
}

export function manyLines(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, " ")
    .trim();
}

/** "@everyone" that calls nobody: a joiner of no width after the sign, for every mention there could be. */
export function disarm(text: string): string {
  return text.replace(/@(?=[\p{L}\p{N}_-])/gu, "@\u2060");
}

/** Only addresses that a person may safely be sent to. */
export function safeUrl(url: string | null): string | null {
  return url !== null && url.length <= 2000 && /^https?:\/\/[^\s"'<>\\^`{|}]+$/i.test(url) ? url : null;
}

export function headline(message: Message): string {
  const name = oneLine(message.alert.name);
  if (message.type === "alert.test") return `Test of “${name}”`;
  if (message.type === "alert.state") return `“${name}”: ${oneLine(message.note ?? "changed")}`;
  if (message.total === 1) return `${name}: ${oneLine(message.items[0]?.title ?? "1 match")}`;
  return `${name}: ${message.total} matches`;
}

/** "2 more not shown; 3 held back (cooldown 2, duplicate 1)", or null. */
export function footnote(message: Message, shown: number): string | null {
  const more = message.total - shown;
  const held = Object.entries(message.suppressed).filter(([, n]) => n > 0);
  const parts = [
    ...(more > 0 ? [`${more} more not shown`] : []),
    ...(held.length > 0 ? [`not sent: ${held.map(([why, n]) => `${why} ${n}`).join(", ")}`] : []),
  ];
  return parts.length > 0 ? parts.join("; ") : null;
}
