// Fetches a page, and the JSON of its shop platform where the page itself shows no price. No state is changed here.
import { sleep } from "../../../lib/clock.ts";
import type { ExtractedPage } from "../engine/page/result.ts";
import { type PlatformProduct, platformAddress, readPlatformJson } from "../engine/product/platform.ts";
import { ReadError } from "../providers/port.ts";
import type { HostRow, PageRow } from "../store.ts";
import { type Fetched, PLAIN_KEY, plainExtract } from "./reading.ts";
import { type CheckDeps, gapOf, verdict } from "./robots.ts";

export async function fetchPage(deps: CheckDeps, page: PageRow, host: HostRow, signal?: AbortSignal): Promise<Fetched> {
  const { clock } = deps.platform;
  const started = clock.now();
  const robots = page.simulated ? null : verdict(host.robots, page.url);
  if (robots === "disallowed" || robots === "unreachable") {
    const detail =
      robots === "disallowed"
        ? "robots.txt of the host does not allow this page."
        : "robots.txt of the host cannot be read, so nothing there is fetched.";
    return {
      answer: null,
      failure: { kind: robots === "disallowed" ? "robots_disallowed" : "error", detail, retryAfterMs: null },
      robots,
      tookMs: 0,
      platform: null,
      hash: null,
      same: false,
    };
  }
  try {
    const answer = await (page.simulated ? deps.readers.demo : deps.readers.web).read(page.url, {
      etag: page.etag,
      lastModified: page.last_modified,
      signal,
    });
    return { answer, failure: null, robots, tookMs: clock.now() - started, platform: null, hash: null, same: false };
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    return {
      answer: null,
      failure: { kind: "error", detail: error.message, retryAfterMs: error.retryAfterMs },
      robots,
      tookMs: clock.now() - started,
      platform: null,
      hash: null,
      same: false,
    };
  }
}

/** A page of a known platform that shows no price is asked for as JSON, after the host's gap and where robots.txt allows. */
export async function askPlatform(
  deps: CheckDeps,
  page: PageRow,
  host: HostRow,
  { answer }: Fetched,
  results: Map<string, ExtractedPage>,
  signal?: AbortSignal,
): Promise<PlatformProduct | null> {
  if (answer?.status !== 200) return null;
  const plain = plainExtract(answer, page.url);
  results.set(PLAIN_KEY, plain);
  const address = plain.price === null && plain.platform ? platformAddress(plain.platform, page.url) : null;
  if (address === null || verdict(host.robots, address) !== "allowed") return null;
  await sleep(deps.platform.clock, gapOf(deps, host), signal);
  try {
    const reply = await deps.readers.web.read(address, { etag: null, lastModified: null, signal });
    return reply.status === 200
      ? readPlatformJson(plain.platform!, JSON.parse(Buffer.from(reply.body).toString()))
      : null;
  } catch (error) {
    // Not JSON, or not reachable: the page itself stays the answer.
    if (error instanceof ReadError || error instanceof SyntaxError) return null;
    throw error;
  }
}
