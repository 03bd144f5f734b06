// Watches price levels: every price moves the state machine; a crossing appends its event in the same transaction.
import type { Logger } from "pino";
import type { Clock } from "../../../lib/clock.ts";
import type { MakeId } from "../../../lib/id.ts";
import { formatTime } from "../../../lib/time.ts";
import { appendEvents } from "../../../platform/events/index.ts";
import type { ServedQuote } from "../engine/quote/serve.ts";
import { step } from "../machine.ts";
import type { LevelRow, StockStore } from "../store.ts";
import { viewLevel } from "../view.ts";

const REFRESH_MS = 5000;

export interface LevelWatcher {
  add(row: LevelRow): void;
  remove(id: string): void;
  /** Checks every level of this tenant and security against a new price. */
  check(tenantId: number, key: string, quote: ServedQuote): Promise<void>;
  /** The same for every tenant of this mode that watches the security. */
  checkMode(mode: "live" | "test", key: string, quote: ServedQuote): Promise<void>;
  start(): void;
  stop(): void;
}

export function createLevelWatcher(deps: {
  store: StockStore;
  clock: Clock;
  log: Logger;
  makeId: MakeId;
  /** The current quote of a level's security, or null; called every few seconds. */
  currentQuote(row: LevelRow): Promise<ServedQuote | null>;
}): LevelWatcher {
  const { store, clock, log, makeId } = deps;
  let rows = new Map<string, LevelRow>();
  let byKey = new Map<string, LevelRow[]>();
  let stopTimer = () => {};
  let busy = false;

  function index(): void {
    byKey = new Map();
    for (const row of rows.values()) {
      const name = `${row.tenantId}|${row.key}`;
      byKey.set(name, [...(byKey.get(name) ?? []), row]);
    }
  }

  async function observe(row: LevelRow, quote: ServedQuote): Promise<void> {
    const { last, change, data, currency } = quote.built;
    if (!last) return;
    const moved = step(row.state, row, { price: last.price, changePercent: change?.percent ?? null });
    if (moved.state === row.state && !moved.fired) return;
    const from = row.state;
    row.state = moved.state;
    const at = clock.now();
    try {
      await store.transaction(async (tx) => {
        const now = await store.moveLevel(
          tx,
          row.id,
          from,
          moved.state,
          moved.fired ? { at, price: last.price } : null,
        );
        if (!now || !moved.fired) return;
        await appendEvents(tx, [
          {
            id: makeId("evt"),
            tenantId: row.tenantId,
            type: "stock.level_crossed",
            at,
            tags: [...new Set([row.symbol, row.key, ...row.tags])],
            data: {
              level: viewLevel(now),
              price: last.price,
              currency,
              at: formatTime(at),
              simulated: data.simulated,
              label: data.label,
            },
          },
        ]);
      });
      if (moved.state === "done") {
        rows.delete(row.id);
        index();
      }
    } catch (error) {
      row.state = from;
      log.error({ error: String(error), level: row.id }, "a price level could not be moved; it is tried again");
    }
  }

  async function refresh(): Promise<void> {
    if (busy) return;
    busy = true;
    try {
      rows = new Map((await store.activeLevels()).map((row) => [row.id, row]));
      index();
      for (const row of [...rows.values()]) {
        const quote = await deps.currentQuote(row);
        if (quote) await observe(row, quote);
      }
    } catch (error) {
      log.warn({ error: String(error) }, "price levels could not be checked");
    } finally {
      busy = false;
    }
  }

  const checkRows = async (list: LevelRow[], quote: ServedQuote) => {
    for (const row of list) await observe(row, quote);
  };

  return {
    add(row) {
      rows.set(row.id, row);
      index();
    },
    remove(id) {
      rows.delete(id);
      index();
    },
    check: (tenantId, key, quote) => checkRows([...(byKey.get(`${tenantId}|${key}`) ?? [])], quote),
    checkMode: (mode, key, quote) =>
      checkRows(
        [...rows.values()].filter((r) => r.mode === mode && r.key === key),
        quote,
      ),
    start() {
      stopTimer = clock.every(REFRESH_MS, () => void refresh());
    },
    stop: () => stopTimer(),
  };
}
