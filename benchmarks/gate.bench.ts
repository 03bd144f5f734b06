// The gate against bare limits and against the same service written the usual way. One run, alternating rounds.
// Live keys, so that no simulated courier works along; background work is left to another process, as the others have none.
import { join, resolve } from "node:path";
import type { Bench, Compared } from "../tools/bench.ts";
import { compareProcesses } from "./lib/processes.ts";
import { load, type LoadResult } from "./lib/load.ts";
import { HERE, makeLiveKey, median, type Measured, startProcess, startService, storeUrl } from "./lib/process.ts";

const here = import.meta.dir;
const bun = process.execPath;
/** Enough that no round runs into a quota of 2,000 requests a minute. */
const accounts = 1_200;

type Service = Measured & { folder: string; keys: string[] };

interface Field {
  ours: Service;
  /** The checkout given by --before. */
  before: Service | null;
  bare: Measured;
  insert: Measured;
  usual: Measured;
  close(): Promise<void>;
}

/** A service with an account for every key. */
async function openService(checkout: string): Promise<Service> {
  const service = await startService(checkout, { CONNECTOR_WORK: "false" });
  const first = await makeLiveKey(service.port, service.folder, checkout);
  const keys: string[] = [];
  for (let i = 0; i < accounts; i++) {
    const order = { name: `bench ${i}`, plan: "max" };
    const made: any = await (await call(service, "POST", "/admin/accounts", first, order)).json();
    keys.push(made.data.live_key.key);
  }
  return { ...service, keys };
}

const call = ({ port }: Measured, method: string, path: string, key: string, body?: unknown) =>
  fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: body ? JSON.stringify(body) : undefined,
  });

async function openField(beforePath: string | undefined): Promise<Field> {
  const ours = await openService(HERE);
  const before = beforePath ? await openService(resolve(beforePath)) : null;
  const reply = await call(ours, "GET", "/user/profile", ours.keys[0]);
  const body = await reply.text();
  const headers = Object.fromEntries([...reply.headers].filter(([name]) => !["date", "content-length"].includes(name)));
  const store = { STORE_URL: storeUrl(ours.folder) };
  const bare = await startProcess([bun, join(here, "lib/bare-serve.ts")], {
    SAME_BYTES: JSON.stringify({ body, headers }),
  });
  const insert = await startProcess([bun, join(here, "lib/bare-insert.ts")], store);
  const usual = await startProcess(["node", join(here, "peers/usual.mjs")], {
    ...store,
    KEYS: JSON.stringify(ours.keys),
    PROFILE: JSON.stringify(JSON.parse(body).data),
  });
  return {
    ours,
    before,
    bare,
    insert,
    usual,
    async close() {
      for (const each of [bare, insert, usual, before, ours]) await each?.stop();
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
  requestsOf: (keys: string[]) => string[],
  runners: Record<string, Measured & { keys?: string[] }>,
  keys: string[],
): Promise<Rounds> {
  const results: Rounds = Object.fromEntries(Object.keys(runners).map((name) => [name, []]));
  let start = 0;
  for (let round = -1; round < rounds; round++) {
    for (const [name, runner] of Object.entries(runners)) {
      const before = runner.cpuMs();
      const requests = requestsOf(runner.keys ?? keys);
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

/** The median over rounds of one's rate divided by the other's in the same round. */
const ratio = (rounds: Rounds, other: string, one = "ours") =>
  rounds[one]
    ? Math.round(median(rounds[one].map((r, i) => r.perSecond / rounds[other][i].perSecond)) * 1000) / 1000
    : null;

async function measure(field: Field, quick: boolean) {
  const [rounds, seconds] = quick ? [3, 1] : [7, 2];
  const { ours, before, bare, insert, usual } = field;
  const mine = { ours, ...(before ? { before } : {}) };
  const { keys } = ours;
  const reads = await alternate(rounds, seconds, 32, readRequests, { ...mine, bare, usual }, keys);
  const writes = await alternate(rounds, seconds, 64, writeRequests, { ...mine, insert, usual }, keys);
  const memory = Object.fromEntries(
    Object.entries({ ...mine, bare, insert, usual }).map(([name, each]) => [name, each.memoryMb()]),
  );
  return { reads, writes, profile: summary(reads, memory), schedule: summary(writes, memory) };
}

function compare({ reads, writes, profile, schedule }: Awaited<ReturnType<typeof measure>>): Compared[] {
  const row = (what: string, rounds: Rounds, other: string, aim: string): Compared => ({
    what,
    before: ratio(rounds, other, "before"),
    now: ratio(rounds, other),
    aim,
  });
  return [
    row("profile ÷ bare Bun.serve", reads, "bare", "0.70"),
    { what: "profile, µs", before: profile.before?.cpu_us ?? null, now: profile.ours.cpu_us, aim: "15" },
    row("profile ÷ the usual way", reads, "usual", ""),
    row("schedule ÷ bare group insert", writes, "insert", "0.45"),
    { what: "schedule, µs", before: schedule.before?.cpu_us ?? null, now: schedule.ours.cpu_us, aim: "" },
    row("schedule ÷ the usual way", writes, "usual", "1.5"),
  ];
}

export default {
  help: "profile and schedule beside bare Bun, bare insert and Fastify; --before=PATH beside another checkout; --processes: one process and two",
  async run(options) {
    const { quick, flags, say } = options;
    if ("processes" in flags) return compareProcesses(options);
    const field = await openField(flags.before);
    try {
      const afterStartMb = field.ours.memoryMb();
      const measured = await measure(field, quick);
      const { profile, schedule } = measured;
      for (const [name, rows] of Object.entries({ profile, schedule })) {
        for (const [who, row] of Object.entries<any>(rows))
          say(
            `${name.padEnd(9)} ${who.padEnd(7)} ${String(row.per_second).padStart(7)}/s  p50 ${row.p50_ms} ms  p99 ${row.p99_ms} ms  cpu ${row.cpu_us} µs  ${row.memory_mb} MB`,
          );
      }
      const compared = compare(measured);
      return { profile, schedule, after_start_mb: afterStartMb, compared };
    } finally {
      await field.close();
    }
  },
} satisfies Bench;
