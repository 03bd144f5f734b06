// ISIN and FIGI: form and check digit. Says whether a code can be one, never what it names.

/** ISO 6166: two letters, nine letters or digits, and a Luhn digit over the text with A = 10 … Z = 35. */
export function isIsin(text: string): boolean {
  if (!/^[A-Z]{2}[A-Z0-9]{9}\d$/.test(text)) return false;
  const digits = [...text].map((c) => parseInt(c, 36)).join("");
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

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

export type IdentifierKind = "isin" | "figi";

/** What a code claims to be, and whether its check digit holds; null when it looks like neither. */
export function identify(text: string): { kind: IdentifierKind; valid: boolean } | null {
  const code = text.trim().toUpperCase();
  if (!/^[A-Z0-9]{12}$/.test(code) || !/\d$/.test(code)) return null;
  if (isFigi(code)) return { kind: "figi", valid: true };
  if (/^BBG/.test(code)) return { kind: "figi", valid: false };
  if (/^[A-Z]{2}/.test(code)) return { kind: "isin", valid: isIsin(code) };
  return null;
}
