// What falls due by the clock: held matches, empty digests, alerts that expire. Each alert has its own transaction.
import type { Clock } from "../../../lib/clock.ts";
import { appendEvents } from "../../../platform/events/index.ts";
import type { Db, Tx } from "../../../store/db.ts";
import { onDue } from "../engine/deliver/rules.ts";
import { nextEmptyDigest, rulesOf } from "../spec/rules.ts";
import { expireAlerts, lockAlerts, readEmptyDigests, saveProgress } from "../store/alerts.ts";
import { readChannels } from "../store/channels.ts";
import { closeHeld, postponeHeld, readDueGroups, readHeld } from "../store/matches.ts";
import { insertNotifications } from "../store/outbox.ts";
import { eventOf, type MessageDeps, notificationsFor } from "./messages.ts";

export interface DueDeps extends MessageDeps {
  db: Db;
  clock: Clock;
  onExpired(number: number): Promise<void>;
}

const BATCH = 200;
const DEFAULT_MAX_ITEMS = 50;

export async function notifyDue(deps: DueDeps): Promise<void> {
  const { db, clock } = deps;
  for (const number of await expireAlerts(db.sql, clock.now())) await deps.onExpired(number);
  for (;;) {
    const groups = await readDueGroups(db.sql, clock.now(), BATCH);
    for (const { number, group } of groups) await db.sql.begin((tx) => notifyGroup(deps, tx, number, group));
    if (groups.length < BATCH) break;
  }
  for (const number of await readEmptyDigests(db.sql, clock.now(), BATCH)) {
    await db.sql.begin((tx) => sendEmptyDigest(deps, tx, number));
  }
}

async function notifyGroup(deps: DueDeps, tx: Tx, number: number, group: string): Promise<void> {
  const now = deps.clock.now();
  const [row] = await lockAlerts(tx, [number]);
  const rules = row ? rulesOf(row.spec) : null;
  const { matches, total } = await readHeld(tx, number, group, rules?.digest?.maxItems ?? DEFAULT_MAX_ITEMS);
  // Another replica may have sent them while this one waited for the lock.
  if (!row || !rules || total === 0) return;
  const decision = onDue(rules, row.pace, group, now);
  const { suppressed } = row.pace;
  row.pace = decision.pace;
  if (row.status === "paused" || row.status === "expired" || decision.action === "suppress") {
    row.stats.suppressed.snoozed += total;
    await closeHeld(tx, number, group, "suppressed", row.status === "active" ? "snoozed" : row.status);
  } else if (decision.action === "hold") {
    await postponeHeld(tx, number, group, decision.dueAt, decision.reason);
  } else {
    row.stats.notified++;
    await closeHeld(tx, number, group, "notified", null);
    const isSingle = total === 1 && rules.mode === "instant";
    const batch = { matches, total, suppressed };
    const type = isSingle ? "alert.matched" : "alert.digest";
    await appendEvents(tx, [eventOf(row, type, batch, deps.makeId("evt"), now)]);
    const channels = await readChannels(tx, [number]);
    const messageType = isSingle ? "alert.match" : "alert.digest";
    await insertNotifications(tx, notificationsFor(deps, row, channels, messageType, batch, now));
  }
  row.dueMs = nextEmptyDigest(row.spec, now);
  await saveProgress(tx, [row]);
}

/** A digest with `send_empty` is sent even when nothing matched. */
async function sendEmptyDigest(deps: DueDeps, tx: Tx, number: number): Promise<void> {
  const now = deps.clock.now();
  const [row] = await lockAlerts(tx, [number]);
  if (!row || row.dueMs === null || row.dueMs > now) return;
  const channels = await readChannels(tx, [number]);
  const batch = { matches: [], total: 0, suppressed: row.pace.suppressed };
  await insertNotifications(tx, notificationsFor(deps, row, channels, "alert.digest", batch, now));
  row.dueMs = nextEmptyDigest(row.spec, now);
  await saveProgress(tx, [row]);
}
