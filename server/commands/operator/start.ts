// `connector start`: the whole service in one process, with the first account on the first start.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { type Service, startService } from "../../compose.ts";
import type { Config } from "../../config.ts";
import { scopes } from "../../contract/define.ts";
import { systemClock } from "../../lib/clock.ts";
import { formatTime } from "../../lib/time.ts";
import { openAccount } from "../../platform/accounts/index.ts";
import type { Platform } from "../../platform/platform.ts";
import { type Command, UsageError } from "../command.ts";
import { stopSignal } from "./stop-signal.ts";

export const start: Command = async ({ config: read }) => {
  const config = read();
  await refuseBusyPort(config.HOST, config.PORT);
  const unlock = lockFolder(resolve(config.DATA_DIR));
  let service: Service;
  try {
    service = await startService(config);
    await makeFirstAccount(service.platform, config);
  } catch (error) {
    unlock();
    throw error;
  }
  greet(service.url, config);
  const signal = await stopSignal();
  console.log(`${signal}: finishing what is in flight …`);
  await service.stop();
  unlock();
  console.log("stopped");
  process.exit(0);
};

/** Said before the store is started: a start that cannot listen would only have to stop it again. */
async function refuseBusyPort(host: string, port: number): Promise<void> {
  if (port === 0) return;
  const probe = createServer();
  await new Promise<void>((free, fail) => {
    probe.once("error", fail);
    probe.listen(port, host, () => probe.close(() => free()));
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    throw new UsageError(
      `Port ${port} of ${host} is in use. Hint: stop the other program, or set another CONNECTOR_PORT.`,
    );
  });
}

/** One process a data folder: two embedded databases on one cluster would be one too many. */
function lockFolder(folder: string): () => void {
  const file = join(folder, "connector.pid");
  const holder = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
  if (holder && holder !== process.pid && runsConnector(holder)) {
    throw new UsageError(
      `${folder} is in use by the connector with pid ${holder}. Hint: stop that one, or set another CONNECTOR_DATA_DIR.`,
    );
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, String(process.pid));
  return () => rmSync(file, { force: true });
}

/** A pid may have been given to another program since; only one of ours counts. */
function runsConnector(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return existsSync("/proc") ? readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("main.ts") : true;
  } catch {
    return false;
  }
}

/** The keys are printed and kept in files only their owner can read; the store never sees their text. */
async function makeFirstAccount(platform: Platform, config: Config): Promise<void> {
  const { db, clock } = platform;
  const made = await db.sql.begin(async (tx) => {
    await tx`lock table accounts in share row exclusive mode`;
    const [any] = await tx`select 1 from accounts limit 1`;
    if (any) return null;
    return openAccount(
      platform,
      tx,
      { name: "First account", email: null, plan: "max", scopes: [...scopes], actor: "operator" },
      clock.now(),
    );
  });
  if (!made) return;
  writeFileSync(join(config.DATA_DIR, "first-key"), `${made.test_key.key}\n`, { mode: 0o600 });
  writeFileSync(join(config.DATA_DIR, "first-live-key"), `${made.live_key.key}\n`, { mode: 0o600 });
}

function greet(url: string, config: Config): void {
  const read = (name: string) => {
    const file = join(config.DATA_DIR, name);
    return existsSync(file) ? readFileSync(file, "utf8").trim() : null;
  };
  const testKey = read("first-key");
  const liveKey = read("first-live-key");
  console.log(`ready ${url}`);
  if (!testKey) return console.log("Keys: make one with `connector keys create`.");
  const tomorrow = formatTime(Math.ceil((systemClock.now() + 86_400_000) / 3_600_000) * 3_600_000);
  const body = JSON.stringify({
    pickup: { address: "350 5th Ave, New York", time: tomorrow },
    dropoff: { address: "Downtown Brooklyn" },
  });
  console.log(`
test key  ${testKey}
live key  ${liveKey}

Try it:

curl -s ${url}/api/v1/delivery/schedule \\
  -H "Authorization: Bearer ${testKey}" \\
  -H "Content-Type: application/json" \\
  -d '${body}'
`);
}
