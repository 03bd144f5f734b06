// Events: every state change writes one here, in its own transaction. Nothing else sends.
import type { Mode } from "../../contract/define.ts";
import type { Tx } from "../../store/db.ts";
import { ring } from "./bell.ts";

export { ring } from "./bell.ts";
export { createFollower, type Follower } from "./follower.ts";
export { createEvents } from "./routes.ts";
export { type EventRow, readAfter, readEvents, splitTypes } from "./store.ts";
export { refuseUnknownTypes, typeFilter } from "./types.ts";

export interface NewEvent {
  id: string;
  tenantId: number;
  type: string;
  tags: string[];
  data: unknown;
  /** Milliseconds since the epoch. */
  at: number;
}

export interface EventView {
  id: string;
  type: string;
  created_at: string;
  mode: Mode;
  tags: string[];
  data: unknown;
}

/** Appends events inside the caller's transaction, in the order given. */
export async function appendEvents(tx: Tx, events: NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((e) => ({
    id: e.id,
    tenant_id: e.tenantId,
    type: e.type,
    tags: e.tags,
    data: e.data,
    created_at: new Date(e.at).toISOString(),
  }));
  await tx`
    insert into events (id, tenant_id, type, tags, data, created_at)
    select id, tenant_id, type, tags, data, created_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as e (id text, tenant_id int, type text, tags text[], data jsonb, created_at timestamptz)`;
  ring();
}
