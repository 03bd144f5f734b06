// The scheduler's loop: every second it takes what is due, one page of each host that is free. Many workers may run it.
import { LEASE_MS, checkPage } from "./check.ts";
import type { CheckDeps } from "./robots.ts";

const TICK_MS = 1_000;

export function createSweeper(deps: CheckDeps, concurrency: number) {
  const { store } = deps;
  const { clock, log } = deps.platform;
  let stopTicking: (() => void) | null = null;
  let running: Promise<unknown> | null = null;
  const stopping = new AbortController();

  /** Everything that is due and allowed now. Returns how many pages were looked at. */
  async function tick(): Promise<number> {
    let done = 0;
    for (let rounds = 0; rounds < 50 && !stopping.signal.aborted; rounds++) {
      const claimed = await store.claim(clock.now(), { limit: concurrency, leaseMs: LEASE_MS });
      if (claimed.length === 0) break;
      await Promise.all(
        claimed.map(async ({ page, host }) => {
          try {
            await checkPage(deps, page, host, stopping.signal);
            done++;
          } catch (error) {
            // The lease brings the page back; a fault of ours must not stop the others.
            if (!stopping.signal.aborted)
              log.error({ error: String(error), page: page.id }, "a page could not be checked");
          }
        }),
      );
    }
    return done;
  }

  return {
    tick,
    loop: {
      start() {
        stopTicking = clock.every(TICK_MS, () => {
          running ??= tick()
            .catch((error) => log.error({ error: String(error) }, "due pages could not be taken"))
            .finally(() => {
              running = null;
            });
        });
      },
      async stop() {
        stopTicking?.();
        stopping.abort();
        await running;
      },
    },
  };
}
