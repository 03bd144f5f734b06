// Webhooks: make, change, roll, test, replay; and the dispatcher that carries events to them.
import { type Call, handle, type Plan } from "../../contract/define.ts";
import { Failure } from "../../contract/errors.ts";
import { GuardError } from "../../lib/guard-fetch/index.ts";
import { newSecret } from "../../lib/sign.ts";
import { formatTime, parseTime } from "../../lib/time.ts";
import type { Tx } from "../../store/db.ts";
import { type Follower, refuseUnknownTypes } from "../events/index.ts";
import { transact } from "../idempotency/index.ts";
import { putInInbox } from "../inbox/index.ts";
import { type Module, notFound, type Platform, readPage } from "../platform.ts";
import * as contract from "./contract.ts";
import { createDispatcher } from "./dispatcher.ts";
import { SECRET_OVERLAP_MS } from "./schedule.ts";
import { createSender } from "./sender.ts";
import { createServe, openEndpoint } from "./serve.ts";
import * as store from "./store.ts";
import type { AttemptRow, WebhookRow } from "./store.ts";

export { countWaiting } from "./store.ts";

export interface WebhooksOptions {
  follower: Follower;
  /** Every event type the contracts declare. */
  knownTypes: string[];
  retentionDays: number;
}

const MAX_WEBHOOKS: Record<Plan, number> = { free: 5, plus: 20, max: 100 };

export function createWebhooks(platform: Platform, { follower, knownTypes, retentionDays }: WebhooksOptions): Module {
  const { db, clock, random, seal, makeId, guard, audit, cursors, log } = platform;
  const sender = createSender(platform);
  const serving = { db, clock, random, seal, makeId, guard, sender, follower };
  const dispatcher = createDispatcher({ db, clock, log, follower, serve: createServe(serving) });

  async function mustFind(call: Call): Promise<WebhookRow> {
    const row = await store.findWebhook(db.sql, call.params.id, call.caller.tenantId);
    if (!row) throw notFound("webhook");
    return row;
  }

  /** Every change of a webhook: locked, audited, in one transaction with its answer. */
  const change = <T>(call: Call, action: string, work: (tx: Tx, row: WebhookRow) => Promise<T>) =>
    transact(db, call, async (tx) => {
      const row = await store.findWebhook(tx, call.params.id, call.caller.tenantId, true);
      if (!row) throw notFound("webhook");
      const result = await work(tx, row);
      await audit.record(tx, deedOf(call, action, row.id), call.now);
      return result;
    });

  /** A name is resolved only for live keys: test keys must work without a network. */
  async function refuseTarget(url: string, mode: string): Promise<void> {
    try {
      if (mode === "live") await guard.check(url);
      else guard.parse(url);
    } catch (error) {
      if (!(error instanceof GuardError)) throw error;
      // A name that does not resolve just now may do so later; every delivery checks again.
      if (error.retryable) return;
      const faults = [{ pointer: "/url", code: error.code, detail: error.detail, hint: error.hint }];
      throw new Failure("target_not_allowed", error.detail, { hint: error.hint, errors: faults });
    }
  }

  const create = async (call: Call) => {
    const { url, types = [], description = null } = call.body;
    const head = await follower.horizon();
    return transact(db, call, async (tx) => {
      const { tenantId, mode, plan } = call.caller;
      if ((await store.countWebhooks(tx, tenantId)) >= MAX_WEBHOOKS[plan]) {
        throw new Failure("plan_limit_reached", `The ${plan} plan holds ${MAX_WEBHOOKS[plan]} webhooks.`);
      }
      const id = makeId("whk");
      const secret = newSecret(random);
      const at = new Date(call.now);
      const row: WebhookRow = {
        ...fresh,
        id,
        tenant_id: tenantId,
        mode,
        url,
        types,
        description,
        secret: seal.seal(secret, id),
        position: String(head),
        created_at: at,
        updated_at: at,
      };
      await store.insertWebhook(tx, row);
      await audit.record(tx, deedOf(call, "webhook.created", id), call.now);
      return { ...view(row), secret };
    });
  };

  async function patch(tx: Tx, row: WebhookRow, call: Call) {
    const { url, types, description, status } = call.body;
    const wasOff = row.status === "disabled";
    Object.assign(row, { url: url ?? row.url, types: types ?? row.types, updated_at: new Date(call.now) });
    if (description !== undefined) row.description = description;
    if (status === "disabled" && !wasOff) {
      Object.assign(row, { status, disabled_reason: "Disabled by you.", disabled_at: new Date(call.now) });
      await store.giveUpRetries(tx, row.id);
    }
    const turnedOn = status === "enabled" && wasOff;
    if (turnedOn) Object.assign(row, healthy, { status });
    await store.updateWebhook(tx, row, turnedOn ? await follower.horizon() : null);
    return view(row);
  }

  async function sendTest(call: Call) {
    const row = await mustFind(call);
    const id = makeId("evt");
    const event = {
      id,
      type: "webhook.test",
      created_at: formatTime(call.now),
      mode: row.mode,
      tags: [],
      data: { webhook_id: row.id },
    };
    const { result, inbox } = await sender.send(await openEndpoint(serving, row), {
      id,
      json: JSON.stringify(event),
    });
    const delivered = result.status !== null && result.status >= 200 && result.status < 300;
    const attempt: Omit<AttemptRow, "seq"> = {
      event_id: id,
      event_type: event.type,
      attempt: 1,
      at: new Date(result.atMs),
      outcome: delivered ? "delivered" : "failed",
      status: result.status,
      duration_ms: result.durationMs,
      error: result.error,
      next_at: null,
    };
    return transact(db, call, async (tx) => {
      await store.insertAttempts(tx, row.id, [attempt]);
      if (inbox) await putInInbox(tx, [inbox]);
      return viewAttempt(attempt);
    });
  }

  const handlers = [
    handle(contract.createWebhook, async (call) => {
      refuseUnknownTypes(call.body.types ?? [], knownTypes, "/types/#");
      await refuseTarget(call.body.url, call.caller.mode);
      return create(call);
    }),
    handle(contract.listWebhooks, (call) => {
      const { tenantId } = call.caller;
      const read = (after: string | null, count: number) => store.listWebhookRows(db, tenantId, after, count);
      return readPage(cursors, `webhooks ${tenantId}`, call.query, read, (row) => row.id, view);
    }),
    handle(contract.getWebhook, async (call) => view(await mustFind(call))),
    handle(contract.changeWebhook, async (call) => {
      refuseUnknownTypes(call.body.types ?? [], knownTypes, "/types/#");
      await mustFind(call);
      if (call.body.url) await refuseTarget(call.body.url, call.caller.mode);
      return change(call, "webhook.changed", (tx, row) => patch(tx, row, call));
    }),
    handle(contract.deleteWebhook, (call) =>
      change(call, "webhook.deleted", async (tx, row) => {
        await store.deleteWebhookRow(tx, row.id);
        return view(row);
      }),
    ),
    handle(contract.testWebhook, sendTest),
    handle(contract.rollWebhook, (call) =>
      change(call, "webhook.rolled", async (tx, row) => {
        const secret = newSecret(random);
        const until = new Date(call.now + SECRET_OVERLAP_MS);
        Object.assign(row, {
          old_secret: row.secret,
          old_secret_until: until,
          secret: seal.seal(secret, row.id),
          updated_at: new Date(call.now),
        });
        await store.updateWebhook(tx, row, null);
        return { ...view(row), secret };
      }),
    ),
    handle(contract.listAttempts, async (call) => {
      const { id } = await mustFind(call);
      const { outcome = null, event_id: eventId = null } = call.query;
      const read = (before: string | null, count: number) =>
        store.listAttemptRows(db, { webhookId: id, outcome, eventId, before, count });
      return readPage(cursors, `attempts ${id} ${outcome} ${eventId}`, call.query, read, (row) => row.seq, viewAttempt);
    }),
    handle(contract.replayWebhook, (call) =>
      change(call, "webhook.replayed", async (tx, row) => {
        if (row.status === "disabled")
          throw new Failure("wrong_state", "The webhook is disabled.", { hint: "Enable it first." });
        const { event_id: eventId = null, since, until, failed_only: failedOnly = false } = call.body;
        const order = {
          webhook: row,
          eventId,
          failedOnly,
          since: since ? new Date(parseTime(since)!) : null,
          until: new Date(until ? parseTime(until)! : call.now),
          now: new Date(call.now),
        };
        const queued = await store.queueReplay(tx, order);
        if (eventId && queued === 0) throw notFound("event");
        return { queued };
      }),
    ),
  ];

  return {
    handlers,
    jobs: [
      {
        name: "webhooks.forget",
        cron: "27 * * * *",
        async run() {
          await store.forgetAttempts(db, new Date(clock.now() - retentionDays * 86_400_000));
        },
      },
    ],
    start: () => store.clampPositions(db),
    loop: dispatcher,
    settle: dispatcher.settle,
    stop: dispatcher.stop,
  };
}

const healthy = {
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  failures: 0,
  throttled_until: null,
};
const fresh = { ...healthy, status: "enabled" as const, old_secret: null, old_secret_until: null };

function deedOf(call: Call, action: string, target: string) {
  const { accountId, keyId } = call.caller;
  return { accountId, actor: keyId, action, target, clientAddress: call.clientAddress, requestId: call.requestId };
}

const timeOf = (date: Date | null) => date && formatTime(date.getTime());

function view(row: WebhookRow) {
  return {
    id: row.id,
    url: row.url,
    types: row.types,
    description: row.description,
    status: row.status,
    disabled_reason: row.disabled_reason,
    disabled_at: timeOf(row.disabled_at),
    failing_since: timeOf(row.failing_since),
    throttled_until: timeOf(row.throttled_until),
    old_secret_expires_at: timeOf(row.old_secret_until),
    created_at: timeOf(row.created_at)!,
    updated_at: timeOf(row.updated_at)!,
  };
}

function viewAttempt({ at, next_at, ...row }: Omit<AttemptRow, "seq"> & { seq?: string }) {
  const { seq: _, ...rest } = row;
  return { ...rest, at: timeOf(at)!, next_at: timeOf(next_at) };
}
