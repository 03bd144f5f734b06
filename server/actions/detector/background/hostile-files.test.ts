// Hostile files in the pool: truncated, with flipped bits, with lengths that lie, bombs and deep nesting. Each is judged or
// refused, and the pool serves the next. CONNECTOR_TEST_FUZZ=20000 sets how many are made; CI makes fewer.
import { afterAll, describe, expect, test } from "bun:test";
import { deflateSync } from "node:zlib";
import { Failure } from "../../../contract/errors.ts";
import { systemClock } from "../../../lib/clock.ts";
import { createPool } from "../../../lib/pool/index.ts";
import { seededRandom } from "../../../lib/random.ts";
import { makeDocx, makePdf, makeRtf, makeZip, wrap } from "../engine/fixtures/documents.ts";
import { HUMAN, MACHINE } from "../engine/fixtures/samples.ts";
import { type Deps, type Item, judgeItem } from "./judge.ts";

const FILES = Number(process.env.CONNECTOR_TEST_FUZZ ?? 240);
const AT_ONCE = 8;
const random = seededRandom(2126);
const below = (n: number) => Math.floor(random.unit() * n);

const pool = createPool({ clock: systemClock, threads: 2 });
afterAll(() => pool.stop());
const deps = { platform: { pool, makeId: () => "ana_1" } } as unknown as Deps;

const latin = (text: string) => Buffer.from(text, "latin1");
const u32 = (n: number) => Buffer.from([(n >>> 24) & 255, (n >>> 16) & 255, (n >>> 8) & 255, n & 255]);
const join = (...parts: (string | Uint8Array)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? latin(part) : part)));
const chunk = (type: string, data: Uint8Array) => join(u32(data.length), type, data, u32(0));
const png = (...chunks: Uint8Array[]) => join("\x89PNG\r\n\x1a\n", ...chunks, chunk("IEND", latin("")));
const jumbf = (type: string, data: Uint8Array) => join(u32(data.length + 8), type, data);
const EXIF = join("Exif\0\0II*\0\x08\0\0\0\x01\0\x31\x01\x02\0\x04\0\0\0abc\0\0\0\0\0");
const jpeg = join("\xff\xd8\xff\xe1", Buffer.from([0, EXIF.length + 2]), EXIF, "\xff\xda\0\x02\x01\x02\x03\xff\xd9");

/** Honest files, which are then spoilt. */
const SEEDS: { kind: "file" | "media"; bytes: Uint8Array }[] = [
  { kind: "file", bytes: makePdf([wrap(HUMAN), wrap(MACHINE)]) },
  { kind: "file", bytes: makeDocx([HUMAN, MACHINE]) },
  { kind: "file", bytes: makeRtf([HUMAN, MACHINE]) },
  { kind: "file", bytes: join(`<!doctype html><article><p>${HUMAN}</p><p>${MACHINE}</p></article>`) },
  { kind: "file", bytes: join(HUMAN) },
  {
    kind: "media",
    bytes: png(
      chunk("IHDR", join(u32(1), u32(1), "\x08\x02\0\0\0")),
      chunk("tEXt", join("parameters\0a cat")),
      chunk("zTXt", join("parameters\0\0", deflateSync("a cat"))),
      chunk("caBX", jumbf("jumb", jumbf("jumd", join("c2pa\0\x11\0\x10\x80\0\0\xaa\0\x38\x9b\x71\x03c2pa\0")))),
    ),
  },
  { kind: "media", bytes: jpeg },
  { kind: "media", bytes: join("RIFF\x20\0\0\0WEBPEXIF\x14\0\0\0", EXIF.subarray(6)) },
];

const SPOIL: ((file: Buffer) => Uint8Array)[] = [
  (file) => file.subarray(0, below(file.length)),
  (file) => {
    for (let n = 1 + below(40); n > 0; n--) file[below(file.length)] ^= 1 << below(8);
    return file;
  },
  (file) => {
    file.writeUInt32BE([0xffffffff, 0x7fffffff, 0, 0x80000000][below(4)], below(file.length - 4));
    return file;
  },
  (file) => {
    const at = below(file.length);
    const piece = file.subarray(at, at + 1 + below(200));
    return join(file.subarray(0, at), ...Array<Uint8Array>(1 + below(2_000)).fill(piece), file.subarray(at));
  },
  (file) => {
    const at = below(file.length);
    return join(file.subarray(0, at), file.subarray(at + below(300)));
  },
  (file) => {
    const other = SEEDS[below(SEEDS.length)].bytes;
    return join(file.subarray(0, below(file.length)), other.subarray(below(other.length)));
  },
];

/** `judged`, or the refusal's detail; anything else is a fault. */
async function outcomeOf(item: Item, tenantId: number): Promise<string> {
  try {
    await judgeItem(deps, item, { point: "0.01", segments: true, language: undefined }, { tenantId, mode: "test" });
    return "judged";
  } catch (error) {
    if (error instanceof Failure && error.code === "media_not_readable") return error.message;
    throw error;
  }
}

const itemOf = (kind: "file" | "media", bytes: Uint8Array): Item => ({
  [kind]: Buffer.from(bytes).toString("base64"),
});

test(`${FILES} spoilt files are judged or refused, and the pool goes on`, async () => {
  const outcomes = new Map<string, number>();
  let next = 0;
  const worker = async (tenantId: number) => {
    while (next < FILES) {
      const { kind, bytes } = SEEDS[next % SEEDS.length];
      const spoil = SPOIL[Math.floor(next / SEEDS.length) % SPOIL.length];
      next += 1;
      const outcome = await outcomeOf(itemOf(kind, spoil(Buffer.from(bytes))), tenantId);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => worker(n)));
  expect([...outcomes.values()].reduce((a, b) => a + b, 0)).toBe(FILES);
  const { ended, refused } = pool.standing();
  expect([ended, refused]).toEqual([0, 0]);
  if (FILES > 1_000)
    console.log(JSON.stringify(Object.fromEntries([...outcomes].sort((a, b) => b[1] - a[1])), null, 1));
}, 1_200_000);

const nested = (open: string, close: string, times: number) => open.repeat(times) + close.repeat(times);
const pdfOf = (...objects: string[]) =>
  join(
    "%PDF-1.7\n",
    objects.map((object, n) => `${n + 1} 0 obj\n${object}\nendobj\n`).join(""),
    "trailer<</Root 1 0 R>>",
  );
const bomb = (bytes: number) => latin(deflateSync(Buffer.alloc(bytes, 0x20)).toString("latin1"));
const page = (contents: string) => ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>", contents];

describe("a file made to be expensive is judged or refused, and the next one is judged", () => {
  test.each<[string, "file" | "media", () => Uint8Array]>([
    ["a DOCX of 400 MB of spaces", "file", () => makeZip("word/document.xml", Buffer.alloc(400_000_000, 0x20))],
    ["a DOCX that lies about its size", "file", () => makeZip("word/document.xml", Buffer.alloc(60_000_000, 0x41), 10)],
    [
      "a DOCX inside a DOCX",
      "file",
      () => makeZip("word/document.xml", makeZip("word/document.xml", Buffer.alloc(9_000_000))),
    ],
    [
      "a DOCX of 300,000 nested elements",
      "file",
      () => makeZip("word/document.xml", join(nested("<w:p>", "</w:p>", 300_000))),
    ],
    ["an RTF of 1,000,000 nested groups", "file", () => join(`{\\rtf1 ${nested("{", "}", 1_000_000)}}`)],
    ["HTML of 500,000 nested elements", "file", () => join(`<html>${nested("<div>", "</div>", 500_000)}`)],
    ["a PDF whose pages are their own children", "file", () => pdfOf(...page("<</Type/Pages/Kids[2 0 R]/Count 1>>"))],
    ["a PDF of 200,000 nested arrays", "file", () => pdfOf(...page(`<</Type/Page/A ${nested("[", "]", 200_000)}>>`))],
    [
      "a PDF of 10,000,000 pages by its own word",
      "file",
      () => pdfOf("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[]/Count 10000000>>"),
    ],
    [
      "a PDF with a stream of 300 MB",
      "file",
      () => {
        const packed = bomb(300_000_000);
        const stream = join(`<</Length ${packed.length}/Filter/FlateDecode>>\nstream\n`, packed, "\nendstream");
        return pdfOf(...page("<</Type/Page/Parent 2 0 R/Contents 4 0 R>>"), stream.toString("latin1"));
      },
    ],
    ["a PNG with packed text of 300 MB", "media", () => png(chunk("zTXt", join("parameters\0\0", bomb(300_000_000))))],
    [
      "a PNG of 500,000 chunks",
      "media",
      () => png(latin(chunk("tEXt", latin("a\0b")).toString("latin1").repeat(500_000))),
    ],
    [
      "a manifest of 2,000 nested boxes",
      "media",
      () => {
        let inner = latin("");
        for (let n = 0; n < 2_000; n++) inner = jumbf("jumb", inner);
        return png(chunk("caBX", inner));
      },
    ],
    ["a JPEG of 400,000 empty segments", "media", () => join("\xff\xd8", "\xff\xe1\0\x02".repeat(400_000), "\xff\xd9")],
  ])(
    "%s",
    async (_, kind, make) => {
      await outcomeOf(itemOf(kind, make()), 1);
      expect(await outcomeOf(itemOf("file", SEEDS[1].bytes), 2)).toBe("judged");
    },
    60_000,
  );
});
