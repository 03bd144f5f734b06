import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { makeLiveKey } from "../../../../tests/connector.ts";
import { testDatabase } from "../../../../tests/database.ts";

setDefaultTimeout(120_000);

const main = resolve(import.meta.dir, "../../../main.ts");
const folder = mkdtempSync(join(tmpdir(), "connector-kill-"));
const COUNT = 40;
const got: { id: string; text: string }[] = [];
const told = () => new Set(got.map((g) => g.text));
const allTold = Promise.withResolvers<void>();
let database: Awaited<ReturnType<typeof testDatabase>>;
let receiver: ReturnType<typeof Bun.serve>;
let service: { child: Bun.Subprocess; url: string };

async function start(): Promise<typeof service> {
  const settings = {
    CONNECTOR_PORT: "0",
    CONNECTOR_DATA_DIR: folder,
    CONNECTOR_DATABASE_URL: database.url,
    CONNECTOR_ALLOW_LOOPBACK: `127.0.0.1:${receiver.port}`,
  };
  const child = Bun.spawn([process.execPath, main, "start"], {
    env: { ...process.env, ...settings },
    stdout: "pipe",
    stderr: "ignore",
  });
  let said = "";
  for await (const chunk of child.stdout) {
    said += new TextDecoder().decode(chunk);
    const url = /ready (\S+)/.exec(said)?.[1];
    if (url) return { child, url };
  }
  throw new Error(`the service ended: ${said}`);
}

beforeAll(async () => {
  database = await testDatabase();
  receiver = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const body = JSON.parse(await request.text());
      got.push({ id: request.headers.get("webhook-id")!, text: body.data.items[0].summary });
      if (told().size === COUNT) allTold.resolve();
      return new Response("ok");
    },
  });
  service = await start();
});
afterAll(async () => {
  service.child.kill("SIGKILL");
  await service.child.exited;
  await receiver.stop(true);
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

test("after kill -9 in the middle, every pushed content has matched once and was told, under one id", async () => {
  const key = await makeLiveKey(service.url, folder, { CONNECTOR_DATABASE_URL: database.url });
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const post = (path: string, body: object, idempotencyKey: string) =>
    fetch(`${service.url}/api/v1${path}`, {
      method: "POST",
      headers: { ...headers, "Idempotency-Key": idempotencyKey },
      body: JSON.stringify(body),
    });
  const channels = [{ type: "webhook", url: `http://127.0.0.1:${receiver.port}/` }];
  const made = await (
    await post("/alerts/create", { tag: "killed", channels, delivery: { max_per_hour: 3600 } }, "make")
  ).json();
  for (let i = 0; i < COUNT; ) {
    const answer = post("/alerts/content", { id: `i${i}`, text: `killed ${i}` }, `push-${i}`);
    if (i === 20) service.child.kill("SIGKILL");
    const status = await answer.then(
      (r) => r.status,
      () => 0,
    );
    if (status === 200) i++;
    else {
      expect(status).toBe(0);
      await service.child.exited;
      service = await start();
      // Only once: the retry must go through.
      expect((await post("/alerts/content", { id: `i${i}`, text: `killed ${i}` }, `push-${i}`)).status).toBe(200);
      i++;
    }
  }
  // What the dead process had in hand falls due again after a minute; here at once.
  await database.db.sql`update alert_outbox set next_at = now() where next_at > now()`;
  await allTold.promise;
  expect(told().size).toBe(COUNT);
  for (const same of Map.groupBy(got, (g) => g.text).values()) expect(new Set(same.map((g) => g.id)).size).toBe(1);
  const { data } = await (
    await fetch(`${service.url}/api/v1/alerts/${made.data.id}/matches?limit=100`, { headers })
  ).json();
  expect(data.items).toHaveLength(COUNT);
});
