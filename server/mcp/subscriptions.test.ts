// A subscriber hears of changes to its resource, in both revisions, and no longer than its key is good.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type Harness, startHarness } from "../../tests/harness.ts";

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

const ORDER = {
  pickup: { address: "10118 New York", time: "2026-11-02T15:00:00Z" },
  dropoff: { address: "11201 Brooklyn" },
};

async function schedule(): Promise<{ id: string; uri: string }> {
  const { body } = await app.call("POST", "/delivery/schedule", { body: ORDER });
  return { id: body.data.delivery_id, uri: `connector://deliveries/${body.data.delivery_id}` };
}

async function cancel(id: string): Promise<void> {
  expect((await app.call("POST", `/delivery/${id}/cancel`)).status).toBe(200);
  await app.service.settle();
}

test("by resources/subscribe of the revision 2025-11-25", async () => {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "legacy" } });
  const heard = Promise.withResolvers<string>();
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => heard.resolve(params.uri));
  const headers = { Authorization: `Bearer ${app.key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { requestInit: { headers } }));
  const { id, uri } = await schedule();
  await client.subscribeResource({ uri });
  await cancel(id);
  expect(await heard.promise).toBe(uri);
  await client.close();
});

test("by subscriptions/listen of the revision 2026-07-28, until the key is revoked", async () => {
  const key = await app.makeKey(app.account);
  const { id, uri } = await schedule();
  const next = await listen(key, uri);
  expect(await next()).toContain("subscriptions/acknowledged");
  await cancel(id);
  const update = await next();
  expect(update).toContain("resources/updated");
  expect(update).toContain(uri);
  const { body } = await app.call("GET", "/keys");
  const mine = body.data.items.find((k: { last4: string }) => key.endsWith(k.last4));
  await app.call("DELETE", `/keys/${mine.id}`);
  await app.service.refreshKeys();
  let message = await next();
  while (message !== null) message = await next();
  expect(message).toBeNull();
});

/** Opens the stream; each call of the returned function waits for more of it, null at its end. */
async function listen(key: string, uri: string): Promise<() => Promise<string | null>> {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  };
  const params = { notifications: { resourceSubscriptions: [uri] }, _meta: meta };
  const response = await fetch(`${app.url}/mcp`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": "subscriptions/listen",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params }),
  });
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  return async () => {
    const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }));
    return done ? null : decoder.decode(value);
  };
}
