// One look at a page that is not kept. Robots.txt and the gap between two visits count as for any other look.
import { sleep } from "../../../lib/clock.ts";
import { extractPage } from "../engine/page/extract.ts";
import type { ExtractedPage } from "../engine/page/result.ts";
import type { TrackerStatus } from "../machine.ts";
import { type PageAnswer, ReadError } from "../providers/port.ts";
import type { Settings } from "../settings.ts";
import type { HostRow } from "../store.ts";
import { LEASE_MS } from "./check.ts";
import { type CheckDeps, fetchRobots, gapOf, robotsFresh, verdict } from "./robots.ts";

export interface SingleCheck {
  result: ExtractedPage | null;
  answer: PageAnswer | null;
  status: TrackerStatus;
  error: string | null;
}

export async function checkOnce(
  deps: CheckDeps,
  url: string,
  simulated: boolean,
  options: Partial<Settings> & { variant?: string | null },
  waitMs: number,
): Promise<SingleCheck> {
  const { store, readers } = deps;
  const { clock } = deps.platform;
  const end = clock.now() + waitMs;
  let host: HostRow | null = null;
  while (!simulated) {
    host = await store.claimHost(new URL(url).host, clock.now(), LEASE_MS);
    if (host && robotsFresh(host, clock.now())) break;
    if (host) {
      await fetchRobots(deps, host, url);
      await store.freeHost(host.host, clock.now() + gapOf(deps, host));
    }
    if (clock.now() >= end)
      return {
        result: null,
        answer: null,
        status: "pending",
        error: "The host's turn did not come within the wait.",
      };
    await sleep(clock, Math.min(500, end - clock.now()));
  }
  try {
    const robots = simulated ? "allowed" : verdict(host!.robots, url);
    if (robots !== "allowed") {
      const status = robots === "disallowed" ? "robots_disallowed" : "error";
      return { result: null, answer: null, status, error: "robots.txt of the host does not allow this page." };
    }
    const answer = await (simulated ? readers.demo : readers.web).read(url, { etag: null, lastModified: null });
    const result = extractPage({
      bytes: answer.body,
      url: answer.finalUrl,
      status: answer.status,
      contentType: answer.contentType,
      ...options,
    });
    return { result, answer, status: result.status, error: null };
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    return { result: null, answer: null, status: "error", error: error.message };
  } finally {
    if (host) await store.freeHost(host.host, clock.now() + gapOf(deps, host));
  }
}
