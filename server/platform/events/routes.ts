// GET /events, GET /events/{id}, GET /events/stream, and forgetting what is too old.
import { handle } from "../../contract/define.ts";
import type { Call } from "../../contract/define.ts";
import { Failure } from "../../contract/errors.ts";
import { openSseStream } from "../../lib/sse-stream.ts";
import type { SseStream } from "../../lib/sse-stream.ts";
import { type Module, notFound, type Platform, readPage } from "../platform.ts";
import { getEventRoute, listEventsRoute, streamEventsRoute } from "./contract.ts";
import type { Follower } from "./follower.ts";
import { createHub } from "./hub.ts";
import type { Reader } from "./hub.ts";
import { findEvent, findPosition, forgetEvents, listEvents, readAfter } from "./store.ts";
import type { EventRow } from "./store.ts";
import { readTypes, refuseUnknownTypes, typeFilter } from "./types.ts";

export interface EventsOptions {
  follower: Follower;
  /** Every event type the contracts declare. */
  knownTypes: string[];
  retentionDays: number;
}

const RETRY_MS = 3000;
const MAX_STREAMS_PER_TENANT = 2000;
const dayMs = 86_400_000;

export function createEvents(platform: Platform, { follower, knownTypes, retentionDays }: EventsOptions): Module {
  const { db, cursors, clock, log } = platform;
  const hub = createHub(db, follower, log);
  const open = new Set<SseStream>();
  const view = (row: EventRow) => JSON.parse(row.json);
  let stopListening = () => {};

  /** Oldest first behind an event: the way to follow the log by asking. */
  async function pageAfter(call: Call, types: string[], afterId: string) {
    const { tenantId } = call.caller;
    const start = await findPosition(db, tenantId, afterId);
    if (start === null)
      throw new Failure("not_found", "The event named in after is not kept.", {
        hint: "List without after, and start from there.",
      });
    const wants = typeFilter(types);
    const { tag } = call.query;
    const list = `events after ${tenantId} ${afterId} ${types} ${tag ?? ""}`;
    const read = async (cursor: string | null, count: number) => {
      const found: EventRow[] = [];
      const horizon = await follower.horizon();
      let at = cursor === null ? start : BigInt(cursor);
      for (;;) {
        const rows = await readAfter(db, [tenantId], at, horizon, 500);
        found.push(...rows.filter((row) => wants(row.type) && (tag === undefined || row.tags.includes(tag))));
        if (rows.length < 500 || found.length >= count) return found.slice(0, count);
        at = rows.at(-1)!.seq;
      }
    };
    return readPage(cursors, list, call.query, read, (row) => String(row.seq), view);
  }

  function openStream(call: Call): Response {
    const types = readTypes(call.query.type);
    refuseUnknownTypes(types, knownTypes, "/type");
    const { tenantId } = call.caller;
    if (hub.count(tenantId) >= MAX_STREAMS_PER_TENANT) {
      throw new Failure("overloaded", `More than ${MAX_STREAMS_PER_TENANT} streams are open.`, {
        headers: { "Retry-After": "5" },
      });
    }
    const lastId = call.query.last_event_id ?? call.request.headers.get("last-event-id");
    const stream = openSseStream({
      clock,
      signal: call.request.signal,
      onClose() {
        hub.leave(reader);
        open.delete(stream);
      },
    });
    const reader: Reader = {
      tenantId,
      wants: typeFilter(types),
      send: stream.sendBytes,
      drained: stream.drained,
      joined(kept) {
        stream.send({ event: "ready", data: "{}", retryMs: RETRY_MS });
        if (!kept) stream.send({ event: "reset", data: JSON.stringify({ last_event_id: lastId }), id: "" });
      },
    };
    open.add(stream);
    hub.join(reader, lastId || null).catch((error) => {
      log.warn({ error: String(error) }, "a stream could not be joined");
      stream.close();
    });
    return stream.response;
  }

  return {
    handlers: [
      handle(listEventsRoute, (call) => {
        const types = readTypes(call.query.type);
        refuseUnknownTypes(types, knownTypes, "/type");
        if (call.query.after) return pageAfter(call, types, call.query.after);
        const { tenantId } = call.caller;
        const tag = call.query.tag ?? null;
        const read = (before: string | null, count: number) => listEvents(db, { tenantId, types, tag, before, count });
        return readPage(
          cursors,
          `events ${tenantId} ${types} ${tag}`,
          call.query,
          read,
          (row) => String(row.seq),
          view,
        );
      }),
      handle(streamEventsRoute, openStream),
      handle(getEventRoute, async (call) => {
        const row = await findEvent(db, call.caller.tenantId, call.params.id);
        if (!row) throw notFound("event");
        return view(row);
      }),
    ],
    jobs: [
      {
        name: "events.forget",
        cron: "17 * * * *",
        async run(_, { log: said }) {
          const count = await forgetEvents(db, new Date(clock.now() - retentionDays * dayMs));
          if (count > 0) said.info({ count }, "old events were removed");
        },
      },
    ],
    start() {
      stopListening = follower.onNews(() => void hub.pull());
    },
    drain() {
      for (const stream of open) stream.close();
    },
    stop() {
      stopListening();
    },
  };
}
