// One process and two behind one port, on reads that need no database. The load generator shares the processor with them, so its
// share is measured and said: with both cores busy no more than cores ÷ (service + generator) requests fit into a second.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import type { Bench } from "../../tools/bench.ts";
import { load } from "./load.ts";
import { HERE, makeLiveKey, median, type Measured, startService } from "./process.ts";

/** Enough that no round runs into a quota of 2,000 requests a minute. */
const ACCOUNTS = 1_200;
const CONNECTIONS = 32;

interface Group extends Measured {
  folder: string;
  keys: string[];
  pids: number[];
}

interface Round {
  perSecond: number;
  generatorUs: number;
  /** Of each process, for a request of the whole. */
  serviceUs: number[];
}

async function openGroup(processes: number): Promise<Group> {
  const service = await startService(HERE, { CONNECTOR_WORK: "false", CONNECTOR_PROCESSES: String(processes) });
  const first = await makeLiveKey(service.port, service.folder);
  const headers = { Authorization: `Bearer ${first}`, "Content-Type": "application/json" };
  const keys: string[] = [];
  for (let i = 0; i < ACCOUNTS; i++) {
    const body = JSON.stringify({ name: `bench ${i}`, plan: "max" });
    const made: any = await (
      await fetch(`http://127.0.0.1:${service.port}/v1/admin/accounts`, { method: "POST", headers, body })
    ).json();
    keys.push(made.data.live_key.key);
  }
  const members = Bun.spawnSync(["pgrep", "-P", String(service.pid), "-f", "group-member"]).stdout.toString();
  return { ...service, keys, pids: [service.pid, ...members.trim().split("\n").filter(Boolean).map(Number)] };
}

function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const residentMb = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024);

const requestOf = (key: string) =>
  `GET /api/v1/user/profile HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;

/** wrk, where it is installed, takes a fraction of what a generator in JavaScript takes. */
async function generate({ port, keys }: Group, seconds: number) {
  const wrk = Bun.which("wrk");
  if (!wrk) return load({ port, connections: CONNECTIONS, seconds, requests: keys.map(requestOf), start: 0 });
  const script = join(tmpdir(), `connector-bench-${port}.lua`);
  const texts = keys.map((key) => JSON.stringify(requestOf(key)));
  writeFileSync(
    script,
    `local r = {${texts.join(",")}}\nlocal i = 0\nfunction request() i = i % #r + 1 return r[i] end\n`,
  );
  const words = ["-t1", `-c${CONNECTIONS}`, `-d${seconds}s`, "-s", script, `http://127.0.0.1:${port}/`];
  const child = Bun.spawn([wrk, ...words], { stdout: "pipe" });
  const text = await new Response(child.stdout).text();
  await child.exited;
  rmSync(script);
  if (text.includes("Non-2xx")) throw new Error(`requests were refused: ${text}`);
  const requests = Number(/(\d+) requests in/.exec(text)![1]);
  return {
    requests,
    perSecond: requests / seconds,
    generatorUs: Number(child.resourceUsage()!.cpuTime.total) / requests,
  };
}

async function runRound(group: Group, seconds: number): Promise<Round> {
  const before = group.pids.map(cpuMs);
  const { requests, perSecond, generatorUs } = await generate(group, seconds);
  const serviceUs = group.pids.map((pid, i) => ((cpuMs(pid) - before[i]) * 1000) / requests);
  return { perSecond, generatorUs, serviceUs };
}

const round1 = (n: number) => Math.round(n * 10) / 10;

function summary(rounds: Round[], { pids }: Group) {
  const sum = (r: Round) => r.serviceUs.reduce((a, b) => a + b, 0);
  const serviceUs = median(rounds.map(sum));
  const generatorUs = median(rounds.map((r) => r.generatorUs));
  return {
    per_second: Math.round(median(rounds.map((r) => r.perSecond))),
    service_us: round1(serviceUs),
    each_us: pids.map((_, i) => round1(median(rounds.map((r) => r.serviceUs[i])))),
    generator_us: round1(generatorUs),
    bound_per_second: Math.round((cpus().length * 1e6) / (serviceUs + generatorUs)),
    memory_mb: pids.map(residentMb),
  };
}

export async function compareProcesses({ quick, say }: Parameters<Bench["run"]>[0]): Promise<Record<string, unknown>> {
  const groups = { one: await openGroup(1), two: await openGroup(2) };
  const rounds: Record<string, Round[]> = { one: [], two: [] };
  try {
    for (let round = -1; round < (quick ? 2 : 5); round++) {
      for (const [name, group] of Object.entries(groups)) {
        const result = await runRound(group, 2);
        if (round >= 0) rounds[name].push(result);
      }
    }
    const one = summary(rounds.one, groups.one);
    const two = summary(rounds.two, groups.two);
    for (const [name, row] of Object.entries({ one, two })) say(`${name}: ${JSON.stringify(row)}`);
    const gained = median(rounds.two.map((r, i) => r.perSecond / rounds.one[i].perSecond));
    return { one, two, compared: [{ what: "two processes ÷ one, reads", before: null, now: gained, aim: "1.6" }] };
  } finally {
    for (const group of Object.values(groups)) await group.stop();
  }
}
