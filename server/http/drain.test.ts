// A stop without a failed request: first the load balancer is told, then what is in flight finishes.
import { expect, test } from "bun:test";
import { startHarness } from "../../tests/harness.ts";

const turn = () => new Promise((go) => setImmediate(go));

test("a stop serves on for CONNECTOR_DRAIN_MS, not ready and with Connection: close, and then ends", async () => {
  const app = await startHarness({ config: { DRAIN_MS: 3_000 } });
  expect((await app.call("GET", "//health/ready")).body).toEqual({ status: "ready", missing: [] });
  let stopped = false;
  const stopping = app.service.stop().then(() => (stopped = true));
  await turn();
  const ready = await app.call("GET", "//health/ready");
  expect([ready.status, ready.body.missing]).toEqual([503, ["shutting down"]]);
  const served = await app.call("GET", "/user/profile");
  expect([served.status, served.headers.get("connection")]).toEqual([200, "close"]);
  expect((await app.call("GET", "//health/live")).status).toBe(200);
  expect(stopped).toBe(false);
  await app.clock.advance(3_000);
  await stopping;
  await expect(fetch(`${app.url}/health/live`)).rejects.toThrow();
});

test("a stop without a drain ends at once", async () => {
  const app = await startHarness({ config: { DRAIN_MS: 3_000 } });
  await app.service.stop({ drain: false });
  await expect(fetch(`${app.url}/health/live`)).rejects.toThrow();
});
