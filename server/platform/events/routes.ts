// GET /events, GET /events/{id}, GET /events/stream, and forgetting what is too old.
import { handle } from "../../contract/define.ts";
import type { Call } from "../../contract/define.ts";
import { Failure } from "../../contract/errors.ts";
import { DAY_MS, parseTime } from "../../lib/time.ts";
import { findOr404, readPage } from "../pages.ts";
import type { Module, Platform } from "../platform.ts";
import { retentionNow } from "../retention/index.ts";
import { getEventRoute, listEventsRoute, streamEventsRoute } from "./contract.ts";
import type { Follower } from "./follower.ts";
import { findEvent, findPosition, forgetEvents, listEvents, readAfter } from "./store.ts";
import type { EventQuery, EventRow } from "./store.ts";
import type { EventStreams } from "./streams.ts";
import { readTypes, refuseUnknownTypes, typeFilter } from "./types.ts";

export interface EventsOptions {
  follower: Follower;
  streams: EventStreams;
  /** Every event type the contracts declare. */
  knownTypes: string[];
  retentionDays: number;
}

const READ_AT_ONCE = 500;

const view = (row: EventRow) => JSON.parse(row.json);
const position = (row: EventRow) => String(row.seq);

type Filter = Omit<EventQuery, "before" | "count">;

function readFilter(call: Call, knownTypes: string[]): Filter {
  const { tag = null, object = null, since, until } = call.query;
  const types = readTypes(call.query.type);
  refuseUnknownTypes(types, knownTypes, "/type");
  const sinceMs = since ? parseTime(since) : null;
  const untilMs = until ? parseTime(until) : null;
  return { tenantId: call.caller.tenantId, types, tag, object, sinceMs, untilMs };
}

/** The same filter as `listEvents` has in SQL, for rows that were read already. */
function rowFilter({ types, tag, object, sinceMs, untilMs }: Filter): (row: EventRow) => boolean {
  const wants = typeFilter(types);
  return (row) =>
    wants(row.type) &&
    (tag === null || row.tags.includes(tag)) &&
    (object === null || row.json.includes(`"${object}"`)) &&
    row.createdMs >= (sinceMs ?? -Infinity) &&
    row.createdMs < (untilMs ?? Infinity);
}

export function createEvents(
  platform: Platform,
  { follower, streams, knownTypes, retentionDays }: EventsOptions,
): Module {
  const { db, cursors } = platform;

  /** Oldest first behind an event: the way to follow the log by asking. */
  async function pageAfter(call: Call, filter: Filter, afterId: string) {
    const { tenantId } = filter;
    const start = await findPosition(db, tenantId, afterId);
    if (start === null) {
      const hint = "List without after, and start from there.";
      throw new Failure("not_found", "The event named in after is not kept.", { hint });
    }
    const passes = rowFilter(filter);
    const read = async (cursor: string | null, count: number) => {
      const found: EventRow[] = [];
      const horizon = await follower.horizon();
      let at = cursor === null ? start : BigInt(cursor);
      for (;;) {
        const rows = await readAfter(db, [tenantId], at, horizon, READ_AT_ONCE);
        found.push(...rows.filter(passes));
        if (rows.length < READ_AT_ONCE || found.length >= count) return found.slice(0, count);
        at = rows.at(-1)!.seq;
      }
    };
    const list = `events after ${afterId} ${JSON.stringify(filter)}`;
    return readPage({ cursors, list, query: call.query, read, position, view });
  }

  function list(call: Call) {
    const filter = readFilter(call, knownTypes);
    if (call.query.after) return pageAfter(call, filter, call.query.after);
    const read = (before: string | null, count: number) => listEvents(db, { ...filter, before, count });
    return readPage({ cursors, list: `events ${JSON.stringify(filter)}`, query: call.query, read, position, view });
  }

  function openStream(call: Call): Response {
    const types = readTypes(call.query.type);
    refuseUnknownTypes(types, knownTypes, "/type");
    const wants = typeFilter(types);
    return streams.open(call, (event) => wants(event.type));
  }

  return {
    handlers: [
      handle(listEventsRoute, list),
      handle(streamEventsRoute, openStream),
      handle(getEventRoute, async (call) =>
        view(await findOr404("event", findEvent(db, call.caller.tenantId, call.params.id))),
      ),
    ],
    jobs: [
      {
        name: "events.forget",
        cron: "17 * * * *",
        async run(_, { log: said }) {
          const nowMs = await retentionNow(platform, "events.forget");
          const count = await forgetEvents(db, new Date(nowMs - retentionDays * DAY_MS));
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
