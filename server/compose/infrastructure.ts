// The store, the log, the secret and what is built on them, without HTTP: what the service and the command line share.
import { hkdfSync } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { migrateJobs } from "../jobs/worker.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import { createCursors } from "../lib/cursor.ts";
import { createLog } from "../lib/log.ts";
import { createGuardFetch } from "../lib/guard-fetch/index.ts";
import { createIdMaker } from "../lib/id.ts";
import { createPool } from "../lib/pool/index.ts";
import { type Random, systemRandom } from "../lib/random.ts";
import { createSeal } from "../lib/seal.ts";
import { createAudit } from "../platform/audit/index.ts";
import { createLeases } from "../platform/caps/index.ts";
import type { SharedLimits } from "../platform/limits/index.ts";
import type { Platform } from "../platform/platform.ts";
import { createProviderBoard } from "../platform/accounts/operator/providers/index.ts";
import { createStoreHealth, type StoreHealth } from "../platform/store-health/index.ts";
import { connect, type Db } from "../store/db.ts";
import { type Embedded, startEmbedded } from "../store/embedded.ts";
import { migrate } from "../store/migrate.ts";
import { checkSecret } from "../store/secret.ts";
import { userAgent, withLocalhost } from "./options.ts";

/** What a test may own instead of the machine. */
export interface Overrides {
  clock?: Clock;
  random?: Random;
  log?: Logger;
  /** Set where several processes of this machine serve one port. */
  group?: ProcessGroup;
}

/** What a process of a group shares with the others. */
export interface ProcessGroup {
  /** The memory in which quotas are counted. */
  limits: SharedLimits;
  /** Where the embedded store lies, to watch the room on its disk; null for one elsewhere. */
  storeFolder: string | null;
  /** Where the first process answers the others; null in the first process itself. */
  firstSocket: string | null;
  /** The metrics of all processes together. */
  scrapeAll(): Promise<{ contentType: string; text: string }>;
}

export interface Infrastructure {
  platform: Platform;
  embedded: Embedded | null;
  health: StoreHealth;
  /** Log lines that could not be written. */
  droppedLines(): number;
  close(): Promise<void>;
}

interface OpenOptions {
  /** The service itself, which keeps the embedded database running, and ends one that a killed service left behind. */
  owner?: boolean;
  /** The address of this process, for links when CONNECTOR_PUBLIC_URL is not set. */
  publicUrl?(): string;
}

export async function openInfrastructure(
  config: Config,
  overrides: Overrides = {},
  { owner = false, publicUrl = () => "" }: OpenOptions = {},
): Promise<Infrastructure> {
  const clock = overrides.clock ?? systemClock;
  const random = overrides.random ?? systemRandom;
  const made = createLog({ level: config.LOG });
  const log = overrides.log ?? made.log;
  mkdirSync(resolve(config.DATA_DIR), { recursive: true });
  const secret = readSecret(config, random);
  const embedded = config.DATABASE_URL ? null : await startEmbedded(config.DATA_DIR, systemClock, random);
  let db: Db;
  try {
    db = await connect({
      url: config.DATABASE_URL ?? embedded!.url,
      pool: config.DATABASE_POOL,
      timeoutMs: config.DATABASE_TIMEOUT_MS,
    });
    await migrate(db);
    await checkSecret(db, secret);
    await migrateJobs(db.url, log);
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
  const makeId = createIdMaker(clock, random);
  const sealKey = Buffer.from(hkdfSync("sha256", secret, "", "seal", 32));
  const platform: Platform = {
    db,
    clock,
    random,
    makeId,
    log,
    secret,
    cursors: createCursors(secret),
    audit: createAudit(makeId, secret),
    seal: createSeal({ current: "1", keys: { "1": sealKey } }, random),
    guard: createGuardFetch({
      clock: systemClock,
      userAgent: userAgent(config),
      allowLoopback: withLocalhost(config.ALLOW_LOOPBACK),
      allowNetworks: config.ALLOW_NETWORKS,
    }),
    // Real time: what its deadlines guard against is real, too.
    pool: createPool({ clock: systemClock, threads: config.POOL_THREADS || defaultThreads() }),
    leases: createLeases({ db, clock, log }),
    providers: createProviderBoard(clock),
    publicUrl: () => config.PUBLIC_URL?.replace(/\/+$/, "") ?? publicUrl(),
  };
  const health = createStoreHealth({
    db,
    clock,
    folder: embedded?.folder ?? overrides.group?.storeFolder ?? null,
    reserveBytes: config.DISK_RESERVE_MB * 1_048_576,
  });
  const close = async () => {
    health.stop();
    platform.guard.close();
    platform.pool.stop();
    await db.close();
    if (owner || !embedded?.adopted) await embedded?.stop();
    else embedded.release();
  };
  if (owner) embedded?.supervise(log);
  return { platform, embedded, health, droppedLines: made.dropped, close };
}

/** One thread per core, and two at least: one account never holds them all. */
const defaultThreads = (): number => Math.max(2, availableParallelism());

/** The pepper of stored keys; losing it makes every key invalid, so it lives beside the data. */
function readSecret(config: Config, random: Random): string {
  if (config.SECRET) {
    if (config.SECRET.length < 32)
      throw new Error(
        "CONNECTOR_SECRET is shorter than 32 characters. Hint: use e.g. the output of openssl rand -hex 32.",
      );
    return config.SECRET;
  }
  const file = join(resolve(config.DATA_DIR), "secret");
  if (!existsSync(file))
    writeFileSync(file, Buffer.from(random.bytes(new Uint8Array(32))).toString("hex"), { mode: 0o600, flag: "wx" });
  return readFileSync(file, "utf8").trim();
}
