// What the ground floor hands to every module: time, chance, ids, the store, pages. Constructed in compose.ts alone.
import type { Logger } from "pino";
import { Failure } from "../contract/errors.ts";
import type { Handler } from "../contract/define.ts";
import type { Clock } from "../lib/clock.ts";
import type { Cursors } from "../lib/cursor.ts";
import type { GuardFetch } from "../lib/guard-fetch/index.ts";
import type { MakeId } from "../lib/id.ts";
import type { Random } from "../lib/random.ts";
import type { Seal } from "../lib/seal.ts";
import type { Db } from "../store/db.ts";
import type { Audit } from "./audit/index.ts";
import type { Job } from "./jobs/index.ts";

export interface Platform {
  db: Db;
  clock: Clock;
  random: Random;
  makeId: MakeId;
  cursors: Cursors;
  audit: Audit;
  log: Logger;
  /** The root secret; derive from it, never send it. */
  secret: string;
  /** Keeps recoverable secrets unreadable at rest. */
  seal: Seal;
  /** The one way out: every outgoing HTTP request goes through it. */
  guard: GuardFetch;
  /** Without a slash at the end. */
  publicUrl(): string;
}

/** What a module gives back to compose.ts. */
export interface Module {
  handlers: Handler[];
  /** Background work; runs in `connector work`, or inside `connector start`. */
  jobs?: Job[];
  start?(): void | Promise<void>;
  /** Background work with a loop of its own; started only where jobs run. */
  loop?: { start(): void | Promise<void>; stop(): Promise<void> };
  /** Does everything that is due now; for tests, which own the clock. */
  settle?(): Promise<void>;
  /** Ends answers that would never end by themselves (streams), before the server waits for requests in flight. */
  drain?(): void;
  stop?(): void | Promise<void>;
}

/** Reads one page: `read(after, count)` returns up to `count` rows behind the position, in order. */
export async function readPage<Row, Item>(
  cursors: Cursors,
  list: string,
  query: { limit?: number; cursor?: string },
  read: (after: string | null, count: number) => Promise<Row[]>,
  position: (row: Row) => string,
  view: (row: Row) => Item,
): Promise<{ items: Item[]; has_more: boolean; next_cursor: string | null }> {
  const limit = query.limit ?? 20;
  const after = query.cursor === undefined ? null : cursors.decode(list, query.cursor);
  if (query.cursor !== undefined && after === null)
    throw new Failure("invalid_cursor", "cursor was not made by this list.");
  const rows = await read(after, limit + 1);
  const more = rows.length > limit;
  const shown = more ? rows.slice(0, limit) : rows;
  return {
    items: shown.map(view),
    has_more: more,
    next_cursor: more ? cursors.encode(list, position(shown.at(-1)!)) : null,
  };
}

/** The one 404: a foreign object gets the very same as an unknown one. */
export function notFound(what: string): Failure {
  return new Failure("not_found", `There is no such ${what}.`);
}
