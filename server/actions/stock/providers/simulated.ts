// The simulated market behind the same port: offline, deterministic, always marked.
import type { Clock } from "../../../lib/clock.ts";
import type { Calendars } from "../engine/calendar/index.ts";
import { quoteFailure, type Fetched, type QuoteSource, type Wanted } from "../engine/desk/source.ts";
import { simulateQuote } from "../engine/simulation/market.ts";

export function simulated(clock: Clock, calendars: Calendars): QuoteSource {
  return {
    name: "simulated",
    batchMax: 100,
    metered: false,
    delivery: "simulated",
    limit: null,
    covers: () => true,
    async fetch(wanted) {
      return new Map(wanted.map((w) => [w.key, answer(w, clock.now(), calendars)])) as Fetched;
    },
  };
}

function answer(wanted: Wanted, now: number, calendars: Calendars) {
  const { instrument } = wanted;
  if (!instrument)
    return quoteFailure(
      "symbol_not_found",
      `The simulated market trades what GET /stock/symbols finds; ${wanted.symbol} is not there.`,
      { provider: "simulated" },
    );
  const calendar = calendars.get(instrument.mic) ?? calendars.get("SIMX")!;
  return simulateQuote(instrument, calendar, now);
}
