// Open streams of events (server-sent events), whatever route they were opened by: bounded per tenant, resumable, and
// closed when their key would no longer be admitted.
import type { Call } from "../../contract/define.ts";
import { Failure } from "../../contract/errors.ts";
import { within } from "../../lib/deadline.ts";
import { createLoop } from "../../lib/loop.ts";
import { openSseStream, type SseStream } from "../../lib/sse-stream.ts";
import { SECOND_MS } from "../../lib/time.ts";
import type { Platform } from "../platform.ts";
import type { Follower } from "./follower.ts";
import { createHub, type Reader } from "./hub.ts";
import { findPosition, readAfter, type EventRow } from "./store.ts";

const RETRY_MS = 3 * SECOND_MS;
const PULL_MS = 30 * SECOND_MS;
const MAX_STREAMS_PER_TENANT = 2000;

export interface EventStreams {
  /** The answer to a request that wants to listen; resumes behind `last_event_id` or the header Last-Event-ID. */
  open(call: Call, wants: (event: EventRow) => boolean): Response;
  /** Every event of a tenant from now on, for readers inside this process; the returned function ends it. */
  follow(tenantId: number, onEvent: (event: EventRow) => void): () => void;
  /** How many readers there are, in all. */
  size(): number;
  start(): void;
  /** Hands out what is new; for tests. */
  settle(): Promise<void>;
  /** Ends all streams of this process. */
  drain(): void;
  stop(): Promise<void>;
}

export function createEventStreams(
  { db, clock, log }: Pick<Platform, "db" | "clock" | "log">,
  follower: Follower,
): EventStreams {
  const open = new Set<SseStream>();
  const hub = createHub({
    horizon: follower.horizon,
    findPosition: (tenantId, id) => findPosition(db, tenantId, id),
    readAfter: (tenantIds, after, horizon, count) => readAfter(db, tenantIds, after, horizon, count),
  });
  const loop = createLoop({
    clock,
    everyMs: null,
    run: () => within(PULL_MS, "reading events for the streams", hub.pull()),
    onError: (error) =>
      log.warn({ error: String(error) }, "events could not be read for the streams; tried again at the next news"),
  });
  let stopFollowing = () => {};

  function openStream(call: Call, wants: (event: EventRow) => boolean): Response {
    const { tenantId } = call.caller;
    refuseTooMany(hub.count(tenantId));
    const lastId: string | null = call.query.last_event_id ?? call.request.headers.get("last-event-id");
    const stream = openSseStream({
      clock,
      signal: call.request.signal,
      until: (close) => call.whileAdmitted(close),
      onClose() {
        hub.leave(reader);
        open.delete(stream);
      },
    });
    const reader: Reader = {
      tenantId,
      wants,
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

  function follow(tenantId: number, onEvent: (event: EventRow) => void): () => void {
    const reader: Reader = {
      tenantId,
      // Taken where it is offered: nothing is sent.
      wants(event) {
        onEvent(event);
        return false;
      },
      send: () => true,
      drained: () => Promise.resolve(),
      joined() {},
    };
    hub.join(reader, null).catch((error) => log.warn({ error: String(error) }, "events could not be followed"));
    return () => hub.leave(reader);
  }

  return {
    open: openStream,
    size: hub.size,
    follow,
    start() {
      stopFollowing = follower.onNews(loop.wake);
      loop.start();
    },
    settle: loop.settle,
    drain() {
      for (const stream of open) stream.close();
    },
    async stop() {
      stopFollowing();
      await loop.stop();
    },
  };
}

function refuseTooMany(count: number): void {
  if (count < MAX_STREAMS_PER_TENANT) return;
  const detail = `More than ${MAX_STREAMS_PER_TENANT} streams are open.`;
  throw new Failure("overloaded", detail, { headers: { "Retry-After": "5" } });
}
