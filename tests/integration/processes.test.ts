// Two processes behind one port: one quota, one answer per idempotency key, a killed one is replaced, all end together.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { makeDataFolder, removeDataFolder, type Running, startConnector } from "../connector.ts";

const QUOTA = 2_000;
let folder: string;
let service: Running;

beforeAll(async () => {
  folder = makeDataFolder();
  service = await startConnector(folder, { CONNECTOR_PROCESSES: "2" });
}, 120_000);
afterAll(() => removeDataFolder(folder));

/** A connection of its own each time, so that the kernel gives it to either process. */
const call = (path: string, init: RequestInit = {}) =>
  fetch(`${service.url}${path}`, {
    ...init,
    headers: { Authorization: `Bearer ${service.key}`, Connection: "close", ...init.headers },
  });

function members(): number[] {
  const isMember = (pid: string) => {
    try {
      const parent = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ")[1];
      return parent === String(service.pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("group-member");
    } catch {
      return false;
    }
  };
  return readdirSync("/proc").filter(isMember).map(Number);
}

async function answersByProcess(): Promise<Map<string, number>> {
  const text = await (await call("/metrics")).text();
  const lines = text.matchAll(/^connector_requests_total\{process="(\d)",route="user.profile",status="200"\} (\d+)$/gm);
  return new Map([...lines].map(([, process, count]) => [process, Number(count)]));
}

test("every request is counted once, whichever process answers it, and both do", async () => {
  const left: number[] = [];
  for (let i = 0; i < 60; i++) {
    const reply = await call("/api/v1/user/profile");
    expect(reply.status).toBe(200);
    left.push(Number(reply.headers.get("x-ratelimit-remaining")));
  }
  expect(left).toEqual(Array.from({ length: 60 }, (_, i) => QUOTA - 1 - i));
  const answers = await answersByProcess();
  expect([...answers.keys()].sort()).toEqual(["0", "1"]);
  expect((answers.get("0") ?? 0) + (answers.get("1") ?? 0)).toBe(60);
}, 60_000);

test("one effect for twenty requests with one idempotency key", async () => {
  const body = JSON.stringify({
    pickup: { address: "350 5th Ave, New York, NY 10118", time: "asap" },
    dropoff: { address: "Downtown Brooklyn, NY" },
  });
  const headers = { "Content-Type": "application/json", "Idempotency-Key": "once" };
  const order = async () => (await call("/api/v1/delivery/schedule", { method: "POST", headers, body })).status;
  const statuses = await Promise.all(Array.from({ length: 20 }, order));
  expect(statuses.every((status) => status === 200 || status === 409)).toBe(true);
  expect(statuses).toContain(200);
  const { data }: any = await (await call("/api/v1/delivery")).json();
  expect(data.items.length).toBe(1);
}, 60_000);

test("a killed process is replaced", async () => {
  const [killed] = members();
  process.kill(killed, "SIGKILL");
  const served = async () => ((await answersByProcess()).get("1") ?? 0) > 0;
  do await call("/api/v1/user/profile").catch(() => {});
  while (!(await served().catch(() => false)));
  const now = members();
  expect(now.length).toBe(1);
  expect(now[0]).not.toBe(killed);
}, 60_000);

test("an orderly stop ends them all, with success", async () => {
  const [member] = members();
  expect(await service.stop()).toBe(0);
  expect(() => process.kill(member, 0)).toThrow();
}, 60_000);
