// Carries messages to channels: at least once, in order while a channel is well, with a schedule of retries, dead
// letters and channel health. A sending is taken for a minute; should this process die, another takes it again.
import type { Logger } from "pino";
import type { Clock } from "../../../lib/clock.ts";
import type { MakeId } from "../../../lib/id.ts";
import type { Random } from "../../../lib/random.ts";
import type { Seal } from "../../../lib/seal.ts";
import { appendEvents } from "../../../platform/events/index.ts";
import { putInInbox } from "../../../platform/inbox/index.ts";
import type { Db, Tx } from "../../../store/db.ts";
import { afterSending } from "../engine/deliver/retry.ts";
import type { Sender, SendResult, Target } from "../providers/port.ts";
import { failed, sent } from "../providers/port.ts";
import { inboxContent } from "../providers/simulated.ts";
import type { AlertStore, ChannelRow } from "../store/alerts.ts";
import { finishSending, leaseSendings, type Sending } from "../store/outbox.ts";

export interface OutboxParts {
  db: Db;
  clock: Clock;
  random: Random;
  makeId: MakeId;
  seal: Seal;
  log: Logger;
  store: AlertStore;
  http: Sender;
  /** Null when no mail server is set up. */
  mail: Sender | null;
  publicUrl(): string;
}

const LEASE_MS = 60_000;
const BATCH = 50;

export const openSecrets = (seal: Seal, channel: ChannelRow): Record<string, string> =>
  JSON.parse(seal.open(channel.sealed, channel.id));

export function createOutbox(parts: OutboxParts) {
  const { db, clock, random, makeId, seal, log, store, http, mail, publicUrl } = parts;

  /** Sends everything that is due; says how much that was. */
  async function sendDue(): Promise<number> {
    let total = 0;
    for (;;) {
      const due = await leaseSendings(db, clock.now(), LEASE_MS, BATCH);
      total += due.length;
      const byChannel = Map.groupBy(due, (s) => s.channel.id);
      await Promise.all([...byChannel.values()].map(inOrder));
      if (due.length < BATCH) return total;
    }
  }

  async function inOrder(sendings: Sending[]): Promise<void> {
    let channel = sendings[0].channel;
    for (const sending of sendings) {
      try {
        channel = await sendOne(sending, channel);
      } catch (error) {
        log.error({ error: String(error), sending: sending.id }, "a message could not be sent; it falls due again");
      }
    }
  }

  async function sendOne(sending: Sending, channel: ChannelRow): Promise<ChannelRow> {
    const now = clock.now();
    if (channel.status === "disabled") {
      await finishSending(db.sql, sending.id, "dead", null, "The channel is disabled.", now);
      return channel;
    }
    const target: Target = {
      id: channel.id,
      type: channel.type,
      target: channel.target,
      secrets: openSecrets(seal, channel),
      token: channel.token,
    };
    const outgoing = { id: sending.id, atMs: now, message: sending.message };
    if (sending.mode === "test") {
      const { recipient, content } = inboxContent(target, outgoing, publicUrl());
      return db.sql.begin(async (tx) => {
        await putInInbox(tx, [
          { id: makeId("msg"), tenantId: sending.tenantId, channel: channel.type, recipient, content, at: now },
        ]);
        return settle(tx, sending, channel, sent(), now);
      });
    }
    const sender = channel.type === "email" ? mail : http;
    const result = sender
      ? await sender.send(target, outgoing)
      : failed("No mail server is set up (CONNECTOR_ALERTS_SMTP_URL).");
    return db.sql.begin((tx) => settle(tx, sending, channel, result, clock.now()));
  }

  async function settle(
    tx: Tx,
    sending: Sending,
    channel: ChannelRow,
    result: SendResult,
    now: number,
  ): Promise<ChannelRow> {
    const next = afterSending(
      { attempts: sending.attempts, failures: channel.failures, failingSince: channel.failingSinceMs },
      result,
      now,
      random.unit(),
    );
    await finishSending(tx, sending.id, next.status, next.nextAt, result.error, now);
    if (channel.status === "pending_verification") return channel;
    const status = next.disable ? "disabled" : next.health;
    const changed: ChannelRow = {
      ...channel,
      status,
      failures: next.failures,
      failingSinceMs: next.failingSince,
      lastError: result.error,
    };
    if (status !== channel.status || next.failures !== channel.failures) await store.saveChannel(tx, changed);
    if (status === "disabled" && channel.status !== "disabled") {
      const data = { alert_id: sending.alertId, channel_id: channel.id, type: channel.type, reason: next.disable! };
      await appendEvents(tx, [
        { id: makeId("evt"), tenantId: sending.tenantId, type: "alert.channel_disabled", tags: [], data, at: now },
      ]);
    }
    return changed;
  }

  return { sendDue };
}
