// What every module is handed: time, chance, ids, the store, the log; and what it gives back. Constructed in compose.ts alone.
import type { Logger } from "pino";
import type { Handler } from "../contract/define.ts";
import type { Clock } from "../lib/clock.ts";
import type { Cursors } from "../lib/cursor.ts";
import type { GuardFetch } from "../lib/guard-fetch/index.ts";
import type { MakeId } from "../lib/id.ts";
import type { Pool } from "../lib/pool/index.ts";
import type { Random } from "../lib/random.ts";
import type { Seal } from "../lib/seal.ts";
import type { Db } from "../store/db.ts";
import type { Audit } from "./audit/index.ts";
import type { Leases } from "./caps/leases.ts";
import type { Job } from "./jobs/job.ts";
import type { ProviderBoard } from "./accounts/operator/providers/index.ts";

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
  /** The threads of this process: foreign bytes are parsed there. */
  pool: Pool;
  /** Room under caps that this process took in advance. */
  leases: Leases;
  /** Who is asked outside, and how it went. */
  providers: ProviderBoard;
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
