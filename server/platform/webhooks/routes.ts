// Webhooks: make, change, roll, test, replay. The dispatcher carries events to them.
import { type Call, type EventType, handle, type Handler } from "../../contract/define.ts";
import { Failure, invalid } from "../../contract/errors.ts";
import { exampleOf } from "../../contract/example.ts";
import { refuseTarget } from "../../contract/targets.ts";
import { HEALTHY } from "../../lib/delivery-policy.ts";
import { newSecret } from "../../lib/sign.ts";
import { parseTime } from "../../lib/time.ts";
import { toIso, type Tx } from "../../store/db.ts";
import { auditEntry } from "../audit/index.ts";
import { type Follower, readEvents, refuseUnknownTypes } from "../events/index.ts";
import { transact } from "../idempotency/index.ts";
import { putInInbox } from "../inbox/index.ts";
import { findOr404, notFound, readPage } from "../pages.ts";
import type { Platform } from "../platform.ts";
import * as contract from "./contract.ts";
import { decide, SECRET_OVERLAP_MS } from "./schedule.ts";
import { type Sender, withTimestamp } from "./sender.ts";
import { openEndpoint } from "./serve.ts";
import { insertAttempt, listAttemptRows, type NewAttempt } from "./store/attempts.ts";
import * as store from "./store/webhooks.ts";
import type { WebhookRow } from "./store/webhooks.ts";
import { viewAttempt, viewWebhook } from "./view.ts";

export interface RouteDeps {
  platform: Platform;
  follower: Follower;
  sender: Sender;
  /** The event types a webhook may ask for, and can be tested with. */
  events: EventType[];
}

const findWebhook = ({ platform }: RouteDeps, call: Call) =>
  findOr404("webhook", store.findWebhook(platform.db.sql, call.params.id, call.caller.tenantId));

/** Every change of a webhook: locked, audited, in one transaction with its answer. */
function change<T>(
  { platform: { db, audit } }: RouteDeps,
  call: Call,
  action: string,
  work: (tx: Tx, row: WebhookRow) => Promise<T>,
): Promise<T> {
  return transact(db, call, async (tx) => {
    const row = await findOr404("webhook", store.lockWebhook(tx, call.params.id, call.caller.tenantId));
    const result = await work(tx, row);
    await audit.record(tx, auditEntry(call, action, row.id), call.now);
    return result;
  });
}

function refuseTypes({ events }: RouteDeps, types: string[] | undefined): void {
  const known = events.map((event) => event.type);
  refuseUnknownTypes(types ?? [], known, "/types/#");
}

async function createWebhook(deps: RouteDeps, call: Call) {
  const { db, makeId, random, seal, audit } = deps.platform;
  const { url, types = [], description = null } = call.body;
  const { tenantId, mode } = call.caller;
  refuseTypes(deps, types);
  await refuseTarget(deps.platform.guard, mode, "/url", url);
  const position = await deps.follower.horizon();
  return transact(db, call, async (tx) => {
    const id = makeId("whk");
    const secret = newSecret(random);
    const row: WebhookRow = {
      id,
      tenantId,
      mode,
      url,
      types,
      description,
      secret: seal.seal(secret, id),
      oldSecret: null,
      oldSecretUntilMs: null,
      status: "enabled",
      disabledReason: null,
      disabledMs: null,
      health: HEALTHY,
      position,
      createdMs: call.now,
      updatedMs: call.now,
    };
    await store.insertWebhook(tx, row);
    await audit.record(tx, auditEntry(call, "webhook.created", id), call.now);
    return { ...viewWebhook(row), secret };
  });
}

function listWebhooks({ platform: { db, cursors } }: RouteDeps, call: Call) {
  const { tenantId } = call.caller;
  return readPage({
    cursors,
    list: `webhooks ${tenantId}`,
    query: call.query,
    read: (after, count) => store.listWebhookRows(db, tenantId, after, count),
    position: (row) => row.id,
    view: viewWebhook,
  });
}

async function changeWebhook(deps: RouteDeps, call: Call) {
  const { url, types, description, status } = call.body;
  refuseTypes(deps, types);
  await findWebhook(deps, call);
  if (url) await refuseTarget(deps.platform.guard, call.caller.mode, "/url", url);
  return change(deps, call, "webhook.changed", async (tx, row) => {
    const turnedOn = status === "enabled" && row.status === "disabled";
    const turnedOff = status === "disabled" && row.status === "enabled";
    Object.assign(row, { url: url ?? row.url, types: types ?? row.types, updatedMs: call.now });
    if (description !== undefined) row.description = description;
    if (turnedOff) Object.assign(row, { status, disabledReason: "Disabled by you.", disabledMs: call.now });
    if (turnedOff) await store.giveUpRetries(tx, row.id);
    if (turnedOn) Object.assign(row, { status, disabledReason: null, disabledMs: null, health: HEALTHY });
    await store.updateWebhook(tx, row, turnedOn ? await deps.follower.horizon() : null);
    return viewWebhook(row);
  });
}

const deleteWebhook = (deps: RouteDeps, call: Call) =>
  change(deps, call, "webhook.deleted", async (tx, row) => {
    await store.deleteWebhookRow(tx, row.id);
    return viewWebhook(row);
  });

const rollWebhook = (deps: RouteDeps, call: Call) =>
  change(deps, call, "webhook.rolled", async (tx, row) => {
    const { random, seal } = deps.platform;
    const secret = newSecret(random);
    const old = { oldSecret: row.secret, oldSecretUntilMs: call.now + SECRET_OVERLAP_MS };
    const rolled = { ...row, ...old, secret: seal.seal(secret, row.id), updatedMs: call.now };
    await store.updateWebhook(tx, rolled, null);
    return { ...viewWebhook(rolled), secret };
  });

/** Sends one event now: `webhook.test`, or a sample of the type that was asked for. */
async function testWebhook(deps: RouteDeps, call: Call) {
  const { db, makeId, random } = deps.platform;
  const row = await findWebhook(deps, call);
  const { type, data } = sampleOf(deps, row, call.body?.type);
  const id = makeId("evt");
  const event = { id, type, created_at: toIso(call.now), mode: row.mode, tags: [], data };
  const json = JSON.stringify(event);
  const { result, inbox } = await deps.sender.send(await openEndpoint(deps.platform, row), { id, json });
  const { outcome } = decide(result, 1, row.health, random);
  const attempt: NewAttempt = {
    eventId: id,
    eventType: type,
    attempt: 1,
    atMs: result.atMs,
    outcome: inbox ? "kept_in_inbox" : outcome === "delivered" ? outcome : "failed",
    status: result.status,
    durationMs: result.durationMs,
    error: result.error,
    nextMs: null,
    requestBody: withTimestamp(json),
    answerBody: result.answerBody,
  };
  return transact(db, call, async (tx) => {
    await insertAttempt(tx, row.id, attempt);
    if (inbox) await putInInbox(tx, [inbox]);
    return viewAttempt(attempt, null);
  });
}

function sampleOf({ events }: RouteDeps, row: WebhookRow, type: string | undefined): { type: string; data: unknown } {
  if (type === undefined) return { type: "webhook.test", data: { webhook_id: row.id } };
  const known = events.find((event) => event.type === type);
  if (known) return { type, data: exampleOf(known.data) };
  refuseUnknownTypes(
    [type],
    events.map((event) => event.type),
    "/type",
  );
  throw invalid("/type", "type must name one event, not a family", `Send e.g. "${events[0].type}".`);
}

async function listAttempts(deps: RouteDeps, call: Call) {
  const { db, cursors } = deps.platform;
  const { id } = await findWebhook(deps, call);
  const { outcome = null, event_id: eventId = null } = call.query;
  const bodies = new Map<string, string>();
  return readPage({
    cursors,
    list: `attempts ${id} ${outcome} ${eventId}`,
    query: call.query,
    async read(before, count) {
      const rows = await listAttemptRows(db, { webhookId: id, outcome, eventId, before, count });
      const events = await readEvents(db, [...new Set(rows.map((row) => row.eventId))]);
      for (const event of events.values()) bodies.set(event.id, withTimestamp(event.json));
      return rows;
    },
    position: (row) => row.seq,
    view: (row) => viewAttempt(row, bodies.get(row.eventId) ?? null),
  });
}

const replayWebhook = (deps: RouteDeps, call: Call) =>
  change(deps, call, "webhook.replayed", async (tx, row) => {
    if (row.status === "disabled")
      throw new Failure("wrong_state", "The webhook is disabled.", { hint: "Enable it first." });
    const { event_id: eventId = null, since, until, failed_only: failedOnly = false } = call.body;
    const order = {
      webhook: row,
      eventId,
      failedOnly,
      sinceMs: since ? parseTime(since) : null,
      untilMs: until ? parseTime(until)! : call.now,
      now: call.now,
    };
    const queued = await store.queueReplay(tx, order);
    if (eventId && queued === 0) throw notFound("event");
    return { queued };
  });

export const webhookRoutes = (deps: RouteDeps): Handler[] => [
  handle(contract.createWebhook, (call) => createWebhook(deps, call)),
  handle(contract.listWebhooks, (call) => listWebhooks(deps, call)),
  handle(contract.getWebhook, async (call) => viewWebhook(await findWebhook(deps, call))),
  handle(contract.changeWebhook, (call) => changeWebhook(deps, call)),
  handle(contract.deleteWebhook, (call) => deleteWebhook(deps, call)),
  handle(contract.testWebhook, (call) => testWebhook(deps, call)),
  handle(contract.rollWebhook, (call) => rollWebhook(deps, call)),
  handle(contract.listAttempts, (call) => listAttempts(deps, call)),
  handle(contract.replayWebhook, (call) => replayWebhook(deps, call)),
];
