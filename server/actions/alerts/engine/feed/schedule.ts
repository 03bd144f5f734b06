// When to fetch a feed again, and what to remember of the last answer. Pure: time and chance are passed in.
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../lib/time.ts";
import type { FeedChannel } from "./model.ts";

export type SourceStatus = "active" | "backing_off" | "failing" | "gone";
export type PollReason =
  | "requested"
  | "ttl"
  | "cache-control"
  | "sy"
  | "skipHours"
  | "default"
  | "no-validator"
  | "retry-after"
  | "backoff"
  | "gone";

/** What is kept of a feed between fetches. */
export interface PollState {
  url: string;
  status: SourceStatus;
  etag: string | null;
  lastModified: string | null;
  bodyHash: string | null;
  failures: number;
  failingSince: number | null;
  lastError: string | null;
  nextAt: number | null;
  /** When it was last fetched; missing in states that are older than the member. */
  polledAt?: number;
  reason: PollReason;
}

export interface PollAnswer {
  /** 0 when there was none. */
  status: number;
  headers: Readonly<Record<string, string>>;
  error: string | null;
  /** Where a permanent redirect (301, 308) led. */
  movedTo: string | null;
  bodyHash: string | null;
  channel: Pick<FeedChannel, "ttlMinutes" | "skipHours" | "skipDays" | "updateSeconds"> | null;
}

const MIN_SECONDS = 300;
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

export function freshPoll(url: string, now: number): PollState {
  return {
    url,
    status: "active",
    etag: null,
    lastModified: null,
    bodyHash: null,
    failures: 0,
    failingSince: null,
    lastError: null,
    nextAt: now,
    reason: "default",
  };
}

/** `chance` is in [0, 1) and spreads fetches that would fall together. */
export function afterPoll(
  state: PollState,
  answer: PollAnswer,
  requestedSeconds: number | null,
  now: number,
  chance: number,
): PollState {
  if (answer.status === 410) {
    return {
      ...state,
      polledAt: now,
      status: "gone",
      nextAt: null,
      reason: "gone",
      lastError: "The feed says that it is gone (410).",
    };
  }
  const good = answer.status === 304 || (answer.status >= 200 && answer.status < 300 && answer.error === null);
  if (!good) return afterFailure(state, answer, now, chance);
  const kept =
    answer.status === 304
      ? state
      : {
          ...state,
          etag: answer.headers.etag ?? null,
          lastModified: answer.headers["last-modified"] ?? null,
          bodyHash: answer.bodyHash,
        };
  const { seconds, reason } = interval(kept, answer, requestedSeconds);
  const wanted = now + seconds * 1000 * (1 + chance * 0.1);
  const allowed = avoidSkipped(wanted, answer.channel);
  return {
    ...kept,
    polledAt: now,
    url: answer.movedTo ?? state.url,
    status: "active",
    failures: 0,
    failingSince: null,
    lastError: null,
    nextAt: Math.round(allowed),
    reason: allowed > wanted ? "skipHours" : reason,
  };
}

/** The longest of what the publisher asks for; the user's wish cannot undercut it. */
function interval(
  state: PollState,
  answer: PollAnswer,
  requested: number | null,
): { seconds: number; reason: PollReason } {
  // Without a validator every fetch moves the whole feed, so the default is much slower.
  const polite = state.etag !== null || state.lastModified !== null ? 3600 : 4 * 3600;
  let best: { seconds: number; reason: PollReason } =
    requested === null
      ? { seconds: polite, reason: polite > 3600 ? "no-validator" : "default" }
      : { seconds: Math.max(MIN_SECONDS, requested), reason: "requested" };
  const longer = (seconds: number | null | undefined, reason: PollReason, max: number) => {
    if (seconds && Math.min(seconds, max) > best.seconds) best = { seconds: Math.min(seconds, max), reason };
  };
  longer(maxAge(answer.headers["cache-control"]), "cache-control", 86_400);
  longer((answer.channel?.ttlMinutes ?? 0) * 60, "ttl", 7 * 86_400);
  longer(answer.channel?.updateSeconds, "sy", 86_400);
  return best;
}

function maxAge(header: string | undefined): number | null {
  const found = /(?:^|[,\s])max-age\s*=\s*"?(\d{1,9})/i.exec(header ?? "");
  return found ? Number(found[1]) : null;
}

/** skipHours and skipDays are in UTC; the first moment outside them, at most eight days on. */
function avoidSkipped(at: number, channel: PollAnswer["channel"]): number {
  const hours = new Set(channel?.skipHours ?? []);
  const days = new Set(channel?.skipDays ?? []);
  if ((hours.size === 0 && days.size === 0) || hours.size >= 24 || days.size >= 7) return at;
  let time = at;
  for (let step = 0; step < 8 * 24; step++) {
    const date = new Date(time);
    if (!hours.has(date.getUTCHours()) && !days.has(WEEKDAYS[date.getUTCDay()])) return time;
    time = (Math.floor(time / HOUR_MS) + 1) * HOUR_MS;
  }
  return at;
}

function afterFailure(state: PollState, answer: PollAnswer, now: number, chance: number): PollState {
  const failures = state.failures + 1;
  const failingSince = state.failingSince ?? now;
  const asked = retryAfter(answer.headers["retry-after"], now);
  const backoff = Math.min(5 * MINUTE_MS * 2 ** Math.min(failures - 1, 10), DAY_MS) * (0.8 + 0.4 * chance);
  const wait = asked !== null ? Math.max(asked, MINUTE_MS) : backoff;
  // Never read, and the answer leaves no hope: a missing page, or one that is no feed.
  const isHopeless = state.bodyHash === null && isDefinite(answer);
  return {
    ...state,
    polledAt: now,
    failures,
    failingSince,
    status: isHopeless || now - failingSince > DAY_MS ? "failing" : "backing_off",
    lastError: answer.error ?? `HTTP ${answer.status}`,
    nextAt: Math.round(now + wait),
    reason: asked !== null ? "retry-after" : "backoff",
  };
}

/** The server answered, and will answer the same again: not a time-out, a limit or a fault of its own. */
const isDefinite = ({ status }: PollAnswer) => status >= 200 && status < 500 && status !== 408 && status !== 429;

/** Milliseconds to wait, from seconds or a date; at most a week. */
function retryAfter(header: string | undefined, now: number): number | null {
  if (!header) return null;
  const wait = /^\s*\d{1,9}\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isFinite(wait) ? Math.min(Math.max(0, wait), 7 * DAY_MS) : null;
}
