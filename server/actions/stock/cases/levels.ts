// Price levels as use cases: make, list, remove. Watching them is live/levels.ts.
import { handle, type Handler, type Mode } from "../../../contract/define.ts";
import { Failure } from "../../../contract/errors.ts";
import { invalid } from "../../../contract/registry.ts";
import { isZero } from "../../../lib/decimal.ts";
import { transact } from "../../../platform/idempotency/index.ts";
import { notFound, readPage, type Platform } from "../../../platform/platform.ts";
import * as contract from "../contract.ts";
import type { Levels } from "../live/levels.ts";
import { step } from "../machine.ts";
import type { Securities } from "./securities.ts";
import { SETTINGS_HINT, type Quotes, type World } from "../service.ts";
import { viewLevel, type LevelRow, type StockStore } from "../store.ts";

const MAX_LEVELS = 1000;

export interface LevelDeps {
  platform: Platform;
  store: StockStore;
  levels: Levels;
  securities: Securities;
  quotes: Quotes;
  worlds: Record<Mode, World>;
}

export function createLevelRoutes({ platform, store, levels, securities, quotes, worlds }: LevelDeps): Handler[] {
  return [
    handle(contract.createLevel, async (call) => {
      const { caller, body } = call;
      checkTerms(body);
      const found = securities.find(body.symbol);
      if (!found.ok) {
        const { code, message, candidates } = found.failure;
        throw new Failure(
          code === "symbol_ambiguous" ? code : "symbol_invalid",
          message,
          candidates.length ? { hint: `Did you mean ${candidates.join(", ")}?` } : {},
        );
      }
      const now = await Promise.resolve(quotes.find(call, body.symbol, Infinity));
      if (!now.ok && worlds[caller.mode].sources.length === 0) {
        throw new Failure(
          "provider_not_configured",
          "No source of quotes is configured for live keys, so no level can be watched.",
          { hint: SETTINGS_HINT },
        );
      }
      if ((await store.countLevels(caller.tenantId)) >= MAX_LEVELS)
        throw new Failure("plan_limit_reached", `There are already ${MAX_LEVELS} levels.`);
      const { wanted } = found;
      const row: LevelRow = {
        id: platform.makeId("lvl"),
        tenantId: caller.tenantId,
        mode: caller.mode,
        key: wanted.key,
        symbol: wanted.symbol,
        mic: wanted.mic,
        above: body.above ?? null,
        below: body.below ?? null,
        percent: body.percent ?? null,
        hysteresis: body.hysteresis ?? null,
        repeat: body.repeat ?? false,
        state: "waiting",
        tags: body.tags ?? [],
        createdAt: call.now,
        crossedAt: null,
        crossedPrice: null,
      };
      const built = now.ok ? now.quote.built : null;
      if (built?.last)
        row.state = step("waiting", row, {
          price: built.last.price,
          changePercent: built.change?.percent ?? null,
        }).state;
      const view = await transact(platform.db, call, async (tx) => {
        await store.insertLevel(tx, row);
        return viewLevel(row);
      });
      levels.add(row);
      return view;
    }),
    handle(contract.listLevels, (call) => {
      const { tenantId } = call.caller;
      return readPage(
        platform.cursors,
        `stock.levels:${tenantId}`,
        call.query,
        (after, count) => store.listLevels(tenantId, after, count),
        (row) => row.id,
        viewLevel,
      );
    }),
    handle(contract.deleteLevel, async (call) => {
      const view = await transact(platform.db, call, async (tx) => {
        const row = await store.deleteLevel(tx, call.caller.tenantId, call.params.id);
        if (!row) throw notFound("level");
        return viewLevel(row);
      });
      levels.remove(call.params.id);
      return view;
    }),
  ];
}

function checkTerms(body: { above?: string; below?: string; percent?: string; hysteresis?: string }): void {
  const given = (["above", "below", "percent"] as const).filter((name) => body[name] !== undefined);
  if (given.length !== 1) {
    throw invalid([
      {
        pointer: `/${given[1] ?? "above"}`,
        code: given.length ? "conflict" : "required",
        detail: "exactly one of above, below and percent is needed",
        hint: 'Send e.g. {"symbol":"AAPL","above":"300.00"}',
      },
    ]);
  }
  const value = body[given[0]]!;
  if (isZero(value) || (given[0] !== "percent" && value.startsWith("-"))) {
    throw invalid([
      {
        pointer: `/${given[0]}`,
        code: "range",
        detail: `${given[0]} must not be ${isZero(value) ? "zero" : "negative"}`,
        hint: "Send a price above zero",
      },
    ]);
  }
  if (body.hysteresis?.startsWith("-"))
    throw invalid([
      { pointer: "/hysteresis", code: "range", detail: "hysteresis must not be negative", hint: "Send 0 or more" },
    ]);
}
