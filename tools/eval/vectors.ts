// Public vectors of small formats: webhook signatures, event streams, case folding and the dates of feeds.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseFeedDate } from "../../server/actions/alerts/engine/feed/dates.ts";
import { readFeed } from "../../server/actions/alerts/engine/feed/read.ts";
import { foldCase } from "../../server/actions/alerts/engine/text/fold.ts";
import { signOne, verify } from "../../server/lib/sign.ts";
import { createSseParser, type ParsedEvent } from "../../server/lib/sse.ts";
import { DataError, type Suite } from "../eval.ts";

/** The names of the cases of one file that are answered wrongly. */
type Check = (text: string) => { n: number; wrong: string[] };

const NOW = 1_800_000_000;

const CHECKS: Record<string, Check> = {
  "webhook-signatures.json": checkSignatures,
  "sse.json": checkStreams,
  "unicode/CaseFolding.txt": checkFolding,
  "feeds/dates.json": checkDates,
  "feeds/jsonfeed.json": checkJsonFeeds,
};

export default {
  help: "vectors: webhook signatures, event streams, case folding, dates and JSON feeds (DIR = alerts)",
  run({ data }) {
    const files = Object.entries(CHECKS).filter(([file]) => existsSync(join(data, file)));
    if (files.length === 0) throw new DataError(`none of ${Object.keys(CHECKS).join(", ")} is in ${data}`);
    return Object.fromEntries(files.map(([file, check]) => [file, check(readFileSync(join(data, file), "utf8"))]));
  },
  table: (result) =>
    Object.entries<ReturnType<Check>>(result)
      .map(
        ([file, { n, wrong }]) => `${file}: ${n - wrong.length} of ${n} right${wrong.map((w) => `\n  ${w}`).join("")}`,
      )
      .join("\n"),
} satisfies Suite;

function checkSignatures(text: string) {
  const { sign, verify: received } = JSON.parse(text);
  const unsigned = sign.filter(
    (v: any) => signOne(v.secret, { id: v.id, timestamp: v.timestamp, body: v.payload }) !== v.expected,
  );
  const misjudged = received.filter((v: any) => verify([v.secret], receivedOf(v), NOW) !== v.accept);
  return { n: sign.length + received.length, wrong: [...unsigned, ...misjudged].map((v: any) => v.name) };
}

function receivedOf(v: any) {
  const timestamp = NOW + v.timestamp_offset_s;
  const right = signOne(v.secret, { id: v.id, timestamp, body: v.payload });
  const fill = (given: string) =>
    given.replace(/\{sig(?::(\d+):(\d+))?\}/g, (_, from, to) => (from ? right.slice(Number(from), Number(to)) : right));
  const header = (name: string, value: string) => {
    const given = v.header_overrides[name];
    return given === undefined ? value : given === null ? null : fill(given);
  };
  return {
    id: header("webhook-id", v.id),
    timestamp: header("webhook-timestamp", String(timestamp)),
    signature: header("webhook-signature", right),
    body: v.payload,
  };
}

function checkStreams(text: string) {
  const cases = JSON.parse(text);
  const wrong = cases.filter((c: any) => {
    const events: ParsedEvent[] = [];
    const parser = createSseParser((event) => events.push(event));
    for (const character of c.stream) parser.push(character);
    const expected = c.events.map((e: any, i: number) => ({
      ...e,
      lastEventId: e.lastEventId ?? events[i]?.lastEventId,
    }));
    return !Bun.deepEquals(events, expected) || (c.retry_ms !== undefined && parser.state.retryMs !== c.retry_ms);
  });
  return { n: cases.length, wrong: wrong.map((c: any) => c.name) };
}

function checkFolding(text: string) {
  const character = (codes: string) => String.fromCodePoint(...codes.split(" ").map((code) => parseInt(code, 16)));
  const entries = text.split("\n").flatMap((line) => {
    const found = /^([0-9A-F]+); [CF]; ([0-9A-F ]+);/.exec(line);
    return found ? [[character(found[1]), character(found[2])]] : [];
  });
  return { n: entries.length, wrong: entries.filter(([from, to]) => foldCase(from) !== to).map(([from]) => from) };
}

function checkDates(text: string) {
  const rows = JSON.parse(text);
  const wrong = rows.filter(({ input, expected_utc }: any) => {
    const at = parseFeedDate(input);
    if (at === null || expected_utc === null) return (at === null) !== (expected_utc === null);
    const date = new Date(at);
    const parts = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
    parts.push(date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds());
    return parts.join() !== expected_utc.join();
  });
  return { n: rows.length, wrong: wrong.map((row: any) => `${row.format}: ${row.input}`) };
}

function checkJsonFeeds(text: string) {
  const rows = JSON.parse(text).filter((row: any) => row.feed);
  const wrong = rows.filter(({ feed }: any) => {
    const read = readFeed(Buffer.from(JSON.stringify(feed)), { contentType: "application/feed+json" });
    const ids = (feed.items ?? []).map((item: any) => (item.id === undefined ? null : String(item.id)));
    return !Bun.deepEquals(
      read.items.map((item) => item.id),
      ids,
    );
  });
  return { n: rows.length, wrong: wrong.map((row: any) => row.id) };
}
