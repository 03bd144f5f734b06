// The layout gate: what is not prose is not judged, and the answer says why. Prose with a little of each stays prose.
import { describe, expect, test } from "bun:test";
import { openLight } from "../../model-files.ts";
import { analyzeText } from "../analyze.ts";
import { CODE, MARKUP, OTHER } from "../fixtures/layouts.ts";
import { HUMAN, MACHINE } from "../fixtures/samples.ts";
import { layoutOf } from "./layout.ts";

const light = await openLight();
const reasonFor = (text: string) => analyzeText(light, text, { point: "0.01", segments: false }).abstained_because;

describe("code is not judged", () => {
  for (const [language, sample] of Object.entries(CODE))
    test(language, () => expect(reasonFor(sample.repeat(12))).toBe("code"));

  test("thin functions with a comment and a docstring each", () => {
    const one = (i: number) =>
      `def f${i}(x):\n    # adds one\n    if x is None:\n        return 0\n    return x + ${i}\n\n`;
    expect(reasonFor(Array.from({ length: 15 }, (_, i) => one(i)).join(""))).toBe("code");
  });

  test("a file that begins with a long comment", () => {
    const comment = HUMAN.replace(/(.{50,70}) /g, "$1\n")
      .split("\n")
      .map((line) => `// ${line}`)
      .join("\n");
    expect(reasonFor(`${comment}\n\n${CODE.go}`)).toBe("code");
  });
});

describe("markup is not judged", () => {
  for (const [name, sample] of Object.entries(MARKUP))
    test(name, () => expect(reasonFor(sample.repeat(30))).toBe("markup"));
});

describe("tables, lists, logs and verse are not judged", () => {
  for (const [reason, name, sample] of OTHER)
    test(name, () => expect(reasonFor(sample.repeat(8))).toBe(reason as never));
});

test("one long quotation is not judged", () => expect(reasonFor(`“${HUMAN}”`)).toBe("quotation"));

describe("prose is judged", () => {
  const wrap = (text: string, columns: number) =>
    text.replace(new RegExp(`(.{${columns - 15},${columns}}) `, "g"), "$1\n");
  const paragraphs = `${HUMAN} ${MACHINE}`.split(/(?<=[.]) (?=[A-Z])/);
  const wrapped = HUMAN.replace(/(.{50,70}) /g, "$1\n");
  const cases: [string, string][] = [
    ["paragraphs", `${HUMAN}\n\n${MACHINE}`],
    ["lines wrapped at seventy columns", wrapped],
    [
      "short wrapped lines with titles between",
      paragraphs.map((p, i) => `## Part ${i + 1}\n\n${wrap(p, 56)}`).join("\n\n"),
    ],
    ["spaces doubled", wrapped.replaceAll(" ", "  ")],
    [
      "spaces doubled, with a link in each line",
      wrapped.replaceAll("\n", " [more](/page_two)\n").replaceAll(" ", "  "),
    ],
    ["sentences parted by the tag of a line break", HUMAN.replace(/[.] /g, ".<br /><br />")],
    [
      "a dialogue from its first to its last word",
      HUMAN.split(". ")
        .map((turn) => `“${turn}.”`)
        .join("\n\n"),
    ],
    ["links in Markdown", HUMAN.replace("the ", "the [town council](https://example.org/council?id=4&part=2#top) ")],
    ["a short listing inside", `${HUMAN}\n\n${CODE.python}\n\n${MACHINE}`],
    [
      "items that are sentences",
      MACHINE.split(". ")
        .map((sentence) => `- ${sentence}.`)
        .join("\n"),
    ],
    [
      "a line of dialogue each",
      HUMAN.split(". ")
        .map((sentence) => `"${sentence}," she said.`)
        .join("\n"),
    ],
  ];
  for (const [name, text] of cases) test(name, () => expect(layoutOf(text)).toBe("prose"));
});

test("no text makes the gate slower than its length", () => {
  // The test's time limit is the assertion.
  for (const part of ["<a", "<", "`", "$", "[](", "a,b,c\n", "a_", "* \n", '"""\n', "\\", "(", "- a\n", "0 "])
    expect(layoutOf(part.repeat(400_000 / part.length))).toBeString();
});
