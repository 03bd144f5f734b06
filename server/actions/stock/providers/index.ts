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
  /** Names in the order of preference. */
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

export const PROVIDER_NAMES = ["alpaca", "finnhub", "twelve_data", "massive", "tiingo", "yahoo"] as const;

/** Throws with the setting to make when one is named without its key. */
export function openProviders(
  settings: ProviderSettings,
  deps: Omit<ProviderDeps, "baseUrl" | "streamUrl">,
): Provider[] {
  const urls = new Map(settings.urls.map((u) => [u.slice(0, u.indexOf("=")), u.slice(u.indexOf("=") + 1)]));
  return settings.order.map((name) => {
    const baseUrl = urls.get(name);
    const streamUrl = urls.get(`${name}_stream`);
    return open(name, settings, { ...deps, ...(baseUrl ? { baseUrl } : {}), ...(streamUrl ? { streamUrl } : {}) });
  });
}

function open(name: string, s: ProviderSettings, deps: ProviderDeps): Provider {
  const need = (value: string | null, setting: string): string => {
    if (value) return value;
    throw new Error(
      `CONNECTOR_STOCK_PROVIDERS names ${name}, but CONNECTOR_${setting} is not set. Hint: set it, or take ${name} off the list.`,
    );
  };
  switch (name) {
    case "alpaca":
      return alpaca(
        {
          key: need(s.alpaca.key, "STOCK_ALPACA_KEY"),
          secret: need(s.alpaca.secret, "STOCK_ALPACA_SECRET"),
          feed: s.alpaca.feed,
        },
        deps,
      );
    case "finnhub":
      return finnhub({ token: need(s.finnhubToken, "STOCK_FINNHUB_TOKEN") }, deps);
    case "twelve_data":
      return twelveData(
        {
          key: need(s.twelveData.key, "STOCK_TWELVE_DATA_KEY"),
          delaySeconds: s.twelveData.delaySeconds < 0 ? null : s.twelveData.delaySeconds,
        },
        deps,
      );
    case "massive":
      return massive({ key: need(s.massive.key, "STOCK_MASSIVE_KEY"), plan: s.massive.plan }, deps);
    case "tiingo":
      return tiingo({ token: need(s.tiingoToken, "STOCK_TIINGO_TOKEN") }, deps);
    case "yahoo":
      need(s.yahooAccepted ? "yes" : null, "STOCK_YAHOO_UNOFFICIAL=true");
      return yahoo({}, deps);
    default:
      throw new Error(`CONNECTOR_STOCK_PROVIDERS names "${name}", which is none of ${PROVIDER_NAMES.join(", ")}.`);
  }
}
