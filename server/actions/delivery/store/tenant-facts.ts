// What every order asks about its account: settings, couriers, learned places, calibrated areas. Kept in memory for a short
// time, and read in one statement for all accounts that ask in the same turn of the event loop.
import type { Clock } from "../../../lib/clock.ts";
import { SECOND_MS } from "../../../lib/time.ts";
import { readTogether } from "../../../lib/together.ts";
import type { Db } from "../../../store/db.ts";
import type { Settings } from "../contract/settings.ts";
import type { Calibration } from "../engine/eta/index.ts";
import { NO_SETTINGS } from "./settings.ts";

/** How late another replica may see a changed setting, a first courier or a first place. */
const KEEP_MS = 10 * SECOND_MS;
const MAX_TENANTS = 10_000;

export interface TenantFacts {
  settings: Settings;
  hasFleet: boolean;
  hasPlaces: boolean;
  /** By area, see engine/eta/calibration.ts. */
  areas: Record<string, Calibration>;
}

export type TenantFactStore = ReturnType<typeof createTenantFacts>;

interface Entry {
  untilMs: number;
  value: TenantFacts | Promise<TenantFacts>;
}

export function createTenantFacts(db: Db, clock: Clock) {
  const kept = new Map<number, Entry>();
  const read = readTogether((tenantIds) => readFacts(db, tenantIds));

  function load(tenantId: number): Promise<TenantFacts> {
    if (kept.size > MAX_TENANTS) kept.clear();
    const value = read(tenantId);
    const entry: Entry = { value, untilMs: clock.now() + KEEP_MS };
    kept.set(tenantId, entry);
    value.then(
      (facts) => (entry.value = facts),
      () => kept.get(tenantId) === entry && kept.delete(tenantId),
    );
    return value;
  }

  return {
    get(tenantId: number): TenantFacts | Promise<TenantFacts> {
      const entry = kept.get(tenantId);
      return entry && entry.untilMs > clock.now() ? entry.value : load(tenantId);
    },
    /** After a change made here. */
    forget: (tenantId: number) => void kept.delete(tenantId),
  };
}

async function readFacts(db: Db, tenantIds: number[]): Promise<Map<number, TenantFacts>> {
  const rows = await db.sql`
    select t.id, s.settings,
      exists (select from couriers c where c.tenant_id = t.id) as "hasFleet",
      exists (select from delivery_places p where p.tenant_id = t.id) as "hasPlaces",
      (select json_object_agg(a.area, a.calibration) from delivery_areas a where a.tenant_id = t.id) as areas
    from unnest(${tenantIds}::int[]) as t (id) left join delivery_settings s on s.tenant_id = t.id`;
  return new Map(
    rows.map(({ id, settings, hasFleet, hasPlaces, areas }: any) => [
      id,
      { settings: { ...NO_SETTINGS, ...settings }, hasFleet, hasPlaces, areas: areas ?? {} },
    ]),
  );
}
