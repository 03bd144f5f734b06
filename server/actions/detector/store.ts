// SQL of the detector: analyses whose owner asked to have the content kept. The only file that knows the table.
import type { Db, Tx } from "../../store/db.ts";
import type { Analysis } from "./contract.ts";

export interface AnalysisRow {
  analysis: Analysis;
  content: string | null;
  createdMs: number;
}

export function createStore(db: Db) {
  return {
    async insert(tx: Tx, tenantId: number, analysis: Analysis, content: string, nowMs: number): Promise<void> {
      await tx`
        insert into detector_analyses (id, tenant_id, analysis, content, created_at)
        values (${analysis.analysis_id}, ${tenantId}, ${JSON.stringify(analysis)}::text::jsonb, ${content},
                ${new Date(nowMs).toISOString()})`;
    },
    async find(tenantId: number, id: string): Promise<AnalysisRow | null> {
      const [row] = await db.sql`
        select analysis, content, created_at as "createdAt" from detector_analyses
        where tenant_id = ${tenantId} and id = ${id}`;
      return row ? { analysis: row.analysis, content: row.content, createdMs: row.createdAt.getTime() } : null;
    },
    async remove(tx: Tx, tenantId: number, id: string): Promise<boolean> {
      const rows = await tx`delete from detector_analyses where tenant_id = ${tenantId} and id = ${id} returning id`;
      return rows.length > 0;
    },
  };
}

export type Store = ReturnType<typeof createStore>;
