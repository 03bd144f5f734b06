// GET and PATCH /admin/accounts, GET /admin/plans, /admin/settings and /admin/health.
import { type CallOf, handle } from "../../../contract/define.ts";
import { Failure } from "../../../contract/errors.ts";
import { version } from "../../../contract/version.ts";
import { toIso } from "../../../store/db.ts";
import { auditEntry } from "../../audit/index.ts";
import { transact } from "../../idempotency/index.ts";
import { countDeadJobs } from "../../jobs/index.ts";
import { bumpGeneration } from "../../keys/index.ts";
import { findOr404, readPage } from "../../pages.ts";
import { CAP_KINDS, CAPS } from "../../plans/caps.ts";
import { PLANS, QUOTAS } from "../../plans/index.ts";
import type { Module, Platform } from "../../platform.ts";
import { countWaiting } from "../../webhooks/index.ts";
import { listAccounts, listPlans, listSettings, readHealth, updateAccount } from "./contract.ts";
import { type AccountStanding, changeAccountRow, countByPlan, listStandings } from "./store.ts";

export interface SettingView {
  name: string;
  value: string | null;
  default: string | null;
  changed: boolean;
  secret: boolean;
  description: string;
}

export interface OperatorDeps {
  settings: SettingView[];
  /** Names what is not ready; empty when everything is. */
  notReady(): Promise<string[]>;
  /** NaN when the store lies elsewhere. */
  freeBytes(): number;
}

const ANY_ACCOUNT = { plan: null, suspended: null, search: null, id: null };

export function createOperatorRoutes(platform: Platform, deps: OperatorDeps): Module {
  const { db, cursors, audit, clock } = platform;
  const startedMs = clock.now();

  function list({ query, now }: CallOf<typeof listAccounts>) {
    const { plan = null, suspended = null, search = null } = query;
    const filter = { ...ANY_ACCOUNT, plan, suspended, search };
    return readPage({
      cursors,
      list: `accounts ${JSON.stringify(filter)}`,
      query,
      read: (before, count) => listStandings(db, filter, before, count, now),
      position: (row) => row.id,
      view: viewStanding,
    });
  }

  function update(call: CallOf<typeof updateAccount>) {
    const { params, body, caller, now } = call;
    if (body.suspended && params.id === caller.accountId) throw ownAccount();
    return transact(db, call, async (tx) => {
      const change = { name: body.name ?? null, plan: body.plan ?? null, suspended: body.suspended ?? null };
      await findOr404("account", (await changeAccountRow(tx, params.id, change, now)) || null);
      await bumpGeneration(tx);
      const entry = auditEntry(call, "account.changed", params.id, { ...body });
      await audit.record(tx, { ...entry, accountId: params.id, mode: null }, now);
      const [row] = await listStandings({ sql: tx }, { ...ANY_ACCOUNT, id: params.id }, null, 1, now);
      return viewStanding(row);
    });
  }

  async function plans() {
    const accounts = await countByPlan(db);
    return {
      items: PLANS.map((name) => ({
        name,
        requests_per_minute: QUOTAS[name],
        accounts: accounts.get(name) ?? 0,
        limits: CAP_KINDS.map((kind) => ({ kind, rows: CAPS[kind][name][0], megabytes: CAPS[kind][name][1] })),
      })),
    };
  }

  async function health() {
    const [missing, jobsDead, retries] = await Promise.all([deps.notReady(), countDeadJobs(db), countWaiting(db)]);
    const free = deps.freeBytes();
    return {
      ready: missing.length === 0,
      missing,
      version,
      started_at: toIso(startedMs),
      disk_free_bytes: Number.isFinite(free) ? free : null,
      memory_bytes: process.memoryUsage.rss(),
      jobs_dead: jobsDead,
      webhook_retries: retries,
    };
  }

  return {
    handlers: [
      handle(listAccounts, list),
      handle(updateAccount, update),
      handle(listPlans, plans),
      handle(listSettings, () => ({ items: deps.settings })),
      handle(readHealth, health),
    ],
  };
}

function viewStanding({ id, createdMs, suspendedMs, requestsToday, ...rest }: AccountStanding) {
  return {
    user_id: id,
    ...rest,
    requests_today: requestsToday,
    suspended_at: toIso(suspendedMs),
    created_at: toIso(createdMs),
  };
}

function ownAccount(): Failure {
  return new Failure("conflict", "This key belongs to the account that it would suspend.", {
    hint: "Use a key of another account with the scope admin, or `connector accounts suspend`.",
  });
}
