// `connector start`: the whole service, in as many processes as are asked for, with the first account on the first start.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { type Service, startService } from "../../compose.ts";
import { createGroup, type Group, MEMBER_WORD, processCount } from "../../compose/processes.ts";
import type { Config } from "../../config.ts";
import { systemClock } from "../../lib/clock.ts";
import { DAY_MS, formatTime, HOUR_MS } from "../../lib/time.ts";
import { type FirstAccount, openFirstAccount } from "../../platform/accounts/index.ts";
import type { Platform } from "../../platform/platform.ts";
import { type OperatorCommand, UsageError } from "../command.ts";
import { runMember } from "./member.ts";
import { stopSignal } from "./stop-signal.ts";

export const start: OperatorCommand = async ({ config: read, words }) => {
  if (words[0] === MEMBER_WORD && process.send) return runMember();
  const config = read();
  await refuseBusyPort(config.HOST, config.PORT);
  const unlock = lockFolder(resolve(config.DATA_DIR));
  const count = processCount(config);
  const group = count > 1 ? createGroup() : null;
  let service: Service;
  let first: FirstAccount | null;
  try {
    service = await startService(config, group ? { group: { ...group, storeFolder: null, firstSocket: null } } : {});
    first = await makeFirstAccount(service.platform, config);
    await group?.start(...membersOf(service, config, count));
  } catch (error) {
    group?.remove();
    unlock();
    throw error;
  }
  greet(service.url, config, first);
  const signal = await stopSignal();
  console.log(`${signal}: finishing what is in flight …`);
  // At a terminal nobody waits for a load balancer.
  const drain = signal !== "SIGINT";
  await service.stop({ drain, lastUser: group?.stop(drain) });
  group?.remove();
  unlock();
  console.log("stopped");
  process.exit(0);
};

/** The other processes: the same settings, the port and the store of this one, and no background work. */
function membersOf(service: Service, config: Config, count: number): Parameters<Group["start"]> {
  const { platform, scrape, serve, storeFolder, url } = service;
  const { db, secret, log } = platform;
  const PORT = Number(new URL(url).port);
  return [
    { count, log, shutdownMs: config.DRAIN_MS + config.SHUTDOWN_MS, scrapeOwn: scrape, serve },
    { config: { ...config, PORT, DATABASE_URL: db.url, SECRET: secret, WORK: false, PROCESSES: 1 }, storeFolder },
  ];
}

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
    return existsSync("/proc") ? /main\.ts|connector/.test(readFileSync(`/proc/${pid}/cmdline`, "utf8")) : true;
  } catch {
    return false;
  }
}

/** The test key is kept in a file that only its owner can read. A live key is made only where it can be shown once. */
function makeFirstAccount(platform: Platform, config: Config): Promise<FirstAccount | null> {
  return openFirstAccount(platform, {
    withLiveKey: process.stdout.isTTY === true,
    keepTestKey: (key) => writeFileSync(join(config.DATA_DIR, "first-key"), `${key}\n`, { mode: 0o600 }),
  });
}

function greet(url: string, config: Config, first: FirstAccount | null): void {
  const file = join(config.DATA_DIR, "first-key");
  const testKey = existsSync(file) ? readFileSync(file, "utf8").trim() : null;
  console.log(`ready ${url}`);
  if (!testKey) return console.log("Keys: make one with `connector keys create`.");
  console.log(`\ntest key  ${testKey}`);
  if (first?.liveKey) console.log(`live key  ${first.liveKey}  (shown once, kept nowhere)`);
  else if (first) console.log(`live key  none yet: connector keys create --account ${first.accountId} --mode live`);
  console.log(`\nTry it:\n\n${firstCall(url, testKey)}\n`);
}

function firstCall(url: string, key: string): string {
  const tomorrow = formatTime(Math.ceil((systemClock.now() + DAY_MS) / HOUR_MS) * HOUR_MS);
  const body = JSON.stringify({
    pickup: { address: "350 5th Ave, New York", time: tomorrow },
    dropoff: { address: "Downtown Brooklyn" },
  });
  return `curl -s ${url}/api/v1/delivery/schedule \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '${body}'`;
}
