// SQL of the table delivery_courier_moves: what a courier's app has sent, each move once.
import { type Db, toIso, type Tx } from "../../../store/db.ts";

export function createCourierMoveStore(db: Db) {
  return {
    /** False when this move was taken before. */
    async claim(tx: Tx, courierId: string, moveId: string, now: number): Promise<boolean> {
      const rows = await tx`
        insert into delivery_courier_moves (courier_id, move_id, created_at)
        values (${courierId}, ${moveId}, ${toIso(now)}::timestamptz) on conflict do nothing returning 1`;
      return rows.length > 0;
    },
    /** A refused move stays refused, also when it is sent again. */
    refuse: (courierId: string, moveId: string, refusal: string, now: number) => db.sql`
      insert into delivery_courier_moves (courier_id, move_id, refusal, created_at)
      values (${courierId}, ${moveId}, ${refusal}, ${toIso(now)}::timestamptz)
      on conflict (courier_id, move_id) do update set refusal = excluded.refusal`,
    async refusalOf(courierId: string, moveId: string): Promise<string | null> {
      const [row] = await db.sql`
        select refusal from delivery_courier_moves where courier_id = ${courierId} and move_id = ${moveId}`;
      return row?.refusal ?? null;
    },
    forget: (before: Date) => db.sql`delete from delivery_courier_moves where created_at < ${before}`,
  };
}
