// Works off what is due for one endpoint: retries first, then new events, writing down what came of them as it goes.
import type { Clock } from "../../lib/clock.ts";
import { within } from "../../lib/deadline.ts";
import type { ReceiverHealth } from "../../lib/delivery-policy.ts";
import type { MakeId } from "../../lib/id.ts";
import type { Random } from "../../lib/random.ts";
import type { Seal } from "../../lib/seal.ts";
import type { Db } from "../../store/db.ts";
import { type Follower, typeFilter } from "../events/index.ts";
import type { GuardFetch } from "../../lib/guard-fetch/index.ts";
import { createBacklog } from "./backlog.ts";
import { createRecorder, type Item, readDueRetries, type Report } from "./store/outbox.ts";
import { decide, UNHEALTHY_AFTER_FAILURES } from "./schedule.ts";
import type { Endpoint, Sender, Sent } from "./sender.ts";
import { findWebhook, type WebhookRow } from "./store/webhooks.ts";

export interface ServeOptions {
  db: Db;
  clock: Clock;
  random: Random;
  seal: Seal;
  makeId: MakeId;
  guard: GuardFetch;
  sender: Sender;
  follower: Follower;
}

const BATCH = 100;
const QUERY_MS = 30_000;
/** Twice as much may be repeated after a crash, at most: what was sent and is being written, or waits to be. */
const WRITE_EVERY = 12;
const WRITE_AFTER_MS = 250;
const AT_ONCE_WHEN_UNHEALTHY = 8;

export function createServe(options: ServeOptions) {
  const { db, clock } = options;
  const record = createRecorder(db);
  const nextEvents = createBacklog(db, options.follower, BATCH);

  return async function serve(id: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const webhook = await within(QUERY_MS, "reading a webhook", findWebhook(db.sql, id, null));
      if (!webhook || webhook.status !== "enabled" || isThrottled(webhook.health, clock.now())) return;
      const { items, upTo } = await within(QUERY_MS, "reading what is due", nextItems(webhook));
      if (items.length === 0 && upTo === null) return;
      const goOn = await deliver(webhook, items, upTo, signal);
      // An unhealthy endpoint gives its place up after each batch; the dispatcher comes back to it after the healthy ones.
      if (!goOn || webhook.health.failures >= UNHEALTHY_AFTER_FAILURES) return;
    }
  };

  /** Due retries, or else the next events of the log; `upTo` is where the log has been read to. */
  async function nextItems(webhook: WebhookRow): Promise<{ items: Item[]; upTo: bigint | null }> {
    const retries = await readDueRetries(db, webhook, clock.now(), BATCH);
    if (retries.length > 0) return { items: retries, upTo: null };
    const wants = typeFilter(webhook.types);
    const rows = await nextEvents(webhook.tenantId, webhook.position);
    const items = rows.filter((row) => wants(row.type)).map((event) => ({ event, attempts: 0, queued: false }));
    return { items, upTo: rows.length > 0 ? rows.at(-1)!.seq : null };
  }

  /** False when the endpoint must be left alone: it was disabled, throttled, or taken over. */
  async function deliver(
    webhook: WebhookRow,
    items: Item[],
    upTo: bigint | null,
    signal: AbortSignal,
  ): Promise<boolean> {
    const endpoint = await openEndpoint(options, webhook);
    let report = emptyReport(webhook, webhook.health, webhook.position);
    let writtenAt = clock.monotonic();
    /** What is written while the next are on their way. */
    let written: Promise<boolean> = Promise.resolve(true);
    for (let i = 0; i < items.length; ) {
      const width = report.health.failures >= UNHEALTHY_AFTER_FAILURES ? AT_ONCE_WHEN_UNHEALTHY : 1;
      const group = items.slice(i, i + width);
      const sent = await Promise.all(group.map((item) => options.sender.send(endpoint, item.event)));
      i += group.length;
      group.forEach((item, at) => note(report, item, sent[at], options));
      const over = report.disable !== null || isThrottled(report.health, clock.now());
      if (i === items.length && !over && upTo !== null) report.position = upTo;
      const full = report.attempts.length >= WRITE_EVERY || clock.monotonic() - writtenAt >= WRITE_AFTER_MS;
      if (!(over || full || i === items.length || signal.aborted)) continue;
      if (!(await written)) return false;
      written = within(QUERY_MS, "writing attempts down", record(report));
      // A failure is met at the next wait, and must not end the process before.
      written.catch(() => {});
      if (over || signal.aborted) return (await written) && false;
      const moved = { ...webhook, position: report.position };
      report = emptyReport(moved, report.health, report.position);
      writtenAt = clock.monotonic();
    }
    if (items.length > 0) return written;
    return record({ ...report, position: upTo! });
  }
}

function emptyReport(webhook: WebhookRow, health: ReceiverHealth, position: bigint): Report {
  return { webhook, health, position, attempts: [], settled: [], waiting: [], disable: null, inbox: [] };
}

/** Adds what came of one item to the report. */
function note(report: Report, item: Item, { result, inbox }: Sent, { random, makeId }: ServeOptions): void {
  const { event } = item;
  const attempt = item.attempts + 1;
  const decision = decide(result, attempt, report.health, random);
  report.attempts.push({
    eventId: event.id,
    eventType: event.type,
    attempt,
    atMs: result.atMs,
    outcome: inbox ? "kept_in_inbox" : decision.outcome,
    status: result.status,
    durationMs: result.durationMs,
    error: result.error,
    nextMs: decision.nextAtMs,
    requestBody: null,
    answerBody: result.answerBody,
  });
  report.health = decision.health;
  if (inbox) report.inbox.push(inbox);
  if (!item.queued) report.position = event.seq;
  if (decision.outcome !== "delivered") {
    report.waiting.push({ eventId: event.id, seq: event.seq, attempts: attempt, nextMs: decision.nextAtMs });
  } else if (item.queued) report.settled.push(event.id);
  if (!decision.disable || report.disable) return;
  const { id, url, tenantId } = report.webhook;
  const data = { webhook_id: id, url, reason: decision.disable };
  const disabled = { id: makeId("evt"), tenantId, type: "webhook.disabled", tags: [], data, at: result.atMs };
  report.disable = { reason: decision.disable, atMs: result.atMs, event: disabled };
}

export async function openEndpoint(
  { seal, guard, clock }: Pick<ServeOptions, "seal" | "guard" | "clock">,
  webhook: WebhookRow,
): Promise<Endpoint> {
  const { id, tenantId, url, mode } = webhook;
  const secrets = [seal.open(webhook.secret, id)];
  if (webhook.oldSecret && (webhook.oldSecretUntilMs ?? 0) > clock.now())
    secrets.push(seal.open(webhook.oldSecret, id));
  return { tenantId, url, secrets, simulated: mode === "test" && !(await isOwnMachine(guard, url)) };
}

/** Loopback passes the guard only where the operator listed it. */
async function isOwnMachine(guard: GuardFetch, url: string): Promise<boolean> {
  if (!/^https?:\/\/(localhost|127\.|\[::1\])/i.test(url)) return false;
  return guard.check(url).then(
    () => true,
    () => false,
  );
}

function isThrottled({ throttledUntilMs }: ReceiverHealth, now: number): boolean {
  return throttledUntilMs !== null && throttledUntilMs > now;
}
