// The loop of the scheduler: every second it takes what is due, one page of each host that is free. Many workers may run it.
import { type Clock, sleep } from "../../../lib/clock.ts";
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

/**
 * Checks everything that is due and allowed now. Whoever has its share of the visits under way waits, so that the pages of
 * one account, however slow their hosts, leave room for those of another.
 */
async function checkDuePages(deps: CheckDeps, concurrency: number, signal: AbortSignal): Promise<void> {
  const { clock, log } = deps.platform;
  const visits = new Map<Promise<void>, number>();
  const visit = async ({ page, host, tenantId }: Claimed): Promise<void> => {
    try {
      await checkPage(deps, page, host, { signal, account: tenantId });
    } catch (error) {
      // The lease brings the page back; a fault of ours must not stop the others.
      if (!signal.aborted) log.error({ error: String(error), page: page.id }, "a page could not be checked");
    }
  };
  while (!signal.aborted) {
    const { share, without } = sharesOf([...visits.values()], concurrency);
    const limit = Math.min(share, concurrency - visits.size);
    const claimed = limit > 0 ? await deps.store.claim(clock.now(), { limit, leaseMs: LEASE_MS, without }) : [];
    if (claimed.length === 0 && visits.size === 0) return;
    for (const claim of claimed) {
      const running: Promise<void> = visit(claim).finally(() => visits.delete(running));
      visits.set(running, claim.tenantId);
    }
    if (claimed.length === 0) await visitEnds(visits.keys(), clock);
  }
  await Promise.all(visits.keys());
}

/** Waits for the end of a visit; not for long, since other pages may be due by then. */
async function visitEnds(visits: Iterable<Promise<void>>, clock: Clock): Promise<void> {
  const waiting = new AbortController();
  await Promise.race([...visits, sleep(clock, SECOND_MS, waiting.signal).catch(() => {})]);
  waiting.abort();
}

type Claimed = Awaited<ReturnType<CheckDeps["store"]["claim"]>>[number];

/** How many visits an account may have under way, so that one more account finds room; and who has as many. */
export function sharesOf(underWay: number[], concurrency: number): { share: number; without: number[] } {
  const counts = new Map<number, number>();
  for (const tenantId of underWay) counts.set(tenantId, (counts.get(tenantId) ?? 0) + 1);
  const share = Math.max(1, Math.floor(concurrency / (Math.max(1, counts.size) + 1)));
  return { share, without: [...counts].filter(([, count]) => count >= share).map(([tenantId]) => tenantId) };
}
