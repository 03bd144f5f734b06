// `npm run fresh`: clones HEAD into empty folders and does what a newcomer does there: start, the printed curl, npm test.
// As root and as nobody, each in three orders. `-- --short` runs two of the six with one test file each; `-- --only nobody/ci`
// runs one of them. It ends with one line of counts.
import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

interface Newcomer {
  user: "root" | "nobody";
  /** What is run before `npm start`. */
  before: "install" | "ci" | null;
  folder: string;
  inShort?: true;
}

const NEWCOMERS: Newcomer[] = [
  { user: "root", before: null, folder: "start", inShort: true },
  { user: "root", before: "install", folder: "install-start" },
  { user: "root", before: "ci", folder: "ci-start" },
  { user: "nobody", before: null, folder: "start as nobody" },
  { user: "nobody", before: "install", folder: "install and start", inShort: true },
  { user: "nobody", before: "ci", folder: "ci-start-nobody" },
];
const ROOT = resolve(import.meta.dir, "..");
const NOBODY = 65534;
const IS_ROOT = process.getuid?.() === 0;
const START_LIMIT_MS = 300_000;
const TEST_LIMIT_MS = 1_800_000;
/** The one test file of the short form: it needs the store, HTTP and the command line. */
const SHORT_TEST = "platform/keys/http";
/** Node, npm, and what a shell script of theirs needs. No git, no curl, no compiler, no language of an SDK. */
const PROGRAMS = "node npm npx sh env cat chmod cp dirname id kill ls mkdir mv rm sed sleep tail touch uname".split(
  " ",
);

const nameOf = ({ user, before }: Newcomer): string => `${user}/${before ?? "start"}`;

const short = process.argv.includes("--short");
const chosen = chooseNewcomers();
const space = mkdtempSync(join(tmpdir(), "connector-fresh-"));
const totals = { passed: 0, failed: 0 };
try {
  chmodSync(space, 0o755);
  linkPrograms();
  for (const newcomer of chosen) await welcome(newcomer);
} finally {
  rmSync(space, { recursive: true, force: true });
}
console.log(`${totals.passed} passed, ${totals.failed} failed`);
process.exit(totals.failed === 0 && totals.passed > 0 ? 0 : 1);

function chooseNewcomers(): Newcomer[] {
  const at = process.argv.indexOf("--only");
  if (at === -1) return NEWCOMERS.filter((n) => n.inShort || !short);
  const only = process.argv[at + 1];
  const found = NEWCOMERS.filter((n) => nameOf(n) === only);
  if (found.length > 0) return found;
  console.error(`--only ${only ?? ""} is none of them. Hint: use one of ${NEWCOMERS.map(nameOf).join(", ")}.`);
  process.exit(2);
}

function linkPrograms(): void {
  mkdirSync(join(space, "bin"));
  for (const name of PROGRAMS) {
    const found = Bun.which(name);
    if (found) symlinkSync(found, join(space, "bin", name));
  }
}

/** One newcomer's way from the clone to the tests; every step counts. */
async function welcome(newcomer: Newcomer): Promise<void> {
  const { before } = newcomer;
  const asNobody = IS_ROOT && newcomer.user === "nobody";
  const label = IS_ROOT ? nameOf(newcomer) : `this user/${before ?? "start"}`;
  const folder = join(space, newcomer.folder);
  const options = { cwd: folder, env: environment(newcomer, asNobody), ...(asNobody && { uid: NOBODY, gid: NOBODY }) };
  try {
    await step(`${label}: clone`, () => clone(folder, asNobody));
    if (before) await step(`${label}: npm ${before}`, () => npm([before], options, START_LIMIT_MS));
    await step(`${label}: npm start and the printed curl`, () => startAndCall(options));
    await step(`${label}: npm test`, () => npm(["test", ...(short ? ["--", SHORT_TEST] : [])], options, TEST_LIMIT_MS));
  } catch {
    // The failed step is printed; the steps after it depend on it.
  }
  rmSync(folder, { recursive: true, force: true });
}

async function step(name: string, work: () => Promise<unknown>): Promise<void> {
  const startedNs = Bun.nanoseconds();
  const seconds = () => ((Bun.nanoseconds() - startedNs) / 1e9).toFixed(0);
  try {
    await work();
    totals.passed++;
    console.log(`ok   ${name}  ${seconds()} s`);
  } catch (error) {
    totals.failed++;
    console.log(`FAIL ${name}  ${seconds()} s\n${(error as Error).message}`);
    throw error;
  }
}

/** Nothing of this machine's settings, a home of one's own, and one npm cache for all clones. */
function environment({ folder }: Newcomer, asNobody: boolean): Record<string, string> {
  const home = join(space, `home of ${folder}`);
  const cache = join(space, asNobody ? "cache-of-nobody" : "cache");
  for (const made of [home, cache]) {
    mkdirSync(made, { recursive: true });
    if (asNobody) Bun.spawnSync(["chown", "-R", `${NOBODY}:${NOBODY}`, made]);
  }
  const registry = process.env.npm_config_registry;
  return {
    HOME: home,
    PATH: join(space, "bin"),
    CONNECTOR_PORT: "0",
    npm_config_cache: cache,
    npm_config_update_notifier: "false",
    ...(registry && { npm_config_registry: registry }),
  };
}

async function clone(folder: string, asNobody: boolean): Promise<void> {
  const cloned = Bun.spawnSync(["git", "clone", "--quiet", "--depth", "1", `file://${ROOT}`, folder]);
  // A checkout without its history is copied as it lies.
  if (cloned.exitCode !== 0)
    cpSync(ROOT, folder, { recursive: true, filter: (path) => !/\/(node_modules|data|\.cache|\.git)$/.test(path) });
  if (!existsSync(join(folder, "package.json"))) throw new Error(cloned.stderr.toString());
  if (asNobody) Bun.spawnSync(["chown", "-R", `${NOBODY}:${NOBODY}`, folder]);
}

function npm(words: string[], options: SpawnOptions, limitMs: number): Promise<string> {
  return collect(spawn("npm", words, { ...options, detached: true, stdio: ["ignore", "pipe", "pipe"] }), limitMs);
}

/** What the child wrote; throws its last lines when it fails or takes too long. */
async function collect(child: ChildProcess, limitMs: number): Promise<string> {
  let text = "";
  for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (chunk) => (text += chunk));
  const timer = setTimeout(() => process.kill(-child.pid!, "SIGKILL"), limitMs);
  const code = await new Promise<number | null>((done) => {
    child.once("error", (error) => {
      text += String(error);
      done(1);
    });
    child.once("close", done);
  });
  clearTimeout(timer);
  if (code !== 0) throw new Error(failuresOf(text));
  return text;
}

/** A test run prints thousands of lines: those that name a failure, each with what follows it, and the end. */
function failuresOf(text: string): string {
  const lines = text.split("\n");
  const named = lines.flatMap((line, i) => (/^FAIL |^\(fail\)|^error: /.test(line) ? lines.slice(i, i + 12) : []));
  return [...named, "…", ...lines.slice(-20)].join("\n").slice(-20_000);
}

async function startAndCall(options: SpawnOptions): Promise<void> {
  const child = spawn("npm", ["start"], { ...options, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const ended = collect(child, START_LIMIT_MS);
  try {
    const text = await Promise.race([
      printedCurl(child),
      ended.then((all) => Promise.reject(new Error(failuresOf(all)))),
    ]);
    const answer = Bun.spawnSync(["sh", "-c", text], { stdout: "pipe", stderr: "pipe" }).stdout.toString();
    if (JSON.parse(answer || "{}").success !== true) throw new Error(`the printed curl answered:\n${answer}\n${text}`);
  } finally {
    try {
      process.kill(-child.pid!, "SIGTERM");
    } catch {
      // It has ended by itself, and `ended` says why.
    }
    await ended.catch(() => {});
  }
}

/** Waits for the call that `connector start` prints, and returns it as a shell would read it. */
function printedCurl(child: ChildProcess): Promise<string> {
  let text = "";
  return new Promise((found) => {
    child.stdout!.on("data", (chunk) => {
      text += chunk;
      const curl = /^curl [\s\S]*?-d '[^']*'$/m.exec(text)?.[0];
      if (curl) found(curl);
    });
  });
}
