// What an alert has matched and sent, and sending it again.
import { type Call, type Handler, handle } from "../../../contract/define.ts";
import { parseTime } from "../../../lib/time.ts";
import { transact } from "../../../platform/idempotency/index.ts";
import { readPage } from "../../../platform/pages.ts";
import * as contract from "../contract/index.ts";
import { listMatches } from "../store/matches.ts";
import { listNotifications, requeueNotifications } from "../store/outbox.ts";
import { matchView, notificationView } from "../view.ts";
import type { AlertsContext } from "./context.ts";
import { requireAlert } from "./edit-alert.ts";

async function listAlertMatches(context: AlertsContext, call: Call) {
  const { db, cursors } = context.platform;
  const row = await requireAlert(context, call);
  const state = call.query.state ?? null;
  return readPage({
    cursors,
    list: `matches ${row.id} ${state}`,
    query: call.query,
    read: (before, count) => listMatches(db.sql, row.number, state, before, count),
    position: (match) => match.seq,
    view: (match) => matchView(row.id, match),
  });
}

async function listDeliveries(context: AlertsContext, call: Call) {
  const { db, cursors } = context.platform;
  const row = await requireAlert(context, call);
  const status = call.query.status ?? null;
  return readPage({
    cursors,
    list: `alert deliveries ${row.id} ${status}`,
    query: call.query,
    read: (before, count) => listNotifications(db.sql, row.number, status, before, count),
    position: (notification) => notification.seq,
    view: notificationView,
  });
}

async function replayDeliveries(context: AlertsContext, call: Call) {
  const row = await requireAlert(context, call);
  const sinceMs = call.body.since === undefined ? null : parseTime(call.body.since);
  const ids = call.body.delivery_ids ?? null;
  const answer = await transact(context.platform.db, call, async (tx) => {
    return { replayed: await requeueNotifications(tx, row.number, sinceMs, ids, call.now) };
  });
  context.wake();
  return answer;
}

export const historyRoutes = (context: AlertsContext): Handler[] => [
  handle(contract.matches, (call) => listAlertMatches(context, call)),
  handle(contract.deliveries, (call) => listDeliveries(context, call)),
  handle(contract.replay, (call) => replayDeliveries(context, call)),
];
