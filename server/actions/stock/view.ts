// How rows, securities and calendars are shown in answers. Pure functions.
import type { Static } from "typebox";
import { formatTime } from "../../lib/time.ts";
import { toIso } from "../../store/db.ts";
import type { Level } from "./contract/index.ts";
import type { MarketListItem } from "./contract/shapes.ts";
import type { MarketCalendar, Session } from "./engine/calendar/index.ts";
import { marketOf } from "./engine/quote/serve.ts";
import { readSymbol, writeSymbol, type Convention } from "./engine/symbols/conventions.ts";
import { idOf, type Instrument } from "./engine/symbols/instrument.ts";
import { venueOf } from "./engine/symbols/venues.ts";
import type { QuoteFailure } from "./engine/upstream/source.ts";
import type { LevelRow } from "./store.ts";

export function viewInstrument(i: Instrument) {
  const american = venueOf(i.mic)?.country === "US";
  const reading = american ? readSymbol(i.symbol, "canonical")[0] : undefined;
  const form = (convention: Convention) => (reading ? writeSymbol(reading, convention) : null);
  return {
    id: idOf(i),
    symbol: i.symbol,
    mic: i.mic,
    name: i.name,
    type: i.type,
    quoted_in: i.quotedIn,
    isin: i.isin,
    figi: i.figi,
    country: i.country,
    simulated_only: i.fictional ?? false,
    forms: { act: form("act"), cqs: form("cqs"), nasdaq: form("nasdaq"), dash: form("dash") },
  };
}

export function viewLevel(row: LevelRow): Level {
  return {
    id: row.id,
    symbol: row.symbol,
    instrument: row.key,
    above: row.above,
    below: row.below,
    percent: row.percent,
    hysteresis: row.hysteresis,
    repeat: row.repeat,
    state: row.state,
    tags: row.tags,
    created_at: toIso(row.createdMs),
    crossed_at: toIso(row.crossedMs),
    crossed_price: row.crossedPrice,
  };
}

export function viewMarket(calendar: MarketCalendar, now: number): Static<typeof MarketListItem> {
  const { mic, name, country, city, zone, currency, also } = calendar.exchange;
  const others = [mic, ...(also ?? [])].filter((m) => m !== calendar.mic);
  return {
    mic: calendar.mic,
    name,
    country,
    city,
    timezone: zone,
    currency,
    also: others,
    market: marketOf(calendar, now),
  };
}

export const viewSession = (s: Session) => ({
  date: s.date,
  open_at: formatTime(s.open),
  close_at: formatTime(s.close),
  break_start_at: s.breakStart === null ? null : formatTime(s.breakStart),
  break_end_at: s.breakEnd === null ? null : formatTime(s.breakEnd),
  unusual: s.unusual,
});

export const viewFailure = (f: QuoteFailure) => ({
  code: f.code,
  message: f.message,
  retryable: f.retryable,
  retry_after_ms: f.retryAfterMs,
  candidates: f.candidates,
  provider: f.provider,
});
