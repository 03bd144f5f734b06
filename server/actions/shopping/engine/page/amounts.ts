// Decimal strings as keys: equal amounts have equal text. No floating point.

/** `0120.50` → `120.5`; null for what is no plain decimal. */
export function plainAmount(amount: string | null): string | null {
  if (amount === null) return null;
  const match = /^(\d+)(?:\.(\d*))?$/.exec(amount.trim());
  if (!match) return null;
  const whole = match[1]!.replace(/^0+(?=\d)/, "");
  const fraction = (match[2] ?? "").replace(/0+$/, "");
  return fraction ? `${whole}.${fraction}` : whole;
}

/** -1, 0 or 1. */
export function compareAmounts(a: string, b: string): number {
  const [aw, af = ""] = plainAmount(a)!.split(".") as [string, string?];
  const [bw, bf = ""] = plainAmount(b)!.split(".") as [string, string?];
  if (aw.length !== bw.length) return aw.length < bw.length ? -1 : 1;
  if (aw !== bw) return aw < bw ? -1 : 1;
  const width = Math.max(af.length, bf.length);
  const left = af.padEnd(width, "0"),
    right = bf.padEnd(width, "0");
  return left === right ? 0 : left < right ? -1 : 1;
}

/** With the decimals of its currency at least: `12.5` EUR → `12.50`; more decimals stay. */
export function withDecimals(amount: string, decimals: number): string {
  const plain = plainAmount(amount) ?? amount;
  const [whole, fraction = ""] = plain.split(".") as [string, string?];
  return decimals === 0 && fraction === "" ? whole : `${whole}.${fraction.padEnd(decimals, "0")}`;
}

/** The amount as an integer of its smallest unit. */
export function toMinor(amount: string, decimals: number): bigint {
  const [whole, fraction = ""] = plainAmount(amount)!.split(".") as [string, string?];
  return BigInt(whole + fraction.padEnd(decimals, "0").slice(0, decimals));
}
