// What an account may store, per plan: rows and bytes of every kind, in each of its two worlds. The store itself refuses what
// goes past a cap, exactly, however many requests come at once; a process may take room in advance (leases).
import type { TransactionSQL } from "bun";
import type { Plan } from "../../contract/define.ts";
import { createLoop } from "../../lib/loop.ts";
import { MINUTE_MS, SECOND_MS } from "../../lib/time.ts";
import { readTogether } from "../../lib/together.ts";
import type { Tx } from "../../store/db.ts";
import type { CapKind, Caps as PlanCaps } from "../plans/caps.ts";
import type { Platform } from "../platform.ts";
import { capFailure } from "./failure.ts";
import { type CapRow, foldChanges, readStored, type Stored, writeCaps } from "./store/stored.ts";

export { createCountedCommit } from "./counted-commit.ts";
export { BYTES_BESIDE } from "./sizes.ts";
export { capFailure } from "./failure.ts";
export type { Cost } from "./lease-book.ts";
export { countedCte, countsItself } from "./store/leases.ts";
export { createLeases, type Leases } from "./leases.ts";

const MEGABYTE = 1_000_000;
const FOLD_MS = MINUTE_MS;
const FRESH_MS = 30 * SECOND_MS;

/**
 * Writes what a request did not ask for by name (a remembered address, a message of the sandbox), unless its kind is full:
 * false then, and the rest of the transaction goes on. Without it one full account would stop the work of a whole loop.
 */
export async function unlessFull(tx: Tx, write: (tx: Tx) => Promise<void>): Promise<boolean> {
  try {
    await (tx as TransactionSQL).savepoint(write);
    return true;
  } catch (error) {
    if (capFailure(error)) return false;
    throw error;
  }
}

export interface CapView {
  limit: number;
  used: number;
  limit_bytes: number;
  used_bytes: number;
}

export interface Caps {
  /** What a tenant stores of each kind and may store; read at most twice a minute. */
  usageOf(tenantId: number, plan: Plan, now: number): Promise<Record<CapKind, CapView>> | Record<CapKind, CapView>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function createCaps({ db, clock, log, leases }: Platform, planCaps: PlanCaps): Caps {
  const known = new Map<number, { readMs: number; plan: Plan; view: Record<CapKind, CapView> }>();
  const read = readTogether((tenantIds) => readStored(db, tenantIds));
  const loop = createLoop({
    clock,
    everyMs: FOLD_MS,
    run: () => foldChanges(db),
    onError: (error) => log.warn({ error: String(error) }, "what accounts store could not be summed up; tried again"),
  });
  return {
    usageOf(tenantId, plan, now) {
      const entry = known.get(tenantId);
      const fresh = entry?.plan === plan && now - entry.readMs < FRESH_MS && now >= entry.readMs;
      if (fresh) return entry.view;
      return read(tenantId).then((stored) => {
        const view = viewCaps(planCaps, plan, stored);
        known.set(tenantId, { readMs: now, plan, view });
        return view;
      });
    },
    async start() {
      await writeCaps(db, capRows(planCaps));
      loop.start();
      leases.start();
    },
    async stop() {
      await loop.stop();
      await leases.stop();
    },
  };
}

function capRows(planCaps: PlanCaps): CapRow[] {
  return Object.entries(planCaps).flatMap(([kind, plans]) =>
    Object.entries(plans).map(([plan, [maxRows, megabytes]]) => ({
      plan: plan as Plan,
      kind,
      maxRows,
      maxBytes: megabytes * MEGABYTE,
    })),
  );
}

function viewCaps(planCaps: PlanCaps, plan: Plan, stored: Map<string, Stored>): Record<CapKind, CapView> {
  const views = Object.entries(planCaps).map(([kind, caps]) => {
    const [limit, megabytes] = caps[plan];
    const { rows = 0, bytes = 0 } = stored.get(kind) ?? {};
    return [kind, { limit, used: rows, limit_bytes: megabytes * MEGABYTE, used_bytes: bytes }];
  });
  return Object.fromEntries(views);
}
