// What the guards of fairness and faults cost an ordinary request: the service beside itself without them, in alternating
// rounds of one run. Taken out are the watchdog, deadlines on the store, the guard of the disk, what is in flight, and all
// counting against caps (leases and triggers); then also the limits that a profile shows.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import type { Bench, Compared } from "../tools/bench.ts";
import { load } from "./lib/load.ts";
import { HERE, makeLiveKey, median, type Measured, startService, storeUrl } from "./lib/process.ts";

const ACCOUNTS = 400;
const VARIANTS = {
  ours: [],
  "no counting against caps": ["counting"],
  "no guards": ["counting", "guards"],
  "no guards, no limits shown": ["counting", "guards", "limits"],
};

type Variant = keyof typeof VARIANTS;
type Service = Measured & { folder: string; keys: string[] };

interface Round {
  perSecond: number;
  /** Of the service and its database together. */
  cpuUs: number;
}

async function open(without: string[]): Promise<Service> {
  const preload = join(import.meta.dir, "lib/no-guards.ts");
  const settings = { CONNECTOR_WORK: "false", OVERHEAD_WITHOUT: without.join(",") };
  const service = await startService(HERE, settings, without.length > 0 ? ["--preload", preload] : []);
  if (without.includes("counting")) await dropCounting(service.folder);
  const first = await makeLiveKey(service.port, service.folder);
  const keys: string[] = [];
  for (let n = 0; n < ACCOUNTS; n++) {
    const reply = await fetch(`http://127.0.0.1:${service.port}/v1/admin/accounts`, {
      method: "POST",
      headers: { Authorization: `Bearer ${first}`, "Content-Type": "application/json" },
      body: JSON.stringify({ name: `bench ${n}`, plan: "max" }),
    });
    keys.push(((await reply.json()) as any).data.live_key.key);
  }
  return { ...service, keys };
}

async function dropCounting(folder: string): Promise<void> {
  const sql = new SQL(storeUrl(folder), { max: 1 });
  const triggers = await sql`
    select tgname as name, tgrelid::regclass::text as table from pg_trigger where tgname like 'count\\_stored%'`;
  if (triggers.length === 0) throw new Error("no trigger counts against caps");
  // Dropped and not disabled: PostgreSQL would still collect the new rows for them.
  for (const { name, table } of triggers) await sql.unsafe(`drop trigger ${name} on ${table}`);
  await sql.close();
}

/** Processor time of a process and all that it started. */
function cpuMsOf(root: number): number {
  const stats = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
        return [{ pid: Number(pid), parent: Number(fields[1]), ms: (Number(fields[11]) + Number(fields[12])) * 10 }];
      } catch {
        return [];
      }
    });
  const own = new Set([root]);
  for (let size = 0; size !== own.size; ) {
    size = own.size;
    for (const { pid, parent } of stats) if (own.has(parent)) own.add(pid);
  }
  return stats.filter(({ pid }) => own.has(pid)).reduce((sum, { ms }) => sum + ms, 0);
}

const reading = (key: string) => `GET /api/v1/user/profile HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;

function writing(key: string): string {
  const time = new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+/, "");
  const body = JSON.stringify({
    pickup: { address: "350 5th Ave, New York, NY 10118", time },
    dropoff: { address: "Downtown Brooklyn, NY" },
  });
  return `POST /api/v1/delivery/schedule HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nIdempotency-Key: bench-{n}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

async function alternate(
  services: [Variant, Service][],
  rounds: number,
  seconds: number,
  requestOf: (key: string) => string,
): Promise<Record<Variant, Round[]>> {
  const results = Object.fromEntries(services.map(([name]) => [name, []])) as unknown as Record<Variant, Round[]>;
  let start = 0;
  for (let round = -1; round < rounds; round++) {
    // Whoever goes first in one round goes last in the next.
    for (const [name, service] of round % 2 === 0 ? services : services.toReversed()) {
      const before = cpuMsOf(service.pid);
      const requests = service.keys.map(requestOf);
      const result = await load({
        port: service.port,
        connections: 32,
        seconds: round < 0 ? 1 : seconds,
        requests,
        start,
      });
      start = result.lastN + 1;
      const cpuUs = ((cpuMsOf(service.pid) - before) * 1000) / result.requests;
      if (round >= 0) results[name].push({ perSecond: result.perSecond, cpuUs });
    }
  }
  return results;
}

const bench: Bench = {
  help: "what the guards cost an ordinary request: the service beside itself without them",
  async run({ quick, say }) {
    const [rounds, seconds] = quick ? [5, 1] : [9, 2];
    const services: [Variant, Service][] = [];
    try {
      for (const [name, without] of Object.entries(VARIANTS)) services.push([name as Variant, await open(without)]);
      const compared: Compared[] = [];
      const figures: Record<string, unknown> = {};
      for (const [what, requestOf] of Object.entries({ profile: reading, schedule: writing })) {
        const results = await alternate(services, rounds, seconds, requestOf);
        figures[what] = results;
        for (const [name, list] of Object.entries(results))
          say(
            `${what.padEnd(9)} ${name.padEnd(28)} ${Math.round(median(list.map((r) => r.perSecond)))}/s  cpu ${median(list.map((r) => r.cpuUs)).toFixed(1)} µs`,
          );
        for (const name of Object.keys(VARIANTS).slice(1) as Variant[]) {
          const more = results.ours.map((r, i) => (r.cpuUs / results[name][i].cpuUs - 1) * 100);
          compared.push({ what: `${what}, % more than with ${name}`, before: null, now: median(more), aim: "3" });
        }
      }
      return { ...figures, compared };
    } finally {
      for (const [, service] of services) await service.stop();
    }
  },
};

export default bench;
