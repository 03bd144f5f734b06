// The event-stream format of the HTML standard: writes it, and reads it (for tests and clients). Holds no connection.

export interface SseEvent {
  data: string;
  /** Event name; `message` when absent. */
  event?: string;
  /** Becomes the reader's Last-Event-ID. An empty string resets it. */
  id?: string;
  retryMs?: number;
}

const BREAK = /\r\n|\r|\n/;
// A name with a break would end its line early; the standard drops an id with NUL, so a reader could not resume.
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\u0000\r\n]/;

/** One event, ending in the empty line that dispatches it. Throws on an id or name the format cannot carry. */
export function encodeEvent({ data, event, id, retryMs }: SseEvent): string {
  let out = "";
  if (retryMs !== undefined) out += `retry: ${Math.max(0, Math.trunc(retryMs))}\n`;
  if (id !== undefined) out += `id: ${safe(id)}\n`;
  if (event !== undefined && event !== "message") out += `event: ${safe(event)}\n`;
  if (!data.includes("\n") && !data.includes("\r")) return `${out}data: ${data}\n\n`;
  for (const line of data.split(BREAK)) out += `data: ${line}\n`;
  return `${out}\n`;
}

/** A comment keeps proxies from closing a quiet stream; readers ignore it. */
export function encodeComment(text = ""): string {
  return `:${text.replaceAll(/[\r\n]/g, " ")}\n\n`;
}

export interface ParsedEvent {
  data: string;
  event: string;
  lastEventId: string;
}

/** A reader that may be fed in pieces of any size. `retryMs` is the last valid value seen. */
export function createSseParser(onEvent: (event: ParsedEvent) => void) {
  let buffered = "";
  let first = true;
  let data: string[] = [];
  let event = "";
  let idBuffer = "";
  const state = { retryMs: null as number | null };

  function line(text: string): void {
    if (text === "") return dispatch();
    if (text.startsWith(":")) return;
    const colon = text.indexOf(":");
    const field = colon < 0 ? text : text.slice(0, colon);
    let value = colon < 0 ? "" : text.slice(colon + 1);
    if (value.startsWith(" ")) value = value.slice(1);
    if (field === "data") data.push(value);
    else if (field === "event") event = value;
    else if (field === "id" && !value.includes("\0")) idBuffer = value;
    else if (field === "retry" && /^\d+$/.test(value)) state.retryMs = Number(value);
  }

  function dispatch(): void {
    if (data.length > 0) onEvent({ data: data.join("\n"), event: event || "message", lastEventId: idBuffer });
    data = [];
    event = "";
  }

  function push(text: string): void {
    buffered += text;
    if (first && buffered !== "") {
      first = false;
      if (buffered.startsWith("\ufeff")) buffered = buffered.slice(1);
    }
    for (;;) {
      const match = BREAK.exec(buffered);
      // A lone CR at the very end may be half of a CRLF that is still to come.
      if (!match || (match[0] === "\r" && match.index === buffered.length - 1)) return;
      const text = buffered.slice(0, match.index);
      buffered = buffered.slice(match.index + match[0].length);
      line(text);
    }
  }

  return { push, state };
}

function safe(text: string): string {
  if (UNSAFE.test(text)) throw new TypeError("An event id or name must not contain NUL, CR or LF.");
  return text;
}
