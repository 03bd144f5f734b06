// Around an alert: its matches and messages, replay, pushed content, the stream, and the two public pages of mail.
import { handle, type Call, type Handler } from "../../../contract/define.ts";
import { Failure, type Fault } from "../../../contract/errors.ts";
import { openSseStream, type SseStream } from "../../../lib/sse-stream.ts";
import { formatTime, parseTime } from "../../../lib/time.ts";
import { Compile } from "typebox/compile";
import { type Follower, readAfter } from "../../../platform/events/index.ts";
import { transact } from "../../../platform/idempotency/index.ts";
import { notFound, type Platform, readPage } from "../../../platform/platform.ts";
import type { Tx } from "../../../store/db.ts";
import * as contract from "../contract/index.ts";
import { step } from "../machine.ts";
import { INGEST } from "../spec/spec.ts";
import { page } from "./mail-pages.ts";
import { listMatches, listSendings, positionOf, replaySendings } from "../store/history.ts";
import type { AlertRow, AlertStore } from "../store/alerts.ts";
import { type Incoming, ofContent, shortened } from "../spec/content.ts";
import type { Intake } from "../background/intake.ts";
import type { LiveIndex } from "../background/index/live-index.ts";
import { matchView } from "../background/messages.ts";
import { keepContent } from "../store/log.ts";

export interface ReadingParts {
  platform: Platform;
  store: AlertStore;
  index: LiveIndex;
  intake: Intake;
  follower: Follower;
  kick(): void;
}

const MAX_LINES = 1000;
/** Of one tenant. */
const MAX_STREAMS = 100;
const isContent = Compile(contract.ContentOrder);

export function createReading({ platform, store, index, intake, follower, kick }: ReadingParts) {
  const { db, cursors, clock, log } = platform;
  const open = new Map<SseStream, number>();

  async function mustFind(call: Call): Promise<AlertRow> {
    const row = await store.find(call.caller.tenantId, call.params.id);
    if (!row) throw notFound("alert");
    return row;
  }

  async function push(call: Call) {
    const contents = call.raw.contentType.startsWith("application/x-ndjson")
      ? readLines(call.raw.bytes)
      : [ofContent(call.body)];
    const { tenantId } = call.caller;
    const tenants = contents.map(() => tenantId);
    const matching = await index.ofTenants(tenants, INGEST, contents);
    const arrivals = contents.map((content, i) => ({ content, numbers: matching[i] }));
    const answer = await transact(db, call, async (tx) => {
      await keepContent(tx, tenantId, contents.map(shortened), call.now);
      const told = await intake.take(tx, arrivals, call.now);
      const results = contents.map((c, i) => ({ id: c.guid, alerts: told[i].slice(0, 100), matched: told[i].length }));
      return { accepted: contents.length, matched: results.reduce((n, r) => n + r.matched, 0), results };
    });
    kick();
    return answer;
  }

  /** Follows the tenant's alert events; resumes behind the last one seen. */
  async function stream(call: Call): Promise<Response> {
    const { tenantId } = call.caller;
    if ([...open.values()].filter((tenant) => tenant === tenantId).length >= MAX_STREAMS)
      throw new Failure("overloaded", `More than ${MAX_STREAMS} streams are open.`, {
        headers: { "Retry-After": "5" },
      });
    const wanted = call.query.alert_id;
    const lastId = call.query.last_event_id ?? call.request.headers.get("last-event-id");
    const from = lastId ? await positionOf(db, tenantId, lastId) : null;
    let at = from ?? (await follower.horizon());
    let busy = false;
    let again = false;
    const sse = openSseStream({
      clock,
      signal: call.request.signal,
      until: (close) => call.whileAdmitted(close),
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
          for (
            let rows = await readAfter(db, [tenantId], at, horizon, 500);
            rows.length > 0;
            rows = await readAfter(db, [tenantId], at, horizon, 500)
          ) {
            for (const row of rows) {
              at = row.seq;
              if (row.type.startsWith("alert.") && (!wanted || row.json.includes(wanted)))
                sse.send({ id: row.id, event: row.type, data: row.json });
            }
            await sse.drained();
          }
        }
      } catch (error) {
        log.warn({ error: String(error) }, "an alert stream could not be read; tried again at the next news");
      } finally {
        busy = false;
      }
    };
    const stop = follower.onNews(() => void pull());
    open.set(sse, tenantId);
    sse.send({ event: "ready", data: "{}", retryMs: 3000 });
    if (lastId && from === null) sse.send({ event: "reset", data: JSON.stringify({ last_event_id: lastId }) });
    void pull();
    return sse.response;
  }

  const asked = async (call: Call) => {
    const channel = await store.channelByToken(call.params.token);
    if (!channel) throw notFound("subscription");
    return channel;
  };

  async function answerToken(call: Call, status: "active" | "disabled"): Promise<void> {
    const number = await db.sql.begin(async (tx: Tx) => {
      const channel = await store.channelByToken(call.params.token, tx);
      if (!channel) throw notFound("subscription");
      if (status === "active" && channel.status !== "pending_verification") return null;
      await store.saveChannel(tx, {
        ...channel,
        status,
        lastError: status === "disabled" ? "The receiver ended the subscription." : null,
      });
      const [row] = await store.lockMany(tx, [channel.alertNumber]);
      const next = status === "active" ? step(row.status, "verify") : null;
      if (next) await store.save(tx, { ...row, status: next, updatedMs: call.now });
      await store.tellChange(tx, row.number);
      return row.number;
    });
    if (number !== null) await index.refresh(number);
  }

  const handlers: Handler[] = [
    handle(contract.matches, async (call) => {
      const row = await mustFind(call);
      const state = call.query.state ?? null;
      const read = (before: string | null, count: number) => listMatches(db, row.number, state, before, count);
      return readPage(
        cursors,
        `matches ${row.id} ${state}`,
        call.query,
        read,
        (m) => m.seq,
        (m) => matchView(row.id, m, m.state, m.reason, m.dueMs),
      );
    }),
    handle(contract.deliveries, async (call) => {
      const row = await mustFind(call);
      const status = call.query.status ?? null;
      const read = (before: string | null, count: number) => listSendings(db, row.number, status, before, count);
      return readPage(
        cursors,
        `alert deliveries ${row.id} ${status}`,
        call.query,
        read,
        (s) => s.seq,
        (s) => ({
          id: s.id,
          channel_id: s.channelId,
          type: s.message.type ?? "alert.verify",
          status: s.status,
          attempts: s.attempts,
          next_attempt_at: s.nextMs === null ? null : formatTime(s.nextMs),
          last_error: s.lastError,
          total: s.message.total ?? 0,
          created_at: formatTime(s.createdMs),
        }),
      );
    }),
    handle(contract.replay, async (call) => {
      const row = await mustFind(call);
      const since = call.body.since === undefined ? null : parseTime(call.body.since);
      const answer = await transact(db, call, async (tx) => ({
        replayed: await replaySendings(tx, row.number, since, call.body.delivery_ids ?? null, call.now),
      }));
      kick();
      return answer;
    }),
    handle(contract.pushContent, push),
    handle(contract.stream, stream),
    handle(contract.confirmPage, async (call) =>
      page(
        "Confirm",
        "Shall alerts be sent to this address?",
        (await asked(call)).status === "pending_verification" ? "Yes, send them" : null,
      ),
    ),
    handle(contract.confirm, async (call) => {
      await answerToken(call, "active");
      return page("Confirmed", "Alerts will be sent to this address. Every message has a way to end them.", null);
    }),
    handle(contract.unsubscribePage, async (call) =>
      page(
        "Stop alerts",
        "Shall no more alerts be sent to this address?",
        (await asked(call)).status === "disabled" ? null : "Stop them",
      ),
    ),
    handle(contract.unsubscribe, async (call) => {
      await answerToken(call, "disabled");
      return page("Stopped", "No more alerts will be sent to this address.", null);
    }),
  ];

  return {
    handlers,
    drain() {
      for (const sse of open.keys()) sse.close();
    },
  };
}

function readLines(bytes: Uint8Array): Incoming[] {
  const lines = new TextDecoder()
    .decode(bytes)
    .split("\n")
    .filter((line) => line.trim() !== "");
  const faults: Fault[] = [];
  if (lines.length === 0 || lines.length > MAX_LINES) {
    throw new Failure("validation_failed", `Send 1 to ${MAX_LINES} lines; these are ${lines.length}.`, {
      errors: [{ pointer: "", code: "lines", detail: "Wrong number of lines.", hint: `Send 1 to ${MAX_LINES}.` }],
    });
  }
  const contents = lines.flatMap((line, i) => {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      faults.push({
        pointer: `/${i}`,
        code: "invalid_json",
        detail: `Line ${i + 1} is not JSON.`,
        hint: "Send one JSON object a line.",
      });
      return [];
    }
    if (isContent.Check(value)) return [ofContent(value)];
    const [first] = isContent.Errors(value);
    faults.push({
      pointer: `/${i}${first?.instancePath ?? ""}`,
      code: "invalid",
      detail: `Line ${i + 1}: ${first?.message ?? "not content"}.`,
      hint: "See the shape of POST /alerts/content.",
    });
    return [];
  });
  if (faults.length > 0) throw new Failure("validation_failed", faults[0].detail, { errors: faults.slice(0, 50) });
  return contents;
}
