// /stock/levels: create, list, read, change and remove price levels. background/level-watcher.ts watches them.
import { handle, type CallOf, type Handler } from "../../../contract/define.ts";
import { Failure, invalid } from "../../../contract/errors.ts";
import { isZero, type Decimal } from "../../../lib/decimal.ts";
import { transact } from "../../../platform/idempotency/index.ts";
import { findOr404, readPage } from "../../../platform/pages.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { LevelWatcher } from "../background/level-watcher.ts";
import * as contract from "../contract/index.ts";
import type { QuoteFailure } from "../engine/upstream/source.ts";
import { directionOf, rearmPrice, step, type LevelTerms } from "../machine.ts";
import { symbolFailure, type Securities } from "../securities.ts";
import type { LevelRow, StockStore } from "../store.ts";
import { viewLevel } from "../view.ts";
import { findQuote, SETTINGS_HINT, type QuoteDeps, type QuoteResult } from "./find-quote.ts";

const MAX_LEVELS = 1000;

export interface LevelDeps {
  platform: Platform;
  store: StockStore;
  watcher: LevelWatcher;
  securities: Securities;
  quotes: QuoteDeps;
}

const CONDITIONS = ["above", "below", "percent"] as const;
type Conditions = Partial<Record<(typeof CONDITIONS)[number], Decimal>>;

async function createLevel(deps: LevelDeps, call: CallOf<typeof contract.createLevel>) {
  const { platform, store, watcher, securities, quotes } = deps;
  const { caller, body } = call;
  const condition = readCondition(body)!;
  const place = body.mic ?? body.country;
  const found = securities.find(body.symbol, place);
  if (!found.ok) throw symbolFailure(found.failure);
  const { security } = found;
  await quotes.books.ready(caller.tenantId);
  const now = await findQuote(quotes, body.symbol, { tenantId: caller.tenantId, mode: caller.mode, place });
  if (!now.ok) refuseHopeless(now.failure, quotes.backends[caller.mode].sources.length > 0);
  if ((await store.countLevels(caller.tenantId)) >= MAX_LEVELS)
    throw new Failure("plan_limit_reached", `There are already ${MAX_LEVELS} levels.`);
  const row: LevelRow = {
    ...condition,
    id: platform.makeId("lvl"),
    tenantId: caller.tenantId,
    mode: caller.mode,
    key: security.key,
    symbol: security.symbol,
    mic: security.mic,
    hysteresis: readHysteresis(body.hysteresis),
    repeat: body.repeat ?? false,
    state: "waiting",
    tags: body.tags ?? [],
    createdMs: call.now,
    crossedMs: null,
    crossedPrice: null,
  };
  const warnings = startFrom(row, now, call.now);
  const view = await transact(platform.db, call, async (tx) => {
    await store.insertLevel(tx, row);
    return { ...viewLevel(row), warnings };
  });
  watcher.add(row);
  return view;
}

async function updateLevel(deps: LevelDeps, call: CallOf<typeof contract.updateLevel>) {
  const { platform, store, watcher, quotes } = deps;
  const { tenantId, mode } = call.caller;
  const { body, params } = call;
  const condition = readCondition(body);
  const { key } = await findOr404("level", store.findLevel(tenantId, params.id));
  await quotes.books.ready(tenantId);
  const now = condition ? await findQuote(quotes, key, { tenantId, mode }) : null;
  let changed: LevelRow | null = null;
  const view = await transact(platform.db, call, async (tx) => {
    const row = await findOr404("level", store.lockLevel(tx, tenantId, params.id));
    changed = {
      ...row,
      ...condition,
      hysteresis: body.hysteresis === undefined ? row.hysteresis : readHysteresis(body.hysteresis),
      repeat: body.repeat ?? row.repeat,
      tags: body.tags ?? row.tags,
      state: condition ? "waiting" : row.state,
    };
    const warnings = now ? startFrom(changed, now, call.now) : [];
    await store.updateLevel(tx, changed);
    return { ...viewLevel(changed), warnings };
  });
  if (changed) watcher.add(changed);
  return view;
}

function listLevels({ platform, store, securities }: LevelDeps, call: CallOf<typeof contract.listLevels>) {
  const { tenantId } = call.caller;
  const { symbol, state, tag } = call.query;
  const found = symbol === undefined ? null : securities.find(symbol);
  if (found && !found.ok) throw symbolFailure(found.failure);
  const filter = { key: found ? found.security.key : null, state: state ?? null, tag: tag ?? null };
  return readPage({
    cursors: platform.cursors,
    list: `stock.levels:${tenantId}:${JSON.stringify(filter)}`,
    query: call.query,
    read: (after, count) => store.listLevels(tenantId, filter, after, count),
    position: (row) => row.id,
    view: viewLevel,
  });
}

async function getLevel({ store }: LevelDeps, call: CallOf<typeof contract.getLevel>) {
  return viewLevel(await findOr404("level", store.findLevel(call.caller.tenantId, call.params.id)));
}

async function deleteLevel({ platform, store, watcher }: LevelDeps, call: CallOf<typeof contract.deleteLevel>) {
  const view = await transact(platform.db, call, async (tx) =>
    viewLevel(await findOr404("level", store.deleteLevel(tx, call.caller.tenantId, call.params.id))),
  );
  watcher.remove(call.params.id);
  return view;
}

/** A level that no price can ever reach is refused; one whose price is only late is not. */
function refuseHopeless(failure: QuoteFailure, hasSources: boolean): void {
  if (!hasSources)
    throw new Failure(
      "provider_not_configured",
      "No source of quotes is configured for live keys, so no level can be watched.",
      {
        hint: SETTINGS_HINT,
      },
    );
  if (failure.code !== "symbol_not_found" && failure.code !== "delisted") return;
  const near = failure.candidates.length > 0 ? `Did you mean ${failure.candidates.slice(0, 5).join(", ")}? ` : "";
  throw new Failure("symbol_not_found", failure.message, {
    hint: `${near}For a security of your own feed, push its first tick to POST /stock/ticks before the level.`,
  });
}

/** Sets the level's state by the current price, and says why it may not fire as expected. */
function startFrom(row: LevelRow, now: QuoteResult, nowMs: number): string[] {
  if (!now.ok) return [`There is no price yet (${now.failure.message}) The level waits for the first one.`];
  const { last, change, currency } = now.quote.built;
  const { stale, stale_reason } = now.quote.freshness(nowMs, now.cache);
  if (!last || stale)
    return [`There is no fresh price yet (${stale_reason ?? "no trade"}). The level waits for the first one.`];
  row.state = step("waiting", row, { price: last.price, changePercent: change?.percent ?? null }).state;
  if (row.percent !== null && !change)
    return ["No previous close is known, so a move in percent cannot be measured. The level waits for one."];
  if (row.state !== "beyond") return [];
  const unit = row.percent === null ? (currency ?? "") : "percent";
  const current = row.percent === null ? last.price : change!.percent;
  const side = directionOf(row) === "up" ? "below" : "above";
  return [
    `${row.symbol} is at ${current} ${unit}, already beyond ${row.above ?? row.below ?? row.percent}. The level fires only after the value has come back to ${rearmPrice(row)} or ${side} and crosses again.`,
  ];
}

const CONDITION_HINT = 'Send e.g. {"above":"300.00"}';

/** The one condition that is given, with the others cleared; null when none is. */
function readCondition(body: Conditions): Pick<LevelTerms, keyof Conditions> | null {
  const given = CONDITIONS.filter((name) => body[name] !== undefined);
  if (given.length === 0) return null;
  if (given.length > 1)
    throw invalid(`/${given[1]}`, "only one of above, below and percent can be sent", CONDITION_HINT);
  const [name] = given;
  const value = body[name]!;
  if (isZero(value)) throw invalid(`/${name}`, `${name} must not be zero`, CONDITION_HINT, "range");
  if (name !== "percent" && value.startsWith("-"))
    throw invalid(`/${name}`, `${name} must not be negative`, CONDITION_HINT, "range");
  return { above: null, below: null, percent: null, [name]: value };
}

function readHysteresis(value: Decimal | null | undefined): Decimal | null {
  if (value?.startsWith("-"))
    throw invalid("/hysteresis", "hysteresis must not be negative", 'Send e.g. {"hysteresis":"0.50"}', "range");
  return value ?? null;
}

export const levelRoutes = (deps: LevelDeps): Handler[] => [
  handle(contract.createLevel, (call) => createLevel(deps, call)),
  handle(contract.listLevels, (call) => listLevels(deps, call)),
  handle(contract.getLevel, (call) => getLevel(deps, call)),
  handle(contract.updateLevel, (call) => updateLevel(deps, call)),
  handle(contract.deleteLevel, (call) => deleteLevel(deps, call)),
];
