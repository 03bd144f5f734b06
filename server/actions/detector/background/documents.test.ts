// Documents: each format gives the text that was put in, and no file, however broken, does more than be refused.
import { describe, expect, test } from "bun:test";
import { seededRandom } from "../../../lib/random.ts";
import { DocumentError } from "../engine/documents/error.ts";
import { documentText, formatOf } from "../engine/documents/format.ts";
import { makeDocx, makePdf, makeRtf, makeZip, wrap } from "../engine/fixtures/documents.ts";
import { HUMAN, MACHINE } from "../engine/fixtures/samples.ts";
import { type Deps, judgeItem } from "./judge.ts";
import { perform, prepare } from "./tasks.ts";

const PLAIN_HUMAN = HUMAN.replace(/[^\x20-\x7e]|'/g, "");
const PLAIN_MACHINE = MACHINE.replace(/[^\x20-\x7e]|'/g, "");
const OPTIONS = { point: "0.01", segments: false } as const;
const judge = (file: Uint8Array) =>
  perform({ kind: "file", base64: Buffer.from(file).toString("base64"), options: OPTIONS });
const squash = (text: string) => text.replace(/\s+/g, " ").trim();

const FILES: [string, Uint8Array][] = [
  ["pdf", makePdf([wrap(PLAIN_HUMAN), wrap(PLAIN_MACHINE)])],
  ["docx", makeDocx([PLAIN_HUMAN, PLAIN_MACHINE])],
  ["rtf", makeRtf([PLAIN_HUMAN, PLAIN_MACHINE])],
  ["html", Buffer.from(`<!doctype html><html><body><p>${PLAIN_HUMAN}</p><p>${PLAIN_MACHINE}</p></body></html>`)],
  ["text", Buffer.from(`${PLAIN_HUMAN}\n\n${PLAIN_MACHINE}`)],
];

describe("the text of a document", () => {
  for (const [format, file] of FILES) {
    test(`${format}: the words that were put in, in order, and a score like theirs`, async () => {
      expect(formatOf(file)).toBe(format as never);
      const outcome = await judge(file);
      if (!outcome.ok) throw new Error(outcome.detail);
      expect(squash(outcome.text!)).toBe(squash(`${PLAIN_HUMAN} ${PLAIN_MACHINE}`));
      const plain = await perform({ kind: "text", text: `${PLAIN_HUMAN}\n\n${PLAIN_MACHINE}`, options: OPTIONS });
      expect(outcome.result.score).toBeCloseTo((plain as typeof outcome).result.score!, 1);
    });
  }

  test("letters beyond ASCII survive in RTF, DOCX and every encoding of plain text", () => {
    const text = "Café naïve “quoted” – déjà vu";
    expect(documentText(makeRtf([text]), "rtf")).toBe(text);
    expect(documentText(makeDocx([text]), "docx")).toBe(text);
    expect(documentText(Buffer.from(`\ufeff${text}`, "utf16le"), "text")).toBe(text);
    expect(documentText(Buffer.from("Caf\u00e9", "latin1"), "text")).toBe("Café");
  });

  test("a word cut by a hyphen at the line's end is one word", async () => {
    const outcome = await judge(makePdf([["the com-", "mittee met"]]));
    expect(outcome.ok && outcome.text).toBe("the committee met");
  });
});

test("a thread is made ready for files after the first text, not before it", async () => {
  const started: string[] = [];
  const pool = {
    run: async (task: { name: string; run(input: unknown): unknown }, input: unknown) => {
      started.push(task.name);
      return task.run(input);
    },
  };
  const deps = { platform: { pool, makeId: () => "ana_1" } } as unknown as Deps;
  expect(started).toEqual([]);
  for (const content of [HUMAN, MACHINE]) await judgeItem(deps, { content }, OPTIONS, { tenantId: 1, mode: "test" });
  expect(started).toEqual(["perform", "prepare", "perform"]);
});

test("what makes a thread ready reads a PDF and throws nothing", () => expect(prepare()).resolves.toBeUndefined());

describe("what cannot be read is refused with a reason", () => {
  const refused: [string, Uint8Array, RegExp][] = [
    ["a ZIP bomb", makeZip("word/document.xml", Buffer.alloc(40_000_000, 97), 1_000), /too large/],
    ["an archive without a document", makeZip("other.xml", Buffer.from("x")), /no Word document/],
    ["a cut archive", makeDocx([HUMAN]).subarray(0, 200), /damaged/],
    ["an old Word file", Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1), /old Word file/],
    ["a program", Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0), /no document/],
    ["a PDF without text", makePdf([[]]), /no text/],
    ["a PDF of noise", Buffer.from(`%PDF-1.7\n${"x".repeat(500)}`), /damaged/],
  ];
  for (const [name, file, reason] of refused) {
    test(name, async () => {
      const outcome = await judge(file);
      expect(outcome.ok ? "read" : outcome.detail).toMatch(reason);
    });
  }
});

test("600 damaged documents are read or refused, never more", async () => {
  const random = seededRandom(21);
  for (let n = 0; n < 600; n++) {
    const [, file] = FILES[n % FILES.length];
    const broken = Uint8Array.from(file);
    for (let k = 0; k < 1 + (n % 30); k++)
      broken[Math.floor(random.unit() * broken.length)] = Math.floor(random.unit() * 256);
    const cut = n % 3 === 0 ? broken.subarray(0, Math.floor(random.unit() * broken.length)) : broken;
    const outcome = await judge(cut);
    if (!outcome.ok) expect(outcome.detail.length).toBeGreaterThan(10);
  }
}, 120_000);

test("no document of 400,000 characters makes the work grow faster than its length", () => {
  // The test's time limit is the assertion.
  const shapes: [Parameters<typeof documentText>[1], string][] = [
    ["rtf", "{"],
    ["rtf", "\\'e9"],
    ["rtf", "\\u233?"],
    ["rtf", "{\\*\\a"],
    ["rtf", "\\"],
    ["html", "<p"],
    ["html", "<div>"],
    ["text", "\r\n"],
  ];
  for (const [format, part] of shapes) {
    const file = Buffer.from((format === "rtf" ? "{\\rtf1 " : "<html>") + part.repeat(400_000 / part.length));
    expect(documentText(file, format)).toBeString();
  }
  for (const part of ["<w:t>", "<", "&amp;", "<w:p/>", "<w:del>"]) {
    const file = makeZip("word/document.xml", Buffer.from(part.repeat(400_000 / part.length)));
    expect(documentText(file, "docx")).toBeString();
  }
  expect(() => documentText(Buffer.from("PK"), "docx")).toThrow(DocumentError);
});
