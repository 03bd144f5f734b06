// The SQL of the retention clock.
import { type Db, toIso, toMs } from "../../store/db.ts";

/** Moves the clock of one job to `nowMs`, by at most `maxStepMs`; returns where it stands. */
export async function advanceClock(db: Db, name: string, nowMs: number, maxStepMs: number): Promise<number> {
  const [row] = await db.sql`
    insert into retention_clock (name, at) values (${name}, ${toIso(nowMs)}::timestamptz)
    on conflict (name) do update
      set at = least(excluded.at, retention_clock.at + ${maxStepMs} * interval '1 millisecond')
    returning at`;
  return toMs(row.at);
}
