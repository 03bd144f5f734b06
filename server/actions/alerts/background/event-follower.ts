// Matches the service's own events against alerts. The position in the event log moves in the same transaction as the
// matches, so each event counts once.
import type { Clock } from "../../../lib/clock.ts";
import type { Follower } from "../../../platform/events/index.ts";
import type { Db, Tx } from "../../../store/db.ts";
import { contentFromEvent } from "../spec/content.ts";
import { EVENTS } from "../spec/rules.ts";
import { lockPosition, readEventsAfter, savePosition } from "../store/event-log.ts";
import type { LiveIndex } from "./index/live-index.ts";
import { type IntakeDeps, takeArrivals } from "./intake.ts";

export interface EventFollowerDeps extends IntakeDeps {
  db: Db;
  clock: Clock;
  follower: Follower;
  index: LiveIndex;
}

const PAGE = 500;

export async function matchNewEvents(deps: EventFollowerDeps): Promise<void> {
  const horizon = await deps.follower.horizon();
  for (let more = true; more; ) more = await deps.db.sql.begin((tx) => matchPage(deps, tx, horizon));
}

/** True when there is more to read. */
async function matchPage(deps: EventFollowerDeps, tx: Tx, horizon: bigint): Promise<boolean> {
  const position = await lockPosition(tx);
  if (position === null) {
    await savePosition(tx, horizon);
    return false;
  }
  if (position >= horizon) return false;
  const events = await readEventsAfter(tx, position, horizon, PAGE);
  const contents = events.map(contentFromEvent);
  const tenants = events.map((event) => event.tenantId);
  const { numbers } = await deps.index.matchForTenants(tenants, EVENTS, contents);
  const arrivals = contents.map((content, i) => ({ content, numbers: numbers[i] })).filter((a) => a.numbers.length > 0);
  await takeArrivals(deps, tx, arrivals, "events", deps.clock.now());
  const isFull = events.length === PAGE;
  await savePosition(tx, isFull ? events.at(-1)!.seq : horizon);
  return isFull;
}
