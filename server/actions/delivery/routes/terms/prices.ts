// What an order costs: by the tariff of the account, or as it was quoted.
import { invalid } from "../../../../contract/errors.ts";
import type { Settings } from "../../contract/settings.ts";
import { priceOf } from "../../engine/tariff.ts";
import type { Journey } from "../../planner.ts";
import type { RouteDeps } from "../deps.ts";
import { zoneOf } from "./feasibility.ts";

export function priceFor(settings: Settings, journey: Journey): { amount: string; currency: string } | null {
  if (!settings.tariff) return null;
  const trip = { km: journey.km, driveSeconds: journey.eta.driveSeconds };
  return priceOf(settings.tariff, trip, zoneOf(settings, journey)?.fee);
}

interface Ends {
  pickup: { address: string };
  dropoff: { address: string };
}

type Price = { amount: string; currency: string };

/** Signed and kept by the client: the price holds for these two addresses, in this account, until it expires. */
export function writeQuote(
  { platform }: RouteDeps,
  tenantId: number,
  ends: Ends,
  price: Price,
  expiresMs: number,
): string {
  return platform.cursors.encode(quoteName(tenantId, ends), JSON.stringify([price.amount, price.currency, expiresMs]));
}

const quoteName = (tenantId: number, { pickup, dropoff }: Ends): string =>
  `quote ${tenantId} ${JSON.stringify([pickup.address, dropoff.address])}`;

/** The price that was quoted, or the one of the tariff now. */
export function priceOfOrder(
  { platform }: RouteDeps,
  tenantId: number,
  order: Ends & { quote?: string },
  { settings, journey, now }: { settings: Settings; journey: Journey; now: number },
): Price | null {
  if (order.quote === undefined) return priceFor(settings, journey);
  const text = platform.cursors.decode(quoteName(tenantId, order), order.quote);
  if (text === null)
    throw invalid("/quote", "quote was not made for this order", "Ask POST /delivery/quote for the same addresses");
  const [amount, currency, expiresMs] = JSON.parse(text);
  if (expiresMs < now) throw invalid("/quote", "quote has expired", "Ask POST /delivery/quote again", "expired");
  return { amount, currency };
}
