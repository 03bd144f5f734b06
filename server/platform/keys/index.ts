// Keys: make, list, change, roll, revoke; and who a key is.
import { type Caller, handle, type Mode, type Scope } from "../../contract/define.ts";
import { Failure, invalid } from "../../contract/errors.ts";
import { hashKey, makeKey } from "../../lib/checksum-key.ts";
import { formatTime, parseTime } from "../../lib/time.ts";
import type { Tx } from "../../store/db.ts";
import { appendEvents } from "../events/index.ts";
import { transact } from "../idempotency/index.ts";
import { type Module, notFound, type Platform, readPage } from "../platform.ts";
import type { Authenticator } from "./authenticate.ts";
import { changeKey, createKey, listKeys, revokeKey, rollKey } from "./contract.ts";
import { bumpGeneration, insertKey, type KeyRow, listKeyRows, lockKey, updateKey } from "./store.ts";

export { createAuthenticator, type Authenticator, type KeyPrincipal } from "./authenticate.ts";

export interface KeyOrder {
  tenantId: number;
  mode: Mode;
  name: string;
  scopes: Scope[];
  expiresAt: Date | null;
  ipAllowlist: string[];
  createdBy: string | null;
}

/** Makes a key inside the caller's transaction and returns it with its text, which is not kept anywhere. */
export async function issueKey(platform: Platform, tx: Tx, order: KeyOrder, now: number) {
  const text = makeKey(order.mode, platform.random);
  const row = {
    id: platform.makeId("key"),
    tenant_id: order.tenantId,
    name: order.name,
    hash: hashKey(platform.secret, text),
    first: text.slice(0, 12),
    last: text.slice(-4),
    scopes: order.scopes,
    ip_allowlist: order.ipAllowlist,
    expires_at: order.expiresAt,
    created_by: order.createdBy,
    created_at: new Date(now),
  };
  await insertKey(tx, row);
  const shown: KeyRow = { ...row, mode: order.mode, revoked_at: null, last_used_at: null };
  return { row: shown, view: { ...viewKey(shown), key: text } };
}

export function createKeys(platform: Platform, authenticator: Authenticator): Module {
  const { db, audit, cursors } = platform;

  /** Every change of a key: locked, audited, told to all replicas. */
  const change = <T>(call: any, action: string, work: (tx: Tx, row: KeyRow) => Promise<T>) =>
    transact(db, call, async (tx) => {
      const row = await lockKey(tx, call.caller.tenantId, call.params.id);
      if (!row) throw notFound("key");
      const result = await work(tx, row);
      await bumpGeneration(tx);
      await audit.record(tx, deedOf(call, action, row.id), call.now);
      return result;
    }).finally(authenticator.forget);

  return {
    handlers: [
      handle(createKey, (call) =>
        transact(db, call, async (tx) => {
          const { name, mode, scopes, expires_at, ip_allowlist } = call.body;
          refuseMore(call.caller, scopes as Scope[]);
          if (mode === "live" && call.caller.mode === "test") {
            throw new Failure("insufficient_scope", "A test key cannot make a live key.", {
              hint: "Use a live key with keys:write.",
            });
          }
          const [tenant] =
            await tx`select id from tenants where account_id = ${call.caller.accountId} and mode = ${mode}`;
          const order = {
            tenantId: tenant.id,
            mode: mode as Mode,
            name,
            scopes: scopes as Scope[],
            expiresAt: readExpiry(expires_at, call.now),
            ipAllowlist: ip_allowlist ?? [],
            createdBy: call.caller.keyId,
          };
          const { view } = await issueKey(platform, tx, order, call.now);
          await audit.record(tx, deedOf(call, "key.created", view.id, { mode, scopes }), call.now);
          return view;
        }),
      ),
      handle(listKeys, (call) =>
        readPage(
          cursors,
          `keys ${call.caller.tenantId}`,
          call.query,
          (after, count) => listKeyRows(db.sql, call.caller.tenantId, after, count),
          (row) => row.id,
          viewKey,
        ),
      ),
      handle(changeKey, (call) =>
        change(call, "key.changed", async (tx, row) => {
          if (row.revoked_at) throw new Failure("wrong_state", "The key is revoked.", { hint: "Make a new key." });
          const { name, scopes, expires_at, ip_allowlist } = call.body;
          if (scopes) refuseMore(call.caller, scopes as Scope[]);
          row.name = name ?? row.name;
          row.scopes = (scopes as Scope[]) ?? row.scopes;
          row.ip_allowlist = ip_allowlist ?? row.ip_allowlist;
          if (expires_at !== undefined) row.expires_at = readExpiry(expires_at, call.now);
          await updateKey(tx, row);
          return viewKey(row);
        }),
      ),
      handle(revokeKey, (call) =>
        change(call, "key.revoked", async (tx, row) => {
          row.revoked_at ??= new Date(call.now);
          await updateKey(tx, row);
          return viewKey(row);
        }),
      ),
      handle(rollKey, (call) =>
        change(call, "key.rolled", async (tx, row) => {
          if (row.revoked_at) throw new Failure("wrong_state", "The key is revoked.", { hint: "Make a new key." });
          refuseMore(call.caller, row.scopes);
          const order = {
            tenantId: row.tenant_id,
            mode: row.mode,
            name: row.name,
            scopes: row.scopes,
            expiresAt: row.expires_at,
            ipAllowlist: row.ip_allowlist,
            createdBy: call.caller.keyId,
          };
          const { view } = await issueKey(platform, tx, order, call.now);
          const graceEnds = call.now + call.body.grace_seconds * 1000;
          row.expires_at = new Date(Math.min(graceEnds, row.expires_at?.getTime() ?? Infinity));
          await updateKey(tx, row, view.id);
          const data = {
            old_key_id: row.id,
            new_key_id: view.id,
            old_key_expires_at: formatTime(row.expires_at.getTime()),
          };
          await appendEvents(tx, [
            { id: platform.makeId("evt"), tenantId: row.tenant_id, type: "key.rolled", tags: [], data, at: call.now },
          ]);
          return view;
        }),
      ),
    ],
  };
}

function refuseMore(caller: Caller, wanted: Scope[]): void {
  const missing = wanted.filter((scope) => !caller.scopes.has(scope));
  if (missing.length === 0) return;
  throw new Failure("insufficient_scope", `This key cannot grant ${missing.join(", ")}, which it does not have.`, {
    hint: "Ask only for scopes that this key has.",
  });
}

function readExpiry(text: string | null | undefined, now: number): Date | null {
  if (text === null || text === undefined) return null;
  const ms = parseTime(text)!;
  if (ms > now) return new Date(ms);
  throw invalid("/expires_at", "expires_at must be in the future", "Send a later time, or null for never", "minimum");
}

function deedOf(call: any, action: string, target: string, detail: Record<string, unknown> = {}) {
  const { caller, clientAddress, requestId } = call;
  return { accountId: caller.accountId, actor: caller.keyId, action, target, clientAddress, requestId, detail };
}

function viewKey(row: KeyRow) {
  return {
    id: row.id,
    name: row.name,
    mode: row.mode,
    prefix: row.first,
    last4: row.last,
    scopes: row.scopes,
    ip_allowlist: row.ip_allowlist,
    expires_at: row.expires_at && formatTime(row.expires_at.getTime()),
    revoked_at: row.revoked_at && formatTime(row.revoked_at.getTime()),
    last_used_at: row.last_used_at && formatTime(row.last_used_at.getTime()),
    created_at: formatTime(row.created_at.getTime()),
  };
}
