// Opens accounts, lists them and changes their plan: what the routes, the command line and the first start share.
import type { Mode, Plan, Scope } from "../../contract/define.ts";
import { toIso, type Tx } from "../../store/db.ts";
import { bumpGeneration, issueKey } from "../keys/index.ts";
import type { Platform } from "../platform.ts";
import { type AccountRow, insertAccount, insertTenant, listAccountRows, updatePlan } from "./store.ts";

export interface AccountOrder {
  name: string;
  email: string | null;
  plan: Plan;
  scopes: Scope[];
  /** Of the live key where it may do less than the test key. */
  liveScopes?: Scope[];
  actor: string;
}

/** Makes an account, its two worlds and a first key in each, inside the caller's transaction. */
export async function openAccount(platform: Platform, tx: Tx, order: AccountOrder, now: number) {
  const { account, keyFor } = await openWorlds(platform, tx, order, now);
  return { account, test_key: await keyFor("test"), live_key: await keyFor("live") };
}

/** The same without a live key: who acts in the test world cannot obtain one. */
export async function openTestAccount(platform: Platform, tx: Tx, order: AccountOrder, now: number) {
  const { account, keyFor } = await openWorlds(platform, tx, order, now);
  return { account, test_key: await keyFor("test"), live_key: null };
}

async function openWorlds(platform: Platform, tx: Tx, order: AccountOrder, now: number) {
  const { name, email, plan, scopes, liveScopes = scopes, actor } = order;
  const row: AccountRow = { id: platform.makeId("usr"), name, email, plan, createdMs: now, suspendedMs: null };
  await insertAccount(tx, row);
  const tenants = {
    test: await insertTenant(tx, row.id, "test"),
    live: await insertTenant(tx, row.id, "live"),
  };
  const entry = { accountId: row.id, actor, action: "account.created", target: row.id, detail: { plan } };
  await platform.audit.record(tx, entry, now);
  const guards = { expiresMs: null, ipAllowlist: [], createdBy: actor };
  const keyFor = (mode: Mode) => {
    const granted = mode === "live" ? liveScopes : scopes;
    const key = { accountId: row.id, tenantId: tenants[mode], mode, name: `First ${mode} key`, scopes: granted };
    return issueKey(platform, tx, { ...key, ...guards }, now);
  };
  return { account: viewAccount(row), keyFor };
}

export async function listAccounts({ db }: Platform) {
  return (await listAccountRows(db)).map((row) => ({ ...viewAccount(row), suspended_at: toIso(row.suspendedMs) }));
}

/** False when there is no such account. */
export async function changePlan({ db, clock, audit }: Platform, accountId: string, plan: Plan): Promise<boolean> {
  return db.sql.begin(async (tx: Tx) => {
    if (!(await updatePlan(tx, accountId, plan))) return false;
    await bumpGeneration(tx);
    const entry = { accountId, actor: "operator", action: "account.plan_changed", target: accountId };
    await audit.record(tx, { ...entry, detail: { plan } }, clock.now());
    return true;
  });
}

function viewAccount({ id, name, email, plan, createdMs }: AccountRow) {
  return { user_id: id, name, email, plan, created_at: toIso(createdMs) };
}
