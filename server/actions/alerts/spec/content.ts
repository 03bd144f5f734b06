// Pushed content and events of the service as the matcher reads them. Pure.
import { parseTime } from "../../../lib/time.ts";
import type { NewContent } from "../contract/index.ts";
import { htmlToText } from "../engine/feed/html/html.ts";
import type { Content } from "../engine/query/ast.ts";
import { toDecimal } from "../../../lib/decimal.ts";

export interface IncomingContent extends Content {
  guid: string | null;
  publishedMs: number | null;
  /** What it is about, e.g. a tracker's id: conditions are tracked per subject. */
  subject: string;
  /** The event type, when the content is an event. */
  topic: string | null;
  /** What people read instead of the text, where the text is only made for matching. */
  summary?: string;
  /** True for a new version of an item that its source published before. */
  edited?: boolean;
}

/** Recent content serves previews alone, so its text is kept short. */
const MAX_RECENT_TEXT = 4000;

export const shortened = (content: IncomingContent): IncomingContent => ({
  ...content,
  text: content.text?.slice(0, MAX_RECENT_TEXT),
});

export function contentFromRequest(request: NewContent): IncomingContent {
  return {
    guid: request.id ?? null,
    title: request.title,
    text: request.html === undefined ? request.text : htmlToText(request.html),
    url: request.url,
    tags: request.tags,
    author: request.author,
    lang: request.lang,
    source: request.source,
    numbers: request.numbers,
    publishedMs: request.published_at === undefined ? null : parseTime(request.published_at),
    subject: request.source ?? "",
    topic: null,
  };
}

const MAX_TEXT = 8000;
const MAX_NUMBERS = 60;
const NAME_FIELDS = ["name", "title", "product", "symbol"];
const ID_FIELDS = ["tracker_id", "product_id", "symbol", "delivery_id", "level_id", "analysis_id", "id"];

/** Every text of the event's data can be matched, and every number compared, by its name or its path. */
export function contentFromEvent(event: {
  id: string;
  type: string;
  tags: string[];
  data: unknown;
  atMs: number;
}): IncomingContent {
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
  const subject = textOf(data, ID_FIELDS);
  return {
    guid: event.id,
    title: titleOf(event.type, data),
    text: texts.join("\n").slice(0, MAX_TEXT),
    summary: describe(event.data),
    url,
    tags: event.tags,
    numbers,
    source: event.type,
    publishedMs: event.atMs,
    subject: subject ?? event.type,
    topic: event.type,
  };
}

/** The event's own sentence where it has one, else its type and the name of what it is about. */
function titleOf(type: string, data: Record<string, unknown>): string {
  if (typeof data.title === "string" && data.title !== "") return data.title;
  const name = textOf(data, NAME_FIELDS);
  return name ? `${type}: ${name}` : type;
}

const HIDDEN_FIELD = /(^|_)(id|ids|at|token|url|links?)$/;
const MAX_FACTS = 12;

/** The facts of an event in one line: "symbol ZZCO, direction above, price 401.20 USD". */
function describe(data: unknown): string {
  const facts: string[] = [];
  const add = (name: string, value: unknown): void => {
    const words = name.replaceAll("_", " ");
    if (HIDDEN_FIELD.test(name) || facts.length >= MAX_FACTS) return;
    if (typeof value === "string" && value !== "" && value.length <= 200) facts.push(`${words} ${value}`);
    else if (typeof value === "number" || typeof value === "boolean") facts.push(`${words} ${value}`);
    else {
      const { amount, currency, ...rest } = objectOf(value);
      if (amount !== undefined) facts.push(`${words} ${amount}${currency === undefined ? "" : ` ${currency}`}`);
      else for (const [inner, one] of Object.entries(rest)) if (typeof one !== "object") add(inner, one);
    }
  };
  // The title is shown above the facts.
  for (const [name, value] of Object.entries(objectOf(data))) if (name !== "title") add(name, value);
  return facts.join(", ");
}

const objectOf = (value: unknown) =>
  (typeof value === "object" && value !== null && !Array.isArray(value) ? value : {}) as Record<string, unknown>;

/** The first of these fields that is text: of the event's data, or of an object inside it. */
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
