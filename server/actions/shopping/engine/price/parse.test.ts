// Price strings: what a shop writes, what it means.
import { expect, test } from "bun:test";
import { parsePrice } from "./parse.ts";

const cases: [string, string | null, string | null, string?][] = [
  ["$14.99", "14.99", "USD"],
  ["1.226 €", "1226", "EUR"],
  ["1.226,99 €", "1226.99", "EUR"],
  ["1,234.56", "1234.56", null],
  ["R$2.720,00", "2720.00", "BRL"],
  ["CHF 1'049.95", "1049.95", "CHF"],
  ["1 298,00 ₽", "1298.00", "RUB"],
  ["₹1,23,456.00", "123456.00", "INR"],
  ["١٢٬٣٤٥٫٦٧ ر.س", "12345.67", "SAR"],
  ["۱۲۳٬۴۵۶ تومان", "123456", "IRR"],
  ["￥１，２９８", "1298", "JPY"],
  ["£1·99", "1.99", "GBP"],
  ["35€ 99", "35.99", "EUR"],
  ["12€50", "12.50", "EUR"],
  ["€ 12 ,50", "12.50", "EUR"],
  ["25€ 30 ml", "25", "EUR"],
  ["kr 1 299,-", "1299", "SEK"],
  ["CHF 12.–", "12", "CHF"],
  ["1.250 KWD", "1.250", "KWD"],
  ["0.125 €", "0.125", "EUR"],
  ["US $1,299.00", "1299.00", "USD"],
  ["SGD$4.90", "4.90", "SGD"],
  ["Rs. 1,499/-", "1499", "INR"],
  ["4 options from $439.34", "439.34", "USD", "from"],
  ["From 26 to 50 €", "26", "EUR", "range"],
  ["$29.99 – $74.99", "29.99", "USD", "range"],
  ["Was £50 Now £30", "30", "GBP"],
  ["12,99 €/Monat", "12.99", "EUR", "per_period"],
  ["1.99 € / 100 g", "1.99", "EUR", "per_unit"],
  ["12x de R$ 44,00", "44.00", "BRL", "instalment"],
  ["40% OFF", null, null, "percent"],
  ["15.08.2017", null, null],
  ["July, 2004", null, null],
  ["25-09", null, null],
  ["Free", "0", null, "free"],
  ["Not Available", null, null],
  ["", null, null],
];

for (const [text, amount, currency, kind] of cases) {
  test(`${text || "nothing"} is ${amount} ${currency ?? ""}`, () => {
    const got = parsePrice(text);
    expect([got.amount, got.currency]).toEqual([amount, currency]);
    if (kind) expect(got.kind).toBe(kind as typeof got.kind);
  });
}

test("a place settles a sign that several currencies share", () => {
  expect(parsePrice("¥150", { locale: "zh-CN" }).currency).toBe("CNY");
  expect(parsePrice("¥150", { locale: "ja-JP" }).currency).toBe("JPY");
  expect(parsePrice("$5", { locale: "en-AU" })).toMatchObject({ currency: "AUD", certain: true });
  expect(parsePrice("$5")).toMatchObject({ currency: "USD", certain: false });
  expect(parsePrice("99 kr", { locale: "no" })).toMatchObject({ currency: "NOK" });
});

test("a hint names a currency where the text has none, and never replaces a clear one", () => {
  expect(parsePrice("28", { hint: "€" })).toMatchObject({ currency: "EUR", source: "hint" });
  expect(parsePrice("£54.17", { hint: "USD" }).currency).toBe("GBP");
  expect(parsePrice("17.90", { hint: "ht / L'unité" }).currency).toBeNull();
});

test("a forced separator is obeyed", () => {
  expect(parsePrice("$..75,333", { decimalSeparator: "." }).amount).toBe("0.75333");
  expect(parsePrice("$..75,333", { decimalSeparator: "," }).amount).toBe("75.333");
  expect(parsePrice("1250€600", { decimalSeparator: "€" }).amount).toBe("1250.600");
});
