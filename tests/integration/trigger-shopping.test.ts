// `connector trigger shopping.*`: the demo shop moves its prices with the clock, which a test owns.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createShopping } from "../../server/actions/shopping/index.ts";
import { startCommand } from "../command.ts";
import { type Harness, startHarness } from "../harness.ts";

const EVENTS = ["shopping.price_changed", "shopping.target_reached", "shopping.alert"];
const STEP_MS = 10_000;
const MAX_STEPS = 60;

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

test.each(EVENTS)("%s follows within minutes of its trigger", async (event) => {
  const { testKey } = await app.openAccount();
  const env = { ...process.env, CONNECTOR_URL: app.url, CONNECTOR_API_KEY: testKey };
  const { code, out } = await startCommand(["trigger", event, "--json"], env).ended;
  expect([code, JSON.parse(out)]).toEqual([0, { triggered: event }]);
  const shopping = createShopping(app.service.platform);
  const seen = async () => (await app.call("GET", `/events?type=${event}`, { key: testKey })).body.data.items;
  for (let step = 0; step < MAX_STEPS && (await seen()).length === 0; step++) {
    await app.clock.advance(STEP_MS);
    await shopping.loop.settle();
  }
  const [first] = await seen();
  expect(first).toMatchObject({ type: event, mode: "test", tags: ["trigger"] });
});
