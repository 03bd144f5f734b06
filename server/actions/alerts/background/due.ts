// What falls due by the clock: held matches, empty digests, alerts that expire. Each alert in a transaction of its own.
import { nextDigest } from "../engine/deliver/hours.ts";
import { onDue } from "../engine/deliver/rules.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { MakeId } from "../../../lib/id.ts";
import { appendEvents } from "../../../platform/events/index.ts";
import type { Db, Tx } from "../../../store/db.ts";
import { rulesOf } from "../spec/spec.ts";
import type { AlertRow, AlertStore } from "../store/alerts.ts";
import type { Intake } from "./intake.ts";
import { eventOf, messageOf } from "./messages.ts";
import { closeHeld, expireAlerts, postponeHeld, readDueGroups, readEmptyDigests, readHeld } from "../store/matches.ts";
import { insertSendings } from "../store/outbox.ts";

interface Parts {
  db: Db;
  clock: Clock;
  makeId: MakeId;
  store: AlertStore;
  intake: Intake;
  publicUrl(): string;
  onExpired(number: number): Promise<void>;
}

const BATCH = 200;

export function createDue({ db, clock, makeId, store, intake, publicUrl, onExpired }: Parts) {
  async function tellDue(): Promise<void> {
    for (const number of await expireAlerts(db, clock.now())) await onExpired(number);
    for (;;) {
      const groups = await readDueGroups(db, clock.now(), BATCH);
      for (const { number, group } of groups) await db.sql.begin((tx) => tellGroup(tx, number, group));
      if (groups.length < BATCH) break;
    }
    for (const number of await readEmptyDigests(db, clock.now(), BATCH))
      await db.sql.begin((tx) => tellNothing(tx, number));
  }

  async function tellGroup(tx: Tx, number: number, group: string): Promise<void> {
    const now = clock.now();
    const [row] = await store.lockMany(tx, [number]);
    const rules = row ? rulesOf(row.spec) : null;
    const { matches, total } = await readHeld(tx, number, group, rules?.digest?.maxItems ?? 50);
    // Another replica may have told them while we waited for the lock.
    if (!row || !rules || total === 0) return;
    const decision = onDue(rules, row.pace, group, now);
    const before = row.pace.suppressed;
    row.pace = decision.pace;
    if (row.status === "paused" || row.status === "expired" || decision.action === "suppress") {
      row.stats.suppressed.snoozed += total;
      await closeHeld(tx, number, group, "suppressed", row.status === "active" ? "snoozed" : row.status);
    } else if (decision.action === "hold") await postponeHeld(tx, number, group, decision.dueAt, decision.reason);
    else {
      row.stats.notified++;
      await closeHeld(tx, number, group, "notified", null);
      const type = total === 1 && rules.mode === "instant" ? "alert.match" : "alert.digest";
      await appendEvents(tx, [
        eventOf(
          row,
          type === "alert.match" ? "alert.matched" : "alert.digest",
          matches,
          total,
          before,
          makeId("evt"),
          now,
        ),
      ]);
      const channels = await store.channelsOf([number], tx);
      await insertSendings(
        tx,
        intake.sendingsOf(
          row,
          channels,
          (id) => messageOf(row, type, matches, total, before, id, now, publicUrl()),
          now,
        ),
      );
    }
    setEmptyDigest(row, now);
    await store.savePace(tx, [row]);
  }

  /** A digest that was asked to come even when there is nothing. */
  async function tellNothing(tx: Tx, number: number): Promise<void> {
    const now = clock.now();
    const [row] = await store.lockMany(tx, [number]);
    if (!row || row.dueMs === null || row.dueMs > now) return;
    const channels = await store.channelsOf([number], tx);
    const before = row.pace.suppressed;
    await insertSendings(
      tx,
      intake.sendingsOf(
        row,
        channels,
        (id) => messageOf(row, "alert.digest", [], 0, before, id, now, publicUrl()),
        now,
      ),
    );
    setEmptyDigest(row, now);
    await store.savePace(tx, [row]);
  }

  return { tellDue };
}

export function setEmptyDigest(row: Pick<AlertRow, "spec" | "dueMs">, now: number): void {
  const { digest } = rulesOf(row.spec);
  row.dueMs = digest?.sendEmpty ? nextDigest(digest, now) : null;
}
