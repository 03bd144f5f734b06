// SQL of the table delivery_templates: orders that come again.
import type { Mode } from "../../../contract/define.ts";
import { type Db, jsonb, toIso, toMs, type Tx } from "../../../store/db.ts";
import type { Template } from "../contract/templates.ts";

export interface TemplateRow {
  id: string;
  tenantId: number;
  mode: Mode;
  view: Template;
  nextMs: number | null;
}

export function createTemplateStore(db: Db) {
  return {
    save: (tx: Tx, row: TemplateRow) => tx`
      insert into delivery_templates (id, tenant_id, view, next_at, created_at)
      values (${row.id}, ${row.tenantId}, ${jsonb(row.view)}::text::json, ${toIso(row.nextMs)}::timestamptz, ${row.view.created_at})
      on conflict (id) do update set view = excluded.view, next_at = excluded.next_at`,
    async lock(tx: Tx, tenantId: number, id: string): Promise<TemplateRow | null> {
      const [row] = await tx`
        select p.*, t.mode from delivery_templates p join tenants t on t.id = p.tenant_id
        where p.id = ${id} and p.tenant_id = ${tenantId} for update of p`;
      return row ? templateRow(row) : null;
    },
    async list(tenantId: number, after: string | null, count: number): Promise<TemplateRow[]> {
      const rows = await db.sql`
        select p.*, t.mode from delivery_templates p join tenants t on t.id = p.tenant_id
        where p.tenant_id = ${tenantId} and (${after}::text is null or p.id < ${after}) order by p.id desc limit ${count}`;
      return rows.map(templateRow);
    },
    async remove(tx: Tx, tenantId: number, id: string): Promise<boolean> {
      const gone = await tx`delete from delivery_templates where id = ${id} and tenant_id = ${tenantId} returning 1`;
      return gone.length > 0;
    },
    /** The tenants take turns. */
    async due(beforeMs: number, count: number): Promise<TemplateRow[]> {
      const rows = await db.sql`
        select p.*, t.mode from delivery_templates p join tenants t on t.id = p.tenant_id
        where p.next_at <= ${toIso(beforeMs)}::timestamptz 
        order by row_number() over (partition by p.tenant_id order by p.next_at), p.next_at limit ${count}`;
      return rows.map(templateRow);
    },
  };
}

const templateRow = (r: any): TemplateRow => ({
  id: r.id,
  tenantId: r.tenant_id,
  mode: r.mode,
  view: r.view,
  nextMs: toMs(r.next_at),
});
