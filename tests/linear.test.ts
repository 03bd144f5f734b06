// Parsers of foreign bytes are linear on every hostile shape. Pages of shops have a test like this of their own.
import { beforeAll, describe, expect, test } from "bun:test";
import { makeZip } from "../server/actions/detector/engine/fixtures/documents.ts";
import { hostileShapes } from "./hostile-shapes.ts";
import { expectLinear, HAS_ALL_SHAPES } from "./linear.ts";
import { countStepsIn } from "./steps.ts";

countStepsIn(
  /\/(?:alerts|detector|delivery|stock)\/(?:engine|spec)\/(?!.*(?:fixtures|kernel)).*\.ts$|\/lib\/(?:json|decimal|time)\.ts$/,
);

const NAMES = [
  "feed",
  "items of a feed",
  "feeds of a page",
  "text of HTML",
  "sanitised HTML",
  "kind of HTML",
  "date of a feed",
  "query",
  "highlights",
  "hashtags",
  "keys of a content",
  "lines of content",
  "main text of a page",
  "DOCX",
  "RTF",
  "zip",
  "PNG",
  "JPEG",
  "WebP",
  "EXIF",
  "C2PA",
  "CBOR",
  "words of a text",
  "hidden characters",
  "layout of a text",
  "artefacts of a text",
  "language of a text",
  "delimited text",
  "directory of securities",
  "tick",
  "address",
  "words of the geocoder",
  "coordinates",
  "JSON",
  "time",
  "decimal",
] as const;
const parsers = {} as Record<(typeof NAMES)[number], (text: string) => unknown>;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
/** The text behind the first bytes of a format, cut into chunks that claim lengths of their own. */
const behind = (head: number[], text: string): Uint8Array => Buffer.concat([Uint8Array.from(head), bytes(text)]);
const PNG_HEAD = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const WEBP_HEAD = [...Buffer.from("RIFF\xff\xff\xff\x7fWEBP", "latin1")];
const EXIF_HEAD = [0x49, 0x49, 0x2a, 0, 8, 0, 0, 0];

beforeAll(async () => {
  await loadAlerts();
  await loadDetector();
  const { addressWords } = await import("../server/actions/delivery/engine/places/address-words.ts");
  const { cutWords } = await import("../server/actions/delivery/engine/geocoder/tokens.ts");
  const { readCoordinates, readShortCode } = await import("../server/actions/delivery/engine/places/coordinates.ts");
  const { readDelimited } = await import("../server/actions/stock/engine/symbols/delimited.ts");
  const { importDirectory } = await import("../server/actions/stock/engine/symbols/import.ts");
  const { readTick } = await import("../server/actions/stock/engine/feed/tick.ts");
  const { parseJson } = await import("../server/lib/json.ts");
  const { parseTime } = await import("../server/lib/time.ts");
  const { toDecimal } = await import("../server/lib/decimal.ts");
  parsers.address = addressWords;
  // An address has at most 500 characters; the contract refuses longer ones.
  parsers["words of the geocoder"] = (text) => cutWords(text.slice(0, 500));
  parsers.coordinates = (text) => [readCoordinates(text), readShortCode(text)];
  parsers["delimited text"] = (text) => [readDelimited(text), readDelimited(`a,b\n${text}`)];
  parsers["directory of securities"] = (text) => importDirectory(`symbol,name,mic\n${text}`);
  parsers.tick = (text) => readTick({ type: text, symbol: text, seq: text, at: text, price: text, size: text });
  parsers.JSON = (text) => [parseJson(bytes(text)), parseJson(bytes(`{"a":${JSON.stringify(text)}}`))];
  parsers.time = (text) => parseTime(`2026-11-15T${text}`);
  parsers.decimal = (text) => toDecimal(`1${text}`);
});

async function loadAlerts(): Promise<void> {
  const { readFeed } = await import("../server/actions/alerts/engine/feed/read.ts");
  const { discoverFeeds } = await import("../server/actions/alerts/engine/feed/discover.ts");
  const { htmlToText, looksLikeHtml, sanitise } = await import("../server/actions/alerts/engine/feed/html/html.ts");
  const { parseFeedDate } = await import("../server/actions/alerts/engine/feed/dates.ts");
  const { parseQuery } = await import("../server/actions/alerts/engine/query/parse.ts");
  const { analyseForHighlights, highlightsOf } = await import("../server/actions/alerts/engine/query/highlight.ts");
  const { extractHashtags } = await import("../server/actions/alerts/engine/text/hashtags.ts");
  const { dedupeKeys } = await import("../server/actions/alerts/engine/deliver/dedupe.ts");
  const { readContentLines } = await import("../server/actions/alerts/spec/content-lines.ts");
  const node = parseQuery('a OR 中 OR #a OR "a a" OR (a NEAR/5 b)');
  parsers.feed = (text) => readFeed(bytes(text));
  parsers["items of a feed"] = (text) => readFeed(bytes(`<rss><channel><item><description>${text}`));
  parsers["feeds of a page"] = (text) => discoverFeeds(text, "https://a.example/");
  parsers["text of HTML"] = htmlToText;
  parsers["sanitised HTML"] = (text) => sanitise(text);
  parsers["kind of HTML"] = looksLikeHtml;
  parsers["date of a feed"] = (text) => [parseFeedDate(text), parseFeedDate(`Mon, 1 Jan ${text}`)];
  parsers.query = (text) => parseQuery(text);
  parsers.highlights = (text) => highlightsOf(node, analyseForHighlights({ title: "z", text }));
  parsers.hashtags = (text) => extractHashtags(text);
  parsers["keys of a content"] = (text) => dedupeKeys({ text, url: `https://a.example/${text}` }, "auto", "");
  parsers["lines of content"] = (text) => readContentLines(bytes(text));
}

async function loadDetector(): Promise<void> {
  const { mainText } = await import("../server/actions/detector/engine/text/main-text.ts");
  const { docxText } = await import("../server/actions/detector/engine/documents/docx.ts");
  const { rtfText } = await import("../server/actions/detector/engine/documents/rtf.ts");
  const { readZipEntry } = await import("../server/actions/detector/engine/documents/zip.ts");
  const { readContainer } = await import("../server/actions/detector/engine/images/provenance.ts");
  const { readExif } = await import("../server/actions/detector/engine/images/exif.ts");
  const { decodeCbor, readManifests } = await import("../server/actions/detector/engine/images/jumbf.ts");
  const { canonicalise, newTokens } = await import("../server/actions/detector/engine/text/canonical.ts");
  const { findHidden } = await import("../server/actions/detector/engine/text/hidden.ts");
  const { layoutOf } = await import("../server/actions/detector/engine/text/layout.ts");
  const { detectLanguage } = await import("../server/actions/detector/engine/text/language.ts");
  const { findArtefacts } = await import("../server/actions/detector/engine/signals/artefacts.ts");
  const tokensOf = (text: string) => {
    const tokens = newTokens();
    canonicalise(text, tokens);
    return tokens;
  };
  parsers["words of a text"] = tokensOf;
  parsers["hidden characters"] = findHidden;
  parsers["layout of a text"] = layoutOf;
  parsers["artefacts of a text"] = findArtefacts;
  parsers["language of a text"] = (text) => detectLanguage(text, tokensOf(text));
  parsers["main text of a page"] = mainText;
  parsers.DOCX = (text) => docxText(makeZip("word/document.xml", bytes(text)));
  parsers.RTF = (text) => rtfText(bytes(`{\\rtf1 ${text}`));
  parsers.zip = (text) => readZipEntry(behind([0x50, 0x4b, 3, 4], text), "word/document.xml", 1_000_000);
  parsers.PNG = (text) => readContainer(behind(PNG_HEAD, text));
  parsers.JPEG = (text) => readContainer(behind([0xff, 0xd8, 0xff, 0xe1, 0, 40], text));
  parsers.WebP = (text) => readContainer(behind(WEBP_HEAD, text));
  parsers.EXIF = (text) => readExif(behind(EXIF_HEAD, text));
  parsers.C2PA = (text) => readManifests(bytes(text));
  parsers.CBOR = (text) => decodeCbor(bytes(text));
}

/**
 * The short form gives each parser every eighth shape, beginning at another one each time. CONNECTOR_TEST_EVERY=4
 * gives every fourth, and CONNECTOR_TEST_OFFSET=1, 2 and 3 the others. */
const OFFSET = Number(process.env.CONNECTOR_TEST_OFFSET ?? 0);
const EVERY = Number(process.env.CONNECTOR_TEST_EVERY ?? (HAS_ALL_SHAPES ? 1 : 8));

describe.each(NAMES.map((name, n) => [name, n] as const))("%s", (name, n) => {
  const shapes = hostileShapes.filter((_, i) => (i + n) % EVERY === OFFSET);
  test.each(shapes.map((shape) => [shape.name, shape] as const))(
    "%s",
    (_, shape) => expectLinear(parsers[name], shape),
    120_000,
  );
});

test("the counter itself finds what is not linear, and takes a sticky pattern for what it is", () => {
  const shape = hostileShapes.find(({ name }) => name === "tags that never close")!;
  expect(() => expectLinear((text) => [...text.matchAll(/<[^>]*>/g)], shape)).toThrow();
  const sticky = /<[b-z]/y;
  const lookEverywhere = (text: string) => {
    for (let at = 0; at < text.length; at += 2) {
      sticky.lastIndex = at;
      sticky.test(text);
    }
  };
  expectLinear(lookEverywhere, shape);
});
