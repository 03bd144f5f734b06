// Who the service asks outside (couriers, maps, markets, mail), and how it went: last success, last failure, breaker.
// Kept in the memory of this process; a restart begins anew.
import type { Clock } from "../../../../lib/clock.ts";
import type { GuardFetch } from "../../../../lib/guard-fetch/index.ts";
import type { PROVIDER_KINDS } from "./contract.ts";

export type Breaker = "closed" | "open" | "half_open";

export interface Provider {
  action: string;
  name: string;
  kind: (typeof PROVIDER_KINDS)[number];
  /** The settings that set it up, without their prefix. */
  settings: string[];
  configured: boolean;
}

export interface ProviderStanding extends Provider {
  breaker: Breaker | null;
  calls: number;
  failures: number;
  lastSuccessMs: number | null;
  lastFailureMs: number | null;
  lastError: string | null;
}

export type Way = Pick<GuardFetch, "fetch">;
export type ProviderBoard = ReturnType<typeof createProviderBoard>;

const MAX_ERROR = 200;

export function createProviderBoard(clock: Clock) {
  const standings = new Map<string, ProviderStanding>();
  const breakers = new Map<string, () => Breaker>();

  /** Counts a call; `error` is null for a success. A provider nobody listed is nobody's concern. */
  function record(name: string, error: string | null): void {
    const standing = standings.get(name);
    if (!standing) return;
    standing.calls++;
    if (error === null) {
      standing.lastSuccessMs = clock.now();
      return;
    }
    standing.failures++;
    standing.lastFailureMs = clock.now();
    standing.lastError = error.slice(0, MAX_ERROR);
  }

  return {
    list(provider: Provider, breaker?: () => Breaker): void {
      standings.set(provider.name, {
        ...provider,
        breaker: null,
        calls: 0,
        failures: 0,
        lastSuccessMs: null,
        lastFailureMs: null,
        lastError: null,
      });
      if (breaker) breakers.set(provider.name, breaker);
    },
    record,
    /** The same way out, with every call of this provider counted. An answer below 500 is a success: somebody is there. */
    watch(name: string, way: Way): Way {
      return {
        async fetch(url, request) {
          try {
            const answer = await way.fetch(url, request);
            const failed = answer.status >= 500 || answer.status === 401 || answer.status === 429;
            record(name, failed ? `it answered ${answer.status}` : null);
            return answer;
          } catch (error) {
            record(name, `it could not be reached (${(error as { code?: string }).code ?? "no answer"})`);
            throw error;
          }
        },
      };
    },
    standings: (): ProviderStanding[] =>
      [...standings.values()].map((standing) => ({ ...standing, breaker: breakers.get(standing.name)?.() ?? null })),
  };
}
