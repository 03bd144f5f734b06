// Pushed content and events of the service, as the matcher reads them. Pure.
import { parseTime } from "../../../lib/time.ts";
import type { ContentOrder } from "../contract/index.ts";
import { htmlToText } from "../engine/feed/html.ts";
import type { Content } from "../engine/query/ast.ts";
import { toDecimal } from "../../../lib/decimal.ts";

export interface Incoming extends Content {
  guid: string | null;
  publishedMs: number | null;
  /** What it is about, e.g. a tracker's id: conditions are kept apart for each. */
  subject: string;
  /** The type of the event it was, if it was one. */
  topic: string | null;
  /** A new version of what its source has said before. */
  edited?: boolean;
}

/** Recent content is kept short: it serves previews alone. */
export const shortened = (content: Incoming): Incoming => ({ ...content, text: content.text?.slice(0, 4000) });

export function ofContent(order: ContentOrder): Incoming {
  return {
    guid: order.id ?? null,
    title: order.title,
    text: order.html === undefined ? order.text : htmlToText(order.html),
    url: order.url,
    tags: order.tags,
    author: order.author,
    lang: order.lang,
    source: order.source,
    numbers: order.numbers,
    publishedMs: order.published_at === undefined ? null : parseTime(order.published_at),
    subject: order.source ?? "",
    topic: null,
  };
}

const MAX_TEXT = 8000;
const MAX_NUMBERS = 60;
const NAMES = ["name", "title", "product", "symbol"];
const IDS = ["tracker_id", "product_id", "symbol", "delivery_id", "level_id", "analysis_id", "id"];

/** Every text of the event's data can be matched, and every number compared, by its name or its path. */
export function ofEvent(event: { id: string; type: string; tags: string[]; data: unknown; atMs: number }): Incoming {
  const texts: string[] = [];
  const numbers: Record<string, string> = {};
  let url: string | undefined;
  let length = 0;
  const walk = (value: unknown, path: string[], depth: number): void => {
    const name = path.at(-1) ?? "";
    const decimal = typeof value === "number" || typeof value === "string" ? toDecimal(value) : null;
    if (decimal !== null && Object.keys(numbers).length < MAX_NUMBERS) keepNumber(numbers, path, decimal);
    if (typeof value === "string") {
      if (/^https?:\/\//.test(value)) url ??= value;
      else if (decimal === null && !/(^|_)(id|at|token)$/.test(name) && length < MAX_TEXT) {
        texts.push(value);
        length += value.length;
      }
    } else if (typeof value === "object" && value !== null && depth < 5) {
      for (const [key, inner] of Object.entries(value).slice(0, 100))
        walk(inner, Array.isArray(value) ? path : [...path, key], depth + 1);
    }
  };
  walk(event.data, [], 0);
  // An amount with its currency is a price, whatever the event calls it.
  const data = objectOf(event.data);
  if ("currency" in data && numbers.amount !== undefined) numbers.price ??= numbers.amount;
  const subject = textOf(data, IDS);
  const name = textOf(data, NAMES);
  return {
    guid: event.id,
    title: name ? `${event.type}: ${name}` : event.type,
    text: texts.join("\n").slice(0, MAX_TEXT),
    url,
    tags: event.tags,
    numbers,
    source: event.type,
    publishedMs: event.atMs,
    subject: subject ?? event.type,
    topic: event.type,
  };
}

const objectOf = (value: unknown) =>
  (typeof value === "object" && value !== null && !Array.isArray(value) ? value : {}) as Record<string, unknown>;

/** The first of these that is a text: of the event itself, or of what it tells of. */
function textOf(data: Record<string, unknown>, keys: string[]): string | undefined {
  const places = [data, ...Object.values(data).map(objectOf)];
  for (const place of places) for (const key of keys) if (typeof place[key] === "string") return place[key];
  return undefined;
}

/** {price: {amount: "9"}} is price, price.amount and amount, whichever is free. */
function keepNumber(numbers: Record<string, string>, path: string[], value: string): void {
  const clean = path.map((p) => p.toLowerCase().replace(/[^a-z0-9_]/g, "_"));
  if (clean.length === 0) return;
  numbers[clean.join(".")] ??= value;
  const last = clean.at(-1)!;
  if ((last === "amount" || last === "value") && clean.length > 1) numbers[clean.at(-2)!] ??= value;
  numbers[last] ??= value;
}

export function topicAllowed(topics: string[] | undefined, type: string): boolean {
  return !topics || topics.some((t) => t === type || (t.endsWith(".*") && type.startsWith(t.slice(0, -1))));
}
