// The simulated market behind the same port: offline, deterministic, always marked.
import type { Clock } from "../../../lib/clock.ts";
import type { Calendars } from "../engine/calendar/index.ts";
import { quoteFailure, type FetchResults, type QuoteSource, type Security } from "../engine/upstream/source.ts";
import { NO_MARKET } from "../engine/symbols/instrument.ts";
import { simulateQuote } from "../engine/simulation/market.ts";

export function simulated(clock: Clock, calendars: Calendars): QuoteSource {
  return {
    name: "simulated",
    batchMax: 100,
    metered: false,
    delivery: "simulated",
    limit: null,
    covers: () => true,
    async fetch(securities) {
      return new Map(
        securities.map((security) => [security.key, answer(security, clock.now(), calendars)]),
      ) as FetchResults;
    },
  };
}

function answer(security: Security, now: number, calendars: Calendars) {
  const { instrument } = security;
  if (!instrument)
    return quoteFailure(
      "symbol_not_found",
      `The simulated market trades what GET /stock/symbols finds; ${security.symbol} is not there.`,
      { provider: "simulated" },
    );
  const calendar = instrument.mic === NO_MARKET ? null : (calendars.get(instrument.mic) ?? calendars.get("SIMX")!);
  return simulateQuote(instrument, calendar, now);
}
