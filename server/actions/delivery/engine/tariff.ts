// What a delivery costs by a tariff: decimals, never floats; rounded up to whole cents. Pure.
import { add, compare, multiply, round } from "../../../lib/decimal.ts";

export interface Tariff {
  currency: string;
  base: string;
  per_km?: string;
  per_minute?: string;
  minimum?: string;
}

const NO_CENTS = new Set(["JPY", "KRW", "VND", "CLP", "ISK", "HUF"]);

export function priceOf(
  tariff: Tariff,
  trip: { km: number | null; driveSeconds: number },
  fee: string | undefined,
): { amount: string; currency: string } {
  const km = hundredths(trip.km ?? 0);
  const minutes = hundredths(trip.driveSeconds / 60);
  let amount = add(tariff.base, multiply(tariff.per_km ?? "0", km));
  amount = add(amount, multiply(tariff.per_minute ?? "0", minutes));
  if (tariff.minimum && compare(amount, tariff.minimum) < 0) amount = tariff.minimum;
  if (fee) amount = add(amount, fee);
  const places = NO_CENTS.has(tariff.currency) ? 0 : 2;
  return { amount: padded(round(amount, places, "up"), places), currency: tariff.currency };
}

const hundredths = (value: number): string => `${Math.round(value * 100) / 100}`;

/** Money has one spelling: always two places, or none. */
function padded(amount: string, places: number): string {
  const [whole, rest = ""] = amount.split(".");
  return places === 0 ? whole : `${whole}.${rest.padEnd(places, "0")}`;
}
