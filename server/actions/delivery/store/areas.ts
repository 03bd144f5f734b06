// SQL of the table delivery_areas: what finished deliveries taught about an area.
import type { Tx } from "../../../store/db.ts";
import type { Calibration } from "../engine/eta/index.ts";

export function createAreaStore() {
  return {
    async lock(tx: Tx, tenantId: number, area: string): Promise<Calibration | null> {
      const [row] =
        await tx`select calibration from delivery_areas where tenant_id = ${tenantId} and area = ${area} for update`;
      // Rows of an earlier form knew one mean and nothing of hours and places: they begin anew.
      return row?.calibration?.effects ? row.calibration : null;
    },
    save: (tx: Tx, tenantId: number, area: string, value: Calibration) => tx`
      insert into delivery_areas (tenant_id, area, calibration) values (${tenantId}, ${area}, ${JSON.stringify(value)}::text::jsonb)
      on conflict (tenant_id, area) do update set calibration = excluded.calibration`,
  };
}
