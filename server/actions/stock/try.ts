// `connector try quote|calendar`: single questions to the engine, offline.
import type { Try } from "../../contract/try.ts";
import { systemClock } from "../../lib/clock.ts";
import { parseTime } from "../../lib/time.ts";
import { openCalendars } from "./engine/calendar/index.ts";
import { buildQuote } from "./engine/quote/build.ts";
import { fromMillis } from "./engine/quote/instant.ts";
import { marketOf, serveQuote } from "./engine/quote/serve.ts";
import { simulateQuote } from "./engine/simulation/market.ts";
import { NO_MARKET } from "./engine/symbols/instrument.ts";
import { openDirectory } from "./engine/symbols/directory.ts";
import { resolveSymbol } from "./engine/symbols/resolve.ts";
import { LISTED_INSTRUMENTS, MADE_UP_INSTRUMENTS } from "./engine/symbols/seed.ts";

const calendars = openCalendars();
const directory = openDirectory(LISTED_INSTRUMENTS, MADE_UP_INSTRUMENTS);

const instant = (text: string | undefined): number => {
  if (text === undefined) return systemClock.now();
  const ms = parseTime(text);
  if (ms === null) throw new Error(`"${text}" is not a time. Hint: send e.g. 2026-11-27T18:30:00Z`);
  return ms;
};

/** The simulated market's quote; a provider would need the network. */
function quote(symbol: string, at: string | undefined): unknown {
  const now = instant(at);
  const found = resolveSymbol(symbol, directory);
  if (!found.ok)
    return {
      requested: symbol,
      ok: false,
      error: { code: found.code, message: found.message, candidates: found.candidates },
    };
  const { instrument } = found.value;
  if (!instrument)
    return {
      requested: symbol,
      ok: false,
      error: {
        code: "symbol_not_found",
        message: `The directory does not know ${found.value.symbol}.`,
        candidates: directory.search(found.value.symbol.slice(0, 4), 5).map((i) => `${i.symbol}:${i.mic}`),
      },
    };
  const calendar = instrument.mic === NO_MARKET ? null : (calendars.get(instrument.mic) ?? calendars.get("SIMX")!);
  const built = buildQuote(simulateQuote(instrument, calendar, now), {
    instrument,
    mic: instrument.mic === NO_MARKET ? null : instrument.mic,
    calendar,
    receivedAt: fromMillis(now),
  });
  return built.ok
    ? { requested: symbol, ok: true, quote: serveQuote(built.quote, symbol, calendar, now, "miss") }
    : { requested: symbol, ok: false, error: built };
}

function calendar(mic: string, at: string | undefined): unknown {
  const found = calendars.get(mic.toUpperCase());
  if (!found) throw new Error(`There is no calendar of "${mic}". Known: ${calendars.mics().join(" ")}`);
  const now = instant(at);
  const state = found.stateAt(now);
  return {
    mic: found.mic,
    name: found.exchange.name,
    timezone: found.exchange.zone,
    at: fromMillis(now),
    ...marketOf(found, now),
    next_close_at: state.next_close_at === null ? null : fromMillis(state.next_close_at),
  };
}

export const tries: Record<string, Try> = {
  quote: {
    usage: "quote SYMBOL [TIME]",
    ask: ([symbol, at]) => quote(symbol, at),
    askRow: (row) => quote(String(row.symbol), row.at),
  },
  calendar: {
    usage: "calendar MIC [TIME]",
    ask: ([mic, at]) => calendar(mic, at),
    askRow: (row) => calendar(String(row.mic), row.at),
  },
};
