// Markets as answers: state now, sessions and holidays of a span.
import type { Static } from "typebox";
import { invalid } from "../../../contract/registry.ts";
import { formatTime, parseTime } from "../../../lib/time.ts";
import { notFound } from "../../../platform/platform.ts";
import type { Calendars, MarketCalendar, Session } from "../engine/calendar/index.ts";
import { marketOf } from "../engine/quote/serve.ts";
import type { MarketAnswer, MarketListItem } from "../shapes.ts";

const MAX_DAYS = 400;
const DAY_MS = 86_400_000;

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
    market: marketOf(calendar, now) as any,
  };
}

export function readMarket(
  calendars: Calendars,
  mic: string,
  query: { at?: string; from?: string; to?: string },
  now: number,
): Static<typeof MarketAnswer> {
  const calendar = mic === "SIMX" ? null : calendars.get(mic);
  if (!calendar) throw notFound("market");
  const at = query.at ? parseTime(query.at)! : now;
  const from = query.from ?? calendar.localDate(at);
  const to =
    query.to ?? new Date(Date.parse(`${checkedDay(from, "from")}T00:00:00Z`) + 14 * DAY_MS).toISOString().slice(0, 10);
  const days = (Date.parse(`${checkedDay(to, "to")}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS;
  if (days < 0 || days > MAX_DAYS)
    throw fault(
      "to",
      days < 0 ? "to is before from" : `from and to are more than ${MAX_DAYS} days apart`,
      "Ask for a shorter span",
    );
  const state = calendar.stateAt(at);
  const years = [...new Set([from.slice(0, 4), to.slice(0, 4)])].map(Number);
  return {
    ...viewMarket(calendar, at),
    at: formatTime(at),
    next_close_at: state.next_close_at === null ? null : formatTime(state.next_close_at),
    sessions: calendar.sessions(from, to).map(viewSession),
    holidays: years.flatMap((y) => calendar.holidays(y)).filter((h) => h.date >= from && h.date <= to),
  };
}

const viewSession = (s: Session) => ({
  date: s.date,
  open_at: formatTime(s.open),
  close_at: formatTime(s.close),
  break_start_at: s.breakStart === null ? null : formatTime(s.breakStart),
  break_end_at: s.breakEnd === null ? null : formatTime(s.breakEnd),
  unusual: s.unusual,
});

const fault = (name: string, detail: string, hint: string) =>
  invalid([{ pointer: `/${name}`, code: "range", detail, hint }]);

function checkedDay(text: string, name: string): string {
  const year = Number(text.slice(0, 4));
  const real =
    !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);
  if (!real || year < 1990 || year > 2100)
    throw fault(name, `${name} must be a day between 1990 and 2100`, "Send e.g. 2026-11-27");
  return text;
}
