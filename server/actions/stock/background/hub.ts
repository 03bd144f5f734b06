// Fans quotes out to open streams. Each change is encoded once; a slow reader gets the latest quote of each symbol, never a backlog.
import type { Clock } from "../../../lib/clock.ts";
import { encodeFrame, type SseStream } from "../../../lib/sse-stream.ts";
import { fromMillis } from "../engine/quote/instant.ts";
import type { ServedQuote } from "../engine/quote/serve.ts";
import type { QuoteFailure } from "../engine/upstream/source.ts";
import { viewFailure } from "../view.ts";

interface Topic {
  readers: Set<Reader>;
  revision: number;
  frame: Uint8Array | null;
  mark: string;
}

interface Reader {
  stream: SseStream;
  pending: Set<Topic>;
  pumping: boolean;
}

export interface Hub {
  /** Starts sending; `topics` are names, in order of preference for one symbol. */
  open(stream: SseStream, topics: string[], lastEventId: string | null): () => void;
  publish(topic: string, quote: ServedQuote): void;
  /** Says why there is no quote, as an event named symbol_error. */
  publishFailure(topic: string, symbol: string, failure: QuoteFailure): void;
  closeAll(): void;
}

export function createHub(clock: Clock): Hub {
  const topics = new Map<string, Topic>();
  const readers = new Set<Reader>();
  const epoch = clock.now().toString(36);
  let revision = 0;

  function topicOf(name: string): Topic {
    let topic = topics.get(name);
    if (!topic) topics.set(name, (topic = { readers: new Set(), revision: 0, frame: null, mark: "" }));
    return topic;
  }

  /** Sends what is pending; while the reader is slow, newer frames replace older ones instead of queueing. */
  async function pump(reader: Reader): Promise<void> {
    if (reader.pumping) return;
    reader.pumping = true;
    while (reader.pending.size > 0) {
      const batch = [...reader.pending];
      reader.pending.clear();
      for (const topic of batch) if (topic.frame && !reader.stream.sendBytes(topic.frame)) break;
      await reader.stream.drained();
    }
    reader.pumping = false;
  }

  /** Encodes once and sends to all readers; `mark` shows whether anything changed. */
  function announce(name: string, mark: string, event: string, dataOf: () => string): void {
    const topic = topics.get(name);
    if (!topic || topic.readers.size === 0 || mark === topic.mark) return;
    topic.mark = mark;
    topic.revision = ++revision;
    topic.frame = encodeFrame({ id: `${epoch}.${revision}`, event, data: dataOf() });
    for (const reader of topic.readers) {
      reader.pending.add(topic);
      void pump(reader);
    }
  }

  return {
    open(stream, names, lastEventId) {
      const reader: Reader = { stream, pending: new Set(), pumping: false };
      readers.add(reader);
      const [theirEpoch, theirRevision] = (lastEventId ?? "").split(".");
      const since = theirEpoch === epoch ? Number(theirRevision) || 0 : 0;
      const mine = names.map(topicOf);
      for (const topic of mine) {
        topic.readers.add(reader);
        if (topic.frame && topic.revision > since) reader.pending.add(topic);
      }
      void pump(reader);
      return () => {
        readers.delete(reader);
        for (const [i, topic] of mine.entries()) {
          topic.readers.delete(reader);
          if (topic.readers.size === 0) topics.delete(names[i]);
        }
      };
    },
    publish(name, quote) {
      const { last, bid, ask, data, trading } = quote.built;
      const mark = `${last?.price}|${last?.at}|${bid?.price}|${ask?.price}|${trading.status}|${data.sequence}|${data.as_of}`;
      announce(name, mark, "quote", () => {
        const now = clock.now();
        return quote.json(JSON.stringify(quote.built.id), now, fromMillis(now), "stream");
      });
    },
    publishFailure(name, symbol, failure) {
      announce(name, `failed|${failure.code}`, "symbol_error", () =>
        JSON.stringify({ requested: symbol, error: viewFailure(failure) }),
      );
    },
    closeAll() {
      for (const reader of [...readers]) reader.stream.close();
    },
  };
}
