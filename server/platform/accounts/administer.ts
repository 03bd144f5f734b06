// What only the operator does to accounts: suspend, resume and delete them, and make the first one.
import { type Scope, SCOPES } from "../../contract/define.ts";
import type { Tx } from "../../store/db.ts";
import { bumpGeneration } from "../keys/index.ts";
import type { Platform } from "../platform.ts";
import { openAccount, openTestAccount } from "./open.ts";
import { deleteAccountRows, lockIfEmpty, updateSuspension } from "./store.ts";

/** False when there is no such account. */
export function suspendAccount(platform: Platform, accountId: string): Promise<boolean> {
  return changeAccount(platform, accountId, "account.suspended", (tx) =>
    updateSuspension(tx, accountId, platform.clock.now()),
  );
}

/** False when there is no such account. */
export function resumeAccount(platform: Platform, accountId: string): Promise<boolean> {
  return changeAccount(platform, accountId, "account.resumed", (tx) => updateSuspension(tx, accountId, null));
}

/** Removes the account with everything both of its worlds hold; the audit log keeps its entries. */
export function deleteAccount(platform: Platform, accountId: string): Promise<boolean> {
  return changeAccount(platform, accountId, "account.deleted", (tx) => deleteAccountRows(tx, accountId));
}

function changeAccount(
  { db, clock, audit }: Platform,
  accountId: string,
  action: string,
  change: (tx: Tx) => Promise<boolean>,
): Promise<boolean> {
  return db.sql.begin(async (tx: Tx) => {
    if (!(await change(tx))) return false;
    await bumpGeneration(tx);
    await audit.record(tx, { accountId, actor: "operator", action, target: accountId }, clock.now());
    return true;
  });
}

export interface FirstAccount {
  accountId: string;
  liveKey: string | null;
}

/**
 * Makes the first account of an empty store; null when there is one already. `keepTestKey` runs before the account is
 * committed, so that a stop in between leaves no account without a key. The live key has every scope but admin.
 */
export function openFirstAccount(
  platform: Platform,
  { withLiveKey, keepTestKey }: { withLiveKey: boolean; keepTestKey(key: string): void },
): Promise<FirstAccount | null> {
  const order = { name: "First account", email: null, plan: "max" as const, actor: "operator" };
  const testScopes: Scope[] = [...SCOPES];
  const liveScopes = SCOPES.filter((scope) => scope !== "admin");
  return platform.db.sql.begin(async (tx: Tx) => {
    if (!(await lockIfEmpty(tx))) return null;
    const open = withLiveKey ? openAccount : openTestAccount;
    const made = await open(platform, tx, { ...order, scopes: testScopes, liveScopes }, platform.clock.now());
    keepTestKey(made.test_key.key);
    return { accountId: made.account.user_id, liveKey: made.live_key?.key ?? null };
  });
}
