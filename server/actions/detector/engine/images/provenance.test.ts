// Images made here, whole and hostile: claims are read from the right place, and no file can hurt.
import { describe, expect, test } from "bun:test";
import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { MediaError } from "./bytes.ts";
import { decodeCbor, readManifests } from "./jumbf.ts";
import { claimsOf, readContainer } from "./provenance.ts";

const bytes = (...parts: (string | number[] | Uint8Array)[]) =>
  Uint8Array.from(parts.flatMap((p) => (typeof p === "string" ? [...Buffer.from(p, "latin1")] : [...p])));
const u32 = (n: number) => [(n >>> 24) & 255, (n >>> 16) & 255, (n >>> 8) & 255, n & 255];
const chunk = (type: string, data: Uint8Array) => bytes(u32(data.length), type, data, u32(0));
const HEAD = bytes([0x89], "PNG\r\n\x1a\n", chunk("IHDR", bytes(u32(4), u32(5), [8, 2, 0, 0, 0])));
const END = chunk("IEND", bytes());
const png = (...chunks: Uint8Array[]) => bytes(HEAD, ...chunks, END);
const text = (key: string, value: string) => chunk("tEXt", bytes(key, [0], value));
const segment = (marker: number, data: Uint8Array) =>
  bytes([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 255], data);
const jpeg = (...segments: Uint8Array[]) => bytes([0xff, 0xd8], ...segments, [0xff, 0xda, 0, 2, 1, 2, 3, 0xff, 0xd9]);
const little = (n: number) => u32(n).reverse();
const riffChunk = (type: string, data: Uint8Array) =>
  bytes(type, little(data.length), data, data.length & 1 ? [0] : []);
const webp = (...chunks: Uint8Array[]) => {
  const body = bytes("WEBP", ...chunks);
  return bytes("RIFF", little(body.length), body);
};
const brokenJson = () =>
  superbox(
    "c2pa",
    superbox("urn:uuid:1", superbox("c2pa.assertions", superbox("c2pa.actions", box("json", bytes("{actions"))))),
  );
const box = (type: string, data: Uint8Array) => bytes(u32(data.length + 8), type, data);
const superbox = (label: string, ...children: Uint8Array[]) =>
  box("jumb", bytes(box("jumd", bytes(new Uint8Array(16), [3], label, [0])), ...children));
const cborText = (s: string) => (s.length < 24 ? bytes([0x60 + s.length], s) : bytes([0x78, s.length], s));
const action = (name: string, source: string) =>
  bytes(
    [0xa1],
    cborText("actions"),
    [0x81, 0xa2],
    cborText("action"),
    cborText(name),
    cborText("digitalSourceType"),
    cborText(source),
  );
const store = (name: string, source: string) =>
  superbox(
    "c2pa",
    superbox("urn:uuid:1", superbox("c2pa.assertions", superbox("c2pa.actions", box("cbor", action(name, source))))),
  );
const IPTC = "http://cv.iptc.org/newscodes/digitalsourcetype/";

const claims = (file: Uint8Array) => claimsOf(readContainer(file), null).map((c) => `${c.kind} ${c.says} ${c.trust}`);

describe("claims", () => {
  test("settings of a generator in a PNG text chunk", () => {
    expect(claims(png(text("parameters", "a cat\nSteps: 20, Sampler: Euler, CFG scale: 7")))).toEqual([
      "generator_parameters ai_generated unverified",
    ]);
    expect(claims(png(text("workflow", '{"last_node_id": 9}')))).toEqual([
      "generator_parameters ai_generated unverified",
    ]);
  });

  test("the key alone proves nothing", () => {
    expect(claims(png(text("parameters", "saved to new location"), text("Software", "GIMP 2.10")))).toEqual([]);
    expect(claims(bytes(png(), "parameters Steps: 20, Sampler: Euler"))).toEqual([]);
  });

  test("a C2PA manifest, unverified when nobody checked it", () => {
    const made = png(chunk("caBX", store("c2pa.created", `${IPTC}trainedAlgorithmicMedia`)));
    expect(claims(made)).toEqual(["c2pa ai_generated unverified"]);
    expect(claimsOf(readContainer(made), false)[0].trust).toBe("signature_invalid");
    expect(claims(png(chunk("caBX", store("c2pa.created", `${IPTC}digitalCapture`))))).toEqual([
      "c2pa captured unverified",
    ]);
  });

  test("IPTC source type in XMP, of a JPEG and of a WebP", () => {
    const xmp = `<x:xmpmeta><rdf:Description Iptc4xmpExt:DigitalSourceType="${IPTC}compositeWithTrainedAlgorithmicMedia"/></x:xmpmeta>`;
    expect(claims(jpeg(segment(0xe1, bytes("http://ns.adobe.com/xap/1.0/\0", xmp))))).toEqual([
      "iptc_digital_source_type ai_edited unverified",
    ]);
    expect(claims(webp(riffChunk("XMP ", bytes(xmp))))).toEqual(["iptc_digital_source_type ai_edited unverified"]);
  });

  test("a C2PA manifest in a WebP", () => {
    const manifest = store("c2pa.created", `${IPTC}trainedAlgorithmicMedia`);
    expect(claims(webp(riffChunk("C2PA", manifest)))).toEqual(["c2pa ai_generated unverified"]);
  });

  test("EXIF software and user comment", () => {
    const comment = "ASCII\0\0\0a cat\nSteps: 30, Sampler: DPM++";
    const u16 = (n: number) => [n >> 8, n & 255];
    const exif = bytes(
      "MM",
      [0, 42],
      u32(8),
      u16(2),
      u16(0x0131),
      u16(2),
      u32(10),
      u32(38),
      u16(0x9286),
      u16(7),
      u32(comment.length),
      u32(48),
      u32(0),
      "Midjourney",
      comment,
    );
    expect(claims(jpeg(segment(0xe1, bytes("Exif\0\0", exif))))).toEqual([
      "generator_parameters ai_generated unverified",
      "software ai_generated unverified",
    ]);
  });
});

describe("hostile files give a clear error", () => {
  const deep = (levels: number): Uint8Array =>
    levels === 0 ? box("cbor", bytes([0])) : superbox("x", deep(levels - 1));
  const cases: [string, Uint8Array, RegExp][] = [
    ["no image", bytes("GIF89a"), /not a PNG, JPEG or WebP/],
    ["a truncated PNG", png().subarray(0, 40), /truncated|ends at/],
    ["a PNG chunk longer than the file", bytes(HEAD, u32(0x7fffffff), "tEXt"), /ends at/],
    [
      "a text chunk that is a bomb",
      png(chunk("zTXt", bytes("x", [0, 0], deflateSync(new Uint8Array(50 << 20))))),
      /more than 1 MiB/,
    ],
    ["a broken deflate stream", png(chunk("zTXt", bytes("x", [0, 0], [1, 2, 3]))), /cannot be unpacked/],
    ["a JPEG segment longer than the file", bytes([0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff, 1]), /ends at/],
    ["a truncated JPEG", jpeg().subarray(0, 9), /truncated/],
    ["a WebP that ends early", bytes("RIFF", [0, 1, 0, 0], "WEBP"), /truncated/],
    ["a WebP chunk longer than the file", webp(bytes("EXIF", [255, 255, 255, 127])), /ends at/],
    ["a WebP of more chunks than any picture has", webp(new Uint8Array(8 * 6_000)), /too many chunks/],
    ["a WebP with boxes nested too deep", webp(riffChunk("C2PA", deep(40))), /too deep/],
    ["a WebP whose manifest is no box", webp(riffChunk("C2PA", bytes("nonsense"))), /C2PA/],
    ["a manifest in JSON that is none", png(chunk("caBX", brokenJson())), /JSON/],
    ["boxes nested too deep", png(chunk("caBX", deep(40))), /too deep/],
    ["a box larger than its parent", png(chunk("caBX", bytes(u32(9999), "jumb"))), /ends at/],
  ];
  for (const [name, file, message] of cases) {
    test(name, () => {
      expect(() => claims(file)).toThrow(message);
      expect(() => claims(file)).toThrow(MediaError);
    });
  }

  test("CBOR that promises more than it holds", () => {
    expect(() => decodeCbor(bytes([0x9a, 0xff, 0xff, 0xff, 0xff]))).toThrow(MediaError);
    expect(() => decodeCbor(bytes(new Array(200).fill(0x81)))).toThrow(/too deep/);
  });

  test("any damage ends in an answer or a MediaError (seed 7)", () => {
    const whole = png(
      text("parameters", "Steps: 20, Sampler: Euler"),
      chunk("caBX", store("c2pa.created", `${IPTC}digitalCapture`)),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 12 }),
        fc.nat(whole.length),
        (changes, cut) => {
          const file = whole.slice(0, cut < 30 ? whole.length : cut);
          for (const [at, value] of changes) file[at] = value;
          try {
            claims(file);
          } catch (error) {
            if (!(error instanceof MediaError)) throw error;
          }
        },
      ),
      { seed: 7, numRuns: 500 },
    );
  });

  test("an empty store has no manifest to read", () => {
    expect(readManifests(superbox("c2pa"))).toEqual([]);
  });
});
