// Pause, resume and snooze an alert, read its feeds now, and test its channels.
import { type Call, type Handler, handle } from "../../../contract/define.ts";
import { invalid } from "../../../contract/errors.ts";
import { MINUTE_MS, parseTime } from "../../../lib/time.ts";
import { transact } from "../../../platform/idempotency/index.ts";
import type { Tx } from "../../../store/db.ts";
import { notificationsFor } from "../background/messages.ts";
import * as contract from "../contract/index.ts";
import type { Move } from "../machine.ts";
import type { AlertRow, MatchedItem } from "../rows.ts";
import { readChannels, saveChannel } from "../store/channels.ts";
import { makeFeedsDue } from "../store/feeds.ts";
import { insertNotifications } from "../store/outbox.ts";
import type { AlertsContext } from "./context.ts";
import { applyMove, changeAlert, requireAlert, wrongState } from "./edit-alert.ts";

const TEST_ITEM: contract.Item = {
  id: null,
  title: "This is what a match looks like",
  summary: "A test message. Nothing has matched.",
  url: null,
  author: null,
  source: "test",
  tags: ["test"],
  numbers: {},
  published_at: null,
  edited: false,
};

function move(context: AlertsContext, call: Call, how: Move, work?: (tx: Tx, row: AlertRow) => Promise<void>) {
  return changeAlert(context, call, async (tx, row) => {
    applyMove(row, how);
    await work?.(tx, row);
  });
}

const pauseAlert = (context: AlertsContext, call: Call) => move(context, call, "pause");

/** Also ends a snooze and gives disabled channels another chance. */
const resumeAlert = (context: AlertsContext, call: Call) =>
  move(context, call, "resume", async (tx, row) => {
    row.pace = { ...row.pace, snoozed: null };
    for (const c of await readChannels(tx, [row.number])) {
      if (c.status !== "disabled") continue;
      await saveChannel(tx, { ...c, status: "active", failures: 0, failingSinceMs: null, lastError: null });
    }
  });

function snoozeAlert(context: AlertsContext, call: Call) {
  return changeAlert(context, call, async (_, row) => {
    if (row.status !== "active")
      throw wrongState(row, `The alert is ${row.status}; only an active one can be snoozed.`);
    if (call.body.until_clear && !row.spec.condition)
      throw invalid("/until_clear", "The alert has no condition that could clear.", "Send until or for_s.");
    const { until, for_s: forS } = call.body;
    const untilMs = until !== undefined ? parseTime(until) : forS !== undefined ? call.now + forS * 1000 : null;
    if (untilMs !== null && untilMs <= call.now) throw invalid("/until", "until is in the past.", "Send a later time.");
    row.pace = { ...row.pace, snoozed: untilMs ?? "clear" };
  });
}

/** Makes the feeds due that were not read within the last minute. */
async function pollFeeds(context: AlertsContext, call: Call) {
  const row = await requireAlert(context, call);
  const answer = await transact(context.platform.db, call, async (tx) => {
    return { polled: await makeFeedsDue(tx, row.number, call.now, call.now - MINUTE_MS) };
  });
  context.wake();
  return answer;
}

async function testChannels(context: AlertsContext, call: Call) {
  const { platform } = context;
  const row = await requireAlert(context, call);
  const channels = await readChannels(platform.db.sql, [row.number]);
  const match: MatchedItem = {
    id: platform.makeId("mch"),
    item: TEST_ITEM,
    terms: ["test"],
    highlights: [],
    createdMs: call.now,
  };
  const batch = { matches: [match], total: 1, suppressed: {} };
  const notifications = notificationsFor(platform, row, channels, "alert.test", batch, call.now);
  const answer = await transact(platform.db, call, async (tx) => {
    await insertNotifications(tx, notifications);
    return { deliveries: notifications.map((n) => ({ id: n.id, channel_id: n.channelId })) };
  });
  context.wake();
  return answer;
}

export const moveRoutes = (context: AlertsContext): Handler[] => [
  handle(contract.pause, (call) => pauseAlert(context, call)),
  handle(contract.resume, (call) => resumeAlert(context, call)),
  handle(contract.snooze, (call) => snoozeAlert(context, call)),
  handle(contract.poll, (call) => pollFeeds(context, call)),
  handle(contract.test, (call) => testChannels(context, call)),
];
