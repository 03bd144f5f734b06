// A Spec as the engine wants it: delivery rules, condition, time zone, source bits. Pure.
import { toDecimal } from "../../../lib/decimal.ts";
import type { Condition } from "../engine/deliver/condition.ts";
import { nextDigest, readDays } from "../engine/deliver/hours.ts";
import type { Rules } from "../engine/deliver/rules.ts";
import type { Spec } from "../rows.ts";

const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** The rules of delivery as the engine wants them. */
export function rulesOf({ delivery }: Pick<Spec, "delivery">): Rules {
  const { digest } = delivery;
  return {
    mode: delivery.mode ?? (digest ? "digest" : "instant"),
    cooldownMs: (delivery.cooldown_s ?? 0) * 1000,
    cooldownMode: delivery.cooldown_mode ?? "batch",
    maxPerHour: delivery.max_per_hour ?? 60,
    digest: digest
      ? {
          every: digest.every,
          at: digest.at ?? "08:00",
          timezone: digest.timezone ?? "UTC",
          weekday: WEEKDAYS.indexOf(digest.weekday ?? "mon"),
          maxItems: digest.max_items ?? 50,
          sendEmpty: digest.send_empty ?? false,
        }
      : null,
    quiet: (delivery.quiet_hours ?? []).map((q) => ({
      days: readDays(q.days ?? []) ?? [],
      from: q.from,
      to: q.to,
      timezone: q.timezone ?? "UTC",
    })),
  };
}

export function conditionOf({ condition }: Spec): Condition | null {
  if (!condition) return null;
  return {
    field: condition.field,
    op: condition.op,
    value: condition.value === undefined ? null : toDecimal(condition.value),
    rearm: condition.rearm ?? "on_clear",
    hysteresis: condition.hysteresis ?? 0,
  };
}

/** The reader's own time zone, for times in messages. */
export function zoneOf({ delivery }: Spec): string {
  return delivery.digest?.timezone ?? delivery.quiet_hours?.[0]?.timezone ?? "UTC";
}

export const INGEST = 1;
export const EVENTS = 2;
const FEEDS = 4;

export function sourceBits({ sources }: Spec): number {
  return sources.reduce((bits, s) => bits | (s.type === "ingest" ? INGEST : s.type === "events" ? EVENTS : FEEDS), 0);
}

/** When the next digest is due that is sent even when it is empty; null when none is wanted. */
export function nextEmptyDigest(spec: Spec, now: number): number | null {
  const { digest } = rulesOf(spec);
  return digest?.sendEmpty ? nextDigest(digest, now) : null;
}
