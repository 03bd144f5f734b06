// The fast path against the general path: every sign and word of the table with numbers of every layout, from one seed.
import { expect, test } from "bun:test";
import { SIGNS } from "./currencies.ts";
import { isDate } from "./number.ts";
import { parsePrice, parseSlowly } from "./parse.ts";
import { isPlain } from "./plain.ts";

const RUNS = 20_000;
const WORDS = [...SIGNS.keys()].map((word) => word.replace("_", " "));
const NUMBERS = ["7", "25", "0", "007", "1234", "1.5", "1,50", "0.125", "1.234", "01,234", "1,234.56", "1.234,56"];
const LONG_NUMBERS = [
  "1 234",
  "1\u00a0234,50",
  "12 345 678",
  "1,23,456.00",
  "1.234.567",
  "1,2,3",
  "15.08.2017",
  "2017,8,15",
];
const WORDS_BEFORE = [
  "Cena ",
  "Price: ",
  "Цена: ",
  "naše cena ",
  "ab ",
  "From ",
  "vanaf\u00a0",
  "US ",
  "x ",
  "a ",
  "was ",
  "iva. ",
];
const AROUND = ["", "", "", " ", "\u00a0", "*", " *"];

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) / 0x1000000;
  };
}

function writtenPrice(random: () => number): string {
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)]!;
  const word = pick(WORDS);
  const spelling = pick([word, word.toLowerCase(), word[0] + word.slice(1).toLowerCase()]);
  const number = pick(random() < 0.6 ? NUMBERS : LONG_NUMBERS);
  const gap = pick(["", " ", "\u00a0", "  ", "."]);
  const parts = random() < 0.5 ? [spelling, gap, number] : [number, gap, spelling];
  const before = random() < 0.3 ? pick(WORDS_BEFORE) : "";
  return pick(AROUND) + before + (random() < 0.1 ? number : parts.join("")) + pick(AROUND);
}

test("the fast path and the general path agree on every sign, word and layout", () => {
  const random = seeded(22);
  let plain = 0;
  for (let i = 0; i < RUNS; i++) {
    const text = writtenPrice(random);
    if (isPlain(text)) plain++;
    expect({ text, ...parsePrice(text) }).toEqual({ text, ...parseSlowly(text) });
  }
  expect(plain).toBeGreaterThan(RUNS / 3);
});

test("words in front that mean nothing, and those that say from, are read over on the fast path", () => {
  for (const text of ["Běžná cena 9 800 Kč", "Price: $129.00", "ab 2.99 €", "Vanaf € 49.95", "naše cena 250,00 Kč"])
    expect([text, isPlain(text)]).toEqual([text, true]);
  expect(parsePrice("ab 2.99 €")).toMatchObject({ amount: "2.99", currency: "EUR", kind: "from" });
  expect(parsePrice("Cena 14,79 €")).toMatchObject({ amount: "14.79", currency: "EUR", kind: "price" });
  for (const text of ["AU $59.95", "was 5 €", "July 2004", "cena 5 € 6"])
    expect([text, isPlain(text)]).toEqual([text, false]);
});

test("a sign with a letter behind it and a word with a turned quote are read beside other words too", () => {
  expect(parsePrice("Precio: U$S 1.250 final")).toMatchObject({ amount: "1250", currency: "USD", certain: true });
  expect(parsePrice("Narxi: 12 000 so‘m dan")).toMatchObject({ amount: "12000", currency: "UZS" });
  expect(parsePrice("So‘m 503")).toMatchObject({ amount: "503", currency: "UZS" });
});

test("a date has two marks and a year of this or the last century", () => {
  const dates = ["15.08.2017", "1,8,1999", "2017.08.15", "1999,1,1"].map((text) => isDate(text, 0, text.length));
  expect(dates).toEqual([true, true, true, true]);
  const others = ["1.234.567", "15.08.2117", "1,234.56", "123.08.2017", "2017.0815", "12.345.2017"];
  for (const text of others) expect(isDate(text, 0, text.length)).toBe(false);
});
