// What finished deliveries taught, kept in memory for at most a minute.
import type { Clock } from "../../../lib/clock.ts";
import type { Calibration } from "../engine/eta/index.ts";

type Areas = Map<string, Calibration>;

const KEEP_MS = 60_000;
const MAX_TENANTS = 10_000;

export function cacheAreas(clock: Clock, all: (tenantId: number) => Promise<Areas>) {
  const kept = new Map<number, { areas: Promise<Areas>; untilMs: number }>();
  return async (tenantId: number, area: string): Promise<Calibration | undefined> => {
    let entry = kept.get(tenantId);
    if (!entry || entry.untilMs <= clock.now()) {
      if (kept.size > MAX_TENANTS) kept.clear();
      entry = { areas: all(tenantId), untilMs: clock.now() + KEEP_MS };
      kept.set(tenantId, entry);
      entry.areas.catch(() => kept.delete(tenantId));
    }
    return (await entry.areas).get(area);
  };
}
