// The gate against bare limits and against the same service written the usual way. One run, alternating rounds.
// Live keys, so that no simulated courier works along; background work is left to another process, as the others have none.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bench } from "../tools/bench.ts";
import { load, type LoadResult } from "./load.ts";
import { makeLiveKey, median, type Measured, startProcess } from "./process.ts";

const here = import.meta.dir;
const bun = process.execPath;
/** Enough that no round runs into a quota of 2,000 requests a minute. */
const accounts = 1_200;

interface Field {
  keys: string[];
  ours: Measured;
  bare: Measured;
  insert: Measured;
  usual: Measured;
  close(): Promise<void>;
}

async function openField(): Promise<Field> {
  const folder = mkdtempSync(join(tmpdir(), "connector-bench-"));
  Bun.spawnSync(["chmod", "755", folder]);
  const settings = { CONNECTOR_PORT: "0", CONNECTOR_DATA_DIR: folder, CONNECTOR_LOG: "error", CONNECTOR_WORK: "false" };
  const ours = await startProcess(
    [bun, "--max-http-header-size=65536", join(here, "../server/main.ts"), "start"],
    settings,
  );
  const call = (method: string, path: string, key: string, body?: unknown) =>
    fetch(`http://127.0.0.1:${ours.port}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: body ? JSON.stringify(body) : undefined,
    });
  const first = await makeLiveKey(ours.port, folder);
  const keys: string[] = [];
  for (let i = 0; i < accounts; i++) {
    const made: any = await (await call("POST", "/admin/accounts", first, { name: `bench ${i}`, plan: "max" })).json();
    keys.push(made.data.live_key.key);
  }
  const reply = await call("GET", "/user/profile", keys[0]);
  const body = await reply.text();
  const headers = Object.fromEntries([...reply.headers].filter(([name]) => !["date", "content-length"].includes(name)));
  const port = readFileSync(join(folder, "postgres", "postmaster.pid"), "utf8").split("\n")[3];
  const password = readFileSync(join(folder, "postgres.password"), "utf8").trim();
  const store = { STORE_URL: `postgres://connector:${password}@127.0.0.1:${port}/postgres` };
  const bare = await startProcess([bun, join(here, "gate/bare-serve.ts")], {
    SAME_BYTES: JSON.stringify({ body, headers }),
  });
  const insert = await startProcess([bun, join(here, "gate/bare-insert.ts")], store);
  const usual = await startProcess(["node", join(here, "peers/usual.mjs")], {
    ...store,
    KEYS: JSON.stringify(keys),
    PROFILE: JSON.stringify(JSON.parse(body).data),
  });
  return {
    keys,
    ours,
    bare,
    insert,
    usual,
    async close() {
      for (const each of [bare, insert, usual, ours]) await each.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const readRequests = (keys: string[]) =>
  keys.map((key) => `GET /api/v1/user/profile HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);

function writeRequests(keys: string[]): string[] {
  const time = new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+/, "");
  const body = JSON.stringify({
    pickup: { address: "350 5th Ave, New York, NY 10118", time },
    dropoff: { address: "Downtown Brooklyn, NY" },
  });
  return keys.map(
    (key) =>
      `POST /api/v1/delivery/schedule HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nIdempotency-Key: bench-{n}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}

type Rounds = Record<string, (LoadResult & { cpuUs: number })[]>;

async function alternate(
  rounds: number,
  seconds: number,
  connections: number,
  requests: string[],
  runners: Record<string, Measured>,
): Promise<Rounds> {
  const results: Rounds = Object.fromEntries(Object.keys(runners).map((name) => [name, []]));
  let start = 0;
  for (let round = -1; round < rounds; round++) {
    for (const [name, runner] of Object.entries(runners)) {
      const before = runner.cpuMs();
      const result = await load({ port: runner.port, connections, seconds: round < 0 ? 1 : seconds, requests, start });
      start = result.lastN + 1;
      if (round >= 0) results[name].push({ ...result, cpuUs: ((runner.cpuMs() - before) * 1000) / result.requests });
    }
  }
  return results;
}

function summary(rounds: Rounds, memory: Record<string, number>) {
  return Object.fromEntries(
    Object.entries(rounds).map(([name, list]) => [
      name,
      {
        per_second: Math.round(median(list.map((r) => r.perSecond))),
        p50_ms: Math.round(median(list.map((r) => r.p50Ms)) * 100) / 100,
        p99_ms: Math.round(median(list.map((r) => r.p99Ms)) * 100) / 100,
        cpu_us: Math.round(median(list.map((r) => r.cpuUs)) * 10) / 10,
        memory_mb: memory[name],
      },
    ]),
  );
}

/** The median over rounds of ours divided by the other's in the same round. */
const ratio = (rounds: Rounds, other: string) =>
  Math.round(median(rounds.ours.map((r, i) => r.perSecond / rounds[other][i].perSecond)) * 1000) / 1000;

export default {
  help: "profile and schedule beside bare Bun, bare insert and Fastify",
  async run({ quick, say }) {
    const field = await openField();
    try {
      const [rounds, seconds] = quick ? [3, 1] : [7, 2];
      const reads = await alternate(rounds, seconds, 32, readRequests(field.keys), {
        ours: field.ours,
        bare: field.bare,
        usual: field.usual,
      });
      const writes = await alternate(rounds, seconds, 64, writeRequests(field.keys), {
        ours: field.ours,
        insert: field.insert,
        usual: field.usual,
      });
      const memory = Object.fromEntries(
        (["ours", "bare", "insert", "usual"] as const).map((name) => [name, field[name].memoryMb()]),
      );
      const figures = {
        profile: summary(reads, memory),
        schedule: summary(writes, memory),
        ratios: {
          profile_to_bare: ratio(reads, "bare"),
          profile_to_usual: ratio(reads, "usual"),
          schedule_to_bare_insert: ratio(writes, "insert"),
          schedule_to_usual: ratio(writes, "usual"),
        },
      };
      for (const [name, rows] of Object.entries({ profile: figures.profile, schedule: figures.schedule })) {
        for (const [who, row] of Object.entries<any>(rows))
          say(
            `${name.padEnd(9)} ${who.padEnd(7)} ${String(row.per_second).padStart(7)}/s  p50 ${row.p50_ms} ms  p99 ${row.p99_ms} ms  cpu ${row.cpu_us} µs  ${row.memory_mb} MB`,
          );
      }
      say(`profile  ÷ bare Bun.serve    ${figures.ratios.profile_to_bare}   (aim 0.70)`);
      say(`schedule ÷ bare group insert ${figures.ratios.schedule_to_bare_insert}   (aim 0.75)`);
      say(`schedule ÷ the usual way     ${figures.ratios.schedule_to_usual}   (aim 1.5)`);
      say(`profile  ÷ the usual way     ${figures.ratios.profile_to_usual}`);
      return figures;
    } finally {
      await field.close();
    }
  },
} satisfies Bench;
