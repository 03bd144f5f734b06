// Keeps the topics that somebody listens to supplied: by a provider's stream where there is one, else by asking.
import type { Clock } from "../../../lib/clock.ts";
import type { Calendars } from "../engine/calendar/index.ts";
import type { Desk } from "../engine/desk/desk.ts";
import type { Wanted } from "../engine/desk/source.ts";
import type { ServedQuote } from "../engine/quote/serve.ts";
import type { Provider, StreamSource } from "../providers/port.ts";
import type { Feeder } from "./hub.ts";

const POLL_MS = 1000;

export interface FeederDeps {
  clock: Clock;
  desk: Desk;
  calendars: Calendars;
  providers: Provider[];
  publish(key: string, quote: ServedQuote): void;
  log(message: string): void;
}

/** Counts listeners per security; one upstream subscription serves them all. */
export function createFeeder(deps: FeederDeps): Feeder & { close(): void } {
  const { clock, desk, calendars } = deps;
  const counts = new Map<string, { wanted: Wanted; count: number }>();
  const streaming = deps.providers.find((p) => p.openStream);
  let stream: StreamSource | null = null;
  let stopPolling = () => {};
  let polling = false;

  const openStream = (): StreamSource | null =>
    (stream ??=
      streaming?.openStream?.({
        onDraft(wanted, draft) {
          const entry = desk.put(wanted, draft);
          if (entry) deps.publish(wanted.key, entry.served);
        },
        onSilence: (list) => list.forEach((w) => desk.expire(w.key)),
        expectsData: (list) =>
          list.some((w) => w.mic !== null && calendars.get(w.mic)?.phaseAt(clock.now()) === "regular"),
        log: deps.log,
      }) ?? null);

  async function look(wanted: Wanted): Promise<void> {
    const answer = await desk.get(wanted);
    if (answer.ok && counts.has(wanted.key)) deps.publish(wanted.key, answer.entry.served);
  }

  /** Asks through the desk, so that its cache and limits hold here too. */
  async function poll(): Promise<void> {
    if (polling) return;
    polling = true;
    try {
      await Promise.all([...counts.values()].map(({ wanted }) => look(wanted)));
    } finally {
      polling = false;
    }
  }

  return {
    subscribe(wanted) {
      const held = counts.get(wanted.key);
      if (held) {
        held.count++;
        return void look(wanted);
      }
      counts.set(wanted.key, { wanted, count: 1 });
      if (counts.size === 1) stopPolling = clock.every(POLL_MS, () => void poll());
      if (streaming?.source.covers(wanted)) openStream()?.subscribe(wanted);
      void look(wanted);
    },
    unsubscribe(wanted) {
      const held = counts.get(wanted.key);
      if (!held || --held.count > 0) return;
      counts.delete(wanted.key);
      if (streaming?.source.covers(wanted)) stream?.unsubscribe(wanted);
      if (counts.size === 0) stopPolling();
    },
    close() {
      stopPolling();
      stream?.close();
    },
  };
}
