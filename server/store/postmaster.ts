// One run of PostgreSQL: started on a port, or found running. It owns the process and its last words, no files.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { SQL } from "bun";
import { type Clock, sleep } from "../lib/clock.ts";
import { SECOND_MS } from "../lib/time.ts";
import { type Cluster, IDENTITY, USER } from "./cluster.ts";

export interface Postmaster {
  pid: number;
  port: number;
  url: string;
  /** Found running rather than started: it is another process's, or a killed one's. */
  adopted: boolean;
  /** Ends the watch over an adopted one: a process that only borrowed it must be able to end. */
  unwatch?(): void;
  /** Resolves when the process is gone, with the end of what it logged (nothing is known of an adopted one's). */
  gone: Promise<string>;
}

const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "100",
  shared_buffers: "128MB",
  fsync: "on",
  synchronous_commit: "on",
  log_min_messages: "fatal",
  timezone: "UTC",
  // With less, a busy service runs into checkpoints every few seconds, and each one makes every page be logged whole again.
  max_wal_size: "1GB",
  // Our statements are short: compiling one takes longer than running it.
  jit: "off",
};
const START_MS = 30 * SECOND_MS;
const LOOK_MS = 50;
const LAST_WORDS_MS = 100;
const WATCH_MS = 200;
const KEPT_LOG = 4000;

/** Starts on the port (a free one unless given); answers with the log when it ends before it is ready. */
export async function launch(cluster: Cluster, clock: Clock, wantedPort: number | null): Promise<Postmaster | string> {
  const port = wantedPort ?? (await freePort());
  const options = Object.entries(SETTINGS).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  // A process group of its own: Ctrl-C in the terminal reaches us, and we close the store in order.
  const child = spawn(
    join(cluster.binaries, "bin", "postgres"),
    ["-D", cluster.folder, "-p", String(port), ...options],
    {
      ...IDENTITY,
      cwd: "/",
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let log = "";
  const keep = (chunk: unknown) => (log = `${log}${chunk}`.slice(-KEPT_LOG));
  child.stdout!.on("data", keep);
  child.stderr!.on("data", keep);
  // `close` comes after the last of its output, but also after the last backend of a killed postmaster, which may take
  // seconds to notice: the last words are waited for a moment only. A failed spawn has neither output nor exit.
  const gone = new Promise<string>((done) => {
    child.once("close", () => done(log));
    child.once("exit", () => clock.after(LAST_WORDS_MS, () => done(log)));
    child.once("error", (error) => done(error.message));
  });
  const url = urlOf(cluster, port);
  for (let waitedMs = 0; waitedMs < START_MS && isRunning(child); waitedMs += LOOK_MS) {
    if (await answers(url)) return { pid: child.pid!, port, url, adopted: false, gone };
    await sleep(clock, LOOK_MS);
  }
  if (isRunning(child)) child.kill("SIGINT");
  return gone;
}

/** The one that already runs on the folder, or null. */
export async function adopt(cluster: Cluster, clock: Clock): Promise<Postmaster | null> {
  const lock = join(cluster.folder, "postmaster.pid");
  if (!existsSync(lock)) return null;
  const [pidText, , , portText] = readFileSync(lock, "utf8").split("\n");
  const pid = Number(pidText);
  const port = Number(portText);
  if (!port || !isAlive(pid)) return null;
  const url = urlOf(cluster, port);
  if (!(await answers(url))) return null;
  const { promise: gone, resolve } = Promise.withResolvers<string>();
  const unwatch = clock.every(WATCH_MS, () => {
    if (isAlive(pid)) return;
    unwatch();
    resolve("");
  });
  return { pid, port, url, adopted: true, gone, unwatch };
}

/** Asks it to end in order, and waits until it has. */
export async function end({ pid, gone }: Postmaster): Promise<void> {
  if (!isAlive(pid)) return;
  process.kill(pid, "SIGINT");
  await gone;
}

const isRunning = (child: ChildProcess) =>
  child.pid !== undefined && child.exitCode === null && child.signalCode === null;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const urlOf = ({ password }: Cluster, port: number) => `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`;

async function answers(url: string): Promise<boolean> {
  const sql = new SQL(url, { max: 1, connectionTimeout: 2 });
  try {
    await sql`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    await sql.close({ timeout: 0 }).catch(() => {});
  }
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}
