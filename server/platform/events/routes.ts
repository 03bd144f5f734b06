// GET /events, GET /events/{id}, GET /events/stream, and forgetting what is too old.
import { handle } from "../../contract/define.ts";
import type { Call } from "../../contract/define.ts";
import { Failure } from "../../contract/errors.ts";
import { DAY_MS } from "../../lib/time.ts";
import { type Module, notFound, type Platform, readPage } from "../platform.ts";
import { getEventRoute, listEventsRoute, streamEventsRoute } from "./contract.ts";
import type { Follower } from "./follower.ts";
import { findEvent, findPosition, forgetEvents, listEvents, readAfter } from "./store.ts";
import type { EventRow } from "./store.ts";
import type { EventStreams } from "./streams.ts";
import { readTypes, refuseUnknownTypes, typeFilter } from "./types.ts";

export interface EventsOptions {
  follower: Follower;
  streams: EventStreams;
  /** Every event type the contracts declare. */
  knownTypes: string[];
  retentionDays: number;
}

export function createEvents(
  platform: Platform,
  { follower, streams, knownTypes, retentionDays }: EventsOptions,
): Module {
  const { db, cursors, clock } = platform;
  const view = (row: EventRow) => JSON.parse(row.json);

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
    const wants = typeFilter(types);
    return streams.open(call, (event) => wants(event.type));
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
          const count = await forgetEvents(db, new Date(clock.now() - retentionDays * DAY_MS));
          if (count > 0) said.info({ count }, "old events were removed");
        },
      },
    ],
    start: streams.start,
    settle: streams.settle,
    drain: streams.drain,
    stop: streams.stop,
  };
}
