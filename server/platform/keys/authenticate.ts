// From an Authorization header to a caller. Keys are held in memory and checked against a counter in the store twice
// a second, so a revoked key stops working on every replica within a second, even when the store is away.
import type { Principal, Scope } from "../../contract/define.ts";
import { Failure } from "../../contract/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { hashKey, isKey } from "../../lib/checksum-key.ts";
import { createNetworkList } from "../../lib/network.ts";
import type { Db } from "../../store/db.ts";
import { findByHash, findByIds, type OwnedKeyRow, readGeneration } from "./store.ts";

export interface KeyPrincipal extends Principal {
  /** Whose quota is spent. */
  subject: string;
  expiresMs: number;
  revoked: boolean;
  suspended: boolean;
  allows: ((address: string) => boolean) | null;
  checkedMs: number;
}

/** An answer that stays open as long as its key would still be admitted. */
export interface Watch {
  /** What the key must still be allowed to do. */
  scope: Scope | null;
  /** Where the answer goes to. */
  address: string;
  onLost(): void;
}

const FRESH_MS = 1_000;
const POLL_MS = 400;
const MAX_HELD = 50_000;

const challenge = (error?: string) => ({
  "WWW-Authenticate": `Bearer realm="api"${error ? `, error="${error}"` : ""}`,
});

export type Authenticator = ReturnType<typeof createAuthenticator>;

export function createAuthenticator(db: Db, clock: Clock, pepper: string) {
  /** By the header as nearly everybody writes it, so that a known key costs one look-up and no parsing. */
  const held = new Map<string, KeyPrincipal>();
  const watches = createWatches(db, clock);
  let generation = "";
  /** How often `held` was emptied: a key that was read before must not be held after. */
  let epoch = 0;
  let polledMs = -Infinity;
  let polling = false;

  function forget(): void {
    held.clear();
    epoch += 1;
  }

  async function poll(): Promise<void> {
    if (polling) return;
    polling = true;
    const askedMs = clock.monotonic();
    try {
      const value = await readGeneration(db.sql);
      if (value !== generation) {
        forget();
        await watches.renew();
      }
      generation = value;
      polledMs = askedMs;
    } catch {
      // What is held grows stale after a second, and then every request asks the store itself.
    } finally {
      polling = false;
    }
    watches.endLost();
  }

  async function load(key: string): Promise<KeyPrincipal | null> {
    const begunIn = epoch;
    const checkedMs = clock.monotonic();
    const row = await findByHash(db.sql, hashKey(pepper, key));
    if (!row) return null;
    const principal = principalOf(row, checkedMs);
    if (held.size >= MAX_HELD) held.clear();
    if (begunIn === epoch) held.set(`Bearer ${key}`, principal);
    return principal;
  }

  const stop = clock.every(POLL_MS, () => void poll());
  return {
    /**
     * Already known and fresh; null means `find` has to ask the store. The header is `Bearer`, one space, the key; the time
     * is that of the monotonic clock.
     */
    peek(header: string, nowMs = clock.monotonic()): KeyPrincipal | null {
      const known = held.get(header);
      return known && Math.max(known.checkedMs, polledMs) > nowMs - FRESH_MS ? known : null;
    },
    /** Throws invalid_api_key for what is no key of ours; a bad checksum never reaches the store. */
    async find(key: string): Promise<KeyPrincipal> {
      const principal = isKey(key) ? await load(key) : null;
      if (principal) return principal;
      throw new Failure("invalid_api_key", "The API key is not valid.", { headers: challenge("invalid_token") });
    },
    readHeader,
    check,
    poll,
    /** Calls `onLost` once when the key would no longer be admitted to this scope from this address. */
    watch: watches.add,
    /** After a change made by this very process. */
    forget() {
      forget();
      void poll();
    },
    close: stop,
  };
}

/** The key of the header, or a Failure; nothing is looked up yet. */
function readHeader(header: string | undefined): string {
  const text = /^Bearer +([^ ]+) *$/i.exec(header ?? "")?.[1];
  if (!text) {
    const detail = header
      ? "The Authorization header is not of the form Bearer <API_KEY>."
      : "The request carries no API key.";
    throw new Failure("missing_api_key", detail, { headers: challenge() });
  }
  return text;
}

/** Throws when the key may not be used now, from here. */
function check(principal: KeyPrincipal, visit: { now: number; address: string }): void {
  if (principal.revoked)
    throw new Failure("revoked_api_key", "The API key was revoked.", { headers: challenge("invalid_token") });
  if (principal.suspended) throw new Failure("account_suspended", "The account of this API key is suspended.");
  if (visit.now >= principal.expiresMs) {
    throw new Failure("expired_api_key", "The API key has expired.", { headers: challenge("invalid_token") });
  }
  if (principal.allows && !principal.allows(visit.address)) {
    throw new Failure("ip_not_allowed", `The API key may not be used from ${visit.address}.`);
  }
}

/** The answers that are open, by key. */
function createWatches(db: Db, clock: Clock) {
  const watched = new Map<string, Set<Watch & { principal: KeyPrincipal }>>();

  /** Reads the keys of open answers anew; one that is gone counts as revoked. */
  async function renew(): Promise<void> {
    if (watched.size === 0) return;
    const rows = await findByIds(db.sql, [...watched.keys()]);
    const renewed = new Map(rows.map((row) => [row.id, principalOf(row, clock.monotonic())]));
    for (const [id, watches] of watched) {
      for (const watch of watches) watch.principal = renewed.get(id) ?? { ...watch.principal, revoked: true };
    }
  }

  function endLost(): void {
    const now = clock.now();
    for (const watches of watched.values()) {
      for (const watch of watches) if (isLost(watch, now)) watch.onLost();
    }
  }

  function add(principal: KeyPrincipal, given: Watch): () => void {
    const { keyId } = principal.caller;
    const onLost = () => {
      stopWatching();
      given.onLost();
    };
    const entry = { ...given, principal, onLost };
    const watches = watched.get(keyId) ?? new Set();
    watched.set(keyId, watches.add(entry));
    function stopWatching(): void {
      watches.delete(entry);
      if (watches.size === 0 && watched.get(keyId) === watches) watched.delete(keyId);
    }
    return stopWatching;
  }

  return { add, renew, endLost };
}

function isLost({ principal, scope, address }: Watch & { principal: KeyPrincipal }, now: number): boolean {
  return (
    principal.revoked ||
    principal.suspended ||
    now >= principal.expiresMs ||
    (scope !== null && !principal.caller.scopes.has(scope)) ||
    (principal.allows !== null && !principal.allows(address))
  );
}

/** Most keys have one of a few sets of scopes: one object for each stays in the processor's cache. */
const SHARED_SCOPES = new Map<string, ReadonlySet<Scope>>();
const MAX_SHARED_SCOPES = 1_000;

function shareScopes(scopes: Scope[]): ReadonlySet<Scope> {
  const name = scopes.join(" ");
  const shared = SHARED_SCOPES.get(name);
  if (shared) return shared;
  if (SHARED_SCOPES.size >= MAX_SHARED_SCOPES) SHARED_SCOPES.clear();
  const made = new Set(scopes);
  SHARED_SCOPES.set(name, made);
  return made;
}

function principalOf(row: OwnedKeyRow, checkedMs: number): KeyPrincipal {
  const { accountId, tenantId, mode, account, name, prefix, expiresMs, ipAllowlist } = row;
  return {
    caller: { accountId, tenantId, mode, plan: account.plan, scopes: shareScopes(row.scopes), keyId: row.id },
    account,
    key: { name, prefix, expiresMs, ipAllowlist },
    subject: `t${tenantId}`,
    expiresMs: expiresMs ?? Infinity,
    revoked: row.revokedMs !== null,
    suspended: row.account.isSuspended,
    allows: ipAllowlist.length > 0 ? createNetworkList(ipAllowlist) : null,
    checkedMs,
  };
}
