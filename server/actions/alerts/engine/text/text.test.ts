import { describe, expect, test } from "bun:test";
import fc from "fast-check";
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

describe("full case folding", () => {
  test.each([
    ["ẞ", "ss"],
    ["ŉ", "ʼn"],
    ["\u0390", "\u03b9\u0308\u0301"],
    ["և", "եւ"],
    ["ﬄ", "ffl"],
    ["ς", "σ"],
    ["K", "k"],
    ["Å", "å"],
    ["Ꭰ", "Ꭰ"],
    ["ꭰ", "Ꭰ"],
    ["𐐀", "𐐨"],
  ])("%s folds to %s", (from, to) => expect(foldCase(from)).toBe(to));

  test("letters that a case-insensitive expression takes for one another fold to the same text", () => {
    const wrong: string[] = [];
    for (let code = 0x41; code < 0x1_f000; code++) {
      const letter = String.fromCodePoint(code);
      const other = letter.toLowerCase();
      if (other === letter || !/^\p{L}$/u.test(letter) || [...other].length > 1) continue;
      if (new RegExp(`^${letter}$`, "iu").test(other) && foldCase(letter) !== foldCase(other)) wrong.push(letter);
    }
    expect(wrong).toEqual([]);
  });
});

describe("hashtags in running text", () => {
  test.each([
    ["after an emoji: ✌#one 👨‍👩‍👧#two", ["one", "two"]],
    ["bus #16 and line #16a", ["16a"]],
    ["日本語の#タグ です、#東京。", ["東京"]],
    ["#été2026! (#Ünï) #привет, #مرحبا", ["été2026", "Ünï", "привет", "مرحبا"]],
    ["＃fullwidth #snake_case #no-hyphen", ["fullwidth", "snake_case", "no"]],
    ["https://e.example/page#part and a#b", []],
  ])("%s", (text, tags) => expect(extractHashtags(text).map((h) => h.tag)).toEqual(tags));

  test("places point at the mark and behind the last letter", () => {
    const text = "a 👍 #tag!";
    const [found] = extractHashtags(text);
    expect(text.slice(found.start, found.end)).toBe("#tag");
  });
});
