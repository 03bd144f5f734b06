// A refusal that is no fault of the service writes no error line for each request.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { expectError, type Harness, startHarness } from "../../tests/harness.ts";

let app: Harness;
const lines: unknown[] = [];
beforeAll(async () => {
  app = await startHarness({ config: { LOG_REQUESTS: "failures" } as never });
  const { log } = app.service.platform;
  log.error = log.warn = (...line: unknown[]) => void lines.push(line);
});
afterAll(() => app.stop());

test("503 provider_not_configured is in the answer and not in the log", async () => {
  for (let i = 0; i < 3; i++) {
    const reply = await app.call("POST", "/stock/quote", { body: { symbol: "AAPL" }, key: app.account.liveKey });
    expectError(reply, 503, "provider_not_configured");
  }
  expect(lines).toEqual([]);
});
