// The embedded store dies, hangs or has no room, while the service runs on: it comes back by itself, and nothing that was
// acknowledged is missing or doubled. How long it took is printed, not asserted.
import { afterEach, expect, test } from "bun:test";
import { SQL } from "bun";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDataFolder, removeDataFolder, type Running, startConnector } from "../connector.ts";

const PATIENCE_MS = 60_000;
const WRITERS = 8;

let undo: Array<() => unknown> = [];
afterEach(async () => {
  for (const step of undo.toReversed()) await step();
  undo = [];
});

interface Ledger {
  acknowledged: Map<string, string>;
  refused: Map<number, number>;
  slowestMs: number;
}

/** The service is a process of its own with the real clock, so its load is paced in real time too. */
const BETWEEN_WRITES_MS = 40;
const BEFORE_RETRY_MS = 100;

/** Schedules until stopped; every answer is written down. A refusal is tried again with the same key. */
function load(service: Running) {
  const ledger: Ledger = { acknowledged: new Map(), refused: new Map(), slowestMs: 0 };
  const onAnswer = new Set<() => void>();
  let running = true;
  const time = `${new Date(Date.now() + 7_200_000).toISOString().slice(0, 13)}:00:00Z`;
  const write = async (key: string): Promise<void> => {
    const headers = {
      Authorization: `Bearer ${service.key}`,
      "Content-Type": "application/json",
      "Idempotency-Key": key,
    };
    const body = JSON.stringify({ pickup: { address: `Dock ${key}`, time }, dropoff: { address: "Boston, MA" } });
    const sentMs = performance.now();
    const response = await fetch(`${service.url}/v1/delivery/schedule`, { method: "POST", headers, body });
    const answer: any = await response.json();
    ledger.slowestMs = Math.max(ledger.slowestMs, performance.now() - sentMs);
    if (response.status === 200) ledger.acknowledged.set(key, answer.data.delivery_id);
    else ledger.refused.set(response.status, (ledger.refused.get(response.status) ?? 0) + 1);
    for (const look of onAnswer) look();
    if (response.status === 200 || !running) return;
    await Bun.sleep(BEFORE_RETRY_MS);
    return write(key);
  };
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let n = 0; running; n++) {
      await write(`w${writer}-${n}`);
      await Bun.sleep(BETWEEN_WRITES_MS);
    }
  });
  const stop = async () => {
    running = false;
    await Promise.all(writers);
    return ledger;
  };
  /** Resolves with the answer after which it holds. */
  const until = (holds: () => boolean) =>
    new Promise<void>((done, fail) => {
      const patience = setTimeout(
        () => fail(new Error(`no progress: ${JSON.stringify([...ledger.refused])}`)),
        PATIENCE_MS,
      );
      const look = () => {
        if (!holds()) return;
        clearTimeout(patience);
        onAnswer.delete(look);
        done();
      };
      onAnswer.add(look);
      look();
    });
  /** Waits for that many more acknowledgements; the milliseconds it took. */
  const progress = async (count: number) => {
    const startedMs = performance.now();
    const wanted = ledger.acknowledged.size + count;
    await until(() => ledger.acknowledged.size >= wanted);
    return performance.now() - startedMs;
  };
  /** Waits for that many more refusals because the store cannot be reached. */
  const refusals = (count: number) => {
    const wanted = (ledger.refused.get(503) ?? 0) + count;
    return until(() => (ledger.refused.get(503) ?? 0) >= wanted);
  };
  return { ledger, progress, refusals, stop };
}

function databaseOf(folder: string): SQL {
  const port = readFileSync(join(folder, "postgres", "postmaster.pid"), "utf8").split("\n")[3];
  const password = readFileSync(join(folder, "postgres.password"), "utf8").trim();
  return new SQL(`postgres://connector:${password}@127.0.0.1:${port}/postgres`, { max: 1 });
}

async function expectNothingLost(folder: string, { acknowledged }: Ledger): Promise<void> {
  const sql = databaseOf(folder);
  const rows: any[] = await sql`select id, view #>> '{pickup,address}' as address from deliveries`;
  await sql.close();
  const stored = new Map(rows.map((row) => [row.id, row.address]));
  expect([...acknowledged].filter(([key, id]) => stored.get(id) !== `Dock ${key}`)).toEqual([]);
  expect(new Set(stored.values()).size).toBe(rows.length);
}

/** The postmaster and all its backends. */
function processesOf(postmaster: number): number[] {
  const parentOf = (pid: string) => {
    try {
      return Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ")[1]);
    } catch {
      return 0;
    }
  };
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return [postmaster, ...all.filter((pid) => parentOf(pid) === postmaster).map(Number)];
}

const missing = async (service: Running) => {
  const answer = await fetch(`${service.url}/health/ready`);
  return ((await answer.json()) as { missing: string[] }).missing;
};

async function start(settings: Record<string, string> = {}, folder = makeDataFolder()): Promise<Running> {
  undo.push(() => removeDataFolder(folder));
  const service = await startConnector(folder, { CONNECTOR_LOG: "silent", ...settings });
  undo.push(() => service.stop());
  return service;
}

test("kill -9 of the postmaster alone: it is started again, and nothing is lost", async () => {
  const service = await start();
  const { progress, stop } = load(service);
  await progress(30);
  const before = service.databasePid();
  process.kill(before, "SIGKILL");
  const backMs = await progress(30);
  const ledger = await stop();
  expect(service.databasePid()).not.toBe(before);
  expect([...ledger.refused.keys()].filter((status) => status !== 503)).toEqual([]);
  expect(await missing(service)).toEqual([]);
  await expectNothingLost(service.folder, ledger);
  console.log(`postmaster killed: back after ${Math.round(backMs)} ms, refused ${JSON.stringify([...ledger.refused])}`);
}, 120_000);

test("a store that is stopped in its tracks: every wait ends with 503, readiness says so, and it goes on afterwards", async () => {
  const service = await start({ CONNECTOR_DATABASE_TIMEOUT_MS: "1000" });
  const { ledger, progress, refusals, stop } = load(service);
  await progress(30);
  const held = processesOf(service.databasePid());
  for (const pid of held) process.kill(pid, "SIGSTOP");
  undo.push(() => {
    for (const pid of held) process.kill(pid, "SIGCONT");
  });
  await refusals(WRITERS);
  expect(await missing(service)).toContain("store");
  expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
  for (const pid of held) process.kill(pid, "SIGCONT");
  undo.pop();
  const backMs = await progress(30);
  const { refused, slowestMs } = await stop();
  expect([...refused.keys()].filter((status) => status !== 503)).toEqual([]);
  await expectNothingLost(service.folder, ledger);
  console.log(`store held: slowest answer ${Math.round(slowestMs)} ms, back after ${Math.round(backMs)} ms`);
}, 120_000);

/** A small disk of its own. */
function mountSmallDisk(megabytes: number): string {
  const folder = join("/tmp", `connector-disk-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  const options = `size=${megabytes}m,mode=755`;
  if (Bun.spawnSync(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder]).exitCode !== 0)
    throw new Error("no mount");
  undo.push(() => {
    Bun.spawnSync(["umount", "-l", folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

function fill(folder: string, leaveBytes: number): string {
  const file = join(folder, "filler");
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(file, Buffer.alloc(Math.max(0, bavail * bsize - leaveBytes)));
  return file;
}

const canMount =
  process.getuid?.() === 0 &&
  ["mount", "umount", "unshare"].every((program) => Bun.which(program)) &&
  Bun.spawnSync(["unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).exitCode === 0;
test.skipIf(!canMount)(
  "a full disk: 503 before and after the store gives up, and back by itself once there is room",
  async () => {
    const disk = mountSmallDisk(600);
    const folder = join(disk, "data");
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    const service = await start({ CONNECTOR_DISK_RESERVE_MB: "64" }, folder);
    const { ledger, progress, refusals, stop } = load(service);
    await progress(30);

    const nearly = fill(disk, 32 * 1_048_576);
    await refusals(WRITERS);
    expect(await missing(service)).toContain("disk");
    rmSync(nearly);
    const guardMs = await progress(30);

    // Now all of it, at once, and with a new segment of the log wanted: the store itself runs out of room.
    const full = fill(disk, 0);
    const sql = databaseOf(folder);
    await sql`select pg_switch_wal()`.catch(() => {});
    await sql.close({ timeout: 0 }).catch(() => {});
    await refusals(WRITERS);
    rmSync(full);
    const backMs = await progress(30);
    const { refused } = await stop();
    expect([...refused.keys()].filter((status) => status !== 503)).toEqual([]);
    await expectNothingLost(folder, ledger);
    console.log(`disk: guard over after ${Math.round(guardMs)} ms, store back after ${Math.round(backMs)} ms`);
  },
  240_000,
);
