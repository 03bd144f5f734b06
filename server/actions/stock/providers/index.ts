// From settings to providers, in the operator's order. The only list of who there is.
import type { AlpacaFeed } from "./alpaca-draft.ts";
import { alpaca } from "./alpaca.ts";
import { finnhub } from "./finnhub.ts";
import { massive, type MassivePlan } from "./massive.ts";
import type { Provider, ProviderDeps } from "./port.ts";
import { tiingo } from "./tiingo.ts";
import { twelveData } from "./twelve-data.ts";
import { yahoo } from "./yahoo.ts";

export interface ProviderSettings {
  /** Names in the order of preference; empty: every provider whose key is set. */
  order: string[];
  alpaca: { key: string | null; secret: string | null; feed: AlpacaFeed };
  finnhubToken: string | null;
  twelveData: { key: string | null; delaySeconds: number };
  massive: { key: string | null; plan: MassivePlan };
  tiingoToken: string | null;
  yahooAccepted: boolean;
  /** "alpaca=http://127.0.0.1:9000": another address than the public one. */
  urls: string[];
}

interface Entry {
  /** The settings it needs, by name, and whether each is there. */
  needs(s: ProviderSettings): Record<string, unknown>;
  open(s: ProviderSettings, deps: ProviderDeps): Provider;
}

/** Every provider, in the order that is used when the operator names none. */
const PROVIDERS: Record<string, Entry> = {
  alpaca: {
    needs: (s) => ({ STOCK_ALPACA_KEY: s.alpaca.key, STOCK_ALPACA_SECRET: s.alpaca.secret }),
    open: (s, deps) => alpaca({ key: s.alpaca.key!, secret: s.alpaca.secret!, feed: s.alpaca.feed }, deps),
  },
  finnhub: {
    needs: (s) => ({ STOCK_FINNHUB_TOKEN: s.finnhubToken }),
    open: (s, deps) => finnhub({ token: s.finnhubToken! }, deps),
  },
  twelve_data: {
    needs: (s) => ({ STOCK_TWELVE_DATA_KEY: s.twelveData.key }),
    open: ({ twelveData: { key, delaySeconds } }, deps) =>
      twelveData({ key: key!, delaySeconds: delaySeconds < 0 ? null : delaySeconds }, deps),
  },
  massive: {
    needs: (s) => ({ STOCK_MASSIVE_KEY: s.massive.key }),
    open: (s, deps) => massive({ key: s.massive.key!, plan: s.massive.plan }, deps),
  },
  tiingo: {
    needs: (s) => ({ STOCK_TIINGO_TOKEN: s.tiingoToken }),
    open: (s, deps) => tiingo({ token: s.tiingoToken! }, deps),
  },
  yahoo: {
    needs: (s) => ({ "STOCK_YAHOO_UNOFFICIAL=true": s.yahooAccepted }),
    open: (_, deps) => yahoo({}, deps),
  },
};

/** Names that providers had before. */
const FORMER_NAMES: Record<string, string> = { polygon: "massive", "polygon.io": "massive", twelvedata: "twelve_data" };

const missing = (name: string, s: ProviderSettings): string[] =>
  Object.entries(PROVIDERS[name].needs(s)).flatMap(([setting, value]) => (value ? [] : [setting]));

/** What is wrong with the settings, each with what to do; empty when nothing is. */
export function providerFaults(s: ProviderSettings): string[] {
  return s.order.flatMap((name) => {
    const now = FORMER_NAMES[name.toLowerCase()];
    if (now)
      return `CONNECTOR_STOCK_PROVIDERS names ${name}, which is called ${now} here. Hint: write ${now}, and set ${Object.keys(
        PROVIDERS[now].needs(s),
      )
        .map((setting) => `CONNECTOR_${setting}`)
        .join(" and ")}.`;
    if (!Object.hasOwn(PROVIDERS, name))
      return `CONNECTOR_STOCK_PROVIDERS names "${name}", which is none of ${Object.keys(PROVIDERS).join(", ")}. Hint: correct it or take it off the list.`;
    return missing(name, s).map(
      (setting) =>
        `CONNECTOR_STOCK_PROVIDERS names ${name}, but CONNECTOR_${setting} is not set. Hint: set it, or take ${name} off the list.`,
    );
  });
}

/** Providers whose settings are complete although the operator's list leaves them out. */
export const unusedProviders = (s: ProviderSettings): string[] =>
  s.order.length === 0
    ? []
    : Object.keys(PROVIDERS).filter((name) => !s.order.includes(name) && missing(name, s).length === 0);

/** Every provider with the settings it needs, and whether it is asked. */
export function knownProviders(s: ProviderSettings): { name: string; settings: string[]; configured: boolean }[] {
  const asked = orderOf(s);
  return Object.keys(PROVIDERS).map((name) => ({
    name,
    settings: Object.keys(PROVIDERS[name].needs(s)),
    configured: asked.includes(name),
  }));
}

const orderOf = (s: ProviderSettings): string[] =>
  s.order.length > 0 ? s.order : Object.keys(PROVIDERS).filter((name) => missing(name, s).length === 0);

/** Call it with settings that have no faults. */
export function openProviders(s: ProviderSettings, deps: Omit<ProviderDeps, "baseUrl" | "streamUrl">): Provider[] {
  const urls = new Map(s.urls.map((u) => [u.slice(0, u.indexOf("=")), u.slice(u.indexOf("=") + 1)]));
  return orderOf(s).map((name) => {
    const baseUrl = urls.get(name);
    const streamUrl = urls.get(`${name}_stream`);
    return PROVIDERS[name].open(s, { ...deps, ...(baseUrl ? { baseUrl } : {}), ...(streamUrl ? { streamUrl } : {}) });
  });
}
