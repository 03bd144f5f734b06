// SQL of deliveries; the only file that knows the table.
import type { Call } from "../../contract/define.ts";
import type { MakeId } from "../../lib/id.ts";
import { LostRace, recordOf } from "../../platform/idempotency/index.ts";
import { type Db, violatedConstraint } from "../../store/db.ts";
import { createGroupCommit } from "../../store/group-commit.ts";
import type { Delivery } from "./contract.ts";

export type DeliveryStore = ReturnType<typeof createStore>;

interface NewRow {
  tenantId: number;
  eventId: string;
  /** The delivery as JSON, written once and stored twice: as the row and in its event. */
  json: string;
  delivery: Delivery;
  record: ReturnType<typeof recordOf> | null;
}

export function createStore(db: Db, makeId: MakeId) {
  /** State, event and idempotency record of all rows in one statement: all or none. */
  const insert = createGroupCommit<NewRow>(async (rows) => {
    const records = rows.flatMap((row) => row.record ?? []);
    const column = <T>(read: (row: NewRow) => T) => rows.map(read);
    const recordColumn = <T>(read: (record: NonNullable<NewRow["record"]>) => T) => records.map(read);
    await db.sql`
      with record as (
        insert into idempotency (digest, tenant_id, fingerprint, status, body, created_at)
        select * from unnest(${recordColumn((r) => r.digest)}::text[], ${recordColumn((r) => r.tenant_id)}::int[],
          ${recordColumn((r) => r.fingerprint)}::text[], ${recordColumn((r) => r.status)}::smallint[],
          ${recordColumn((r) => r.body)}::text[], ${recordColumn((r) => r.created_at)}::timestamptz[])
      ), event as (
        insert into events (id, tenant_id, type, tags, data, created_at)
        select e.id, e.tenant_id, 'delivery.scheduled', array(select jsonb_array_elements_text(e.data::jsonb -> 'tags')), e.data::jsonb, e.at
        from unnest(${column((r) => r.eventId)}::text[], ${column((r) => r.tenantId)}::int[], ${column((r) => r.json)}::text[],
          ${column((r) => r.delivery.created_at)}::timestamptz[]) as e (id, tenant_id, data, at)
      )
      insert into deliveries (id, tenant_id, status, view, created_at)
      select d.id, d.tenant_id, 'scheduled', d.view::jsonb, d.at
      from unnest(${column((r) => r.delivery.delivery_id)}::text[], ${column((r) => r.tenantId)}::int[],
        ${column((r) => r.json)}::text[], ${column((r) => r.delivery.created_at)}::timestamptz[]) as d (id, tenant_id, view, at)`;
  });

  return {
    async insert(call: Call, delivery: Delivery): Promise<void> {
      const claim = call.idempotency;
      const record = claim && recordOf(claim, delivery, call.now);
      try {
        await insert({ tenantId: call.caller.tenantId, eventId: makeId("evt"), json: JSON.stringify(delivery), delivery, record });
        if (claim) claim.written = true;
      } catch (error) {
        throw violatedConstraint(error) === "idempotency_pkey" ? new LostRace() : error;
      }
    },
    async find(tenantId: number, id: string): Promise<Delivery | null> {
      const [row] = await db.sql`select view from deliveries where id = ${id} and tenant_id = ${tenantId}`;
      return row?.view ?? null;
    },
  };
}
