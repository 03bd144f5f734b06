// The loop of the scheduler: every second it takes what is due, one page of each host that is free. Many workers may run it.
import { workFairly } from "../../../lib/fair-work.ts";
import { type Loop, createLoop } from "../../../lib/loop.ts";
import { SECOND_MS } from "../../../lib/time.ts";
import { LEASE_MS, checkPage } from "./check.ts";
import type { CheckDeps } from "./robots.ts";

export function createSweep(deps: CheckDeps, concurrency: number): Loop {
  const { clock, log } = deps.platform;
  return createLoop({
    clock,
    everyMs: SECOND_MS,
    run: (signal) => checkDuePages(deps, concurrency, signal),
    onError: (error) => log.error({ error: String(error) }, "due pages could not be taken"),
  });
}

/** Checks everything that is due and allowed now. */
function checkDuePages(deps: CheckDeps, concurrency: number, signal: AbortSignal): Promise<void> {
  const { clock, log } = deps.platform;
  return workFairly(
    {
      clock,
      concurrency,
      claim: (limit, without) => deps.store.claim(clock.now(), { limit, leaseMs: LEASE_MS, without }),
      accountOf: ({ tenantId }) => tenantId,
      async work({ page, host, tenantId }) {
        await checkPage(deps, page, host, { signal, account: tenantId });
      },
      // The lease brings the page back; a fault of ours must not stop the others.
      onError(error, { page }) {
        if (!signal.aborted) log.error({ error: String(error), page: page.id }, "a page could not be checked");
      },
    },
    signal,
  );
}
