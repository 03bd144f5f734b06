// Keys as the operator handles them on the command line: any account, both worlds, no bounds.
import type { Mode, Scope } from "../../contract/define.ts";
import type { Tx } from "../../store/db.ts";
import type { Platform } from "../platform.ts";
import { issueKey, viewKey } from "./issue.ts";
import { rollRow } from "./roll.ts";
import { bumpGeneration, findTenant, listAccountKeys, lockKey, updateKey } from "./store.ts";

export interface OperatorKeyOrder {
  accountId: string;
  mode: Mode;
  name: string;
  scopes: Scope[];
  expiresMs: number | null;
}

/** The new key with its text, or null when there is no such account. */
export async function createKeyByOperator(platform: Platform, order: OperatorKeyOrder) {
  const { db, clock, audit } = platform;
  return db.sql.begin(async (tx: Tx) => {
    const { accountId, mode, scopes } = order;
    const tenantId = await findTenant(tx, accountId, mode);
    if (tenantId === null) return null;
    const given = { ...order, tenantId, ipAllowlist: [], createdBy: "operator" };
    const made = await issueKey(platform, tx, given, clock.now());
    const entry = { accountId, mode, actor: "operator", action: "key.created", target: made.id };
    await audit.record(tx, { ...entry, detail: { mode, scopes } }, clock.now());
    return made;
  });
}

export async function listKeysByOperator({ db }: Platform, accountId: string) {
  return (await listAccountKeys(db.sql, accountId)).map(viewKey);
}

/** False when there is no such key. */
export async function revokeKeyByOperator({ db, clock, audit }: Platform, id: string): Promise<boolean> {
  return db.sql.begin(async (tx: Tx) => {
    const row = await lockKey(tx, id, null);
    if (!row) return false;
    const { accountId, mode } = row;
    await updateKey(tx, { ...row, revokedMs: row.revokedMs ?? clock.now() });
    await bumpGeneration(tx);
    await audit.record(tx, { accountId, mode, actor: "operator", action: "key.revoked", target: id }, clock.now());
    return true;
  });
}

/** The new key with its text; null when there is no such key, or it is revoked. */
export async function rollKeyByOperator(platform: Platform, id: string, graceSeconds?: number) {
  const { db, clock, audit } = platform;
  return db.sql.begin(async (tx: Tx) => {
    const row = await lockKey(tx, id, null);
    if (!row || row.revokedMs !== null) return null;
    const made = await rollRow(platform, tx, row, { graceSeconds, createdBy: "operator", now: clock.now() });
    await bumpGeneration(tx);
    const { accountId, mode } = row;
    await audit.record(tx, { accountId, mode, actor: "operator", action: "key.rolled", target: id }, clock.now());
    return made;
  });
}
