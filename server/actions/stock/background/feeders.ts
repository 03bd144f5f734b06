// Feeds the topics of open streams: from a provider's WebSocket where there is one, otherwise by polling the quote cache.
import type { Clock } from "../../../lib/clock.ts";
import type { Calendars } from "../engine/calendar/index.ts";
import type { QuoteCache } from "../engine/upstream/quote-cache.ts";
import type { Security } from "../engine/upstream/source.ts";
import type { ServedQuote } from "../engine/quote/serve.ts";
import type { Provider, StreamSource } from "../providers/port.ts";
import type { Feeder } from "./hub.ts";

const POLL_MS = 1000;

export interface FeederDeps {
  clock: Clock;
  cache: QuoteCache;
  calendars: Calendars;
  providers: Provider[];
  publish(key: string, quote: ServedQuote): void;
  log(message: string): void;
}

/** Counts listeners per security; one upstream subscription serves them all. */
export function createFeeder(deps: FeederDeps): Feeder & { close(): void } {
  const { clock, cache, calendars } = deps;
  const counts = new Map<string, { security: Security; count: number }>();
  const streaming = deps.providers.find((p) => p.openStream);
  let stream: StreamSource | null = null;
  let stopPolling = () => {};
  let polling = false;

  const openStream = (): StreamSource | null =>
    (stream ??=
      streaming?.openStream?.({
        onDraft(security, draft) {
          const entry = cache.put(security, draft);
          if (entry) deps.publish(security.key, entry.served);
        },
        onSilence: (list) => list.forEach((security) => cache.expire(security.key)),
        expectsData: (list) =>
          list.some(
            (security) => security.mic !== null && calendars.get(security.mic)?.phaseAt(clock.now()) === "regular",
          ),
        log: deps.log,
      }) ?? null);

  async function publishCurrent(security: Security): Promise<void> {
    const answer = await cache.get(security);
    if (answer.ok && counts.has(security.key)) deps.publish(security.key, answer.entry.served);
  }

  /** Polls through the quote cache, so that its lifetimes and the providers' limits hold here too. */
  async function poll(): Promise<void> {
    if (polling) return;
    polling = true;
    try {
      await Promise.all([...counts.values()].map(({ security }) => publishCurrent(security)));
    } finally {
      polling = false;
    }
  }

  return {
    subscribe(security) {
      const entry = counts.get(security.key);
      if (entry) {
        entry.count++;
        return void publishCurrent(security);
      }
      counts.set(security.key, { security, count: 1 });
      if (counts.size === 1) stopPolling = clock.every(POLL_MS, () => void poll());
      if (streaming?.source.covers(security)) openStream()?.subscribe(security);
      void publishCurrent(security);
    },
    unsubscribe(security) {
      const entry = counts.get(security.key);
      if (!entry || --entry.count > 0) return;
      counts.delete(security.key);
      if (streaming?.source.covers(security)) stream?.unsubscribe(security);
      if (counts.size === 0) stopPolling();
    },
    close() {
      stopPolling();
      stream?.close();
    },
  };
}
