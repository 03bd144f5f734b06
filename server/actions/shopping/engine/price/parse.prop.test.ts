// Properties of price strings: whatever a shop's format, the amount comes back; whatever the text, nothing throws.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { plainAmount } from "../page/amounts.ts";
import { parsePrice, parseSlowly } from "./parse.ts";

const formats: [string, string, (s: string) => string, string][] = [
  [",", ".", (s) => `$${s}`, "USD"],
  [".", ",", (s) => `${s} €`, "EUR"],
  [" ", ",", (s) => `${s} Kč`, "CZK"],
  ["'", ".", (s) => `CHF ${s}`, "CHF"],
  ["\u202f", ",", (s) => `${s}\u00a0€`, "EUR"],
  [",", ".", (s) => `£ ${s} inc VAT`, "GBP"],
  [".", ",", (s) => `R$ ${s}`, "BRL"],
];

test("an amount written in any format is read back", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 99_999_999 }),
      fc.integer({ min: 0, max: 99 }),
      fc.constantFrom(...formats),
      (whole, cents, [group, mark, dress, currency]) => {
        const grouped = String(whole).replace(/\B(?=(\d{3})+(?!\d))/g, group);
        const got = parsePrice(dress(`${grouped}${mark}${String(cents).padStart(2, "0")}`));
        expect(plainAmount(got.amount)).toBe(plainAmount(`${whole}.${String(cents).padStart(2, "0")}`));
        expect(got.currency).toBe(currency);
      },
    ),
    { verbose: 1 },
  );
});

test("any text at all gives an answer", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 80 }), fc.string({ maxLength: 20 }), (text, hint) => {
      const got = parsePrice(text, { hint });
      if (got.amount !== null) expect(got.amount).toMatch(/^\d+(\.\d+)?$/);
    }),
    { numRuns: 2000 },
  );
});

test("the short way and the long way say the same", () => {
  const part = fc.constantFrom(
    "$",
    "€",
    "£",
    "¥",
    " ",
    "\u00a0",
    "1",
    "12",
    "345",
    "2004",
    ".",
    ",",
    "Kč",
    "kr",
    "EUR",
    "руб.",
    "zł",
    "lei",
    "K",
    "R",
    "Ft",
    "0",
    "99",
    "-",
    "%",
    "TRY",
    "R$",
    "Rs",
    "US$",
    "*",
    "AED",
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 7 }), (parts) => {
      const text = parts.join("");
      expect(parsePrice(text)).toEqual(parseSlowly(text));
    }),
    { numRuns: 5000 },
  );
});
