// Who may come in: the key is known and usable here and now, its quota has room, its scopes cover the route.
import type { Caller, Route, Scope } from "../contract/define.ts";
import { Failure } from "../contract/errors.ts";
import { chain } from "../lib/chain.ts";
import { networkOf } from "../lib/network.ts";
import type { Authenticator, KeyPrincipal } from "../platform/keys/index.ts";
import type { Limits } from "../platform/limits/index.ts";
import { QUOTAS } from "../platform/plans/index.ts";
import { BAD_KEYS_PER_MINUTE, overQuota, tooManyAttempts, tooManyVisits } from "./quota.ts";
import type { Visit } from "./visit.ts";

export interface AdmissionDeps {
  authenticator: Authenticator;
  limits: Limits;
  /** Counts requests without a key, by address. */
  keyless: Limits;
  keylessPerMinute: number;
}

const MAX_HEADER_BYTES = 16_384;
const MAX_URL_LENGTH = 8_192;

const NOBODY: Caller = { accountId: "", tenantId: 0, mode: "test", plan: "free", scopes: new Set(), keyId: "" };

export function createAdmission({ authenticator, limits, keyless, keylessPerMinute }: AdmissionDeps) {
  function admit(visit: Visit, route: Route): Caller | Promise<Caller> {
    if (route.scope !== null) return admitKey(visit, route.scope);
    return route.unlimited ? NOBODY : admitKeyless(visit);
  }

  /** Throws unless the key may be used now, here, within its quota and for this scope. */
  function admitKey(visit: Visit, scope: Scope | null): Caller | Promise<Caller> {
    return chain(knownKey(visit) ?? findKey(visit), (principal) => {
      const { caller } = principal;
      visit.principal = principal;
      authenticator.check(principal, visit);
      return chain(limits.admit(principal.subject, QUOTAS[caller.plan]), (verdict) => {
        visit.verdict = verdict;
        if (!verdict.admitted) throw overQuota(caller, verdict);
        if (scope && !caller.scopes.has(scope)) throw scopeMissing(scope);
        return caller;
      });
    });
  }

  /** Doors without a key are limited per address, on this machine: nobody pays for a page with somebody's quota. */
  function admitKeyless(visit: Visit): Caller {
    const verdict = keyless.admit(`k${networkOf(visit.address)}`, keylessPerMinute);
    if (!(verdict instanceof Promise) && !verdict.admitted) throw tooManyVisits(verdict, keylessPerMinute);
    return NOBODY;
  }

  function knownKey({ headers, startedMs }: Visit): KeyPrincipal | null {
    return headers.authorization === undefined ? null : authenticator.peek(headers.authorization, startedMs);
  }

  /** A wrong key is counted against the address it came from; a right one never pays for its neighbours. */
  async function findKey(visit: Visit): Promise<KeyPrincipal> {
    const key = authenticator.readHeader(visit.headers.authorization);
    try {
      return authenticator.peek(`Bearer ${key}`) ?? (await authenticator.find(key));
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "invalid_api_key") throw error;
      const standing = await limits.admit(`a${networkOf(visit.address)}`, BAD_KEYS_PER_MINUTE);
      throw standing.admitted ? error : tooManyAttempts(standing);
    }
  }

  async function identify(visit: Visit): Promise<KeyPrincipal> {
    refuseSize(visit);
    const principal = knownKey(visit) ?? (await findKey(visit));
    authenticator.check(principal, visit);
    return principal;
  }

  async function count({ subject, caller }: KeyPrincipal): Promise<void> {
    const verdict = await limits.admit(subject, QUOTAS[caller.plan]);
    if (!verdict.admitted) throw overQuota(caller, verdict);
  }

  return { admit, admitKey, admitKeyless, identify, count };
}

export function refuseSize(visit: Visit): void {
  if (visit.url.length > MAX_URL_LENGTH) {
    throw new Failure("uri_too_long", `The address is longer than ${MAX_URL_LENGTH} characters.`);
  }
  let size = 0;
  for (const name in visit.headers) size += name.length + visit.headers[name].length;
  if (size > MAX_HEADER_BYTES) {
    throw new Failure("headers_too_large", `The headers are larger than ${MAX_HEADER_BYTES} bytes together.`);
  }
}

function scopeMissing(scope: string): Failure {
  return new Failure("insufficient_scope", `This key lacks the scope ${scope}.`, {
    headers: { "WWW-Authenticate": `Bearer realm="api", error="insufficient_scope", scope="${scope}"` },
    extra: { required_scope: scope },
  });
}
