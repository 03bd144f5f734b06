// Feeds the topics of open streams: from a provider's WebSocket where there is one, otherwise by polling the quote cache.
import type { Clock } from "../../../lib/clock.ts";
import { createLoop } from "../../../lib/loop.ts";
import type { Calendars } from "../engine/calendar/index.ts";
import type { ServedQuote } from "../engine/quote/serve.ts";
import type { QuoteCache } from "../engine/upstream/quote-cache.ts";
import type { QuoteFailure, Security } from "../engine/upstream/source.ts";
import type { Provider, StreamSource } from "../providers/port.ts";

const POLL_MS = 1000;

/** Publishes the quotes of one mode (test or live) to the hub while a stream subscribes to them. */
export interface Feeder {
  subscribe(security: Security): void;
  unsubscribe(security: Security): void;
  stop(): Promise<void>;
}

export interface FeederDeps {
  clock: Clock;
  cache: QuoteCache;
  calendars: Calendars;
  providers: Provider[];
  publish(key: string, quote: ServedQuote): void;
  /** There is no quote of the security, and why. */
  publishFailure(key: string, failure: QuoteFailure): void;
  log(message: string): void;
}

/** Counts listeners per security; one upstream subscription serves them all. */
export function createFeeder(deps: FeederDeps): Feeder {
  const { clock, cache, calendars, log } = deps;
  const counts = new Map<string, { security: Security; count: number }>();
  const streaming = deps.providers.find((p) => p.openStream);
  let stream: StreamSource | null = null;
  /** Polls through the quote cache, so that its lifetimes and the providers' limits hold here too. */
  const polling = createLoop({
    clock,
    everyMs: POLL_MS,
    run: async () => {
      await Promise.all([...counts.values()].map(({ security }) => publishCurrent(security)));
    },
    onError: (error) => log(`quotes of streams could not be fetched: ${String(error)}`),
  });

  const isOpen = (security: Security): boolean =>
    security.mic !== null && calendars.get(security.mic)?.phaseAt(clock.now()) === "regular";

  const openStream = (): StreamSource | null =>
    (stream ??=
      streaming?.openStream?.({
        onDraft(security, draft) {
          const entry = cache.put(security, draft);
          if (entry) deps.publish(security.key, entry.served);
        },
        onSilence: (list) => list.forEach((security) => cache.expire(security.key)),
        expectsData: (list) => list.some(isOpen),
        log,
      }) ?? null);

  async function publishCurrent(security: Security): Promise<void> {
    const answer = await cache.get(security);
    if (!counts.has(security.key)) return;
    if (answer.ok) deps.publish(security.key, answer.entry.served);
    else deps.publishFailure(security.key, answer.failure);
  }

  return {
    subscribe(security) {
      const entry = counts.get(security.key);
      if (entry) {
        entry.count++;
        return void publishCurrent(security);
      }
      counts.set(security.key, { security, count: 1 });
      if (streaming?.source.covers(security)) openStream()?.subscribe(security);
      if (counts.size === 1) polling.start();
      else void publishCurrent(security);
    },
    unsubscribe(security) {
      const entry = counts.get(security.key);
      if (!entry || --entry.count > 0) return;
      counts.delete(security.key);
      if (streaming?.source.covers(security)) stream?.unsubscribe(security);
      if (counts.size === 0) void polling.stop();
    },
    async stop() {
      await polling.stop();
      stream?.close();
    },
  };
}
