// Random queries and contents from one small vocabulary, so that they often meet. For property tests alone.
import fc from "fast-check";

const words = [
  "acme",
  "Acme",
  "launch",
  "Straße",
  "STRASSE",
  "café",
  "tor",
  "director",
  "don't",
  "l'été",
  "λόγος",
  "東京",
  "京都",
  "東京都タワー",
  "สนามบิน",
  "บิน",
  "ﬁne",
  "İzmir",
  "naïve",
  "한국",
  "हिन्दी",
  "c++",
  "c#",
  ".net",
  "42",
  "x1",
  "snake_case",
  "𐐀𐐨",
];
const tags = ["#launch", "#Café", "#東京", "#black_friday"];
const word = fc.constantFrom(...words);

const leaf = fc.oneof(
  { weight: 6, arbitrary: word },
  { weight: 2, arbitrary: fc.array(word, { minLength: 2, maxLength: 3 }).map((w) => `"${w.join(" ")}"`) },
  { weight: 1, arbitrary: fc.constantFrom("acm*", "dire*", "stra*", "laun*", "λόγ*", "nai*") },
  { weight: 1, arbitrary: fc.constantFrom("=Acme", "=acme", '="Acme launch"', "=Straße", "=café") },
  { weight: 2, arbitrary: fc.constantFrom(...tags, "tag:launch", 'tag:"black friday"') },
  {
    weight: 1,
    arbitrary: fc.tuple(word, fc.integer({ min: 1, max: 4 }), word).map(([a, n, b]) => `${a} NEAR/${n} ${b}`),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom("title", "text", "url", "author", "tags"), word).map(([f, w]) => `${f}:"${w}"`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "lang:en",
      "lang:de",
      "site:acme.com",
      "source:blog",
      "price<30",
      "price>=10.5",
      "price!=12",
    ),
  },
);

export const queries: fc.Arbitrary<string> = fc.letrec<{ q: string }>((tie) => ({
  q: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    leaf,
    fc.tuple(tie("q"), tie("q")).map(([a, b]) => `(${a}) AND (${b})`),
    fc.tuple(tie("q"), tie("q")).map(([a, b]) => `(${a}) OR (${b})`),
    fc.tuple(tie("q"), tie("q")).map(([a, b]) => `(${a}) -(${b})`),
  ),
})).q;

const filler = fc.constantFrom(" ", ", ", ". ", "-", " the ", "'", "\n", "👍", "。", " — ", "_", "");
const prose = fc
  .array(
    fc.tuple(
      fc.oneof(
        { weight: 5, arbitrary: word },
        { weight: 1, arbitrary: fc.constantFrom(...tags) },
        { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 4 }) },
      ),
      filler,
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.flat().join(""));

export const contents = fc.record(
  {
    title: prose,
    text: prose,
    tags: fc.array(fc.constantFrom("launch", "Black Friday", "café", "acme launch", "東京"), { maxLength: 2 }),
    url: fc.constantFrom("https://www.acme.com/launch", "https://x.org/tor", "nonsense"),
    author: fc.constantFrom("Ada Acme", "tor"),
    lang: fc.constantFrom("en", "en-GB", "de"),
    source: fc.constantFrom("Blog", "other"),
    numbers: fc.record({ price: fc.constantFrom("12", "30.00", "10.50", 9) }, { requiredKeys: [] }),
  },
  { requiredKeys: ["text"] },
);
