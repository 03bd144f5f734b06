// The MCP endpoint as the official client meets it, in both revisions: every tool, one code path with REST, foreign text as data.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type Harness, startHarness } from "../../tests/harness.ts";

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

const REVISIONS = { "2026-07-28": { pin: "2026-07-28" }, "2025-11-25": "legacy" } as const;

async function connect(revision: keyof typeof REVISIONS, key = app.key, capabilities = {}): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1" },
    { capabilities, versionNegotiation: { mode: REVISIONS[revision] } },
  );
  const transport = new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
  });
  await client.connect(transport);
  return client;
}

const data = (result: any) => result.structuredContent;
const KETTLE = () => `${app.url}/demo-shop/kettle`;
const ORDER = {
  pickup_address: "350 5th Ave, New York",
  pickup_time: "2026-11-02T15:00:00Z",
  dropoff_address: "Downtown Brooklyn",
};

for (const revision of Object.keys(REVISIONS) as (keyof typeof REVISIONS)[]) {
  describe(`the revision ${revision}`, () => {
    let client: Client;
    beforeAll(async () => {
      client = await connect(revision);
    });
    afterAll(() => client.close());

    const call = (name: string, args: Record<string, unknown> = {}) => client.callTool({ name, arguments: args });

    test("lists at most 25 tools, each with all four annotations", async () => {
      const { tools } = await client.listTools();
      expect(tools.length).toBe(25);
      for (const { annotations } of tools) {
        const hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;
        expect(hints.map((hint) => typeof annotations?.[hint])).toEqual(Array(4).fill("boolean"));
      }
    });

    test("every tool works", async () => {
      const key = `k-${revision}`;
      const scheduled = data(await call("schedule_delivery", { ...ORDER, idempotency_key: `${key}-1` }));
      expect(scheduled).toMatchObject({
        status: "scheduled",
        simulated: true,
        full: `connector://deliveries/${scheduled.delivery_id}`,
      });
      const delivery = { delivery_id: scheduled.delivery_id };
      const tracked = data(
        await call("track_product", { url: KETTLE(), target_price: "30.00", idempotency_key: `${key}-2` }),
      );
      const alert = data(await call("create_alert", { query: "kettle", name: "Kettles", idempotency_key: `${key}-3` }));
      const level = { symbol: "AAPL", above: "9000", idempotency_key: `${key}-4` };
      const results: Record<string, any> = {
        estimate_delivery: await call("estimate_delivery", ORDER),
        get_delivery: await call("get_delivery", delivery),
        list_deliveries: await call("list_deliveries", { limit: 5 }),
        reschedule_delivery: await call("reschedule_delivery", {
          ...delivery,
          pickup_time: "2026-11-02T17:00:00Z",
          idempotency_key: `${key}-5`,
        }),
        cancel_delivery: await call("cancel_delivery", { ...delivery, idempotency_key: `${key}-6` }),
        check_product_price: await call("check_product_price", { url: KETTLE() }),
        list_tracked_products: await call("list_tracked_products"),
        get_price_history: await call("get_price_history", { tracker_id: tracked.id, days: 7 }),
        get_stock_quote: await call("get_stock_quote", { symbols: ["AAPL", "MSFT"] }),
        find_stock_symbol: await call("find_stock_symbol", { name: "apple" }),
        get_market_hours: await call("get_market_hours", { market: "XLON", at: "2026-12-28T10:00:00Z" }),
        create_price_level: await call("create_price_level", level),
        preview_alert: await call("preview_alert", { query: "kettle", content: [{ text: "a new kettle" }] }),
        list_alerts: await call("list_alerts"),
        get_alert_matches: await call("get_alert_matches", { alert_id: alert.id }),
        pause_alert: await call("pause_alert", { alert_id: alert.id, idempotency_key: `${key}-7` }),
        check_ai_content: await call("check_ai_content", { content: "The committee met on Tuesday. ".repeat(20) }),
        list_events: await call("list_events", { limit: 3 }),
        get_account: await call("get_account"),
        search_actions: await call("search_actions", { question: "add a courier" }),
        call_action: await call("call_action", { action: "usage.get" }),
        stop_tracking_product: await call("stop_tracking_product", {
          tracker_id: tracked.id,
          idempotency_key: `${key}-8`,
        }),
      };
      const failed = Object.entries(results).filter(([, r]) => r.isError);
      expect(failed.map(([name, r]) => [name, r.content[0].text])).toEqual([]);
      expect(data(results.search_actions).actions[0].action).toBe("delivery.couriers.create");
      expect(Object.keys(results).length + 3).toBe(25);
    });

    test("the same idempotency key again does nothing new and says so", async () => {
      const args = { ...ORDER, idempotency_key: `again-${revision}` };
      const first = data(await call("schedule_delivery", args));
      const second = data(await call("schedule_delivery", args));
      expect([second.delivery_id, first.replayed, second.replayed]).toEqual([first.delivery_id, undefined, true]);
    });

    test("a refusal is a tool error with the hint", async () => {
      const result: any = await call("schedule_delivery", { ...ORDER, pickup_time: "yesterday", idempotency_key: "x" });
      expect([result.isError, result.content[0].text]).toEqual([true, expect.stringContaining("/pickup/time")]);
      const wrong: any = await call("get_delivery", { id: "dlv_1" });
      expect([wrong.isError, wrong.content[0].text]).toEqual([true, expect.stringContaining("delivery_id")]);
    });

    test("instructions hidden in a product page arrive as fenced data", async () => {
      const result = data(await call("check_product_price", { url: KETTLE() }));
      expect(result.product.name).toMatch(/^⟦outside text: .+⟧$/);
    });

    test("resources can be listed, read and prompts be had", async () => {
      const { delivery_id } = data(await call("schedule_delivery", { ...ORDER, idempotency_key: `res-${revision}` }));
      const uri = `connector://deliveries/${delivery_id}`;
      expect((await client.listResources()).resources.map((r) => r.uri)).toContain(uri);
      const { contents } = await client.readResource({ uri });
      expect(JSON.parse((contents[0] as any).text).delivery_id).toBe(delivery_id);
      await expect(client.readResource({ uri: "connector://deliveries/dlv_none" })).rejects.toThrow("no resource");
      const { prompts } = await client.listPrompts();
      expect(prompts.length).toBe(5);
      const prompt = await client.getPrompt({ name: "send_something", arguments: { from: "a", to: "b" } });
      expect((prompt.messages[0].content as any).text).toContain("estimate_delivery");
    });

    test("a client that can ask the person asks before a delivery", async () => {
      for (const [answer, expected] of [
        [{ action: "accept", content: { confirm: true } }, "scheduled"],
        [{ action: "decline" }, undefined],
      ] as const) {
        const asking = await connect(revision, app.key, { elicitation: { form: {} } });
        const messages: string[] = [];
        asking.setRequestHandler("elicitation/create", ({ params }: any) => {
          messages.push(params.message);
          return answer as any;
        });
        const args = { ...ORDER, idempotency_key: `ask-${revision}-${answer.action}` };
        const result = data(await asking.callTool({ name: "schedule_delivery", arguments: args }));
        expect(messages).toEqual([expect.stringContaining("350 5th Ave")]);
        expect(result.status).toBe(expected);
        await asking.close();
      }
    });
  });
}

describe("the endpoint", () => {
  const rpc = (method: string, params: unknown = {}) => ({ jsonrpc: "2.0", id: 1, method, params });
  const post = (body: unknown, headers: Record<string, string> = {}, key: string | null = app.key) =>
    app.call("POST", "//mcp", {
      key,
      body,
      headers: { Accept: "application/json, text/event-stream", "Content-Type": "application/json", ...headers },
    });

  test("401 with the address of its metadata when no key is sent", async () => {
    const reply = await post(rpc("tools/list"), {}, null);
    expect(reply.status).toBe(401);
    expect(reply.headers.get("www-authenticate")).toContain("/.well-known/oauth-protected-resource/mcp");
    const metadata = await app.call("GET", "//.well-known/oauth-protected-resource/mcp", { key: null });
    expect(metadata.body).toMatchObject({ resource: `${app.url}/mcp`, bearer_methods_supported: ["header"] });
    expect((await app.call("GET", "//.well-known/oauth-protected-resource", { key: null })).status).toBe(200);
  });

  test("403 for pages of other origins and for other names of this machine", async () => {
    expect((await post(rpc("tools/list"), { Origin: "https://evil.example" })).body.error.code).toBe(
      "origin_not_allowed",
    );
    expect((await post(rpc("tools/list"), { Host: "evil.example" })).status).toBe(403);
    expect((await post(rpc("tools/list"), { Origin: app.url })).status).toBe(200);
  });

  test("a key without the scope sees no such tool, and its call is refused", async () => {
    const key = await app.makeKey(app.account, { scopes: ["stock:read"] });
    const client = await connect("2026-07-28", key);
    const names = (await client.listTools()).tools.map((t) => t.name);
    expect(names).toEqual([
      "get_stock_quote",
      "find_stock_symbol",
      "get_market_hours",
      "search_actions",
      "call_action",
    ]);
    const result: any = await client.callTool({ name: "get_account", arguments: {} });
    expect([result.isError, result.content[0].text]).toEqual([true, expect.stringContaining("profile:read")]);
    await client.close();
  });

  test("a tool call is one request of the quota, counted where REST counts", async () => {
    const account = await app.openAccount("free");
    const client = await connect("2026-07-28", account.testKey);
    const left = async () => data(await client.callTool({ name: "get_account", arguments: {} })).quota.remaining;
    const before = await left();
    await client.callTool({ name: "find_stock_symbol", arguments: { name: "apple" } });
    expect(before - (await left())).toBe(2);
    const usage = await app.call("GET", "/usage", { key: account.testKey });
    expect(usage.status).toBe(200);
    await client.close();
  });

  test("a session belongs to its key, and ends by DELETE", async () => {
    const opened = await post(
      rpc("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } }),
    );
    const id = opened.headers.get("mcp-session-id")!;
    const other = await app.openAccount();
    const headers = { "Mcp-Session-Id": id, "Mcp-Protocol-Version": "2025-11-25" };
    expect((await post(rpc("tools/list"), headers, other.testKey)).status).toBe(404);
    expect((await post(rpc("tools/list"), headers)).status).toBe(200);
    expect((await app.call("DELETE", "//mcp", { headers })).status).toBe(200);
    expect((await post(rpc("tools/list"), headers)).status).toBe(404);
    expect((await app.call("GET", "//mcp", { headers: { Accept: "text/event-stream" } })).status).toBe(405);
  });
});
