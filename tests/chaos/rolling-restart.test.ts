// Two replicas on one store, restarted one after the other under load behind a balancer that asks /health/ready: no request fails.
import { expect, test } from "bun:test";
import { freshDatabase } from "../database.ts";
import { makeDataFolder, removeDataFolder, type Running, startConnector } from "../connector.ts";

const PER_SECOND = Number(process.env.CONNECTOR_TEST_RATE ?? 60);
const LOOK_MS = 100;

interface Replica {
  service: Running;
  ready: boolean;
}

test("a rolling restart of two replicas under load: 0 failed requests", async () => {
  const settings = {
    CONNECTOR_DATABASE_URL: await freshDatabase(),
    CONNECTOR_SECRET: "a secret for tests, long enough to be one",
    CONNECTOR_DRAIN_MS: "1500",
    CONNECTOR_LOG: "silent",
  };
  const folders = [makeDataFolder(), makeDataFolder()];
  const replicas: Replica[] = [{ service: await startConnector(folders[0], settings), ready: true }];
  const { key } = replicas[0].service;
  // The second one makes no account; it needs the key of the first to greet with.
  await Bun.write(`${folders[1]}/first-key`, key);
  replicas.push({ service: await startConnector(folders[1], settings), ready: true });

  let running = true;
  const balancer = (async () => {
    while (running) {
      for (const replica of replicas) {
        replica.ready = await fetch(`${replica.service.url}/health/ready`).then(
          (answer) => answer.status === 200,
          () => false,
        );
      }
      await Bun.sleep(LOOK_MS);
    }
  })();

  const failures: string[] = [];
  let sent = 0;
  const pending: Promise<void>[] = [];
  const request = async (n: number) => {
    const ready = replicas.filter((replica) => replica.ready);
    const target = ready[n % ready.length];
    if (!target) return void failures.push("no replica is ready");
    try {
      const answer = await fetch(`${target.service.url}/v1/user/profile`, {
        headers: { Authorization: `Bearer ${key}` },
      });
      await answer.text();
      // The quota of one account is smaller than the load; a 429 is an answer.
      if (answer.status !== 200 && answer.status !== 429) failures.push(String(answer.status));
    } catch (error) {
      failures.push(String(error));
    }
  };
  const loading = (async () => {
    while (running) {
      pending.push(request(sent++));
      await Bun.sleep(1000 / PER_SECOND);
    }
  })();

  for (const [i, replica] of replicas.entries()) {
    await Bun.sleep(500);
    expect(await replica.service.stop()).toBe(0);
    replica.ready = false;
    replica.service = await startConnector(folders[i], settings);
    while (!replica.ready) await Bun.sleep(LOOK_MS);
  }
  await Bun.sleep(500);
  running = false;
  await Promise.all([balancer, loading]);
  await Promise.all(pending);
  expect(failures).toEqual([]);
  console.log(`rolling restart: ${sent} requests, 0 failed`);
  for (const { service } of replicas) await service.stop();
  for (const folder of folders) removeDataFolder(folder);
}, 180_000);
