// GET /stock/markets and /stock/markets/{mic}: the state now, the sessions and holidays of a range of days.
import type { Static } from "typebox";
import { handle, type Call, type Handler } from "../../../contract/define.ts";
import { invalid } from "../../../contract/registry.ts";
import { formatTime, parseTime } from "../../../lib/time.ts";
import { notFound, readPage, type Platform } from "../../../platform/platform.ts";
import * as contract from "../contract/index.ts";
import type { MarketAnswer } from "../contract/shapes.ts";
import type { Calendars } from "../engine/calendar/index.ts";
import { viewMarket, viewSession } from "../view.ts";

const MAX_DAYS = 400;
const DAY_MS = 86_400_000;

export interface MarketDeps {
  platform: Platform;
  calendars: Calendars;
}

type ListCall = Call<unknown, Static<NonNullable<typeof contract.markets.query>>>;
type ReadCall = Call<
  Static<NonNullable<typeof contract.market.params>>,
  Static<NonNullable<typeof contract.market.query>>
>;

function listMarkets({ platform, calendars }: MarketDeps, call: ListCall) {
  const { country } = call.query;
  const all = calendars
    .main()
    .map((mic) => calendars.get(mic)!)
    .filter((c) => !country || c.exchange.country === country);
  return readPage(
    platform.cursors,
    `stock.markets:${country ?? ""}`,
    call.query,
    async (after, count) => all.filter((c) => after === null || c.mic > after).slice(0, count),
    (c) => c.mic,
    (c) => viewMarket(c, call.now),
  );
}

function readMarket({ calendars }: MarketDeps, { params, query, now }: ReadCall): Static<typeof MarketAnswer> {
  const calendar = params.mic === "SIMX" ? null : calendars.get(params.mic);
  if (!calendar) throw notFound("market");
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

const outOfRange = (name: string, detail: string, hint: string) =>
  invalid([{ pointer: `/${name}`, code: "range", detail, hint }]);

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
