// GET /user/profile and POST /admin/accounts.
import { type Call, handle, JsonText, type Principal, SCOPES } from "../../contract/define.ts";
import { chain } from "../../lib/chain.ts";
import { formatTime } from "../../lib/time.ts";
import { toIso } from "../../store/db.ts";
import { transact } from "../idempotency/index.ts";
import { QUOTAS, WINDOW_SECONDS } from "../plans/index.ts";
import type { Module, Platform } from "../platform.ts";
import type { Totals, Usage } from "../usage/index.ts";
import type { Caps } from "../caps/index.ts";
import { createAccount, getProfile } from "./contract.ts";
import { openAccount, openTestAccount } from "./open.ts";

const EVERYDAY_SCOPES = SCOPES.filter((scope) => scope !== "admin");

export function createAccounts(platform: Platform, { usage, caps }: { usage: Usage; caps: Caps }): Module {
  function profile(call: Call) {
    const { tenantId, plan } = call.caller;
    return chain(usage.totals(tenantId, call.now), (totals) =>
      chain(caps.usageOf(tenantId, plan, call.now), (stored) => viewProfile(call, totals, stored)),
    );
  }

  function viewProfile({ principal, quota, now }: Call, totals: Totals, stored: object): JsonText {
    const [head, tail] = profileTexts(principal);
    const resetAt = formatTime(now + quota.resetMs);
    const left = `"remaining":${quota.remaining},"window_seconds":${WINDOW_SECONDS},"reset_at":"${resetAt}"`;
    const used = `"today":${totals.today},"this_month":${totals.thisMonth}`;
    return new JsonText(`${head}${left}},"usage":{${used}},"limits":${jsonOf(stored)},${tail}`);
  }

  function create(call: Call) {
    const { name, email = null, plan } = call.body;
    const order = { name, email, plan, scopes: EVERYDAY_SCOPES, actor: call.caller.keyId };
    return transact(platform.db, call, async (tx) =>
      call.caller.mode === "live"
        ? openAccount(platform, tx, order, call.now)
        : openTestAccount(platform, tx, order, call.now),
    );
  }

  return { handlers: [handle(getProfile, profile), handle(createAccount, create)] };
}

const JSON_TEXTS = new WeakMap<object, string>();

/** The same object is shown again and again while it is fresh. */
function jsonOf(value: object): string {
  let text = JSON_TEXTS.get(value);
  if (text === undefined) JSON_TEXTS.set(value, (text = JSON.stringify(value)));
  return text;
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
    key: { id: caller.keyId, name: key.name, prefix: key.prefix, expires_at: toIso(key.expiresMs) },
    quota: { limit: QUOTAS[caller.plan] },
  };
  const tail = { created_at: toIso(account.createdMs) };
  const made: [string, string] = [`${JSON.stringify(head).slice(0, -2)},`, JSON.stringify(tail).slice(1)];
  TEXTS.set(principal, made);
  return made;
}
