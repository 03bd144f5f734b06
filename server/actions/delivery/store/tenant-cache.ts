// Keeps one small value per tenant in memory for a short time: other replicas see a change that late at most.
import type { Clock } from "../../../lib/clock.ts";

const MAX_TENANTS = 10_000;

export interface TenantCache<T> {
  get(tenantId: number): Promise<T>;
  /** After a change made here. */
  forget(tenantId: number): void;
}

export function cachePerTenant<T>(
  clock: Clock,
  keepMs: number,
  load: (tenantId: number) => Promise<T>,
): TenantCache<T> {
  const kept = new Map<number, { value: Promise<T>; untilMs: number }>();
  return {
    get(tenantId) {
      const entry = kept.get(tenantId);
      if (entry && entry.untilMs > clock.now()) return entry.value;
      if (kept.size > MAX_TENANTS) kept.clear();
      const value = load(tenantId);
      kept.set(tenantId, { value, untilMs: clock.now() + keepMs });
      value.catch(() => kept.delete(tenantId));
      return value;
    },
    forget: (tenantId) => void kept.delete(tenantId),
  };
}
