// Accounts and their two worlds. An account is made with one tenant per mode, and its first keys.
import { handle, JsonText, type Mode, type Plan, type Principal, type Scope, scopes } from "../../contract/define.ts";
import { chain } from "../../lib/chain.ts";
import { formatTime } from "../../lib/time.ts";
import { toIso, type Tx } from "../../store/db.ts";
import { transact } from "../idempotency/index.ts";
import { issueKey } from "../keys/index.ts";
import { quotas, windowSeconds } from "../plans/index.ts";
import type { Module, Platform } from "../platform.ts";
import type { Usage } from "../usage/index.ts";
import { createAccount, getProfile } from "./contract.ts";

export interface AccountOrder {
  name: string;
  email: string | null;
  plan: Plan;
  scopes: Scope[];
  actor: string;
}

const everydayScopes = scopes.filter((scope) => scope !== "admin");

/** Makes an account, its tenants and its first two keys inside the caller's transaction. */
export async function openAccount(platform: Platform, tx: Tx, order: AccountOrder, now: number) {
  const account = {
    id: platform.makeId("usr"),
    name: order.name,
    email: order.email,
    plan: order.plan,
    created_at: new Date(now),
  };
  await tx`
    insert into accounts (id, name, email, plan, created_at)
    values (${account.id}, ${account.name}, ${account.email}, ${account.plan}, ${account.created_at})`;
  const keyFor = async (mode: Mode) => {
    const [tenant] = await tx`insert into tenants (account_id, mode) values (${account.id}, ${mode}) returning id`;
    const common = { name: `First ${mode} key`, expiresAt: null, ipAllowlist: [], createdBy: order.actor };
    const { view } = await issueKey(platform, tx, { tenantId: tenant.id, mode, scopes: order.scopes, ...common }, now);
    return view;
  };
  const test_key = await keyFor("test");
  const live_key = await keyFor("live");
  const deed = {
    accountId: account.id,
    actor: order.actor,
    action: "account.created",
    target: account.id,
    detail: { plan: account.plan },
  };
  await platform.audit.record(tx, deed, now);
  return { account: viewAccount(account), test_key, live_key };
}

export function createAccounts(platform: Platform, { usage }: { usage: Usage }): Module {
  return {
    handlers: [
      handle(getProfile, (call) => {
        const { principal, quota } = call;
        return chain(usage.totals(call.caller.tenantId, call.now), (totals) => {
          const [head, tail] = profileTexts(principal);
          const resetAt = formatTime(call.now + quota.resetMs);
          const left = `"remaining":${quota.remaining},"window_seconds":${windowSeconds},"reset_at":"${resetAt}"`;
          const used = `"today":${totals.today},"this_month":${totals.this_month}`;
          return new JsonText(`${head}${left}},"usage":{${used}},${tail}`);
        });
      }),
      handle(createAccount, (call) =>
        transact(platform.db, call, (tx) => {
          const { name, email, plan } = call.body;
          return openAccount(
            platform,
            tx,
            { name, email: email ?? null, plan, scopes: everydayScopes, actor: call.caller.keyId },
            call.now,
          );
        }),
      ),
    ],
  };
}

const TEXTS = new WeakMap<Principal, [head: string, tail: string]>();

/** A profile as JSON around its quota and usage, which alone change while a key is held. */
function profileTexts(principal: Principal): [head: string, tail: string] {
  const known = TEXTS.get(principal);
  if (known) return known;
  const { caller, account, key } = principal;
  const head = {
    user_id: caller.accountId,
    name: account.name,
    email: account.email,
    plan: caller.plan,
    mode: caller.mode,
    scopes: [...caller.scopes],
    key: {
      id: caller.keyId,
      name: key.name,
      prefix: key.prefix,
      expires_at: toIso(key.expiresMs),
    },
    quota: { limit: quotas[caller.plan] },
  };
  const made: [string, string] = [
    `${JSON.stringify(head).slice(0, -2)},`,
    JSON.stringify({ created_at: toIso(account.createdMs) }).slice(1),
  ];
  TEXTS.set(principal, made);
  return made;
}

function viewAccount(row: { id: string; name: string; email: string | null; plan: Plan; created_at: Date }) {
  return {
    user_id: row.id,
    name: row.name,
    email: row.email,
    plan: row.plan,
    created_at: formatTime(row.created_at.getTime()),
  };
}
