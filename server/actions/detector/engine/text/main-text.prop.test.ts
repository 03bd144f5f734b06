// What a page is about is found, what surrounds it is not, and no page can make the reading slow.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { mainText } from "./main-text.ts";

const PARAGRAPH =
  "The council met on Tuesday to talk about the bridge, and nobody could agree on who should pay. ".repeat(3);

describe("the main text", () => {
  test("is the longest article, without what surrounds it", () => {
    const page = `<html><head><title>x</title><style>p{}</style></head><body><nav><p>Menu of many words here</p></nav>
      <article><p>Another teaser with a few words only.</p></article>
      <article class="a > b"><header><p>By somebody or other, today</p></header><h1>On the bridge and its cost</h1>
      <p>${PARAGRAPH}</p><script>var x = "<p>no text at all here</p>"</script><ul><li><a href="/">Read this other article now</a></li></ul>
      <p>It was &eacute;vident&nbsp;&#8212; &amp; so<br>on&hellip;</p></article><footer><p>All rights are reserved here</p></footer></body></html>`;
    expect(mainText(page)).toBe(
      ["On the bridge and its cost", PARAGRAPH.trim(), "It was évident — & so on…"].join("\n\n"),
    );
  });

  test("is <main> where no article is long enough, else every paragraph", () => {
    const outside = "<p>Something outside of the main part.</p>";
    expect(mainText(`${outside}<main><p>${PARAGRAPH}</p><p>${PARAGRAPH}</p></main>`)).not.toContain("outside");
    expect(mainText(`${outside}<article><p>Short but of some words.</p></article>`)).toContain("outside");
  });

  test("of a page without paragraphs is its text; of a form around everything too", () => {
    expect(mainText("<body><div>Just some words in a box.</div></body>")).toBe("Just some words in a box.");
    expect(mainText(`<form><p>${PARAGRAPH}</p></form>`)).toBe(PARAGRAPH.trim());
  });

  test("of a broken page is what can be read", () => {
    expect(mainText(`<p>${PARAGRAPH}<p>a < b and more words here <b>bold`)).toBe(
      `${PARAGRAPH.trim()}\n\na < b and more words here bold`,
    );
    expect(mainText("<!-- never closed")).toBe("");
    expect(mainText("<script>never closed")).toBe("");
    expect(mainText("")).toBe("");
  });

  test("never holds a tag of the page, whatever the page (seed 3)", () => {
    const piece = fc.constantFrom(
      "<p>",
      "</p>",
      "<article>",
      "</article>",
      "<nav>",
      "</nav>",
      "<!--",
      "-->",
      "<script>",
      "</script",
      ">",
      "<",
      "words of a text ",
      "&amp;",
      "&#0;",
      "<a href='x'>",
      "</a>",
      "<br/>",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (parts) => {
        expect(mainText(parts.join(""))).not.toMatch(/<\/?(?:p|article|nav|script|a|br)\b[^>]*>/);
      }),
      { seed: 3, numRuns: 500 },
    );
  });
});

test("two megabytes of anything are read in one pass: each mark is looked at a bounded number of times", () => {
  // These took minutes when patterns searched from every mark to the end; a test's time limit is the assertion.
  for (const part of [
    "<",
    "<script>",
    "<article>",
    "<!--",
    "<p>a b c d ",
    "<a>",
    "<nav>",
    "&",
    "</",
    "<p",
    "<![CDATA[",
  ])
    expect(typeof mainText(part.repeat(2_000_000 / part.length))).toBe("string");
});
