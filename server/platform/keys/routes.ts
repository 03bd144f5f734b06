// POST, GET, PATCH and DELETE /keys, and rolling. A key never reaches beyond its own rights and guards (bounds.ts).
import { type Call, handle, type Mode, type Scope } from "../../contract/define.ts";
import { Failure, invalid } from "../../contract/errors.ts";
import { DAY_MS, parseTime } from "../../lib/time.ts";
import type { Tx } from "../../store/db.ts";
import { auditEntry } from "../audit/index.ts";
import { transact } from "../idempotency/index.ts";
import { findOr404, readPage } from "../pages.ts";
import type { Module, Platform } from "../platform.ts";
import { retentionNow } from "../retention/index.ts";
import type { Authenticator } from "./authenticate.ts";
import { boundAllowlist, boundExpiry, type Bounds, refuseMoreScopes, refuseWiderGuards } from "./bounds.ts";
import * as contract from "./contract.ts";
import { issueKey, viewKey } from "./issue.ts";
import { rollRow } from "./roll.ts";
import { bumpGeneration, findTenant, forgetKeys, type KeyRow, listKeyRows, lockKey, updateKey } from "./store.ts";

export interface KeysOptions {
  authenticator: Authenticator;
  /** How long a key that was revoked or has expired is still listed. */
  retentionDays: number;
}

export function createKeys(platform: Platform, { authenticator, retentionDays }: KeysOptions): Module {
  const { db, audit, cursors } = platform;

  /** Every change of a key: within the caller's bounds, locked, audited, announced to all replicas. */
  const change = <T>(call: Call, action: string, work: (tx: Tx, row: KeyRow, bounds: Bounds) => Promise<T>) =>
    transact(db, call, async (tx) => {
      const row = await findOr404("key", lockKey(tx, call.params.id, call.caller.tenantId));
      const bounds = boundsOf(call);
      refuseMoreScopes(bounds, row.scopes);
      const result = await work(tx, row, bounds);
      await bumpGeneration(tx);
      await audit.record(tx, auditEntry(call, action, row.id), call.now);
      return result;
    }).finally(authenticator.forget);

  function list(call: Call) {
    const { tenantId } = call.caller;
    return readPage({
      cursors,
      list: `keys ${tenantId}`,
      query: call.query,
      read: (after, count) => listKeyRows(db.sql, tenantId, after, count),
      position: (row) => row.id,
      view: viewKey,
    });
  }

  const update = (call: Call) =>
    change(call, "key.changed", async (tx, row, bounds) => {
      refuseRevoked(row);
      const { name, scopes, expires_at, ip_allowlist } = call.body;
      if (scopes) refuseMoreScopes(bounds, scopes as Scope[]);
      if (scopes || ip_allowlist || expires_at !== undefined) refuseWiderGuards(bounds, row);
      const expiresMs = readExpiry(expires_at, call.now);
      if (expiresMs !== undefined) refuseLongerLife(row, expiresMs);
      row.name = name ?? row.name;
      row.scopes = scopes ?? row.scopes;
      if (ip_allowlist) row.ipAllowlist = boundAllowlist(bounds, ip_allowlist);
      if (expiresMs !== undefined) row.expiresMs = boundExpiry(bounds, expiresMs);
      await updateKey(tx, row);
      return viewKey(row);
    });

  const revoke = (call: Call) =>
    change(call, "key.revoked", async (tx, row) => {
      row.revokedMs ??= call.now;
      await updateKey(tx, row);
      return viewKey(row);
    });

  const roll = (call: Call) =>
    change(call, "key.rolled", async (tx, row, bounds) => {
      refuseRevoked(row);
      refuseWiderGuards(bounds, row);
      const order = { graceSeconds: call.body?.grace_seconds, createdBy: call.caller.keyId, now: call.now };
      return rollRow(platform, tx, row, order);
    });

  return {
    handlers: [
      handle(contract.createKey, (call) => createKey(platform, call)),
      handle(contract.listKeys, list),
      handle(contract.changeKey, update),
      handle(contract.revokeKey, revoke),
      handle(contract.rollKey, roll),
    ],
    jobs: [
      {
        name: "keys.forget",
        cron: "47 * * * *",
        run: async () => forgetKeys(db, (await retentionNow(platform, "keys.forget")) - retentionDays * DAY_MS),
      },
    ],
  };
}

function createKey(platform: Platform, call: Call) {
  const { name, scopes, expires_at, ip_allowlist } = call.body;
  const mode: Mode = call.body.mode ?? call.caller.mode;
  const { accountId, keyId } = call.caller;
  return transact(platform.db, call, async (tx) => {
    const bounds = boundsOf(call);
    refuseMoreScopes(bounds, scopes);
    if (mode === "live" && call.caller.mode === "test") {
      const hint = "Use a live key with keys:write.";
      throw new Failure("insufficient_scope", "A test key cannot make a live key.", { hint });
    }
    const order = {
      accountId,
      tenantId: (await findTenant(tx, accountId, mode))!,
      mode,
      name,
      scopes,
      expiresMs: boundExpiry(bounds, readExpiry(expires_at, call.now)),
      ipAllowlist: boundAllowlist(bounds, ip_allowlist),
      createdBy: keyId,
    };
    const made = await issueKey(platform, tx, order, call.now);
    await platform.audit.record(tx, { ...auditEntry(call, "key.created", made.id, { mode, scopes }), mode }, call.now);
    return made;
  });
}

function boundsOf({ caller, principal }: Call): Bounds {
  const { expiresMs, ipAllowlist } = principal.key;
  return { scopes: caller.scopes, expiresMs: expiresMs ?? Infinity, ipAllowlist };
}

/** Undefined when nothing was said about it. */
function readExpiry(text: string | null | undefined, now: number): number | null | undefined {
  if (text === null || text === undefined) return text;
  const ms = parseTime(text)!;
  if (ms > now) return ms;
  throw invalid("/expires_at", "expires_at must be in the future", "Send a later time, or null for never", "minimum");
}

function refuseRevoked(row: KeyRow): void {
  if (row.revokedMs !== null) throw new Failure("wrong_state", "The key is revoked.", { hint: "Make a new key." });
}

/** A replaced key may have leaked: its end can only be brought forward. */
function refuseLongerLife(row: KeyRow, wantedMs: number | null): void {
  if (row.rolledTo === null || (wantedMs ?? Infinity) <= (row.expiresMs ?? Infinity)) return;
  const detail = `The key was replaced by ${row.rolledTo}; its end can only be brought forward.`;
  throw new Failure("wrong_state", detail, { hint: "Use the new key, or make another one." });
}
