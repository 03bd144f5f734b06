// Create, list, read, change and delete alerts.
import { type Call, type Handler, handle } from "../../../contract/define.ts";
import { invalid } from "../../../contract/errors.ts";
import { parseTime } from "../../../lib/time.ts";
import { transact } from "../../../platform/idempotency/index.ts";
import { readPage } from "../../../platform/pages.ts";
import type { Tx } from "../../../store/db.ts";
import { takeArrivals } from "../background/intake.ts";
import { tryOnRecent } from "../background/parse.ts";
import * as contract from "../contract/index.ts";
import { freshPace, noneSuppressed } from "../engine/deliver/rules.ts";
import type { AlertRow, Spec, Watch } from "../rows.ts";
import { feedFromSource, type MadeChannel, makeChannels, refuseForbiddenTargets } from "../spec/channels.ts";
import type { Recent } from "../spec/preview.ts";
import { type ParsedWatch, parseWatch } from "../spec/query.ts";
import { readAlertChange, readNewAlert } from "../spec/read.ts";
import { nextEmptyDigest, sourceBits } from "../spec/rules.ts";
import { deleteAlert, insertAlert, listAlerts, lockAlerts, notifyReplicas, saveAlert } from "../store/alerts.ts";
import { deleteChannels, insertChannels } from "../store/channels.ts";
import { linkFeed, unlinkFeeds } from "../store/feeds.ts";
import { countHeld } from "../store/matches.ts";
import { insertNotifications } from "../store/outbox.ts";
import { type AlertRelations, alertView } from "../view.ts";
import type { AlertsContext } from "./context.ts";
import { applyMove, changeAlert, readRelations, requireAlert, showAlert } from "./edit-alert.ts";
import { askConsent } from "./mail-consent.ts";
import { readRecent } from "./preview.ts";

async function createAlert(context: AlertsContext, call: Call<any, any, contract.NewAlert>) {
  const { platform, index } = context;
  const request = call.body;
  const spec = readNewAlert(request, context.knownTypes);
  const parsed = parseWatch(spec);
  const { mode } = call.caller;
  await refuseForbiddenTargets(platform.guard, mode, request, context.hasMail);
  const expiresMs = readExpiry(request.expires_at, call.now);
  const wantsRecent = request.backfill === "preview" || request.backfill === "deliver";
  const recent: Recent[] = wantsRecent ? await readRecent(platform.db, call.caller, spec.sources) : [];
  const { tenantId } = call.caller;
  const found = wantsRecent ? await tryOnRecent(platform.pool, watchOf(spec), recent, tenantId) : null;
  const made = makeChannels(platform, call.caller, request.channels ?? []);
  let number = 0;
  const answer = await transact(platform.db, call, async (tx) => {
    let row = newRow(context, call, spec, parsed, expiresMs, made);
    number = row.number = await insertAlert(tx, row);
    await attach(context, tx, call, row, made);
    if (found && request.backfill === "deliver") {
      // The oldest first, so that a condition sees its values in order.
      const arrivals = found.matching.toReversed().map((i) => ({ content: recent[i].content, numbers: [number] }));
      await takeArrivals(platform, tx, arrivals, tenantId, call.now);
      [row] = await lockAlerts(tx, [number]);
    }
    await notifyReplicas(tx, number);
    const warnings = found ? unreadFeedWarnings(spec, found.preview) : [];
    const more = { preview: found?.preview ?? null, secrets: secretsOf(made), warnings };
    return showAlert(context, row, call.now, more, tx);
  });
  await index.refresh(number);
  context.wake();
  return answer;
}

const watchOf = ({ tag, tags, query, match }: Spec): Watch => ({ tag, tags, query, match });

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
async function attach(context: AlertsContext, tx: Tx, call: Call, row: AlertRow, made: MadeChannel[]): Promise<void> {
  const wanted = made.map((c) => ({ ...c.row, alertNumber: row.number }));
  const { channels, mails } = await askConsent(context, tx, call, wanted);
  await insertChannels(tx, channels);
  await insertNotifications(tx, mails);
  if (row.status === "pending_verification" && channels.some((c) => c.status === "active")) {
    row.status = "active";
    await saveAlert(tx, row);
  }
  await attachFeeds(context, tx, row, call.now);
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
  const { status = null, q = null } = call.query;
  const label = readLabel(call.query.label);
  const filter = { tenantId, status, label, text: q, now: call.now };
  let relations = new Map<number, AlertRelations>();
  return readPage({
    cursors,
    list: `alerts ${JSON.stringify([tenantId, status, label, q])}`,
    query: call.query,
    async read(before, count) {
      const rows = await listAlerts(db.sql, filter, before, count);
      relations = await readRelations(db.sql, rows);
      return rows;
    },
    position: (row) => row.id,
    view: (row) => alertView(row, relations.get(row.number)!, call.now, platform.publicUrl()),
  });
}

/** `team` or `team:pr`. */
function readLabel(text: string | undefined): { name: string; value: string | null } | null {
  if (text === undefined) return null;
  const colon = text.indexOf(":");
  return colon < 0 ? { name: text, value: null } : { name: text.slice(0, colon), value: text.slice(colon + 1) };
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
  parseWatch(readAlertChange(before.spec, change, context.knownTypes));
  await refuseForbiddenTargets(platform.guard, call.caller.mode, change, context.hasMail);
  const made = change.channels ? makeChannels(platform, call.caller, change.channels) : null;
  return changeAlert(context, call, async (tx, row) => {
    const spec = readAlertChange(row.spec, change, context.knownTypes);
    const parsed = parseWatch(spec);
    if (JSON.stringify(spec.condition) !== JSON.stringify(row.spec.condition)) row.conditions = {};
    Object.assign(row, { spec, term: parsed.term, query: parsed.canonical, sources: sourceBits(spec) });
    if (change.expires_at !== undefined) row.expiresMs = readExpiry(change.expires_at, call.now);
    if (change.enabled !== undefined) applyMove(row, change.enabled ? "resume" : "pause");
    row.dueMs = nextEmptyDigest(spec, call.now);
    if (made) await deleteChannels(tx, row.number);
    if (change.sources) await unlinkFeeds(tx, row.number);
    if (made) await attach(context, tx, call, row, made);
    else if (change.sources) await attachFeeds(context, tx, row, call.now);
    return made ? { secrets: secretsOf(made) } : {};
  });
}

async function removeAlert(context: AlertsContext, call: Call) {
  const row = await requireAlert(context, call);
  const answer = await transact(context.platform.db, call, async (tx) => {
    await deleteAlert(tx, row.number, call.now);
    await notifyReplicas(tx, row.number);
    return { id: row.id, deleted: true as const };
  });
  await context.index.refresh(row.number);
  return answer;
}

/** A new feed is read after the answer, so a preview cannot have seen it. */
function unreadFeedWarnings({ sources }: Spec, { scanned }: contract.Preview): contract.Alert["warnings"] {
  if (scanned > 0 || !sources.some((s) => s.type === "feed")) return [];
  const detail = "The feed has not been read yet. Use POST /alerts/preview in a minute.";
  return [{ code: "feed_not_read", term: null, detail }];
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
