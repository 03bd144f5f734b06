// A stream of events that outlives its connections: it reconnects and goes on behind the last event it gave.
import { ActionConnectorError, CanceledError, ConnectionError, TimeoutError } from "./errors.ts";
import { SseParser } from "./sse.ts";

/** One event of a stream. */
export interface ServerEvent<T> {
  /** Pass it as lastEventId to go on behind this event; empty when the service gave none. */
  id: string;
  /** Its name, e.g. `delivery.scheduled`; `reset` says that the place asked for is no longer kept. */
  event: string;
  data: T;
}

export interface Connection {
  response: Response;
  /** Ends the connection, whatever is being read. */
  abort(): void;
}

export interface StreamSource {
  connect(lastEventId: string): Promise<Connection>;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  idleTimeoutMs: number;
  reconnectDelayMs: number | null;
  maxReconnects: number;
  signal: AbortSignal | null;
  lastEventId: string;
  /** The stream is open, at first or again. */
  onReady?(): void;
}

const RECONNECT_MS = 3_000;

export class EventStream<T> implements AsyncIterable<ServerEvent<T>> {
  readonly #source: StreamSource;
  readonly #closing = new AbortController();
  #retryMs: number | null = null;
  #lastEventId: string;

  constructor(source: StreamSource) {
    this.#source = source;
    this.#lastEventId = source.lastEventId;
    const { signal } = source;
    if (signal?.aborted) this.close();
    signal?.addEventListener("abort", () => this.close(), { once: true });
  }

  /** The id of the last event given; keep it to go on after a restart. */
  get lastEventId(): string {
    return this.#lastEventId;
  }

  /** Ends the stream; a loop over it finishes. */
  close(): void {
    this.#closing.abort();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ServerEvent<T>, void, undefined> {
    let failures = 0;
    try {
      while (!this.#closing.signal.aborted) {
        try {
          const connection = await this.#source.connect(this.lastEventId);
          if (connection.response.status === 204) return;
          for await (const event of this.#read(connection)) {
            failures = 0;
            if (event) yield event;
          }
        } catch (error) {
          if (this.#closing.signal.aborted) break;
          if (!(error instanceof ConnectionError) || ++failures > this.#source.maxReconnects) throw error;
        }
        const delay = this.#source.reconnectDelayMs ?? this.#retryMs ?? RECONNECT_MS;
        if (!this.#closing.signal.aborted) await this.#source.sleep(delay, this.#closing.signal);
      }
    } finally {
      this.close();
    }
    if (this.#source.signal?.aborted) throw new CanceledError("The stream was canceled.");
  }

  /** Gives null for signs of life that are no event. */
  async *#read({ response, abort }: Connection): AsyncGenerator<ServerEvent<T> | null> {
    const parser = new SseParser(this.#lastEventId);
    const decoder = new TextDecoder();
    const reader = response.body!.getReader();
    let idle = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watch = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        idle = true;
        abort();
      }, this.#source.idleTimeoutMs);
    };
    this.#closing.signal.addEventListener("abort", abort, { once: true });
    try {
      for (;;) {
        watch();
        const { done, value } = await reader.read();
        if (done) return;
        for (const raw of parser.push(decoder.decode(value, { stream: true }))) {
          this.#lastEventId = raw.id;
          if (raw.event === "ready") this.#source.onReady?.();
          else yield { ...raw, data: parse(raw.data) as T };
        }
        this.#retryMs = parser.retryMs ?? this.#retryMs;
        yield null;
      }
    } catch (error) {
      if (error instanceof ActionConnectorError) throw error;
      if (idle) throw new TimeoutError(`The stream was silent for ${this.#source.idleTimeoutMs} ms.`);
      throw new ConnectionError("The stream was cut.", { cause: error });
    } finally {
      clearTimeout(timer);
      this.#closing.signal.removeEventListener("abort", abort);
      abort();
    }
  }
}

/** JSON where it is JSON, the text otherwise. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
