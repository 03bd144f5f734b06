// SQL of the detector: analyses whose owner asked to have the content kept. The only file that knows the table.
import type { Db, Tx } from "../../store/db.ts";
import type { Analysis } from "./contract.ts";

export interface StoredRow {
  analysis: Analysis;
  content: string | null;
  created_at: Date;
}

export function createStore(db: Db) {
  return {
    async keep(tx: Tx, tenantId: number, analysis: Analysis, content: string | null, at: number): Promise<void> {
      await tx`
        insert into detector_analyses (id, tenant_id, analysis, content, created_at)
        values (${analysis.analysis_id}, ${tenantId}, ${JSON.stringify(analysis)}::text::jsonb, ${content}, ${new Date(at).toISOString()})`;
    },
    async find(tenantId: number, id: string): Promise<StoredRow | null> {
      const [row] = await db.sql`
        select analysis, content, created_at from detector_analyses where tenant_id = ${tenantId} and id = ${id}`;
      return row ?? null;
    },
    async remove(tx: Tx, tenantId: number, id: string): Promise<boolean> {
      const rows = await tx`delete from detector_analyses where tenant_id = ${tenantId} and id = ${id} returning id`;
      return rows.length > 0;
    },
  };
}

export type Store = ReturnType<typeof createStore>;
