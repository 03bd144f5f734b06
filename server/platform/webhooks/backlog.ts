// Reads the log for endpoints. Those of one account read the same stretch at about the same time, so each is read once for all.
import type { Db } from "../../store/db.ts";
import { type EventRow, type Follower, readAfter } from "../events/index.ts";

const MAX_STRETCHES = 16;
const MAX_CHARACTERS = 262_144;

interface Stretch {
  horizon: bigint;
  rows: Promise<EventRow[]>;
  /** As many events as were asked for: a later horizon adds nothing to it. */
  isFull: boolean;
}

export function createBacklog(db: Db, follower: Follower, count: number) {
  /** The oldest first. */
  const stretches = new Map<string, Stretch>();

  function read(tenantId: number, after: bigint, horizon: bigint): Promise<EventRow[]> {
    const key = `${tenantId} ${after}`;
    const known = stretches.get(key);
    if (known && (known.isFull || known.horizon >= horizon)) return known.rows;
    const stretch: Stretch = { horizon, rows: readAfter(db, [tenantId], after, horizon, count), isFull: false };
    stretches.delete(key);
    stretches.set(key, stretch);
    if (stretches.size > MAX_STRETCHES) stretches.delete(stretches.keys().next().value!);
    const forget = () => stretches.get(key) === stretch && stretches.delete(key);
    stretch.rows.then((rows) => {
      stretch.isFull = rows.length === count && rows.reduce((sum, row) => sum + row.json.length, 0) <= MAX_CHARACTERS;
      if (!stretch.isFull) forget();
    }, forget);
    return stretch.rows;
  }

  /** The next events of the account behind `after`. The horizon is asked for only where the one known does not reach. */
  return async function next(tenantId: number, after: bigint): Promise<EventRow[]> {
    const known = follower.knownHorizon();
    const rows = known > after ? await read(tenantId, after, known) : [];
    return rows.length === count ? rows : read(tenantId, after, await follower.horizon());
  };
}
