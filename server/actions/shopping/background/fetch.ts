// Fetches a page, and the JSON of its shop platform where the page itself shows no price. No state is changed here.
import { createHash } from "node:crypto";
import { sleep } from "../../../lib/clock.ts";
import type { Account } from "../../../lib/pool/index.ts";
import { type PlatformProduct, platformAddress } from "../engine/product/platform.ts";
import { type PageAnswer, ReadError } from "../providers/port.ts";
import type { HostRow, PageRow } from "../store/index.ts";
import { parsePlatform } from "./parse.ts";
import { type Extractions, type Fetched, extractPlain } from "./reading.ts";
import { type CheckDeps, gapOf, verdictOf } from "./robots.ts";

export const ROBOTS_REFUSALS = {
  disallowed: "robots.txt of the host does not allow this page.",
  unreachable: "robots.txt of the host cannot be read, so nothing there is fetched.",
} as const;

const NOTHING_FETCHED: Fetched = {
  answer: null,
  failure: null,
  robots: null,
  tookMs: 0,
  platform: null,
  hash: null,
  same: false,
};

export async function fetchPage(deps: CheckDeps, page: PageRow, host: HostRow, signal?: AbortSignal): Promise<Fetched> {
  const { clock } = deps.platform;
  const startedMs = clock.now();
  const robots = page.simulated ? null : await verdictOf(deps, host.robots, page.url);
  if (robots === "disallowed" || robots === "unreachable") {
    const kind = robots === "disallowed" ? "robots_disallowed" : "error";
    return { ...NOTHING_FETCHED, robots, failure: { kind, detail: ROBOTS_REFUSALS[robots], retryAfterMs: null } };
  }
  try {
    const answer = await (page.simulated ? deps.readers.demo : deps.readers.web).read(page.url, {
      etag: page.etag,
      lastModified: page.lastModified,
      signal,
    });
    const hash = answer.status === 200 ? hashOf(answer) : null;
    const same = answer.notModified || (hash !== null && hash === page.bodyHash);
    return { ...NOTHING_FETCHED, answer, robots, hash, same, tookMs: clock.now() - startedMs };
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    const failure = { kind: "error", detail: error.message, retryAfterMs: error.retryAfterMs } as const;
    return { ...NOTHING_FETCHED, failure, robots, tookMs: clock.now() - startedMs };
  }
}

const hashOf = (answer: PageAnswer): string => createHash("sha256").update(answer.body).digest("base64url");

/** A page of a known platform that shows no price is asked for as JSON, after the host's gap and where robots.txt allows. */
export async function askPlatform(
  deps: CheckDeps,
  page: PageRow,
  host: HostRow,
  { answer }: Fetched,
  extractions: Extractions,
  account: Account,
  signal?: AbortSignal,
): Promise<PlatformProduct | null> {
  if (answer?.status !== 200) return null;
  const { pool } = deps.platform;
  const plain = await extractPlain(pool, answer, page.url, extractions, account);
  const address = plain.price === null && plain.platform ? platformAddress(plain.platform, page.url) : null;
  if (address === null || (await verdictOf(deps, host.robots, address)) !== "allowed") return null;
  await sleep(deps.platform.clock, gapOf(deps, host), signal);
  try {
    const reply = await deps.readers.web.read(address, { etag: null, lastModified: null, signal });
    return reply.status === 200 ? await parsePlatform(pool, plain.platform!, reply.body, account) : null;
  } catch (error) {
    // Not reachable: the page itself stays the answer.
    if (error instanceof ReadError) return null;
    throw error;
  }
}
