// One check of a page that is not kept. Robots.txt and the gap between two visits count as for any other check.
import { sleep } from "../../../lib/clock.ts";
import { type Account, TaskEnded } from "../../../lib/pool/index.ts";
import type { ExtractedPage } from "../engine/page/result.ts";
import type { TrackerStatus } from "../machine.ts";
import { type PageAnswer, ReadError } from "../providers/port.ts";
import type { Settings } from "../settings.ts";
import type { HostRow } from "../store/index.ts";
import { LEASE_MS } from "./check.ts";
import { ROBOTS_REFUSALS } from "./fetch.ts";
import { parsePage } from "./parse.ts";
import { type CheckDeps, fetchRobots, gapOf, isRobotsFresh, verdictOf } from "./robots.ts";

/** How often a busy host is asked for its turn. */
const RETRY_MS = 500;

export interface SingleCheck {
  result: ExtractedPage | null;
  answer: PageAnswer | null;
  status: TrackerStatus;
  error: string | null;
}

export interface SingleCheckRequest {
  url: string;
  simulated: boolean;
  settings: Settings;
  variant: string | null;
  waitMs: number;
  account: Account;
}

export async function checkOnce(deps: CheckDeps, request: SingleCheckRequest): Promise<SingleCheck> {
  if (request.simulated) return readOnce(deps, request);
  const host = await hostTurn(deps, request);
  if (host === null) return failedCheck("pending", "The host's turn did not come within the wait.");
  try {
    const verdict = await verdictOf(deps, host.robots, request.url);
    if (verdict !== "allowed")
      return failedCheck(verdict === "disallowed" ? "robots_disallowed" : "error", ROBOTS_REFUSALS[verdict]);
    return await readOnce(deps, request);
  } finally {
    await deps.store.freeHost(host.host, deps.platform.clock.now() + gapOf(deps, host));
  }
}

const failedCheck = (status: TrackerStatus, error: string): SingleCheck => ({
  result: null,
  answer: null,
  status,
  error,
});

/** Waits until the host is free and its robots.txt is known; null when the wait is over before. */
async function hostTurn(deps: CheckDeps, { url, waitMs }: SingleCheckRequest): Promise<HostRow | null> {
  const { clock } = deps.platform;
  const endMs = clock.now() + waitMs;
  for (;;) {
    const host = await deps.store.claimHost(new URL(url).host, clock.now(), LEASE_MS);
    if (host && isRobotsFresh(host, clock.now())) return host;
    if (host) {
      await fetchRobots(deps, host, url);
      await deps.store.freeHost(host.host, clock.now() + gapOf(deps, host));
    }
    if (clock.now() >= endMs) return null;
    await sleep(clock, Math.min(RETRY_MS, endMs - clock.now()));
  }
}

async function readOnce(deps: CheckDeps, request: SingleCheckRequest): Promise<SingleCheck> {
  const { url, simulated, settings, variant, account } = request;
  try {
    const answer = await (simulated ? deps.readers.demo : deps.readers.web).read(url, {
      etag: null,
      lastModified: null,
    });
    const { body: bytes, finalUrl, status, contentType } = answer;
    const input = { bytes, url: finalUrl, status, contentType, variant, ...settings };
    const result = await parsePage(deps.platform.pool, input, account);
    return { result, answer, status: result.status, error: null };
  } catch (error) {
    if (error instanceof TaskEnded) return failedCheck("error", `The page could not be read. ${error.message}`);
    if (!(error instanceof ReadError)) throw error;
    return failedCheck("error", error.message);
  }
}
