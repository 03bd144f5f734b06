// Decides for each match whether it is sent now, held for later, or only counted; and when held matches are due. Pure:
// state goes in and comes out. Holding loses nothing.
import { HOUR_MS } from "../../../../lib/time.ts";
import { nextDigest, quietUntil, type Digest, type QuietHours } from "./hours.ts";

export interface Rules {
  mode: "instant" | "digest";
  cooldownMs: number;
  /** During a cooldown matches are kept for one message, or dropped and counted. */
  cooldownMode: "batch" | "drop";
  maxPerHour: number;
  digest: Digest | null;
  quiet: QuietHours[];
}

export type Suppressed = Record<"duplicate" | "cooldown" | "quiet" | "rate" | "snoozed", number>;
export const noneSuppressed = (): Suppressed => ({ duplicate: 0, cooldown: 0, quiet: 0, rate: 0, snoozed: 0 });

/** What is remembered of one alert between matches. */
export interface Pace {
  /** When messages went out in the last hour. */
  sent: number[];
  /** Per group: no message before this. */
  cooldowns: Record<string, number>;
  /** Until when it is snoozed; "clear" until its condition has cleared. */
  snoozed: number | "clear" | null;
  /** Since the last message. */
  suppressed: Suppressed;
}

export const freshPace = (): Pace => ({ sent: [], cooldowns: {}, snoozed: null, suppressed: noneSuppressed() });

export type Decision =
  | { action: "send"; pace: Pace }
  | { action: "hold"; reason: "cooldown" | "quiet" | "rate" | "digest"; dueAt: number; pace: Pace }
  | { action: "suppress"; reason: "cooldown" | "snoozed"; pace: Pace };

const MAX_GROUPS = 200;

/** A match has come in. */
export function onMatch(rules: Rules, pace: Pace, group: string, now: number): Decision {
  const current = dropExpired(pace, now);
  if (current.snoozed !== null) return { action: "suppress", reason: "snoozed", pace: counted(current, "snoozed") };
  if (rules.mode === "digest" && rules.digest) {
    return { action: "hold", reason: "digest", dueAt: nextDigest(rules.digest, now), pace: current };
  }
  const cooling = (current.cooldowns[group] ?? 0) > now;
  if (cooling && rules.cooldownMode === "drop") {
    return { action: "suppress", reason: "cooldown", pace: counted(current, "cooldown") };
  }
  const wait = blockedUntil(rules, current, group, now);
  return wait ? { action: "hold", ...wait, pace: current } : { action: "send", pace: sent(rules, current, group, now) };
}

/** Held matches have fallen due: send them as one message, or wait on. */
export function onDue(rules: Rules, pace: Pace, group: string, now: number): Decision {
  const current = dropExpired(pace, now);
  if (current.snoozed !== null) return { action: "suppress", reason: "snoozed", pace: counted(current, "snoozed") };
  const wait = blockedUntil(rules, current, group, now);
  return wait ? { action: "hold", ...wait, pace: current } : { action: "send", pace: sent(rules, current, group, now) };
}

function blockedUntil(rules: Rules, pace: Pace, group: string, now: number) {
  const quiet = quietUntil(rules.quiet, now);
  if (quiet !== null) return { reason: "quiet" as const, dueAt: quiet };
  const cooldown = pace.cooldowns[group] ?? 0;
  if (cooldown > now) return { reason: "cooldown" as const, dueAt: cooldown };
  if (pace.sent.length >= rules.maxPerHour) {
    return { reason: "rate" as const, dueAt: pace.sent[pace.sent.length - rules.maxPerHour] + HOUR_MS };
  }
  return null;
}

/** Drops what no longer matters, so that the state stays small. */
function dropExpired(pace: Pace, now: number): Pace {
  const cooldowns = Object.fromEntries(
    Object.entries(pace.cooldowns)
      .filter(([, until]) => until > now)
      .slice(-MAX_GROUPS),
  );
  const snoozed = typeof pace.snoozed === "number" && pace.snoozed <= now ? null : pace.snoozed;
  return { ...pace, sent: pace.sent.filter((at) => at > now - HOUR_MS), cooldowns, snoozed };
}

function sent(rules: Rules, pace: Pace, group: string, now: number): Pace {
  const cooldowns = rules.cooldownMs > 0 ? { ...pace.cooldowns, [group]: now + rules.cooldownMs } : pace.cooldowns;
  return { ...pace, sent: [...pace.sent, now], cooldowns, suppressed: noneSuppressed() };
}

/** Counts a match that is not sent by itself. */
export function counted(pace: Pace, reason: keyof Suppressed, by = 1): Pace {
  return { ...pace, suppressed: { ...pace.suppressed, [reason]: pace.suppressed[reason] + by } };
}
