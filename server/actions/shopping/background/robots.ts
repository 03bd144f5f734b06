// How a host wants to be visited: reading its robots.txt, what that allows, and the gap between two visits.
import { HOUR_MS } from "../../../lib/time.ts";
import type { Platform } from "../../../platform/platform.ts";
import { TaskEnded } from "../../../lib/pool/index.ts";
import { decodeRobots } from "../engine/robots/robots.ts";
import { ROBOTS_TTL_MS, type RobotsState, hostGap, robotsAfter } from "../engine/schedule/interval.ts";
import { type PageReader, ReadError } from "../providers/port.ts";
import type { HostRow, ShoppingStore } from "../store/index.ts";
import { parseRobotsFile } from "./parse.ts";

/** The name robots.txt files know us by. */
const PRODUCT_TOKEN = "ActionConnector";
/** A host whose robots.txt could not be read is asked again sooner than after a day. */
const UNREACHABLE_RETRY_MS = HOUR_MS;

export interface Readers {
  web: PageReader;
  demo: PageReader;
}

/** What every check of a page needs. */
export interface CheckDeps {
  platform: Platform;
  store: ShoppingStore;
  readers: Readers;
}

/** How long a host is left alone after a visit. */
export const gapOf = ({ platform }: CheckDeps, host: HostRow): number =>
  hostGap({ crawlDelayS: host.crawlDelayS, failures: host.failures, retryAfterMs: null }, platform.random.unit());

export function isRobotsFresh(host: HostRow, nowMs: number): boolean {
  const age = host.robotsMs === null ? Infinity : nowMs - host.robotsMs;
  return age < (host.robots?.kind === "unreachable" ? UNREACHABLE_RETRY_MS : ROBOTS_TTL_MS);
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
    state = robotsAfter(answer.status, decodeRobots(answer.body), since, now);
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    state = robotsAfter(null, "", since, now);
  }
  const delay = state.kind === "rules" ? (await judge(deps, state.text, url)).crawlDelayS : null;
  host.crawlDelayS = delay;
  await deps.store.keepRobots(host.host, state, delay, now);
}

/** What robots.txt says of this address. */
export async function verdictOf(
  deps: CheckDeps,
  robots: RobotsState | null,
  url: string,
): Promise<"allowed" | "disallowed" | "unreachable"> {
  if (robots === null || robots.kind === "none") return "allowed";
  if (robots.kind === "unreachable") return "unreachable";
  return (await judge(deps, robots.text, url)).allowed ? "allowed" : "disallowed";
}

/** A file that cannot be read in its time allows nothing. */
async function judge({ platform }: CheckDeps, text: string, url: string) {
  const { host } = new URL(url);
  return parseRobotsFile(platform.pool, { text, token: PRODUCT_TOKEN, url }, `host ${host}`).catch((error) => {
    if (error instanceof TaskEnded) return { allowed: false, crawlDelayS: null };
    throw error;
  });
}
