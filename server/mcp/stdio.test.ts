// `connector mcp` as a client meets it: JSON-RPC, line by line, over the standard streams of a process.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { type Harness, startHarness } from "../../tests/harness.ts";

const MAIN = join(import.meta.dir, "../main.ts");
const ORDER = {
  pickup_address: "350 5th Ave, New York",
  pickup_time: "2026-11-02T15:00:00Z",
  dropoff_address: "Downtown Brooklyn",
  idempotency_key: "stdio-1",
};

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

function start(key: string, url = app.url) {
  const child = Bun.spawn([process.execPath, MAIN, "mcp", "--url", url, "--key", key], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  const reader = child.stdout.getReader();
  let text = "";
  async function nextLine(): Promise<any> {
    while (!text.includes("\n")) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`the command ended: ${await new Response(child.stderr).text()}`);
      text += new TextDecoder().decode(value);
    }
    const [line, ...rest] = text.split("\n");
    text = rest.join("\n");
    return JSON.parse(line);
  }
  const write = (message: object) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    child.stdin.flush();
  };
  return { child, write, nextLine };
}

test("a session over stdio lists the tools of the key, schedules once and ends with its input", async () => {
  const { child, write, nextLine } = start(app.key);
  const clientInfo = { name: "test", version: "1" };
  write({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } });
  expect((await nextLine()).result).toMatchObject({ protocolVersion: "2025-11-25", capabilities: { resources: {} } });
  write({ method: "notifications/initialized" });
  write({ id: 2, method: "tools/list" });
  expect((await nextLine()).result.tools.length).toBe(25);
  write({ id: 3, method: "tools/call", params: { name: "schedule_delivery", arguments: ORDER } });
  const first = (await nextLine()).result.structuredContent;
  write({ id: 4, method: "tools/call", params: { name: "schedule_delivery", arguments: ORDER } });
  const second = (await nextLine()).result.structuredContent;
  expect([first.status, second.delivery_id, second.replayed]).toEqual(["scheduled", first.delivery_id, true]);
  child.stdin.end();
  expect(await child.exited).toBe(0);
});

test("a wrong key and a wrong address end it with a reason", async () => {
  const refused = start("acn_test_wrong");
  expect(await refused.child.exited).toBe(1);
  expect(await new Response(refused.child.stderr).text()).toContain("cannot be used");
  expect(await start(app.key, "nowhere").child.exited).toBe(2);
});
