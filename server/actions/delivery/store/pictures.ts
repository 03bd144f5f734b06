// SQL of the table delivery_pictures: photographs and drawn signatures, sealed.
import type { Seal } from "../../../lib/seal.ts";
import { type Db, toIso, type Tx } from "../../../store/db.ts";

export interface Picture {
  kind: "photo" | "signature";
  mediaType: string;
  sha256: string;
  bytes: Uint8Array;
}

const BITE = 500;

export function createPictureStore(db: Db, seal: Seal) {
  return {
    async insert(tx: Tx, tenantId: number, deliveryId: string, picture: Picture, now: number): Promise<void> {
      const { kind, mediaType, sha256, bytes } = picture;
      const sealed = seal.seal(Buffer.from(bytes).toString("base64"), contextOf(deliveryId, kind));
      await tx`
        insert into delivery_pictures (delivery_id, kind, tenant_id, media_type, sha256, sealed, created_at)
        values (${deliveryId}, ${kind}, ${tenantId}, ${mediaType}, ${sha256}, ${sealed}, ${toIso(now)}::timestamptz)
        on conflict (delivery_id, kind) do update set media_type = excluded.media_type, sha256 = excluded.sha256,
          sealed = excluded.sealed, created_at = excluded.created_at`;
    },
    async find(tenantId: number, deliveryId: string, kind: string): Promise<Picture | null> {
      const [row] = await db.sql`
        select * from delivery_pictures where delivery_id = ${deliveryId} and kind = ${kind} and tenant_id = ${tenantId}`;
      if (!row) return null;
      const bytes = Buffer.from(seal.open(row.sealed, contextOf(deliveryId, kind)), "base64");
      return { kind: row.kind, mediaType: row.media_type, sha256: row.sha256, bytes };
    },
    /** Removes what is past the retention; returns how many went. */
    async forget(before: Date): Promise<number> {
      for (let total = 0; ; ) {
        const { count } = await db.sql`
          delete from delivery_pictures where (delivery_id, kind) in
            (select delivery_id, kind from delivery_pictures where created_at < ${before} limit ${BITE})`;
        total += count;
        if (count < BITE) return total;
      }
    },
  };
}

/** A sealed picture opens only for the delivery it belongs to. */
const contextOf = (deliveryId: string, kind: string): string => `${deliveryId} ${kind}`;
