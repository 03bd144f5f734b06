import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { describeWithData, sharedData } from "../../../../../tests/shared-data.ts";
import { foldCase, foldTag, foldText } from "./fold.ts";
import { extractHashtags } from "./hashtags.ts";
import { tokenise } from "./tokens.ts";

const words = (text: string) => tokenise(text).map((t) => t.text);

describe("folding", () => {
  test.each([
    ["Straße", "strasse"],
    ["ΌΣΟΣ", "οσοσ"],
    ["Ǆ", "dz"],
    ["cafe\u0301", "cafe"],
    ["Ёлка й", "елка и"],
    ["ﬁnance", "finance"],
    ["ＡＢＣ１２", "abc12"],
    ["İstanbul", "istanbul"],
    ["soft\u00adhyphen", "softhyphen"],
    ["हिन्दी", "हिन्दी"],
    ["שָׁלוֹם", "שָׁלוֹם"],
    ["が", "が"],
  ])("%s becomes %s", (from, to) => expect(foldText(from)).toBe(to.normalize("NFC")));

  test("folding twice changes nothing, and a word keeps its cut", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text));
        for (const t of tokenise(text)) expect(words(t.text)).toEqual([t.text]);
      }),
      { numRuns: 2000, verbose: 1 },
    );
  });

  test("tags are equal whatever joins their words", () => {
    expect(new Set(["black friday", "#Black_Friday", " BLACK-friday"].map(foldTag))).toEqual(new Set(["black_friday"]));
  });
});

describe("words", () => {
  test("apostrophes, marks and punctuation end a word", () => {
    expect(words("Acme's don’t snake_case e-mail C++")).toEqual([
      "acme",
      "s",
      "don",
      "t",
      "snake",
      "case",
      "e",
      "mail",
      "c",
    ]);
  });

  test("scripts without spaces stay in runs, apart from the words beside them", () => {
    expect(tokenise("iPhone手机 東京タワー").map((t) => [t.kind, t.text, t.position])).toEqual([
      [1, "iphone", 0],
      [2, "手机", 1],
      [2, "東京タワー", 3],
    ]);
  });

  test("places point into the original", () => {
    const text = "«Ünï» Straße";
    expect(tokenise(text).map((t) => text.slice(t.start, t.end))).toEqual(["Ünï", "Straße"]);
  });
});

describe("hashtags", () => {
  test.each([
    ["✌️#a ✌#b 👍🏽#c", ["a", "b", "c"]],
    ["#a#b x#c &#39; #1 ##d", ["d"]],
    ["#️⃣ (#ok) http://t.co/#no x.org/#no #ftp://no", ["ok"]],
  ])("%s", (text, tags) => expect(extractHashtags(text).map((h) => h.tag)).toEqual(tags));

  test("emoji in tags on request", () => {
    expect(extractHashtags("#party🎉", { emoji: true })[0].tag).toBe("party🎉");
  });
});

describeWithData("alerts/unicode/CaseFolding.txt", "Unicode case folding", () => {
  test("every C and F entry", () => {
    const lines = readFileSync(resolve(sharedData, "alerts/unicode/CaseFolding.txt"), "utf8").split("\n");
    const wrong = lines
      .map((line) => /^([0-9A-F]+); [CF]; ([0-9A-F ]+);/.exec(line))
      .filter((m) => m !== null)
      .map(([, from, to]) => [from, to].map((x) => String.fromCodePoint(...x.split(" ").map((h) => parseInt(h, 16)))))
      .filter(([from, to]) => foldCase(from) !== to);
    expect(wrong).toEqual([]);
  });
});

describeWithData("alerts/hashtags.json", "the given hashtags", () => {
  const groups = JSON.parse(readFileSync(resolve(sharedData, "alerts/hashtags.json"), "utf8"));
  for (const row of Object.values<any[]>(groups).flat()) {
    test(row.description, () => {
      const found = extractHashtags(row.text);
      const plain = typeof row.expected[0] !== "object";
      expect<unknown>(found.map((h) => (plain ? h.tag : { hashtag: h.tag, indices: [h.start, h.end] }))).toEqual(
        row.expected,
      );
    });
  }
});
