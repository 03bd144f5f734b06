// This process as a holder of leases, and how it asks the store for more of them.
import type { Logger } from "pino";
import type { Db } from "../../store/db.ts";
import { type Cost, createLeaseBook, type Lease, type LeaseBook } from "./lease-book.ts";
import { isLeaseLost, openHolder, takeLeases } from "./store/leases.ts";

/** Asked for in one statement, which holds a lock for each. */
const MAX_PAIRS = 300;

/** This process under a number of the store, until that is ended; then it goes on under another. */
export interface Holder {
  number: number;
  book: LeaseBook;
  /** No longer in the book, not yet given back. */
  returned: Lease[];
}

export interface HolderSlot {
  current(): Holder | null;
  /** The store ends a forgotten holder by itself when it is not seen for a minute. */
  forget(lost: Holder): void;
  /** Works as the current holder, or a new one, which is forgotten when the work fails. */
  use(work: (own: Holder) => Promise<void>): Promise<void>;
}

export function createHolderSlot(db: Db, log: Logger): HolderSlot {
  let holder: Holder | null = null;
  function forget(lost: Holder): void {
    if (holder === lost) holder = null;
  }
  return {
    current: () => holder,
    forget,
    async use(work) {
      let own = holder;
      try {
        own ??= holder = { number: await openHolder(db), book: createLeaseBook(), returned: [] };
        await work(own);
      } catch (error) {
        // The error may hide a success, so that the count in memory is worth nothing after it.
        if (own) forget(own);
        if (!isLeaseLost(error)) log.warn({ error: String(error) }, "room under caps could not be leased; tried again");
      }
    },
  };
}

type Pair = Pick<Lease, "tenantId" | "kind">;

export interface Asking {
  /** Asks for more in the background, unless the tenant got nothing since the last `clear`. */
  want(tenantId: number, costs: Cost[]): void;
  decline(tenantId: number): void;
  clear(): void;
  /** Resolves when nothing is being asked. */
  idle(): Promise<void>;
}

export function createAsking(db: Db, slot: HolderSlot): Asking {
  const declined = new Set<number>();
  const wanted = new Map<string, Pair>();
  let asking: Promise<void> | null = null;

  const needsMore = ({ tenantId, kind }: Pair) => slot.current()?.book.needsMore(tenantId, kind) ?? true;

  async function ask(): Promise<void> {
    // Orders of the same turn ask together.
    await new Promise((go) => setImmediate(go));
    while (wanted.size > 0) {
      const keys = [...wanted.keys()].slice(0, MAX_PAIRS);
      const pairs = keys.map((key) => wanted.get(key)!).filter(needsMore);
      for (const key of keys) wanted.delete(key);
      if (pairs.length > 0) await takeFor(pairs);
    }
  }

  async function takeFor(pairs: Pair[]): Promise<void> {
    for (const { tenantId } of pairs) declined.add(tenantId);
    await slot.use(async (own) => {
      for (const lease of await takeLeases(db, own.number, pairs)) {
        own.book.add(lease);
        declined.delete(lease.tenantId);
      }
    });
  }

  return {
    want(tenantId, costs) {
      if (declined.has(tenantId)) return;
      for (const { kind } of costs) {
        const pair = { tenantId, kind };
        if (needsMore(pair)) wanted.set(`${kind} ${tenantId}`, pair);
      }
      asking ??= ask().finally(() => (asking = null));
    },
    decline: (tenantId) => void declined.add(tenantId),
    clear: () => declined.clear(),
    idle: async () => void (await asking),
  };
}
