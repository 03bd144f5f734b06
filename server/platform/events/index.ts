// Events: every state change writes one here, in its own transaction. Nothing else sends.
import type { Tx } from "../../store/db.ts";
import { notifyLocal } from "./local-signal.ts";
import { insertEvents, type NewEvent } from "./store.ts";

export { notifyLocal } from "./local-signal.ts";
export { createFollower, type Follower } from "./follower.ts";
export { createEvents } from "./routes.ts";
export { createEventStreams, type EventStreams } from "./streams.ts";
export {
  type EventRow,
  eventsCte,
  type NewEvent,
  readAfter,
  readEvents,
  splitTypes,
} from "./store.ts";
export { refuseUnknownTypes, typeFilter } from "./types.ts";

/** Appends events inside the caller's transaction, in the order given. */
export async function appendEvents(tx: Tx, events: NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await insertEvents(tx, events);
  notifyLocal();
}
