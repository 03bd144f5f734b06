// Rolls a key: a new key takes its place, and the old one works until its grace is over.
import { SECOND_MS } from "../../lib/time.ts";
import { toIso, type Tx } from "../../store/db.ts";
import { appendEvents } from "../events/index.ts";
import type { Platform } from "../platform.ts";
import { issueKey } from "./issue.ts";
import { type KeyRow, updateKey } from "./store.ts";

const DEFAULT_GRACE_SECONDS = 86_400;

export interface RollOrder {
  graceSeconds: number | undefined;
  createdBy: string;
  now: number;
}

/** Inside the caller's transaction, which holds the row. Returns the new key with its text, and when the old one ends. */
export async function rollRow(platform: Platform, tx: Tx, row: KeyRow, order: RollOrder) {
  const { accountId, tenantId, mode, name, scopes, expiresMs, ipAllowlist } = row;
  const { graceSeconds = DEFAULT_GRACE_SECONDS, createdBy, now } = order;
  const copy = { accountId, tenantId, mode, name, scopes, expiresMs, ipAllowlist, createdBy };
  const made = await issueKey(platform, tx, copy, now);
  const endsMs = Math.min(now + graceSeconds * SECOND_MS, expiresMs ?? Infinity);
  await updateKey(tx, { ...row, expiresMs: endsMs, rolledTo: made.id });
  const old = { old_key_id: row.id, old_key_expires_at: toIso(endsMs) };
  const data = { ...old, new_key_id: made.id };
  await appendEvents(tx, [{ id: platform.makeId("evt"), tenantId, type: "key.rolled", tags: [], data, at: now }]);
  return { ...made, ...old };
}
