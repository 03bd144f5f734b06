// Tricks of case, spacing, look-alikes and invisible characters must not reach the models.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { seededRandom } from "../../../../lib/random.ts";
import { canonicalise, canonicalText, newTokens } from "./canonical.ts";

const tokens = newTokens();
const canon = (text: string) => {
  canonicalise(text, tokens);
  return canonicalText(tokens);
};
const seed = 20261115;
const prose = fc
  .array(
    fc.constantFrom(
      "the",
      "council",
      "met",
      "on",
      "Tuesday,",
      "and",
      "nobody",
      "could",
      "agree.",
      "It's",
      "costly;",
      "don't",
      "ask",
      "done. 3. Then",
      "over! - Next",
    ),
    { minLength: 5, maxLength: 80 },
  )
  .map((w) => w.join(" "));

const TRICKS: Record<string, (text: string, roll: () => number) => string> = {
  "zero-width characters": (t, roll) => [...t].map((c) => (roll() < 0.2 ? `${c}\u200b` : c)).join(""),
  "soft hyphens": (t, roll) => [...t].map((c) => (/[a-z]/.test(c) && roll() < 0.2 ? `${c}\u00ad` : c)).join(""),
  homoglyphs: (t, roll) =>
    [...t].map((c) => (roll() < 0.5 ? ({ a: "а", e: "е", o: "о", c: "с", p: "р", i: "і" }[c] ?? c) : c)).join(""),
  "case tricks": (t, roll) => [...t].map((c) => (roll() < 0.5 ? c.toUpperCase() : c.toLowerCase())).join(""),
  "more spaces": (t, roll) => t.replace(/ /g, () => " ".repeat(1 + Math.floor(roll() * 4))),
  "odd spaces": (t) => t.replace(/ /g, "\u2009"),
  "line breaks": (t, roll) => t.replace(/(?<=\.) /g, () => (roll() < 0.5 ? "\n\n" : " ")),
  "a line for every sentence": (t) => t.replace(/(?<=[.!?]) /g, "\n\n"),
  "spaces before marks": (t) => t.replace(/([,.!?;:])(?=\s)/g, " $1"),
  "full-width letters": (t, roll) =>
    [...t].map((c) => (/[a-z]/.test(c) && roll() < 0.3 ? String.fromCharCode(c.charCodeAt(0) + 0xfee0) : c)).join(""),
  "curly quotes": (t) => t.replaceAll("'", "’"),
  "combining marks": (t, roll) => [...t].map((c) => (/[a-z]/.test(c) && roll() < 0.2 ? `${c}\u0301` : c)).join(""),
};

describe("canonical text", () => {
  for (const [name, trick] of Object.entries(TRICKS)) {
    test(`${name} change nothing (seed ${seed})`, () => {
      fc.assert(
        fc.property(prose, fc.integer(), (text, dice) => canon(trick(text, seededRandom(dice).unit)) === canon(text)),
        { seed, numRuns: 60 },
      );
    });
  }

  test("says what it made of marks, numbers, links and layout", () => {
    expect(canon("# Title\n\n- **One**, 1,234 of “them” — see https://x.org/a?b [12]… U.S. 3.5%")).toBe(
      'title one , 0.00 of " them " _ see url ^ us . 0.0 %',
    );
  });

  test("keeps where each token stood", () => {
    const text = "Hé\u200bllo, “wörld”!";
    canonicalise(text, tokens);
    expect(text.slice(tokens.at[0], tokens.to[0])).toBe("Hé\u200bllo");
    expect(text.slice(tokens.at[3], tokens.to[3])).toBe("wörld");
  });

  test(`never throws, whatever it is given (seed ${seed})`, () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 500 }), (text) => typeof canon(text) === "string"),
      { seed, numRuns: 300 },
    );
  });
});
