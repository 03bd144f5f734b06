// Makes keys, and shows them. The text of a key is not kept anywhere.
import type { Mode, Scope } from "../../contract/define.ts";
import { hashKey, makeKey } from "../../lib/checksum-key.ts";
import { toIso, type Tx } from "../../store/db.ts";
import type { Platform } from "../platform.ts";
import { insertKey, type KeyRow } from "./store.ts";

export interface KeyOrder {
  accountId: string;
  tenantId: number;
  mode: Mode;
  name: string;
  scopes: Scope[];
  expiresMs: number | null;
  ipAllowlist: string[];
  createdBy: string | null;
}

/** Makes a key inside the caller's transaction and returns it with its text. */
export async function issueKey(platform: Platform, tx: Tx, order: KeyOrder, now: number) {
  const text = makeKey(order.mode, platform.random);
  const row = {
    ...order,
    id: platform.makeId("key"),
    hash: hashKey(platform.secret, text),
    prefix: text.slice(0, 12),
    last4: text.slice(-4),
    createdMs: now,
  };
  await insertKey(tx, row);
  return { ...viewKey({ ...row, revokedMs: null, lastUsedMs: null, rolledTo: null }), key: text };
}

export function viewKey(row: KeyRow) {
  return {
    id: row.id,
    name: row.name,
    mode: row.mode,
    prefix: row.prefix,
    last4: row.last4,
    scopes: row.scopes,
    ip_allowlist: row.ipAllowlist,
    expires_at: toIso(row.expiresMs),
    revoked_at: toIso(row.revokedMs),
    last_used_at: toIso(row.lastUsedMs),
    created_at: toIso(row.createdMs),
  };
}
