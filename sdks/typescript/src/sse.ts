// Reads the event-stream format of the HTML standard, in pieces of any size. Holds no connection.

export interface RawEvent {
  id: string;
  event: string;
  data: string;
}

export class SseParser {
  /** What the service asks to wait before reconnecting; null until it says. */
  retryMs: number | null = null;
  lastEventId = "";
  #buffered = "";
  #first = true;
  #data: string[] = [];
  #event = "";
  #id: string;

  constructor(lastEventId = "") {
    this.lastEventId = lastEventId;
    this.#id = lastEventId;
  }

  push(text: string): RawEvent[] {
    this.#buffered += text;
    if (this.#first && this.#buffered !== "") {
      this.#first = false;
      if (this.#buffered.startsWith("\ufeff")) this.#buffered = this.#buffered.slice(1);
    }
    const events: RawEvent[] = [];
    for (;;) {
      const match = /\r\n|\r|\n/.exec(this.#buffered);
      // A lone CR at the very end may be half of a CRLF that is still to come.
      if (!match || (match[0] === "\r" && match.index === this.#buffered.length - 1)) return events;
      const line = this.#buffered.slice(0, match.index);
      this.#buffered = this.#buffered.slice(match.index + match[0].length);
      const event = line === "" ? this.#dispatch() : this.#line(line);
      if (event) events.push(event);
    }
  }

  #line(text: string): null {
    const colon = text.indexOf(":");
    const field = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? "" : text.slice(colon + 1).replace(/^ /, "");
    if (field === "data") this.#data.push(value);
    else if (field === "event") this.#event = value;
    else if (field === "id" && !value.includes("\0")) this.#id = value;
    else if (field === "retry" && /^\d+$/.test(value)) this.retryMs = Number(value);
    return null;
  }

  #dispatch(): RawEvent | null {
    this.lastEventId = this.#id;
    const event =
      this.#data.length > 0 ? { id: this.#id, event: this.#event || "message", data: this.#data.join("\n") } : null;
    this.#data = [];
    this.#event = "";
    return event;
  }
}
