// The use cases of an alert as it is written: create, list, read, change, delete, preview. How it moves is in moves.ts.
import { type Call, handle, type Handler, type Plan } from "../../../contract/define.ts";
import { Failure } from "../../../contract/errors.ts";
import { parseTime } from "../../../lib/time.ts";
import { transact } from "../../../platform/idempotency/index.ts";
import { readPage } from "../../../platform/platform.ts";
import type { Tx } from "../../../store/db.ts";
import * as contract from "../contract/index.ts";
import type { Desk, DeskParts } from "./edit-alert.ts";
import { feedKey, feedOfSource, makeChannels, type MadeChannel, refuseTargets } from "../spec/channels.ts";
import { freshPace, noneSuppressed } from "../engine/deliver/rules.ts";
import { invalid, readChange, readOrder, sourceBits, type Spec } from "../spec/spec.ts";
import { broadness, previewOf, type Recent } from "../spec/preview.ts";
import type { AlertRow } from "../store/alerts.ts";
import { alertView, type Around } from "../view.ts";
import { readWanted } from "../spec/query.ts";
import { setEmptyDigest } from "../background/due.ts";
import { ofContent, ofEvent } from "../spec/content.ts";
import type { Intake } from "../background/intake.ts";
import { nameOf } from "../background/messages.ts";
import { recentContent, recentEvents, recentItems } from "../store/log.ts";
import { insertSendings } from "../store/outbox.ts";

export interface ServiceParts extends DeskParts {
  desk: Desk;
  intake: Intake;
  hasMail: boolean;
}

const MAX_ALERTS: Record<Plan, number> = { free: 1000, plus: 100_000, max: 5_000_000 };
const MAX_RECENT = 500;

export function createService({ platform, store, index, desk, intake, hasMail, kick }: ServiceParts): Handler[] {
  const { db, cursors, makeId, guard, publicUrl } = platform;
  const { show, mustFind, changeOne, aroundMany } = desk;

  /** What an alert of these sources would have seen lately, or any alert of the tenant; the newest first. */
  async function recentOf(call: Call, sources: Spec["sources"] | null): Promise<Recent[]> {
    const { tenantId, mode } = call.caller;
    const wants = (type: string) => sources === null || sources.some((s) => s.type === type);
    const feeds = sources?.filter((s) => s.type === "feed").map((s) => feedKey(s.url!, mode)) ?? null;
    const parts: Recent[][] = [
      wants("ingest") ? await recentContent(db, tenantId, MAX_RECENT) : [],
      wants("feed") ? await recentItems(db, tenantId, feeds, MAX_RECENT) : [],
      wants("events")
        ? (await recentEvents(db, tenantId, MAX_RECENT)).map((e) => ({ content: ofEvent(e), atMs: e.atMs }))
        : [],
    ];
    return parts.flat().sort((a, b) => b.atMs - a.atMs);
  }

  async function create(call: Call) {
    const order = call.body as contract.AlertOrder;
    const spec = readOrder(order);
    const wanted = readWanted(spec);
    const { tenantId, mode, plan } = call.caller;
    if (index.countOf(tenantId) >= MAX_ALERTS[plan])
      throw new Failure("plan_limit_reached", `The ${plan} plan holds ${MAX_ALERTS[plan]} alerts.`);
    await refuseTargets(guard, mode, order, hasMail);
    const expiresMs = expiryOf(order.expires_at, call.now);
    const found =
      order.backfill === "none" || order.backfill === undefined
        ? null
        : previewOf(wanted.node, await recentOf(call, spec.sources));
    const made = makeChannels(platform, call.caller, order.channels ?? []);
    let number = 0;
    const answer = await transact(db, call, async (tx) => {
      const row = newRow(call, spec, wanted.term, wanted.canonical, expiresMs, order.enabled === false, made);
      number = row.number = await store.insert(tx, row);
      await attach(tx, row, made, call.now);
      if (found && order.backfill === "deliver")
        await intake.take(
          tx,
          // As they came, so that a condition sees its values in order.
          found.matching.toReversed().map((r) => ({ content: r.content, numbers: [number] })),
          call.now,
        );
      await store.tellChange(tx, number);
      const current = found && order.backfill === "deliver" ? (await store.lockMany(tx, [number]))[0] : row;
      return show(current, call.now, { preview: found?.preview ?? null, secrets: secretsOf(made) }, tx);
    });
    await index.refresh(number);
    kick();
    return answer;
  }

  function newRow(
    call: Call,
    spec: Spec,
    term: string | null,
    query: string,
    expiresMs: number | null,
    paused: boolean,
    made: MadeChannel[],
  ): AlertRow {
    const onlyMail = made.length > 0 && made.every((c) => c.row.type === "email");
    const row: AlertRow = {
      number: 0,
      id: makeId("alt"),
      tenantId: call.caller.tenantId,
      mode: call.caller.mode,
      status: paused ? "paused" : onlyMail ? "pending_verification" : "active",
      term,
      query,
      sources: sourceBits(spec),
      spec,
      pace: freshPace(),
      conditions: {},
      stats: { matched: 0, notified: 0, suppressed: noneSuppressed() },
      dueMs: null,
      expiresMs,
      createdMs: call.now,
      updatedMs: call.now,
    };
    setEmptyDigest(row, call.now);
    return row;
  }

  /** Channels, the mails that ask for consent, and feeds. */
  async function attach(tx: Tx, row: AlertRow, made: MadeChannel[], now: number): Promise<void> {
    const channels = made.map((c) => ({ ...c.row, alertNumber: row.number }));
    await store.insertChannels(tx, channels);
    const verify = channels
      .filter((c) => c.type === "email")
      .map((c) => ({
        id: makeId("ntf"),
        tenantId: row.tenantId,
        number: row.number,
        channelId: c.id,
        message: { verify: true as const, name: nameOf(row) },
        atMs: now,
      }));
    await insertSendings(tx, verify);
    await attachFeeds(tx, row, now);
  }

  async function attachFeeds(tx: Tx, row: AlertRow, now: number): Promise<void> {
    for (const source of row.spec.sources.filter((s) => s.type === "feed")) {
      await store.linkFeed(
        tx,
        row.number,
        feedOfSource(source, row.mode, makeId("src"), now),
        source.interval_s ?? null,
      );
    }
  }

  async function change(call: Call) {
    const order = call.body as contract.AlertChange;
    const before = await mustFind(call);
    const wanted = readWanted(readChange(before.spec, order));
    await refuseTargets(guard, call.caller.mode, order, hasMail);
    const made = order.channels ? makeChannels(platform, call.caller, order.channels) : null;
    return changeOne(call, async (tx, row) => {
      const spec = readChange(row.spec, order);
      const conditionChanged = JSON.stringify(spec.condition) !== JSON.stringify(row.spec.condition);
      Object.assign(row, {
        spec,
        term: wanted.term,
        query: wanted.canonical,
        sources: sourceBits(spec),
        ...(conditionChanged ? { conditions: {} } : {}),
      });
      if (order.expires_at !== undefined) row.expiresMs = expiryOf(order.expires_at, call.now);
      setEmptyDigest(row, call.now);
      if (made) await store.removeChannels(tx, row.number);
      if (order.sources) await store.unlinkFeeds(tx, row.number);
      if (made) await attach(tx, row, made, call.now);
      else if (order.sources) await attachFeeds(tx, row, call.now);
      return made ? { secrets: secretsOf(made) } : {};
    });
  }

  return [
    handle(contract.create, create),
    handle(contract.list, async (call) => {
      const { tenantId } = call.caller;
      const status = call.query.status ?? null;
      let near: Map<number, Around> = new Map();
      const read = async (before: string | null, count: number) => {
        const rows = await store.list(tenantId, status, before, count);
        near = await aroundMany(rows);
        return rows;
      };
      return readPage(
        cursors,
        `alerts ${tenantId} ${status}`,
        call.query,
        read,
        (row) => row.id,
        (row) => alertView(row, near.get(row.number)!, call.now, publicUrl()),
      );
    }),
    handle(contract.get, async (call) => {
      const row = await mustFind(call);
      const held = (await store.heldOf([row.number])).get(row.number) ?? 0;
      return show(row, call.now, { held });
    }),
    handle(contract.change, change),
    handle(contract.remove, async (call) => {
      const row = await mustFind(call);
      const answer = await transact(db, call, async (tx) => {
        await store.remove(tx, row.number, call.now);
        await store.tellChange(tx, row.number);
        return { id: row.id, deleted: true };
      });
      await index.refresh(row.number);
      return answer;
    }),
    handle(contract.preview, async (call) => {
      const { content, match, ...watched } = call.body;
      if ([watched.tag, watched.tags, watched.query].filter((w) => w !== undefined).length !== 1)
        throw invalid("", "Exactly one of tag, tags and query says what is watched.", "Send one of them.");
      const wanted = readWanted({ ...watched, match: match ?? {} });
      const recent = content
        ? content.map((c: contract.ContentOrder) => ({ content: ofContent(c), atMs: call.now }))
        : await recentOf(call, null);
      const { node: _, term: __, requiredTerms, warnings, ...query } = wanted;
      const { preview } = previewOf(wanted.node, recent);
      const all = [...warnings, ...broadness(preview)];
      return { query: { ...query, required_terms: requiredTerms, warnings: all }, preview };
    }),
  ];
}

const secretsOf = (made: MadeChannel[]) =>
  new Map(made.flatMap((c) => (c.secret === null ? [] : [[c.row.id, c.secret] as const])));

function expiryOf(text: string | null | undefined, now: number): number | null {
  if (text === null || text === undefined) return null;
  const at = parseTime(text)!;
  if (at <= now) throw invalid("/expires_at", "expires_at lies in the past.", "Send a later time, or leave it out.");
  return at;
}
