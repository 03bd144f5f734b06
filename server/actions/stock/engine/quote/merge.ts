// A stream's update laid over what the same source said before. Two sources are never mixed: their closes may differ.
import { compare, type Decimal } from "../../../../lib/decimal.ts";
import type { MarketCalendar } from "../calendar/index.ts";
import { sessionAt } from "./build.ts";
import { compareInstants } from "./instant.ts";
import type { Draft, Trade } from "./model.ts";

export function mergeDraft(before: Draft | null, update: Draft, calendar: MarketCalendar | null): Draft {
  if (!before || before.source !== update.source) return update;
  const trade = newer(before.trade, update.trade);
  const own = update.day.date !== null && update.day.open !== null ? update.day : null;
  const day = own && own.date !== before.day.date ? own : { ...before.day };
  if (update.trade && day === own)
    return { ...before, ...shown(update), trade, day, previousClose: update.previousClose ?? before.previousClose };
  if (update.trade && sessionAt(update.trade.at, calendar) === "regular") {
    day.high = extreme(day.high, update.trade.price, 1);
    day.low = extreme(day.low, update.trade.price, -1);
  }
  return {
    ...before,
    ...shown(update),
    trade,
    bid: update.bid ?? before.bid,
    ask: update.ask ?? before.ask,
    day,
    previousClose: before.previousClose ?? update.previousClose,
  };
}

const shown = (d: Draft) => ({
  bid: d.bid,
  ask: d.ask,
  trading: d.trading,
  sequence: d.sequence,
  feed: d.feed,
  coverage: d.coverage,
  delivery: d.delivery,
  delaySeconds: d.delaySeconds,
});

function newer(a: Trade | null, b: Trade | null): Trade | null {
  if (!a || !b) return a ?? b;
  return a.at && b.at && compareInstants(a.at, b.at) > 0 ? a : b;
}

function extreme(known: Decimal | null, price: Decimal, sign: 1 | -1): Decimal | null {
  return known !== null && compare(price, known) === sign ? price : known;
}
