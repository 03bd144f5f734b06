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
    const { head, tail, limits } = profileTexts(principal, stored);
    const resetAt = formatTime(now + quota.resetMs);
    const left = `"remaining":${quota.remaining},"window_seconds":${WINDOW_SECONDS},"reset_at":"${resetAt}"`;
    const used = `"today":${totals.today},"this_month":${totals.thisMonth}`;
    return new JsonText(`${head}${left}},"usage":{${used}},"limits":${limits},${tail}`);
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

interface ProfileTexts {
  head: string;
  tail: string;
  /** What is stored, and its text: the same object is shown again and again while it is fresh. */
  stored: object;
  limits: string;
}

const TEXTS = new WeakMap<Principal, ProfileTexts>();

/** A profile as JSON around its quota and usage, which alone change while a key is held. */
function profileTexts(principal: Principal, stored: object): ProfileTexts {
  const known = TEXTS.get(principal);
  if (known?.stored === stored) return known;
  const limits = shareText(JSON.stringify(stored));
  const made = known ? { ...known, stored, limits } : { ...identityTexts(principal), stored, limits };
  TEXTS.set(principal, made);
  return made;
}

function identityTexts({ caller, account, key }: Principal): Pick<ProfileTexts, "head" | "tail"> {
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
  return { head: `${JSON.stringify(head).slice(0, -2)},`, tail: JSON.stringify(tail).slice(1) };
}

const SHARED_TEXTS = new Map<string, string>();
const MAX_SHARED = 500;

/** Accounts that store the same, as most that store nothing do, share one text of 1.6 kB that stays in the processor's cache. */
function shareText(text: string): string {
  const shared = SHARED_TEXTS.get(text);
  if (shared !== undefined) return shared;
  if (SHARED_TEXTS.size >= MAX_SHARED) SHARED_TEXTS.clear();
  SHARED_TEXTS.set(text, text);
  return text;
}
