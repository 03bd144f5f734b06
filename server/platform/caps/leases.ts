// Leases: room under the caps of accounts that this process took in advance, so that an order within it is counted in memory
// and by one line in a log. See docs/decisions/0305-caps-by-lease.md.
import type { Logger } from "pino";
import type { Clock } from "../../lib/clock.ts";
import { createLoop } from "../../lib/loop.ts";
import { SECOND_MS } from "../../lib/time.ts";
import type { Db } from "../../store/db.ts";
import { createAsking, createHolderSlot, type Holder } from "./holder.ts";
import type { Cost } from "./lease-book.ts";
import { endHolder, giveBackLeases, touchHolder } from "./store/leases.ts";
import { foldLog } from "./store/stored.ts";

const FOLD_MS = 10 * SECOND_MS;
/** What was not used for so many folds is given back. */
const FOLDS_UNUSED = 6;

export interface Leases {
  /** The holder that now answers for these rows, or null: then the store counts them itself. */
  take(tenantId: number, costs: Cost[]): Holder | null;
  /** The holder was ended, or nobody knows what it stored: all its leases are gone. */
  forget(holder: Holder): void;
  /** The tenant is at a cap: nothing is kept for it here. */
  release(tenantId: number): void;
  /** For tests: asks for and folds everything that is due. */
  settle(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

export function createLeases({ db, clock, log }: { db: Db; clock: Clock; log: Logger }): Leases {
  const slot = createHolderSlot(db, log);
  const asking = createAsking(db, slot);
  /** Tenants that ordered once without a lease since the last fold. */
  const once = new Set<number>();
  let running = false;
  let folds = 0;
  let foldedMs = 0;

  function beginFold(): void {
    foldedMs = clock.now();
    once.clear();
    asking.clear();
    const own = slot.current();
    if (++folds % FOLDS_UNUSED === 0) own?.returned.push(...own.book.removeUnused());
  }

  async function tick(): Promise<void> {
    if (clock.now() - foldedMs >= FOLD_MS) beginFold();
    if (slot.current() === null) return;
    await slot.use(async (own) => {
      const leases = own.returned;
      own.returned = [];
      if (leases.length > 0) await giveBackLeases(db, own.number, leases);
      if (!(await touchHolder(db, own.number))) slot.forget(own);
    });
    await foldLog(db);
  }

  const loop = createLoop({
    clock,
    everyMs: FOLD_MS,
    run: tick,
    onError: (error) => log.warn({ error: String(error) }, "what accounts store could not be summed up; tried again"),
  });

  return {
    take(tenantId, costs) {
      if (!running) return null;
      const holder = slot.current();
      const found = holder?.book.take(tenantId, costs) ?? "none";
      if (found === "enough") return holder;
      // An account that orders once in a while is counted by the store: a lease would cost more.
      if (found === "low" || once.has(tenantId)) asking.want(tenantId, costs);
      else once.add(tenantId);
      return found === "low" ? holder : null;
    },
    forget: slot.forget,
    release(tenantId) {
      const own = slot.current();
      const leases = own?.book.removeTenant(tenantId) ?? [];
      if (leases.length === 0) return;
      asking.decline(tenantId);
      own!.returned.push(...leases);
      loop.wake();
    },
    async settle() {
      await asking.idle();
      await loop.settle();
    },
    start() {
      running = true;
      loop.start();
    },
    async stop() {
      running = false;
      await loop.stop();
      await asking.idle();
      const own = slot.current();
      if (own === null) return;
      slot.forget(own);
      await endHolder(db, own.number).catch(() => {});
      await foldLog(db).catch(() => {});
    },
  };
}
