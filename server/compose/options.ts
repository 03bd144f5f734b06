// From the configuration to what each module asks for. It decides nothing; a missing credential is a missing provider.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { DeliverySettings } from "../actions/delivery/index.ts";
import { stockFaults, type StockOptions } from "../actions/stock/index.ts";
import { ConfigError, type Config } from "../config.ts";
import { type Caps, readCaps } from "../platform/plans/caps.ts";
import type { Platform } from "../platform/platform.ts";

/** Who allows 127.0.0.1:9000 means this machine, also where it is called localhost:9000. */
export const withLocalhost = (allowed: string[]): string[] =>
  allowed.flatMap((entry) => {
    const port = /^(?:127\.0\.0\.1|\[::1\])(:.+)?$/.exec(entry);
    return port ? [entry, `localhost${port[1] ?? ""}`] : [entry];
  });

export function deliverySettings(config: Config): DeliverySettings {
  const {
    DOORDASH_DEVELOPER_ID,
    DOORDASH_KEY_ID,
    DOORDASH_SIGNING_SECRET,
    UBER_CUSTOMER_ID,
    UBER_CLIENT_ID,
    UBER_CLIENT_SECRET,
  } = config;
  const trim = (url: string) => url.replace(/\/+$/, "");
  return {
    providers:
      config.DELIVERY_PROVIDERS.length > 0
        ? config.DELIVERY_PROVIDERS
        : ["fleet", "doordash", "uber_direct", "onfleet"],
    doordash:
      DOORDASH_DEVELOPER_ID && DOORDASH_KEY_ID && DOORDASH_SIGNING_SECRET
        ? {
            url: trim(config.DOORDASH_URL),
            developerId: DOORDASH_DEVELOPER_ID,
            keyId: DOORDASH_KEY_ID,
            signingSecret: DOORDASH_SIGNING_SECRET,
            webhookAuthorization: config.DOORDASH_WEBHOOK_AUTHORIZATION,
          }
        : null,
    uberDirect:
      UBER_CUSTOMER_ID && UBER_CLIENT_ID && UBER_CLIENT_SECRET
        ? {
            url: trim(config.UBER_URL),
            loginUrl: trim(config.UBER_LOGIN_URL),
            customerId: UBER_CUSTOMER_ID,
            clientId: UBER_CLIENT_ID,
            clientSecret: UBER_CLIENT_SECRET,
            webhookKey: config.UBER_WEBHOOK_KEY,
          }
        : null,
    onfleet: config.ONFLEET_API_KEY
      ? { url: trim(config.ONFLEET_URL), apiKey: config.ONFLEET_API_KEY, webhookSecret: config.ONFLEET_WEBHOOK_SECRET }
      : null,
    nominatimUrl: config.NOMINATIM_URL && trim(config.NOMINATIM_URL),
    photonUrl: config.PHOTON_URL && trim(config.PHOTON_URL),
    osrmUrl: config.OSRM_URL && trim(config.OSRM_URL),
    valhallaUrl: config.VALHALLA_URL && trim(config.VALHALLA_URL),
    maxKm: config.DELIVERY_MAX_KM,
    testSpeed: config.DELIVERY_TEST_SPEED,
    proofDays: config.DELIVERY_PROOF_DAYS,
    geodataDir: join(resolve(config.DATA_DIR), "geodata"),
  };
}

/** Who we are to the pages and endpoints we call. */
export function userAgent(config: Config): string {
  return `ActionConnector/1.0${config.PUBLIC_URL ? ` (+${config.PUBLIC_URL})` : ""}`;
}

export function stockOptions(config: Config, platform: Platform): StockOptions {
  const options: StockOptions = {
    fetch: platform.guard.fetch,
    country: config.STOCK_COUNTRY?.toUpperCase() ?? null,
    timeoutMs: config.STOCK_TIMEOUT_MS,
    hedgeMs: config.STOCK_HEDGE_MS,
    closures: () => (config.STOCK_CLOSURES ? readFileSync(config.STOCK_CLOSURES, "utf8") : "[]"),
    providers: {
      order: config.STOCK_PROVIDERS,
      urls: config.STOCK_PROVIDER_URLS,
      alpaca: { key: config.STOCK_ALPACA_KEY, secret: config.STOCK_ALPACA_SECRET, feed: config.STOCK_ALPACA_FEED },
      finnhubToken: config.STOCK_FINNHUB_TOKEN,
      tiingoToken: config.STOCK_TIINGO_TOKEN,
      yahooAccepted: config.STOCK_YAHOO_UNOFFICIAL,
      twelveData: { key: config.STOCK_TWELVE_DATA_KEY, delaySeconds: config.STOCK_TWELVE_DATA_DELAY_SECONDS },
      massive: { key: config.STOCK_MASSIVE_KEY, plan: config.STOCK_MASSIVE_PLAN },
    },
  };
  const faults = stockFaults(options);
  if (faults.length > 0) throw new ConfigError(faults);
  return options;
}

export function planCaps({ PLAN_CAPS }: Config): Caps {
  try {
    return readCaps(PLAN_CAPS);
  } catch (error) {
    throw new ConfigError([`CONNECTOR_PLAN_CAPS: ${(error as Error).message}`]);
  }
}
