// Foreign content of alerts goes through the pool: feeds, pushed lines, highlights, previews. Each task with its bounds.
import type { Account, Pool, Task } from "../../../lib/pool/index.ts";
import type { NewContent } from "../contract/index.ts";
import type { Watch } from "../rows.ts";
import type { IncomingContent } from "../spec/content.ts";
import type { Recent } from "../spec/preview.ts";
import {
  type Answers,
  contentsFromRequests,
  examine,
  type FeedBytes,
  parseFeed,
  type Questions,
  readContentLines,
  tryQuery,
} from "./thread-tasks.ts";

const MODULE = new URL("./thread-tasks.ts", import.meta.url).href;
/** The largest honest feed (10 MB) takes half a second, a piece of highlights a tenth. */
const COMMON = { module: MODULE, maxMs: 4_000 };

/** Of 98 hostile shapes the slowest took 0.7 ms at 2,000 bytes and 1.1 ms at 4,000. */
const FEED: Task<FeedBytes, ReturnType<typeof parseFeed>> = {
  ...COMMON,
  name: "parseFeed",
  run: parseFeed,
  inlineSize: 3_000,
  maxSize: 16_000_000,
};
const LINES: Task<Uint8Array, ReturnType<typeof readContentLines>> = {
  ...COMMON,
  name: "readContentLines",
  run: readContentLines,
  inlineSize: 4_000,
  maxSize: 16_000_000,
};
const REQUESTS: Task<NewContent[], IncomingContent[]> = {
  ...COMMON,
  name: "contentsFromRequests",
  run: contentsFromRequests,
  inlineSize: 4_000,
  maxSize: 16_000_000,
};
/** Of 98 hostile shapes the slowest took 0.5 ms at 2,000 characters, 0.8 at 4,000 and 1.5 at 8,000. */
const EXAMINE: Task<Questions, Answers> = {
  ...COMMON,
  name: "examine",
  run: examine,
  inlineSize: 4_000,
  maxSize: Infinity,
};
const TRY: Task<{ watch: Watch; recent: Recent[] }, ReturnType<typeof tryQuery>> = {
  ...COMMON,
  name: "tryQuery",
  run: tryQuery,
  inlineSize: 4_000,
  maxSize: Infinity,
};

/** The bytes are copied, since the caller may still need them. */
export function parseFeedBytes(pool: Pool, input: FeedBytes, account: Account) {
  const bytes = input.bytes.slice();
  const transfer = [bytes.buffer as ArrayBuffer];
  return pool.run(FEED, { ...input, bytes }, { account, size: bytes.length, transfer });
}

export function parseLines(pool: Pool, given: Uint8Array, account: Account) {
  const bytes = given.slice();
  return pool.run(LINES, bytes, { account, size: bytes.length, transfer: [bytes.buffer as ArrayBuffer] });
}

/** Text needs no work; HTML is turned into text. */
export function parseContents(pool: Pool, requests: NewContent[], account: Account): Promise<IncomingContent[]> {
  const size = requests.reduce((sum, { html }) => sum + (html?.length ?? 0), 0);
  return pool.run(REQUESTS, requests, { account, size });
}

export function examineContents(pool: Pool, questions: Questions, size: number, account: Account): Promise<Answers> {
  return pool.run(EXAMINE, questions, { account, size });
}

export function tryOnRecent(pool: Pool, watch: Watch, recent: Recent[], account: Account) {
  const size = recent.reduce((sum, { content }) => sum + (content.text?.length ?? 0) + (content.title?.length ?? 0), 0);
  return pool.run(TRY, { watch, recent }, { account, size });
}
