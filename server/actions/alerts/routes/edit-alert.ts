// Finding, changing and showing one alert, the same way for every route.
import type { Call } from "../../../contract/define.ts";
import { transact } from "../../../platform/idempotency/index.ts";
import { findOr404 } from "../../../platform/pages.ts";
import type { Tx } from "../../../store/db.ts";
import { Failure } from "../../../contract/errors.ts";
import type { Alert } from "../contract/index.ts";
import { allowedNow, type Move, step } from "../machine.ts";
import type { AlertRow } from "../rows.ts";
import { findAlert, lockAlert, notifyReplicas, saveAlert } from "../store/alerts.ts";
import { readChannels } from "../store/channels.ts";
import { readFeeds } from "../store/feeds.ts";
import { countHeld } from "../store/matches.ts";
import { type AlertRelations, alertView } from "../view.ts";
import type { AlertsContext } from "./context.ts";

type AlertCall = Call<{ id: string }>;

export function requireAlert({ platform }: AlertsContext, call: AlertCall): Promise<AlertRow> {
  return findOr404("alert", findAlert(platform.db.sql, call.caller.tenantId, call.params.id));
}

export async function showAlert(
  { platform }: AlertsContext,
  row: AlertRow,
  now: number,
  more: Partial<AlertRelations> = {},
  tx: Tx = platform.db.sql,
): Promise<Alert> {
  const channels = await readChannels(tx, [row.number]);
  const feeds = await readFeeds(tx, [row.number]);
  return alertView(row, { channels, feeds, held: 0, ...more }, now, platform.publicUrl());
}

/** Moves the alert, or refuses with the moves that are allowed now. Repeating a move changes nothing. */
export function applyMove(row: AlertRow, move: Move): void {
  const next = step(row.status, move);
  if (next === null) throw wrongState(row, `The alert is ${row.status}; it cannot ${move}.`);
  row.status = next;
}

export const wrongState = (row: AlertRow, detail: string): Failure =>
  new Failure("wrong_state", detail, { extra: { state: row.status, allowed: allowedNow(row.status) } });

/** Locks the alert, lets `work` change it, saves it, and refreshes the index here and on every replica. */
export async function changeAlert(
  context: AlertsContext,
  call: AlertCall,
  work: (tx: Tx, row: AlertRow) => Promise<Partial<AlertRelations> | void>,
): Promise<Alert> {
  const { db } = context.platform;
  let number = 0;
  const answer = await transact(db, call, async (tx) => {
    const row = await findOr404("alert", lockAlert(tx, call.caller.tenantId, call.params.id));
    number = row.number;
    const more = await work(tx, row);
    row.updatedMs = call.now;
    await saveAlert(tx, row);
    await notifyReplicas(tx, row.number);
    return showAlert(context, row, call.now, more ?? {}, tx);
  });
  await context.index.refresh(number);
  context.wake();
  return answer;
}

/** The relations of many alerts, by number. */
export async function readRelations(tx: Tx, rows: AlertRow[]): Promise<Map<number, AlertRelations>> {
  const numbers = rows.map((r) => r.number);
  const channels = Map.groupBy(await readChannels(tx, numbers), (c) => c.alertNumber);
  const feeds = Map.groupBy(await readFeeds(tx, numbers), (f) => f.alertNumber);
  const held = await countHeld(tx, numbers);
  return new Map(
    numbers.map((n) => [n, { channels: channels.get(n) ?? [], feeds: feeds.get(n) ?? [], held: held.get(n) ?? 0 }]),
  );
}
