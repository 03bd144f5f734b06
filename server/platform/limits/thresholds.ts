// Writes quota.threshold_reached when a tenant comes near its quota. Decides nothing about who may pass.
import type { Logger } from "pino";
import type { Plan } from "../../contract/define.ts";
import type { Clock } from "../../lib/clock.ts";
import type { MakeId } from "../../lib/id.ts";
import type { Db } from "../../store/db.ts";
import { appendEvents } from "../events/index.ts";
import { QUOTAS, WINDOW_SECONDS } from "../plans/index.ts";
import type { Limits, Verdict } from "./port.ts";

const QUIET_MS = 3_600_000;
const NEAR = 0.2;

/** The same limits; reaching 80 or 100 percent writes an event, at most once an hour per threshold, also where several processes count as one. */
export function announceThresholds(
  limits: Limits,
  deps: { db: Db; clock: Clock; makeId: MakeId; log: Logger },
): Limits {
  const { db, clock, makeId, log } = deps;
  const announcedAt = new Map<string, number>();
  /** What this process was the first to announce, and could not. */
  const failed = new Set<string>();

  function look(subject: string, limit: number, verdict: Verdict): Verdict {
    // Only tenants have a quota of their own; addresses with wrong keys are counted under another letter.
    if (verdict.remaining > limit * NEAR || !subject.startsWith("t")) return verdict;
    announce(Number(subject.slice(1)), limit, 80);
    if (verdict.remaining === 0) announce(Number(subject.slice(1)), limit, 100);
    return verdict;
  }

  function announce(tenantId: number, limit: number, percent: number): void {
    const name = `${tenantId} ${percent}`;
    const now = clock.monotonic();
    const last = announcedAt.get(name);
    if (last !== undefined && now - last < QUIET_MS) return;
    if (!failed.delete(name) && limits.isFirst?.(name) === false) return;
    announcedAt.set(name, now);
    const plan = (Object.keys(QUOTAS) as Plan[]).find((p) => QUOTAS[p] === limit) ?? "free";
    const data = { percent, plan, limit, window_seconds: WINDOW_SECONDS };
    const event = { id: makeId("evt"), tenantId, type: "quota.threshold_reached", tags: [], data, at: clock.now() };
    appendEvents(db.sql, [event]).catch((error) => {
      announcedAt.delete(name);
      failed.add(name);
      log.warn({ error: String(error) }, "a quota threshold could not be announced");
    });
  }

  return {
    ...limits,
    admit(subject, limit) {
      const verdict = limits.admit(subject, limit);
      return verdict instanceof Promise ? verdict.then((v) => look(subject, limit, v)) : look(subject, limit, verdict);
    },
  };
}
