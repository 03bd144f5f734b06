// /stock/levels: create, list and remove price levels. background/level-watcher.ts watches them.
import type { Static } from "typebox";
import { handle, type Call, type Handler, type Mode } from "../../../contract/define.ts";
import { Failure } from "../../../contract/errors.ts";
import { invalid } from "../../../contract/registry.ts";
import { isZero } from "../../../lib/decimal.ts";
import { transact } from "../../../platform/idempotency/index.ts";
import { notFound, readPage, type Platform } from "../../../platform/platform.ts";
import * as contract from "../contract/index.ts";
import type { LevelWatcher } from "../background/level-watcher.ts";
import type { Security } from "../engine/upstream/source.ts";
import { step } from "../machine.ts";
import { symbolFailure, type Securities } from "../securities.ts";
import { SETTINGS_HINT, type Quotes, type QuoteBackend } from "./quotes.ts";
import type { LevelRow, StockStore } from "../store.ts";
import { viewLevel } from "../view.ts";

const MAX_LEVELS = 1000;

export interface LevelDeps {
  platform: Platform;
  store: StockStore;
  watcher: LevelWatcher;
  securities: Securities;
  quotes: Quotes;
  backends: Record<Mode, QuoteBackend>;
}

type CreateCall = Call<unknown, unknown, Static<typeof contract.LevelRequest>>;
type ListCall = Call<unknown, Static<NonNullable<typeof contract.listLevels.query>>>;
type IdCall = Call<{ id: string }>;

async function createLevel(deps: LevelDeps, call: CreateCall) {
  const { platform, store, watcher, securities, quotes, backends } = deps;
  const { caller, body } = call;
  checkTerms(body);
  const found = securities.find(body.symbol);
  if (!found.ok) throw symbolFailure(found.failure);
  const now = await Promise.resolve(quotes.find(call, body.symbol, Infinity));
  if (!now.ok && backends[caller.mode].sources.length === 0) {
    throw new Failure(
      "provider_not_configured",
      "No source of quotes is configured for live keys, so no level can be watched.",
      { hint: SETTINGS_HINT },
    );
  }
  if ((await store.countLevels(caller.tenantId)) >= MAX_LEVELS)
    throw new Failure("plan_limit_reached", `There are already ${MAX_LEVELS} levels.`);
  const row = newRow(platform.makeId("lvl"), call, found.security);
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
  watcher.add(row);
  return view;
}

function newRow(id: string, { caller, body, now }: CreateCall, security: Security): LevelRow {
  return {
    id,
    tenantId: caller.tenantId,
    mode: caller.mode,
    key: security.key,
    symbol: security.symbol,
    mic: security.mic,
    above: body.above ?? null,
    below: body.below ?? null,
    percent: body.percent ?? null,
    hysteresis: body.hysteresis ?? null,
    repeat: body.repeat ?? false,
    state: "waiting",
    tags: body.tags ?? [],
    createdAt: now,
    crossedAt: null,
    crossedPrice: null,
  };
}

function listLevels({ platform, store }: LevelDeps, call: ListCall) {
  const { tenantId } = call.caller;
  return readPage(
    platform.cursors,
    `stock.levels:${tenantId}`,
    call.query,
    (after, count) => store.listLevels(tenantId, after, count),
    (row) => row.id,
    viewLevel,
  );
}

async function deleteLevel({ platform, store, watcher }: LevelDeps, call: IdCall) {
  const view = await transact(platform.db, call, async (tx) => {
    const row = await store.deleteLevel(tx, call.caller.tenantId, call.params.id);
    if (!row) throw notFound("level");
    return viewLevel(row);
  });
  watcher.remove(call.params.id);
  return view;
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

export const levelRoutes = (deps: LevelDeps): Handler[] => [
  handle(contract.createLevel, (call) => createLevel(deps, call)),
  handle(contract.listLevels, (call) => listLevels(deps, call)),
  handle(contract.deleteLevel, (call) => deleteLevel(deps, call)),
];
