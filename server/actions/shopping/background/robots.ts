// How a host wants to be visited: reading its robots.txt, what that allows, and the gap between two visits.
import type { Platform } from "../../../platform/platform.ts";
import { isAllowed, parseRobots, rulesFor } from "../engine/robots/robots.ts";
import { ROBOTS_TTL_MS, type RobotsState, hostGap, robotsAfter } from "../engine/schedule/interval.ts";
import { type PageReader, ReadError } from "../providers/port.ts";
import type { HostRow, ShoppingStore } from "../store.ts";

/** The name robots.txt files know us by. */
const PRODUCT_TOKEN = "ActionConnector";

export interface Readers {
  web: PageReader;
  demo: PageReader;
}

/** What every look at a page needs. */
export interface CheckDeps {
  platform: Platform;
  store: ShoppingStore;
  readers: Readers;
}

/** How long a host is left alone after a visit. */
export const gapOf = ({ platform }: CheckDeps, host: HostRow): number =>
  hostGap({ crawlDelayS: host.crawl_delay_s, failures: host.failures, retryAfterMs: null }, platform.random.unit());

export function robotsFresh(host: HostRow, now: number): boolean {
  const age = host.robots_at === null ? Infinity : now - host.robots_at.getTime();
  // A host that could not say what it allows is asked again sooner.
  return age < (host.robots?.kind === "unreachable" ? 3_600_000 : ROBOTS_TTL_MS);
}

export async function fetchRobots(deps: CheckDeps, host: HostRow, url: string, signal?: AbortSignal): Promise<void> {
  const now = deps.platform.clock.now();
  const since = host.robots?.kind === "unreachable" ? host.robots.sinceMs : null;
  let state: RobotsState;
  try {
    const answer = await deps.readers.web.read(new URL("/robots.txt", url).href, {
      etag: null,
      lastModified: null,
      signal,
    });
    state = robotsAfter(answer.status, Buffer.from(answer.body.subarray(0, 512 * 1024)).toString("utf8"), since, now);
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    state = robotsAfter(null, "", since, now);
  }
  const delay = state.kind === "rules" ? rulesFor(parseRobots(state.text), PRODUCT_TOKEN).crawlDelayS : null;
  host.crawl_delay_s = delay;
  await deps.store.keepRobots(host.host, state, delay, now);
}

export function verdict(robots: RobotsState | null, url: string): "allowed" | "disallowed" | "unreachable" {
  if (robots === null || robots.kind === "none") return "allowed";
  if (robots.kind === "unreachable") return "unreachable";
  return isAllowed(parseRobots(robots.text), PRODUCT_TOKEN, url) ? "allowed" : "disallowed";
}
