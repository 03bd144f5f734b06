// Idempotency-Key: a claim is made from the request, run once, and replayed byte for byte for a day.
import type { Caller, IdempotencyClaim, Route } from "../contract/define.ts";
import { type ErrorCode, Failure } from "../contract/errors.ts";
import type { Seal } from "../lib/seal.ts";
import {
  type Idempotency,
  isStored,
  LostRace,
  readIdempotencyKey,
  type StoredAnswer,
} from "../platform/idempotency/index.ts";
import { envelope, failureOf, problemBody } from "./answer.ts";
import type { Visit } from "./visit.ts";

const SEALED = "sealed:";
/** Who may not do it may not read what came of it either. */
const NEVER_REPLAYED = new Set<ErrorCode>([
  "insufficient_scope",
  "ip_not_allowed",
  "invalid_api_key",
  "revoked_api_key",
  "expired_api_key",
]);

export function createIdempotentRuns(idempotency: Idempotency, seal: Seal) {
  /** What a record keeps: the very text, sealed when it shows a secret. */
  const sealed = (route: Route, body: string) => (route.secretAnswer ? SEALED + seal.seal(body, "answer") : body);
  const unseal = (body: string) => (body.startsWith(SEALED) ? seal.open(body.slice(SEALED.length), "answer") : body);

  function replay(visit: Visit, claim: IdempotencyClaim, stored: StoredAnswer): Response {
    if (stored.fingerprint !== claim.fingerprint) {
      throw new Failure("idempotency_key_reused", "This idempotency key was used with another body.");
    }
    const body = unseal(stored.body);
    if (stored.status >= 400) visit.code = JSON.parse(body).error?.code ?? null;
    const problem = stored.status >= 400 && visit.wantsProblem;
    const headers = { ...visit.answerHeaders(problem), "Idempotent-Replayed": "true" };
    return new Response(problem ? problemBody(body) : body, { status: stored.status, headers });
  }

  return {
    /** The claim of a request that carries an Idempotency-Key; null for all others. */
    claimOf(visit: Visit, caller: Caller, route: Route, bytes: Uint8Array): IdempotencyClaim | null {
      const header = visit.headers["idempotency-key"];
      if (header === undefined) return null;
      const { pathname, search } = placeOf(visit.request.url);
      const path = pathname.startsWith("/api/v1/") ? pathname.slice(4) : pathname;
      // A secret is shown again only to the key that it was shown to.
      const owner = route.secretAnswer ? `${caller.tenantId} ${caller.keyId}` : caller.tenantId;
      const subject = `${owner}\0${route.method}\0${path}\0${readIdempotencyKey(header)}`;
      return {
        tenantId: caller.tenantId,
        digest: Bun.SHA256.hash(subject, "base64url"),
        fingerprint: fingerprintOf(search, bytes),
        render: (data) => ({ status: route.status ?? 200, body: sealed(route, envelope(data)) }),
        written: false,
      };
    },

    /** Keeps an answer whose handler had no transaction to keep it in. */
    async keepAnswer(visit: Visit, claim: IdempotencyClaim, route: Route, status: number, body: string): Promise<void> {
      const stored = await idempotency.store(claim, { status, body: sealed(route, body) }, visit.now);
      if (!stored) throw new LostRace();
    },

    /** Runs `work`, or replays what an earlier request with the same claim was answered. */
    async run(
      visit: Visit,
      claim: IdempotencyClaim,
      route: Route,
      work: () => Response | Promise<Response>,
    ): Promise<Response> {
      if (!idempotency.begin(claim.digest)) throw stillRunning();
      try {
        return await work();
      } catch (error) {
        if (error instanceof Failure && NEVER_REPLAYED.has(error.code)) throw error;
        // The effect and its record share a transaction, so a first request can run at once: only what fails, or
        // finds the record already there, has to ask whether it was a retry.
        const stored = await idempotency.find(claim.digest, visit.now);
        if (stored) return replay(visit, claim, stored);
        if (error instanceof LostRace) {
          // The record in the way is older than a day and only waits to be removed.
          if (await idempotency.forgetOld(visit.now, claim.digest)) return await work();
          throw stillRunning();
        }
        const failure = failureOf(error);
        if (isStored(failure.status)) {
          const answer = { status: failure.status, body: sealed(route, visit.refusalText(failure)) };
          await idempotency.store(claim, answer, visit.now);
        }
        throw failure;
      } finally {
        idempotency.end(claim.digest);
      }
    },
  };
}

const SCRATCH = new Uint8Array(16_384);

/** What a retry must repeat: the query and the body, hashed. */
function fingerprintOf(search: string, bytes: Uint8Array): string {
  if (search !== "" || bytes.length >= SCRATCH.length)
    return new Bun.CryptoHasher("sha256").update(`${search}\0`).update(bytes).digest("base64url");
  // The same hash in one call, which takes half as long as a hasher that is fed twice.
  SCRATCH[0] = 0;
  SCRATCH.set(bytes, 1);
  return Bun.SHA256.hash(SCRATCH.subarray(0, bytes.length + 1), "base64url");
}

/** Plain addresses, which most are, need no parser. */
const PLAIN_URL = /^https?:\/\/[^/?#]+((?:\/[\w-]+)+)$/;

function placeOf(url: string): { pathname: string; search: string } {
  const path = PLAIN_URL.exec(url)?.[1];
  return path === undefined ? new URL(url) : { pathname: path, search: "" };
}

function stillRunning(): Failure {
  const detail = "A request with this idempotency key is still running.";
  return new Failure("idempotency_in_progress", detail, { headers: { "Retry-After": "1" } });
}
