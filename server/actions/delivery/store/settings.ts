// SQL of the table delivery_settings: one row per tenant that decided something.
import { type Db, jsonb, toIso, type Tx } from "../../../store/db.ts";
import type { Settings } from "../contract/settings.ts";

export const NO_SETTINGS: Settings = {
  brand: null,
  tariff: null,
  zones: null,
  hours: null,
  time_zone: "UTC",
  sms_url: null,
};

export function createSettingsStore(db: Db) {
  return {
    get: (tenantId: number) => readSettings(db.sql, tenantId),
    async change(tx: Tx, tenantId: number, changes: Partial<Settings>, now: number): Promise<Settings> {
      const settings = { ...(await readSettings(tx, tenantId)), ...changes };
      await tx`
        insert into delivery_settings (tenant_id, settings, updated_at)
        values (${tenantId}, ${jsonb(settings)}::text::jsonb, ${toIso(now)}::timestamptz)
        on conflict (tenant_id) do update set settings = excluded.settings, updated_at = excluded.updated_at`;
      return settings;
    },
  };
}

async function readSettings(tx: Tx, tenantId: number): Promise<Settings> {
  const [row] = await tx`select settings from delivery_settings where tenant_id = ${tenantId}`;
  return { ...NO_SETTINGS, ...row?.settings };
}
