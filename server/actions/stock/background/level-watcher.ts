// Watches price levels: every fresh price moves the state machine; a crossing appends its event in the same transaction.
import type { Logger } from "pino";
import type { Mode } from "../../../contract/define.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { MakeId } from "../../../lib/id.ts";
import { createLoop } from "../../../lib/loop.ts";
import { formatTime } from "../../../lib/time.ts";
import { appendEvents } from "../../../platform/events/index.ts";
import type { ServedQuote } from "../engine/quote/serve.ts";
import { directionOf, step } from "../machine.ts";
import type { LevelRow, StockStore } from "../store.ts";
import { viewLevel } from "../view.ts";

const REFRESH_MS = 5000;

export interface LevelWatcher {
  /** Watches a new or changed level. */
  add(row: LevelRow): void;
  remove(id: string): void;
  /** Checks every level of this tenant and security against a new price. */
  check(tenantId: number, key: string, quote: ServedQuote): Promise<void>;
  /** The same for every tenant of this mode that watches the security. */
  checkMode(mode: Mode, key: string, quote: ServedQuote): Promise<void>;
  start(): void;
  /** Checks all levels now. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

export interface LevelWatcherDeps {
  store: StockStore;
  clock: Clock;
  log: Logger;
  makeId: MakeId;
  /** The current quote of a level's security, or null; called every few seconds. */
  currentQuote(row: LevelRow): Promise<ServedQuote | null>;
}

export function createLevelWatcher(deps: LevelWatcherDeps): LevelWatcher {
  const { store, clock, log } = deps;
  let rows = new Map<string, LevelRow>();
  let byKey = new Map<string, LevelRow[]>();
  const loop = createLoop({
    clock,
    everyMs: REFRESH_MS,
    run: checkAll,
    onError: (error) => log.warn({ error: String(error) }, "price levels could not be checked"),
  });

  function index(): void {
    byKey = Map.groupBy(rows.values(), (row) => `${row.tenantId}|${row.key}`);
  }

  function remove(id: string): void {
    if (rows.delete(id)) index();
  }

  async function observe(row: LevelRow, quote: ServedQuote): Promise<void> {
    const { last, change } = quote.built;
    const atMs = clock.now();
    if (!last || quote.freshness(atMs, "stream").stale) return;
    const moved = step(row.state, row, { price: last.price, changePercent: change?.percent ?? null });
    if (moved.state === row.state && !moved.fired) return;
    const before = { ...row };
    row.state = moved.state;
    try {
      await store.transaction(async (tx) => {
        const crossed = moved.fired ? { atMs, price: last.price } : null;
        const now = await store.moveLevel(tx, before, moved.state, crossed);
        if (now && moved.fired) await appendEvents(tx, [crossedEvent(deps.makeId("evt"), now, quote, atMs)]);
      });
      if (moved.state === "done") remove(row.id);
    } catch (error) {
      row.state = before.state;
      log.error({ error: String(error), level: row.id }, "a price level could not be moved; it is tried again");
    }
  }

  async function checkAll(): Promise<void> {
    rows = new Map((await store.activeLevels()).map((row) => [row.id, row]));
    index();
    for (const row of [...rows.values()]) {
      const quote = await deps.currentQuote(row);
      if (quote) await observe(row, quote);
    }
  }

  const checkRows = async (list: LevelRow[], quote: ServedQuote) => {
    for (const row of list) await observe(row, quote);
  };

  return {
    add(row) {
      if (row.state === "done") return remove(row.id);
      rows.set(row.id, row);
      index();
    },
    remove,
    check: (tenantId, key, quote) => checkRows([...(byKey.get(`${tenantId}|${key}`) ?? [])], quote),
    checkMode: (mode, key, quote) =>
      checkRows(
        [...rows.values()].filter((r) => r.mode === mode && r.key === key),
        quote,
      ),
    start: loop.start,
    settle: loop.settle,
    stop: loop.stop,
  };
}

function crossedEvent(id: string, row: LevelRow, { built }: ServedQuote, atMs: number) {
  const { last, change, data, currency } = built;
  const direction = directionOf(row);
  const threshold = (row.above ?? row.below ?? row.percent)!;
  return {
    id,
    tenantId: row.tenantId,
    type: "stock.level_crossed",
    at: atMs,
    tags: [...new Set([row.symbol, row.key, ...row.tags])],
    data: {
      title: titleOf(row, last!.price, currency, change?.percent ?? null),
      direction,
      threshold,
      level: viewLevel(row),
      price: last!.price,
      change_percent: change?.percent ?? null,
      currency,
      at: formatTime(atMs),
      simulated: data.simulated,
      label: data.label,
    },
  };
}

/** "AAPL rose to 300.10 USD, above your level of 300.00." */
function titleOf(row: LevelRow, price: string, currency: string | null, percent: string | null): string {
  const up = directionOf(row) === "up";
  const amount = currency ? `${price} ${currency}` : price;
  const moved = `${row.symbol} ${up ? "rose" : "fell"} to ${amount}`;
  if (row.percent !== null) return `${moved}, a move of ${percent} %, beyond your level of ${row.percent} %.`;
  return `${moved}, ${up ? "above" : "below"} your level of ${row.above ?? row.below}.`;
}
