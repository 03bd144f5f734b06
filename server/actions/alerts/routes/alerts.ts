// Create, list, read, change and delete alerts.
import { type Call, type Handler, handle, type Plan } from "../../../contract/define.ts";
import { Failure, invalid } from "../../../contract/errors.ts";
import { parseTime } from "../../../lib/time.ts";
import { transact } from "../../../platform/idempotency/index.ts";
import { readPage } from "../../../platform/pages.ts";
import type { Tx } from "../../../store/db.ts";
import { takeArrivals } from "../background/intake.ts";
import * as contract from "../contract/index.ts";
import { freshPace, noneSuppressed } from "../engine/deliver/rules.ts";
import type { AlertRow, Spec } from "../rows.ts";
import { feedFromSource, type MadeChannel, makeChannels, refuseForbiddenTargets } from "../spec/channels.ts";
import { previewOf } from "../spec/preview.ts";
import { type ParsedWatch, parseWatch } from "../spec/query.ts";
import { readAlertChange, readNewAlert } from "../spec/read.ts";
import { nextEmptyDigest, sourceBits } from "../spec/rules.ts";
import { deleteAlert, insertAlert, listAlerts, lockAlerts, notifyReplicas } from "../store/alerts.ts";
import { deleteChannels, insertChannels } from "../store/channels.ts";
import { linkFeed, unlinkFeeds } from "../store/feeds.ts";
import { countHeld } from "../store/matches.ts";
import { insertNotifications } from "../store/outbox.ts";
import { type AlertRelations, alertView } from "../view.ts";
import type { AlertsContext } from "./context.ts";
import { changeAlert, readRelations, requireAlert, showAlert } from "./edit-alert.ts";
import { readRecent } from "./preview.ts";

const MAX_ALERTS: Record<Plan, number> = { free: 1000, plus: 100_000, max: 5_000_000 };

async function createAlert(context: AlertsContext, call: Call<any, any, contract.NewAlert>) {
  const { platform, index } = context;
  const request = call.body;
  const spec = readNewAlert(request);
  const parsed = parseWatch(spec);
  const { tenantId, mode, plan } = call.caller;
  if (index.countOf(tenantId) >= MAX_ALERTS[plan])
    throw new Failure("plan_limit_reached", `The ${plan} plan holds ${MAX_ALERTS[plan]} alerts.`);
  await refuseForbiddenTargets(platform.guard, mode, request, context.hasMail);
  const expiresMs = readExpiry(request.expires_at, call.now);
  const wantsRecent = request.backfill === "preview" || request.backfill === "deliver";
  const found = wantsRecent
    ? await previewOf(parsed.node, await readRecent(platform.db, call.caller, spec.sources))
    : null;
  const made = makeChannels(platform, call.caller, request.channels ?? []);
  let number = 0;
  const answer = await transact(platform.db, call, async (tx) => {
    let row = newRow(context, call, spec, parsed, expiresMs, made);
    number = row.number = await insertAlert(tx, row);
    await attach(context, tx, row, made, call.now);
    if (found && request.backfill === "deliver") {
      // The oldest first, so that a condition sees its values in order.
      const arrivals = found.matching.toReversed().map((r) => ({ content: r.content, numbers: [number] }));
      await takeArrivals(platform, tx, arrivals, call.now);
      [row] = await lockAlerts(tx, [number]);
    }
    await notifyReplicas(tx, number);
    return showAlert(context, row, call.now, { preview: found?.preview ?? null, secrets: secretsOf(made) }, tx);
  });
  await index.refresh(number);
  context.wake();
  return answer;
}

function newRow(
  { platform }: AlertsContext,
  call: Call<any, any, contract.NewAlert>,
  spec: Spec,
  parsed: ParsedWatch,
  expiresMs: number | null,
  made: MadeChannel[],
): AlertRow {
  const onlyMail = made.length > 0 && made.every((c) => c.row.type === "email");
  return {
    number: 0,
    id: platform.makeId("alt"),
    tenantId: call.caller.tenantId,
    mode: call.caller.mode,
    status: call.body.enabled === false ? "paused" : onlyMail ? "pending_verification" : "active",
    term: parsed.term,
    query: parsed.canonical,
    sources: sourceBits(spec),
    spec,
    pace: freshPace(),
    conditions: {},
    stats: { matched: 0, notified: 0, suppressed: noneSuppressed() },
    dueMs: nextEmptyDigest(spec, call.now),
    expiresMs,
    createdMs: call.now,
    updatedMs: call.now,
  };
}

/** Inserts channels, the mails that ask for consent, and feeds. */
async function attach(context: AlertsContext, tx: Tx, row: AlertRow, made: MadeChannel[], now: number): Promise<void> {
  const channels = made.map((c) => ({ ...c.row, alertNumber: row.number }));
  await insertChannels(tx, channels);
  const verifications = channels
    .filter((c) => c.type === "email")
    .map((c) => ({
      id: context.platform.makeId("ntf"),
      tenantId: row.tenantId,
      alertNumber: row.number,
      channelId: c.id,
      message: { verify: true as const },
      createdMs: now,
    }));
  await insertNotifications(tx, verifications);
  await attachFeeds(context, tx, row, now);
}

async function attachFeeds({ platform }: AlertsContext, tx: Tx, row: AlertRow, now: number): Promise<void> {
  for (const source of row.spec.sources.filter((s) => s.type === "feed")) {
    const feed = feedFromSource(source, row.mode, platform.makeId("src"), now);
    await linkFeed(tx, row.number, feed, source.interval_s ?? null);
  }
}

function listTenantAlerts({ platform }: AlertsContext, call: Call<any, any>) {
  const { db, cursors } = platform;
  const { tenantId } = call.caller;
  const status = call.query.status ?? null;
  let relations = new Map<number, AlertRelations>();
  return readPage({
    cursors,
    list: `alerts ${tenantId} ${status}`,
    query: call.query,
    async read(before, count) {
      const rows = await listAlerts(db.sql, tenantId, status, before, count);
      relations = await readRelations(db.sql, rows);
      return rows;
    },
    position: (row) => row.id,
    view: (row) => alertView(row, relations.get(row.number)!, call.now, platform.publicUrl()),
  });
}

async function readAlert(context: AlertsContext, call: Call) {
  const row = await requireAlert(context, call);
  const held = (await countHeld(context.platform.db.sql, [row.number])).get(row.number) ?? 0;
  return showAlert(context, row, call.now, { held });
}

async function updateAlert(context: AlertsContext, call: Call<any, any, contract.AlertChange>) {
  const { platform } = context;
  const change = call.body;
  const before = await requireAlert(context, call);
  parseWatch(readAlertChange(before.spec, change));
  await refuseForbiddenTargets(platform.guard, call.caller.mode, change, context.hasMail);
  const made = change.channels ? makeChannels(platform, call.caller, change.channels) : null;
  return changeAlert(context, call, async (tx, row) => {
    const spec = readAlertChange(row.spec, change);
    const parsed = parseWatch(spec);
    if (JSON.stringify(spec.condition) !== JSON.stringify(row.spec.condition)) row.conditions = {};
    Object.assign(row, { spec, term: parsed.term, query: parsed.canonical, sources: sourceBits(spec) });
    if (change.expires_at !== undefined) row.expiresMs = readExpiry(change.expires_at, call.now);
    row.dueMs = nextEmptyDigest(spec, call.now);
    if (made) await deleteChannels(tx, row.number);
    if (change.sources) await unlinkFeeds(tx, row.number);
    if (made) await attach(context, tx, row, made, call.now);
    else if (change.sources) await attachFeeds(context, tx, row, call.now);
    return made ? { secrets: secretsOf(made) } : {};
  });
}

async function removeAlert(context: AlertsContext, call: Call) {
  const row = await requireAlert(context, call);
  const answer = await transact(context.platform.db, call, async (tx) => {
    await deleteAlert(tx, row.number, call.now);
    await notifyReplicas(tx, row.number);
    return { id: row.id, deleted: true };
  });
  await context.index.refresh(row.number);
  return answer;
}

const secretsOf = (made: MadeChannel[]) =>
  new Map(made.flatMap((c) => (c.secret === null ? [] : [[c.row.id, c.secret] as const])));

function readExpiry(text: string | null | undefined, now: number): number | null {
  if (text === null || text === undefined) return null;
  const atMs = parseTime(text)!;
  if (atMs <= now) throw invalid("/expires_at", "expires_at is in the past.", "Send a later time, or leave it out.");
  return atMs;
}

export const alertRoutes = (context: AlertsContext): Handler[] => [
  handle(contract.create, (call) => createAlert(context, call)),
  handle(contract.list, (call) => listTenantAlerts(context, call)),
  handle(contract.get, (call) => readAlert(context, call)),
  handle(contract.change, (call) => updateAlert(context, call)),
  handle(contract.remove, (call) => removeAlert(context, call)),
];
