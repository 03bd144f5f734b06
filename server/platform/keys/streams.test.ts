// An open stream is worth as much as its key: it ends when the key would no longer be admitted.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, noteSeen, startHarness } from "../../../tests/harness.ts";

let app: Harness;
let replica: Harness;
beforeAll(async () => {
  app = await startHarness();
  replica = await startHarness({ databaseUrl: app.databaseUrl, clock: app.clock });
});
afterAll(async () => {
  await replica.stop();
  await app.stop();
});

const STREAMS = [
  { path: "/events/stream", id: "events.stream", scope: "events:read" },
  { path: "/alerts/stream", id: "alerts.stream", scope: "alerts:read" },
  { path: "/stock/stream?symbols=AAPL", id: "stock.stream", scope: "stock:read" },
] as const;

type Change = { method: string; body?: unknown };
const LOSSES: { title: string; change?: Change; expiresInMs?: number }[] = [
  { title: "is revoked", change: { method: "DELETE" } },
  { title: "loses the scope", change: { method: "PATCH", body: { scopes: ["profile:read"] } } },
  { title: "loses the address", change: { method: "PATCH", body: { ip_allowlist: ["203.0.113.0/24"] } } },
  { title: "expires", expiresInMs: 60_000 },
];

/** Opens a stream; `ended` resolves when the service has closed it. */
async function open(at: Harness, path: string, routeId: string, key: string) {
  const response = await fetch(`${at.url}/api/v1${path}`, { headers: { Authorization: `Bearer ${key}` } });
  expect(response.status).toBe(200);
  noteSeen(routeId, 200);
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let text = "";
  const ended = (async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text;
      text += decoder.decode(value, { stream: true });
    }
  })();
  return { ended, cancel: () => reader.cancel() };
}

for (const { path, id, scope } of STREAMS) {
  describe(`GET ${path}`, () => {
    test.each(LOSSES)("ends on every replica when its key $title", async ({ change, expiresInMs }) => {
      const expires_at = expiresInMs ? new Date(app.clock.now() + expiresInMs).toISOString() : null;
      const order = { name: "stream", mode: "test", scopes: [scope, "profile:read"], expires_at };
      const { id: keyId, key } = (await app.call("POST", "/keys", { body: order })).body.data;
      const here = await open(app, path, id, key);
      const there = await open(replica, path, id, key);
      const bystander = await open(app, path, id, app.key);
      if (change) await app.call(change.method, `/keys/${keyId}`, { body: change.body });
      else await app.clock.advance(expiresInMs!);
      await replica.service.refreshKeys();
      await app.service.refreshKeys();
      await Promise.all([here.ended, there.ended]);
      expect(await Promise.race([bystander.ended, Promise.resolve("open")])).toBe("open");
      await bystander.cancel();
    });
  });
}
