// Every calendar there is, by MIC; and the same with an operator's overrides on top.
import { MarketCalendar } from "./market.ts";
import type { Override } from "./calendar.ts";
import type { Exchange } from "./exchange.ts";
import { AFRICA } from "./exchanges/africa.ts";
import { AMERICAS } from "./exchanges/americas.ts";
import { ANDES } from "./exchanges/andes.ts";
import { ASIA_PACIFIC } from "./exchanges/asia-pacific.ts";
import { BRITISH_ISLES } from "./exchanges/british-isles.ts";
import { EUROPE } from "./exchanges/europe.ts";
import { EUROPE_EAST } from "./exchanges/europe-east.ts";
import { EUROPE_NORTH } from "./exchanges/europe-north.ts";
import { JAPAN_KOREA } from "./exchanges/japan-korea.ts";
import { TAIWAN } from "./exchanges/taiwan.ts";

export { MarketCalendar, type MarketState, type Phase } from "./market.ts";
export type { Override, Session } from "./calendar.ts";
export type { Exchange } from "./exchange.ts";

const EXCHANGES: Exchange[] = [
  ...AMERICAS,
  ...ANDES,
  ...BRITISH_ISLES,
  ...EUROPE,
  ...EUROPE_NORTH,
  ...EUROPE_EAST,
  ...ASIA_PACIFIC,
  ...JAPAN_KOREA,
  ...TAIWAN,
  ...AFRICA,
];
const BY_MIC = new Map<string, Exchange>(
  EXCHANGES.flatMap((e) => [e.mic, ...(e.also ?? [])].map((mic) => [mic, e] as const)),
);

/** The pretended market of the simulation keeps New York's hours. */
BY_MIC.set("SIMX", BY_MIC.get("XNYS")!);

export interface Calendars {
  get(mic: string): MarketCalendar | null;
  /** Every MIC with a calendar of its own or a shared one. */
  mics(): string[];
  /** MICs with a table of their own, for lists. */
  main(): string[];
  /** Swaps the ad-hoc changes; where they differ from those before, calendars are built anew on next use. */
  use(overrides: Override[]): void;
}

/** Calendars with ad-hoc changes; each is built on first use. */
export function openCalendars(given: Override[] = []): Calendars {
  let overrides = given;
  const open = new Map<string, MarketCalendar>();
  return {
    get(mic) {
      const known = open.get(mic);
      if (known) return known;
      const exchange = BY_MIC.get(mic);
      if (!exchange) return null;
      const mine = overrides.filter((o) => o.mic === mic || o.mic === exchange.mic);
      const calendar = new MarketCalendar(mic, exchange, mine);
      open.set(mic, calendar);
      return calendar;
    },
    mics: () => [...BY_MIC.keys()].filter((mic) => mic !== "SIMX").sort(),
    main: () =>
      EXCHANGES.map((e) => e.mic)
        .concat("XNAS")
        .sort(),
    use(changed) {
      if (JSON.stringify(changed) === JSON.stringify(overrides)) return;
      overrides = changed;
      open.clear();
    },
  };
}

const standard = openCalendars();

/** The calendar of a MIC as released, or null when there is none. */
export const marketCalendar = (mic: string): MarketCalendar | null => standard.get(mic);
/** MICs with a table of their own that is claimed to be right in every row. */
export const claimedMics = (): string[] =>
  EXCHANGES.filter((e) => !e.unclaimed)
    .map((e) => e.mic)
    .concat("XNAS")
    .sort();
