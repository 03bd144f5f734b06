// GET /stock/markets and /stock/markets/{mic}: the state now, the sessions and holidays of a range of days.
import { handle, type CallOf, type Handler } from "../../../contract/define.ts";
import { Failure, invalid } from "../../../contract/errors.ts";
import { nextTurn } from "../../../lib/loop.ts";
import { nearest } from "../../../lib/nearest.ts";
import { DAY_MS, formatTime, parseTime } from "../../../lib/time.ts";
import { readPage } from "../../../platform/pages.ts";
import type { Platform } from "../../../platform/platform.ts";
import * as contract from "../contract/index.ts";
import type { Calendars, MarketCalendar } from "../engine/calendar/index.ts";
import { SIMULATED_MIC } from "../engine/symbols/seed.ts";
import { venueOfName } from "../engine/symbols/venues.ts";
import { viewMarket, viewSession } from "../view.ts";

const MAX_DAYS = 400;

export interface MarketDeps {
  platform: Platform;
  calendars: Calendars;
}

function listMarkets({ platform, calendars }: MarketDeps, call: CallOf<typeof contract.markets>) {
  const country = call.query.country?.toUpperCase();
  const all = calendars
    .main()
    .map((mic) => calendars.get(mic)!)
    .filter((c) => !country || c.exchange.country === country);
  return readPage({
    cursors: platform.cursors,
    list: `stock.markets:${country ?? ""}`,
    query: call.query,
    async read(after, count) {
      const page = all.filter((c) => after === null || c.mic > after).slice(0, count);
      // The first question to a calendar builds it, in about five milliseconds: others have a turn in between.
      for (const calendar of page) {
        calendar.stateAt(call.now);
        await nextTurn();
      }
      return page;
    },
    position: (c) => c.mic,
    view: (c) => viewMarket(c, call.now),
  });
}

/** A market by its MIC or a usual name, in any case of letters. */
function findCalendar(calendars: Calendars, name: string): MarketCalendar {
  const mic = name.toUpperCase();
  const calendar = mic === SIMULATED_MIC ? null : (calendars.get(mic) ?? calendars.get(venueOfName(mic)?.mic ?? ""));
  if (calendar) return calendar;
  const near = nearest(mic, calendars.mics());
  throw new Failure("not_found", `There is no market ${mic.slice(0, 14)} here.`, {
    hint: `${near ? `Did you mean ${near}? ` : ""}GET /stock/markets lists all of them.`,
  });
}

function readMarket({ calendars }: MarketDeps, { params, query, now }: CallOf<typeof contract.market>) {
  const calendar = findCalendar(calendars, params.mic);
  const at = query.at ? parseTime(query.at)! : now;
  const from = query.from ?? calendar.localDate(at);
  const to =
    query.to ?? new Date(Date.parse(`${checkedDay(from, "from")}T00:00:00Z`) + 14 * DAY_MS).toISOString().slice(0, 10);
  const days = (Date.parse(`${checkedDay(to, "to")}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS;
  if (days < 0 || days > MAX_DAYS)
    throw outOfRange(
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

const outOfRange = (name: string, detail: string, hint: string) => invalid(`/${name}`, detail, hint, "range");

function checkedDay(text: string, name: string): string {
  const year = Number(text.slice(0, 4));
  const real =
    !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);
  if (!real || year < 1990 || year > 2100)
    throw outOfRange(name, `${name} must be a day between 1990 and 2100`, "Send e.g. 2026-11-27");
  return text;
}

export const marketRoutes = (deps: MarketDeps): Handler[] => [
  handle(contract.markets, (call) => listMarkets(deps, call)),
  handle(contract.market, (call) => readMarket(deps, call)),
];
