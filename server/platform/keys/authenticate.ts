// From an Authorization header to a caller. Keys are held in memory and checked against a counter in the store twice
// a second, so a revoked key stops working on every replica within a second, even when the store is away.
import type { Caller } from "../../contract/define.ts";
import { Failure } from "../../contract/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { hashKey, isKey } from "../../lib/checksum-key.ts";
import { createNetworkList } from "../../lib/network.ts";
import { formatTime } from "../../lib/time.ts";
import type { Db } from "../../store/db.ts";
import { type KeyOwner, type KeyRow, findByHash, readGeneration } from "./store.ts";

export interface Principal {
  caller: Caller;
  /** Whose quota is spent. */
  subject: string;
  row: KeyRow & KeyOwner;
  /** When the account was made, as it is shown. */
  accountCreatedAt: string;
  expiresMs: number;
  revoked: boolean;
  allows: ((address: string) => boolean) | null;
  checkedMs: number;
}

const freshMs = 1_000;
const pollMs = 400;
const most = 50_000;

const challenge = (error?: string) => ({
  "WWW-Authenticate": `Bearer realm="api"${error ? `, error="${error}"` : ""}`,
});

export type Authenticator = ReturnType<typeof createAuthenticator>;

export function createAuthenticator(db: Db, clock: Clock, pepper: string) {
  /** By the header as nearly everybody writes it, so that a known key costs one look-up and no parsing. */
  const held = new Map<string, Principal>();
  let generation = "";
  let polledMs = -Infinity;
  let polling = false;

  async function poll(): Promise<void> {
    if (polling) return;
    polling = true;
    const askedMs = clock.monotonic();
    try {
      const value = await readGeneration(db.sql);
      if (value !== generation) held.clear();
      generation = value;
      polledMs = askedMs;
    } catch {
      // What is held grows stale after a second, and then every request asks the store itself.
    } finally {
      polling = false;
    }
  }

  async function load(key: string): Promise<Principal | null> {
    const checkedMs = clock.monotonic();
    const row = await findByHash(db.sql, hashKey(pepper, key));
    if (!row) return null;
    const caller: Caller = {
      accountId: row.account_id,
      tenantId: row.tenant_id,
      mode: row.mode,
      plan: row.plan,
      scopes: new Set(row.scopes),
      keyId: row.id,
    };
    const principal: Principal = {
      caller,
      subject: `t${row.tenant_id}`,
      row,
      accountCreatedAt: formatTime(row.account_created_at.getTime()),
      expiresMs: row.expires_at?.getTime() ?? Infinity,
      revoked: row.revoked_at !== null,
      allows: row.ip_allowlist.length > 0 ? createNetworkList(row.ip_allowlist) : null,
      checkedMs,
    };
    if (held.size >= most) held.clear();
    held.set(`Bearer ${key}`, principal);
    return principal;
  }

  const stop = clock.every(pollMs, () => void poll());
  return {
    /** The key of the header, or a Failure; nothing is looked up yet. */
    readHeader(header: string | undefined): string {
      const text = /^Bearer +([^ ]+) *$/i.exec(header ?? "")?.[1];
      if (!text) {
        const detail = header
          ? "The Authorization header is not of the form Bearer <API_KEY>."
          : "The request carries no API key.";
        throw new Failure("missing_api_key", detail, { headers: challenge() });
      }
      return text;
    },
    /** Already known and fresh; null means `find` has to ask the store. The header is `Bearer`, one space, the key. */
    peek(header: string): Principal | null {
      const known = held.get(header);
      return known && Math.max(known.checkedMs, polledMs) > clock.monotonic() - freshMs ? known : null;
    },
    /** Throws invalid_api_key for what is no key of ours; a bad checksum never reaches the store. */
    async find(key: string): Promise<Principal> {
      const principal = isKey(key) ? await load(key) : null;
      if (principal) return principal;
      throw new Failure("invalid_api_key", "The API key is not valid.", { headers: challenge("invalid_token") });
    },
    /** Throws when the key may not be used now, from here. */
    check(principal: Principal, visit: { now: number; address: string }): void {
      if (principal.revoked)
        throw new Failure("revoked_api_key", "The API key was revoked.", { headers: challenge("invalid_token") });
      if (visit.now >= principal.expiresMs) {
        throw new Failure("expired_api_key", "The API key has expired.", { headers: challenge("invalid_token") });
      }
      if (principal.allows && !principal.allows(visit.address)) {
        throw new Failure("ip_not_allowed", `The API key may not be used from ${visit.address}.`);
      }
    },
    poll,
    /** After a change made by this very process. */
    forget: () => held.clear(),
    close: stop,
  };
}
