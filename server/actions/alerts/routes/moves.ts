// The use cases of an alert that lives: pause, resume, snooze, and a test of its channels.
import { type Call, handle, type Handler } from "../../../contract/define.ts";
import { Failure } from "../../../contract/errors.ts";
import { parseTime } from "../../../lib/time.ts";
import { transact } from "../../../platform/idempotency/index.ts";
import type { Tx } from "../../../store/db.ts";
import * as contract from "../contract/index.ts";
import type { Desk, DeskParts } from "./edit-alert.ts";
import { allowedNow, type Move, step } from "../machine.ts";
import { invalid } from "../spec/spec.ts";
import type { AlertRow } from "../store/alerts.ts";
import type { Intake } from "../background/intake.ts";
import { messageOf } from "../background/messages.ts";
import { insertSendings } from "../store/outbox.ts";

export function createMoves({
  platform,
  store,
  desk,
  intake,
  kick,
}: DeskParts & { desk: Desk; intake: Intake }): Handler[] {
  const { db, makeId, publicUrl } = platform;
  const { mustFind, changeOne } = desk;

  const move = (call: Call, how: Move, work: (tx: Tx, row: AlertRow) => Promise<void> = async () => {}) =>
    changeOne(call, async (tx, row) => {
      const next = step(row.status, how);
      if (next === null) {
        const allowed = allowedNow(row.status);
        throw new Failure("wrong_state", `The alert is ${row.status}; it cannot ${how}.`, {
          extra: { alert_status: row.status, allowed },
        });
      }
      row.status = next;
      await work(tx, row);
    });

  return [
    handle(contract.pause, (call) => move(call, "pause")),
    handle(contract.resume, (call) =>
      move(call, "resume", async (tx, row) => {
        row.pace = { ...row.pace, snoozed: null };
        for (const c of await store.channelsOf([row.number], tx)) {
          if (c.status === "disabled")
            await store.saveChannel(tx, { ...c, status: "active", failures: 0, failingSinceMs: null, lastError: null });
        }
      }),
    ),
    handle(contract.snooze, (call) =>
      changeOne(call, async (_, row) => {
        if (row.status !== "active")
          throw new Failure("wrong_state", `The alert is ${row.status}; only an active one can be snoozed.`, {
            extra: { alert_status: row.status, allowed: allowedNow(row.status) },
          });
        if (call.body.until_clear && !row.spec.condition)
          throw invalid("/until_clear", "The alert has no condition that could clear.", "Send until.");
        const until = call.body.until === undefined ? null : parseTime(call.body.until);
        if (until !== null && until <= call.now)
          throw invalid("/until", "until lies in the past.", "Send a later time.");
        row.pace = { ...row.pace, snoozed: until ?? "clear" };
      }),
    ),
    handle(contract.test, async (call) => {
      const row = await mustFind(call);
      const channels = await store.channelsOf([row.number]);
      const told = [{ id: makeId("mch"), item: testItem, terms: ["test"], highlights: [], createdMs: call.now }];
      const sendings = intake.sendingsOf(
        row,
        channels,
        (id) => messageOf(row, "alert.test", told, 1, {}, id, call.now, publicUrl()),
        call.now,
      );
      const answer = await transact(db, call, async (tx) => {
        await insertSendings(tx, sendings);
        return { deliveries: sendings.map((s) => ({ id: s.id, channel_id: s.channelId })) };
      });
      kick();
      return answer;
    }),
  ];
}

const testItem: contract.Item = {
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
