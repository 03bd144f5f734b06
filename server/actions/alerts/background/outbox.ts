// Sends notifications to channels: at least once, in order while a channel is healthy, with retries, dead letters and
// channel health. A notification is leased for a minute: if this process dies, another one sends it.
import type { Logger } from "pino";
import type { Clock } from "../../../lib/clock.ts";
import { decideNext } from "../../../lib/delivery-policy.ts";
import { workFairly } from "../../../lib/fair-work.ts";
import type { MakeId } from "../../../lib/id.ts";
import type { Random } from "../../../lib/random.ts";
import type { Seal } from "../../../lib/seal.ts";
import { MINUTE_MS } from "../../../lib/time.ts";
import { appendEvents } from "../../../platform/events/index.ts";
import { unlessFull } from "../../../platform/caps/index.ts";
import { putInInbox } from "../../../platform/inbox/index.ts";
import type { Db, Tx } from "../../../store/db.ts";
import { failed, type Sender, type SendResult, sent, type Target } from "../providers/port.ts";
import { inboxContent } from "../providers/simulated.ts";
import type { ChannelRow } from "../rows.ts";
import { saveHealth } from "../store/channels.ts";
import { type LeasedNotification, leaseNotifications, saveAttempt } from "../store/outbox.ts";

const INBOX_FULL = "The sandbox inbox holds as many messages as the plan allows.";

export interface OutboxDeps {
  db: Db;
  clock: Clock;
  random: Random;
  makeId: MakeId;
  seal: Seal;
  log: Logger;
  http: Sender;
  /** Null when no mail server is set up. */
  mail: Sender | null;
  publicUrl(): string;
}

const LEASE_MS = MINUTE_MS;
const CONCURRENCY = 50;
/** After so many failures in a row a channel is shown as failing. */
const FAILING_AFTER = 5;
const GONE = "The receiver asked to get nothing more.";

/** Sends everything that is due. While a channel is sent to, it has its turn and no other: its messages keep their order. */
export function sendDue(deps: OutboxDeps, signal: AbortSignal): Promise<void> {
  const { db, clock, log } = deps;
  const channelIds = new Set<string>();
  const claim = async (limit: number, tenantIds: number[]) => {
    const due = await leaseNotifications(db.sql, clock.now(), LEASE_MS, limit, {
      tenantIds,
      channelIds: [...channelIds],
    });
    const byChannel = [...Map.groupBy(due, (n) => n.channel.id)];
    for (const [id] of byChannel) channelIds.add(id);
    return byChannel;
  };
  return workFairly(
    {
      clock,
      concurrency: CONCURRENCY,
      claim,
      accountOf: ([, [{ tenantId }]]) => tenantId,
      work: ([id, notifications]) => sendInOrder(deps, notifications).finally(() => channelIds.delete(id)),
      onError: (error, [channel]) => log.error({ error: String(error), channel }, "sending to a channel failed"),
    },
    signal,
  );
}

/** What a slow receiver leaves no time for falls due again when the lease ends, before another process could send it, too. */
async function sendInOrder(deps: OutboxDeps, notifications: LeasedNotification[]): Promise<void> {
  const endMs = deps.clock.monotonic() + LEASE_MS / 2;
  let { channel } = notifications[0];
  for (const notification of notifications) {
    if (deps.clock.monotonic() > endMs) return;
    try {
      channel = await sendOne(deps, notification, channel);
    } catch (error) {
      deps.log.error({ error: String(error), notification: notification.id }, "sending failed; it falls due again");
    }
  }
}

async function sendOne(deps: OutboxDeps, notification: LeasedNotification, channel: ChannelRow): Promise<ChannelRow> {
  const { db, clock } = deps;
  const now = clock.now();
  if (channel.status === "disabled") {
    await saveAttempt(db.sql, notification.id, "dead", null, "The channel is disabled.", now);
    return channel;
  }
  const target: Target = {
    id: channel.id,
    type: channel.type,
    target: channel.target,
    secrets: JSON.parse(deps.seal.open(channel.sealed, channel.id)),
    token: channel.token,
  };
  const outgoing = { id: notification.id, atMs: now, message: notification.message };
  if (notification.mode === "test") {
    const kept = inboxContent(target, outgoing, deps.publicUrl());
    return db.sql.begin(async (tx) => {
      const { tenantId } = notification;
      const message = { id: deps.makeId("msg"), tenantId, channel: channel.type, ...kept, at: now };
      const result = (await unlessFull(tx, (inner) => putInInbox(inner, [message]))) ? sent() : failed(INBOX_FULL);
      return saveResult(deps, tx, notification, channel, result, now);
    });
  }
  const sender = channel.type === "email" ? deps.mail : deps.http;
  const result = sender
    ? await sender.send(target, outgoing)
    : failed("No mail server is set up (CONNECTOR_ALERTS_SMTP_URL).");
  return db.sql.begin((tx) => saveResult(deps, tx, notification, channel, result, clock.now()));
}

/** Saves the attempt and the channel's health; a channel that is disabled emits an event. */
async function saveResult(
  deps: OutboxDeps,
  tx: Tx,
  notification: LeasedNotification,
  channel: ChannelRow,
  result: SendResult,
  now: number,
): Promise<ChannelRow> {
  const next = decideNext(
    {
      atMs: now,
      outcome: result.ok ? "accepted" : "failed",
      retryAfterMs: result.retryAfterMs,
      gone: result.gone ? GONE : null,
    },
    notification.attempts,
    { failures: channel.failures, failingSinceMs: channel.failingSinceMs, throttledUntilMs: null },
    deps.random,
  );
  const attemptStatus = next.outcome === "failed" ? "dead" : next.outcome;
  await saveAttempt(tx, notification.id, attemptStatus, next.nextAtMs, result.error, now);
  if (channel.status === "pending_verification") return channel;
  const { failures, failingSinceMs } = next.health;
  const status = next.disable ? "disabled" : failures >= FAILING_AFTER ? "failing" : "active";
  const changed: ChannelRow = { ...channel, status, failures, failingSinceMs, lastError: result.error };
  if (status !== channel.status || failures !== channel.failures) await saveHealth(tx, changed);
  if (status === "disabled") {
    const data = {
      alert_id: notification.alertId,
      channel_id: channel.id,
      type: channel.type,
      reason: next.disable!,
    };
    await appendEvents(tx, [
      {
        id: deps.makeId("evt"),
        tenantId: notification.tenantId,
        type: "alert.channel_disabled",
        tags: [],
        data,
        at: now,
      },
    ]);
  }
  return changed;
}
