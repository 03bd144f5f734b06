// SQL of the table couriers.
import type { Db, Tx } from "../../../store/db.ts";
import type { CourierRow } from "./rows.ts";

const MAX_ON_DUTY = 500;

export function createCourierStore(db: Db) {
  return {
    insert: (tx: Tx, row: CourierRow) => tx`
      insert into couriers (id, tenant_id, token, view, created_at)
      values (${row.id}, ${row.tenantId}, ${row.token}, ${JSON.stringify(row.view)}::text::json, ${row.view.created_at})`,
    save: (tx: Tx, row: CourierRow) =>
      tx`update couriers set view = ${JSON.stringify(row.view)}::text::json where id = ${row.id}`,
    async lock(tx: Tx, tenantId: number, id: string): Promise<CourierRow | null> {
      const [row] = await tx`select * from couriers where id = ${id} and tenant_id = ${tenantId} for update`;
      return row ? courierRow(row) : null;
    },
    async list(tenantId: number, after: string | null, count: number): Promise<CourierRow[]> {
      const rows = await db.sql`
        select * from couriers where tenant_id = ${tenantId} and (${after}::text is null or id > ${after}) order by id limit ${count}`;
      return rows.map(courierRow);
    },
    async findByToken(token: string): Promise<CourierRow | null> {
      const [row] = await db.sql`select * from couriers where token = ${token}`;
      return row ? courierRow(row) : null;
    },
    async find(tenantId: number, id: string): Promise<CourierRow | null> {
      const [row] = await db.sql`select * from couriers where id = ${id} and tenant_id = ${tenantId}`;
      return row ? courierRow(row) : null;
    },
    async remove(tx: Tx, tenantId: number, id: string): Promise<void> {
      await tx`delete from couriers where id = ${id} and tenant_id = ${tenantId}`;
    },
    async onDuty(tx: Tx, tenantId: number): Promise<CourierRow[]> {
      const rows = await tx`
        select * from couriers where tenant_id = ${tenantId} and (view ->> 'on_duty')::boolean order by id limit ${MAX_ON_DUTY}`;
      return rows.map(courierRow);
    },
  };
}

const courierRow = (r: any): CourierRow => ({ id: r.id, tenantId: r.tenant_id, token: r.token, view: r.view });
