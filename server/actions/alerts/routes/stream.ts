// GET /alerts/stream: the tenant's alert events as server-sent events.
import { type Call, type Handler, handle } from "../../../contract/define.ts";
import { Failure } from "../../../contract/errors.ts";
import { openSseStream, type SseStream } from "../../../lib/sse-stream.ts";
import { type Follower, readAfter } from "../../../platform/events/index.ts";
import * as contract from "../contract/index.ts";
import { findPosition } from "../store/event-log.ts";
import type { AlertsContext } from "./context.ts";

/** Of one tenant. */
const MAX_STREAMS = 100;
const PAGE = 500;
const RETRY_MS = 3000;

export function createStreamRoutes({ platform }: AlertsContext, follower: Follower) {
  const { db, clock, log } = platform;
  const open = new Map<SseStream, number>();

  async function openStream(call: Call): Promise<Response> {
    const { tenantId } = call.caller;
    if ([...open.values()].filter((tenant) => tenant === tenantId).length >= MAX_STREAMS) {
      const headers = { "Retry-After": "5" };
      throw new Failure("overloaded", `More than ${MAX_STREAMS} streams are open.`, { headers });
    }
    const wanted = call.query.alert_id;
    const lastId = call.query.last_event_id ?? call.request.headers.get("last-event-id");
    const from = lastId ? await findPosition(db.sql, tenantId, lastId) : null;
    let position = from ?? (await follower.horizon());
    let busy = false;
    let again = false;
    const sse = openSseStream({
      clock,
      signal: call.request.signal,
      onClose: () => {
        stop();
        open.delete(sse);
      },
    });
    const pull = async () => {
      again = true;
      if (busy) return;
      busy = true;
      try {
        while (again) {
          again = false;
          const horizon = await follower.horizon();
          for (;;) {
            const rows = await readAfter(db, [tenantId], position, horizon, PAGE);
            if (rows.length === 0) break;
            for (const row of rows) {
              position = row.seq;
              if (row.type.startsWith("alert.") && (!wanted || row.json.includes(wanted)))
                sse.send({ id: row.id, event: row.type, data: row.json });
            }
            await sse.drained();
          }
        }
      } catch (error) {
        log.warn({ error: String(error) }, "an alert stream could not be read; tried again at the next event");
      } finally {
        busy = false;
      }
    };
    const stop = follower.onNews(() => void pull());
    open.set(sse, tenantId);
    sse.send({ event: "ready", data: "{}", retryMs: RETRY_MS });
    if (lastId && from === null) sse.send({ event: "reset", data: JSON.stringify({ last_event_id: lastId }) });
    void pull();
    return sse.response;
  }

  const handlers: Handler[] = [handle(contract.stream, openStream)];
  return {
    handlers,
    drain() {
      for (const sse of open.keys()) sse.close();
    },
  };
}
