// SQL of the table delivery_notice_stops: recipients who want no more messages.
import { createHash } from "node:crypto";
import { type Db, toIso, type Tx } from "../../../store/db.ts";

const hashOf = (address: string): string => createHash("sha256").update(address.trim().toLowerCase()).digest("hex");

export function createNoticeStore(db: Db) {
  return {
    async isStopped(tenantId: number, address: string): Promise<boolean> {
      const rows = await db.sql`
        select 1 from delivery_notice_stops where tenant_id = ${tenantId} and address_hash = ${hashOf(address)}`;
      return rows.length > 0;
    },
    stop: (tx: Tx, tenantId: number, address: string, now: number) => tx`
      insert into delivery_notice_stops (tenant_id, address_hash, stopped_at)
      values (${tenantId}, ${hashOf(address)}, ${toIso(now)}::timestamptz) on conflict do nothing`,
  };
}
