// An alert taken out and put back: found, locked, changed, told to the other replicas, shown. Every use case goes this way.
import type { Call } from "../../../contract/define.ts";
import { transact } from "../../../platform/idempotency/index.ts";
import { notFound, type Platform } from "../../../platform/platform.ts";
import type { Tx } from "../../../store/db.ts";
import type { AlertRow, AlertStore } from "../store/alerts.ts";
import { alertView, type Around } from "../view.ts";
import type { LiveIndex } from "../background/index/live-index.ts";

export interface DeskParts {
  platform: Platform;
  store: AlertStore;
  index: LiveIndex;
  /** Something may have fallen due. */
  kick(): void;
}

export type Desk = ReturnType<typeof createDesk>;

export function createDesk({ platform, store, index, kick }: DeskParts) {
  const { db, publicUrl } = platform;

  const around = async (row: AlertRow, more: Partial<Around> = {}, tx: Tx = db.sql): Promise<Around> => ({
    channels: await store.channelsOf([row.number], tx),
    feeds: await store.feedsOf([row.number], tx),
    held: 0,
    ...more,
  });
  const show = async (row: AlertRow, now: number, more: Partial<Around> = {}, tx: Tx = db.sql) =>
    alertView(row, await around(row, more, tx), now, publicUrl());

  async function mustFind(call: Call): Promise<AlertRow> {
    const row = await store.find(call.caller.tenantId, call.params.id);
    if (!row) throw notFound("alert");
    return row;
  }

  /** The index here follows at once. */
  async function changeOne(call: Call, work: (tx: Tx, row: AlertRow) => Promise<Partial<Around> | void>) {
    let number = 0;
    const answer = await transact(db, call, async (tx) => {
      const row = await store.find(call.caller.tenantId, call.params.id, tx, true);
      if (!row) throw notFound("alert");
      number = row.number;
      const more = await work(tx, row);
      row.updatedMs = call.now;
      await store.save(tx, row);
      await store.tellChange(tx, row.number);
      return show(row, call.now, more ?? {}, tx);
    });
    await index.refresh(number);
    kick();
    return answer;
  }

  async function aroundMany(rows: AlertRow[]): Promise<Map<number, Around>> {
    const numbers = rows.map((r) => r.number);
    const channels = Map.groupBy(await store.channelsOf(numbers), (c) => c.alertNumber);
    const feeds = Map.groupBy(await store.feedsOf(numbers), (f) => f.alertNumber);
    const held = await store.heldOf(numbers);
    return new Map(
      numbers.map((n) => [n, { channels: channels.get(n) ?? [], feeds: feeds.get(n) ?? [], held: held.get(n) ?? 0 }]),
    );
  }

  return { show, mustFind, changeOne, aroundMany };
}
