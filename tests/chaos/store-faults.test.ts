// The embedded store dies, hangs or has no room, while the service runs on: it comes back by itself, and nothing that was
// acknowledged is missing or doubled. How long it took is printed, not asserted.
import { afterEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDataFolder, removeDataFolder, type Running, startConnector } from "../connector.ts";
import { expectNothingLost, openDatabase, startLoad, WRITERS } from "./load.ts";

let undo: Array<() => unknown> = [];
afterEach(async () => {
  for (const step of undo.toReversed()) await step();
  undo = [];
});

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
  const { progress, stop } = startLoad(() => service);
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
  const { ledger, progress, refusals, stop } = startLoad(() => service);
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

/** What reads by POST stores nothing. */
async function quoteStatus({ url, key }: Running): Promise<number> {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ symbol: "AAPL" });
  return (await fetch(`${url}/v1/stock/quote`, { method: "POST", headers, body })).status;
}

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
  try {
    writeFileSync(file, Buffer.alloc(Math.max(0, bavail * bsize - leaveBytes)));
  } catch (error) {
    // The service writes meanwhile: then the disk is full a little earlier.
    if ((error as { code?: string }).code !== "ENOSPC") throw error;
  }
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
    const { ledger, progress, refusals, stop } = startLoad(() => service);
    await progress(30);

    const nearly = fill(disk, 32 * 1_048_576);
    await refusals(WRITERS);
    expect(await missing(service)).toContain("disk");
    expect(await quoteStatus(service)).toBe(200);
    rmSync(nearly);
    const guardMs = await progress(30);

    // Now all of it, at once, and with a new segment of the log wanted: the store itself runs out of room.
    const full = fill(disk, 0);
    const sql = openDatabase(folder);
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
