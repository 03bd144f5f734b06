// Everything a shop sends is parsed in the pool: pages, robots files, the JSON of a platform.
import type { Account, Pool, Task } from "../../../lib/pool/index.ts";
import { extractPage, type PageInput } from "../engine/page/extract.ts";
import type { ExtractedPage } from "../engine/page/result.ts";
import { type Platform, type PlatformProduct, readPlatformBytes } from "../engine/product/platform.ts";
import { judgeRobots } from "../engine/robots/robots.ts";

/** A page of 5 MB takes 0.3 s; under load ten times that. */
const MAX_MS = 4_000;
const MAX_BYTES = 32_000_000;
const moduleOf = (path: string): string => new URL(path, import.meta.url).href;

/** Of 98 hostile shapes the slowest took 0.8 ms at 2,000 bytes and 1.4 ms at 4,000. */
const PAGE: Task<PageInput, ExtractedPage> = {
  module: moduleOf("../engine/page/extract.ts"),
  name: "extractPage",
  run: extractPage,
  inlineSize: 2_500,
  maxSize: MAX_BYTES,
  maxMs: MAX_MS,
};
/** A file of foreign letters, the slowest of 98 shapes, takes 1.7 ms at 2,000 bytes; an ordinary one of that size 0.1 ms. */
const ROBOTS: Task<RobotsQuestion, ReturnType<typeof judgeRobots>> = {
  module: moduleOf("../engine/robots/robots.ts"),
  name: "judgeRobots",
  run: judgeRobots,
  inlineSize: 1_000,
  maxSize: MAX_BYTES,
  maxMs: MAX_MS,
};
/** JSON of short names and numbers, the slowest kind, takes 0.8 ms at 16,000 bytes. */
const PLATFORM: Task<PlatformReply, PlatformProduct | null> = {
  module: moduleOf("../engine/product/platform.ts"),
  name: "readPlatformBytes",
  run: readPlatformBytes,
  inlineSize: 16_000,
  maxSize: MAX_BYTES,
  maxMs: MAX_MS,
};

type RobotsQuestion = Parameters<typeof judgeRobots>[0];
type PlatformReply = Parameters<typeof readPlatformBytes>[0];

export function parsePage(pool: Pool, input: PageInput, account: Account): Promise<ExtractedPage> {
  const size = input.bytes.length;
  if (size <= PAGE.inlineSize) return pool.run(PAGE, input, { account, size });
  const bytes = input.bytes.slice();
  return pool.run(PAGE, { ...input, bytes }, { account, size, transfer: [bytes.buffer as ArrayBuffer] });
}

/** What a robots file says to us: the pause it asks for, and whether the address may be read. */
export function parseRobotsFile(pool: Pool, question: RobotsQuestion, account: Account) {
  return pool.run(ROBOTS, question, { account, size: question.text.length });
}

export function parsePlatform(
  pool: Pool,
  platform: Platform,
  body: Uint8Array,
  account: Account,
): Promise<PlatformProduct | null> {
  return pool.run(PLATFORM, { platform, bytes: body.slice() }, { account, size: body.length });
}
