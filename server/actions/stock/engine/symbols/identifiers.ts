// ISIN, CUSIP and FIGI: form and check digit. Says whether a code can be one, never what it names.

/** ISO 6166: two letters, nine letters or digits, and a Luhn digit over the text with A = 10 … Z = 35. */
export const isIsin = (text: string): boolean =>
  /^[A-Z]{2}[A-Z0-9]{9}\d$/.test(text) && isinDigit(text.slice(0, 11)) === Number(text[11]);

function isinDigit(body: string): number {
  const digits = [...body].map((c) => parseInt(c, 36)).join("");
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 0 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return (10 - (sum % 10)) % 10;
}

/** Nine characters, the last a check digit ("double-add-double" with A = 10 … Z = 35). */
function isCusip(text: string): boolean {
  if (!/^[0-9A-Z]{8}\d$/.test(text)) return false;
  let sum = 0;
  for (let i = 0; i < 8; i++) {
    const value = parseInt(text[i], 36) * (i % 2 === 1 ? 2 : 1);
    sum += Math.floor(value / 10) + (value % 10);
  }
  return (10 - (sum % 10)) % 10 === Number(text[8]);
}

/** A CUSIP is the inner part of an American or Canadian ISIN. */
export const isinsOfCusip = (cusip: string): string[] =>
  ["US", "CA"].map((country) => `${country}${cusip}${isinDigit(country + cusip)}`);

/** Prefixes that ISIN already uses for countries, so a FIGI never begins with them. */
const FIGI_NEVER = new Set(["BS", "BM", "GG", "GB", "GH", "KY", "VG"]);

/** The OMG's FIGI: no vowels, "G" in third place, and a double-add-double digit at the end. */
export function isFigi(text: string): boolean {
  if (!/^[B-DF-HJ-NP-TV-Z]{2}G[B-DF-HJ-NP-TV-Z0-9]{8}\d$/.test(text) || FIGI_NEVER.has(text.slice(0, 2))) return false;
  let sum = 0;
  for (let i = 0; i < 11; i++) {
    const value = parseInt(text[i], 36) * (i % 2 === 1 ? 2 : 1);
    sum += Math.floor(value / 10) + (value % 10);
  }
  return (10 - (sum % 10)) % 10 === Number(text[11]);
}

export type IdentifierKind = "isin" | "figi" | "cusip";

/** What a code claims to be, and whether its check digit holds; null when it looks like none of them. */
export function identify(text: string): { kind: IdentifierKind; valid: boolean } | null {
  const code = text.trim().toUpperCase();
  if (/\d/.test(code.slice(0, 8)) && isCusip(code)) return { kind: "cusip", valid: true };
  if (!/^[A-Z0-9]{12}$/.test(code) || !/\d$/.test(code)) return null;
  if (isFigi(code)) return { kind: "figi", valid: true };
  if (/^BBG/.test(code)) return { kind: "figi", valid: false };
  if (/^[A-Z]{2}/.test(code)) return { kind: "isin", valid: isIsin(code) };
  return null;
}
