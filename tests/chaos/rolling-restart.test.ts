// Two replicas on one store, restarted one after the other under load behind a balancer that asks /health/ready: no request fails.
import { expect, test } from "bun:test";
import { EventEmitter, once } from "node:events";
import { freshDatabase } from "../database.ts";
import { makeDataFolder, removeDataFolder, type Running, startConnector } from "../connector.ts";

const PER_SECOND = Number(process.env.CONNECTOR_TEST_RATE ?? 60);
/** The replicas are processes with the real clock: the balancer asks and the load comes in real time. */
const LOOK_MS = 100;
/** How many requests are answered before, between and after the restarts. */
const BETWEEN_RESTARTS = 30;

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
  const steps = new EventEmitter();
  /** Resolves after the look of the balancer, or the answer, with which it holds. */
  const after = async (step: "look" | "answer", holds: () => boolean) => {
    while (!holds()) await once(steps, step);
  };
  const looked = (holds: () => boolean) => after("look", holds);
  let answers = 0;
  const answered = (more: number) => {
    const wanted = answers + more;
    return after("answer", () => answers >= wanted);
  };
  const balancer = (async () => {
    while (running) {
      for (const replica of replicas) {
        replica.ready = await fetch(`${replica.service.url}/health/ready`).then(
          (answer) => answer.status === 200,
          () => false,
        );
      }
      steps.emit("look");
      await Bun.sleep(LOOK_MS);
    }
  })();

  const failures: string[] = [];
  let sent = 0;
  let limited = 0;
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
      if (answer.status === 429) limited++;
      if (answer.status !== 200 && answer.status !== 429) failures.push(String(answer.status));
    } catch (error) {
      failures.push(String(error));
    }
    answers++;
    steps.emit("answer");
  };
  const startedMs = performance.now();
  // What is due by the clock is sent, so that a timer that comes late does not lower the rate.
  const loading = (async () => {
    while (running) {
      const due = (PER_SECOND * (performance.now() - startedMs)) / 1000;
      while (sent <= due) pending.push(request(sent++));
      await Bun.sleep(1000 / PER_SECOND);
    }
  })();

  for (const [i, replica] of replicas.entries()) {
    await answered(BETWEEN_RESTARTS);
    expect(await replica.service.stop()).toBe(0);
    replica.ready = false;
    replica.service = await startConnector(folders[i], settings);
    await looked(() => replica.ready);
  }
  await answered(BETWEEN_RESTARTS);
  running = false;
  await Promise.all([balancer, loading]);
  await Promise.all(pending);
  expect(failures).toEqual([]);
  const perSecond = Math.round((1000 * sent) / (performance.now() - startedMs));
  console.log(`rolling restart: ${sent} requests, ${perSecond} a second, 0 failed, ${limited} past the quota (429)`);
  for (const { service } of replicas) await service.stop();
  for (const folder of folders) removeDataFolder(folder);
}, 180_000);
