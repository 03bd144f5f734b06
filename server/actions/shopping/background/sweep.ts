// The loop of the scheduler: every second it takes what is due, one page of each host that is free. Many workers may run it.
import { type Loop, createLoop } from "../../../lib/loop.ts";
import { SECOND_MS } from "../../../lib/time.ts";
import { LEASE_MS, checkPage } from "./check.ts";
import type { CheckDeps } from "./robots.ts";

/** One run takes at most so many rounds of pages; the next run goes on. */
const MAX_ROUNDS = 50;

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
async function checkDuePages(deps: CheckDeps, concurrency: number, signal: AbortSignal): Promise<void> {
  const { clock, log } = deps.platform;
  for (let round = 0; round < MAX_ROUNDS && !signal.aborted; round++) {
    const claimed = await deps.store.claim(clock.now(), { limit: concurrency, leaseMs: LEASE_MS });
    if (claimed.length === 0) return;
    await Promise.all(
      claimed.map(async ({ page, host }) => {
        try {
          await checkPage(deps, page, host, { signal });
        } catch (error) {
          // The lease brings the page back; a fault of ours must not stop the others.
          if (!signal.aborted) log.error({ error: String(error), page: page.id }, "a page could not be checked");
        }
      }),
    );
  }
}
