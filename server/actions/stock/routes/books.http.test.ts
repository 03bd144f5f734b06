// Books of own feeds over time: corrections after a while, other processes, and a feed of very many securities.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type Harness, startHarness } from "../../../../tests/harness.ts";
import { formatTime } from "../../../lib/time.ts";

setDefaultTimeout(120_000);

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

const LATER_MS = 20_000;
const trade = (symbol: string, seq: number, price: number) => ({ symbol, seq, price, at: formatTime(app.clock.now()) });
const cancel = (symbol: string, seq: number, of: number) => ({
  ...trade(symbol, seq, 1),
  price: undefined,
  type: "cancel",
  of,
});

async function push(ticks: object[]) {
  const reply = await app.call("POST", "/stock/ticks", { key: app.account.liveKey, body: { currency: "USD", ticks } });
  await app.service.settle();
  return reply;
}

async function priceOf(symbol: string, on: Harness = app): Promise<string | null> {
  const { body } = await on.call("POST", "/stock/quote", { key: app.account.liveKey, body: { symbol } });
  return body.data?.results[0].quote.last.price ?? null;
}

/** Books are read again beside the request that finds them old. */
async function expectPrice(symbol: string, price: string | null, on: Harness): Promise<void> {
  for (let tries = 0; tries < 200 && (await priceOf(symbol, on)) !== price; tries++) await app.clock.advance(100);
  expect(await priceOf(symbol, on)).toBe(price);
}

test("a trade can be corrected long after it was saved", async () => {
  await push([trade("LATE", 1, 10), trade("LATE", 2, 20)]);
  for (let looks = 0; looks < 3; looks++) {
    await app.clock.advance(LATER_MS);
    expect(await priceOf("LATE")).toBe("20");
  }
  expect((await push([cancel("LATE", 3, 2)])).body.data).toMatchObject({ accepted: 1, rejected: 0 });
  expect(await priceOf("LATE")).toBe("10");
});

test("another process sees what is new, what changed and what was removed", async () => {
  await push([trade("ONE", 1, 11), trade("TWO", 1, 21)]);
  await app.clock.advance(LATER_MS);
  await expectPrice("ONE", "11", replica);
  await expectPrice("TWO", "21", replica);
  await push([trade("ONE", 2, 12)]);
  await expectPrice("ONE", "12", replica);
  await app.call("DELETE", "/stock/ticks?symbol=TWO", { key: app.account.liveKey });
  await expectPrice("TWO", null, replica);
  await expectPrice("ONE", "12", replica);
});

test("of very many securities fewer trades are kept, and the numbers of the day are the same", async () => {
  const symbols = Array.from({ length: 256 }, (_, i) => `M${String.fromCharCode(65 + (i >> 4), 65 + (i & 15))}`);
  for (let seq = 1; seq <= 200; seq++) await push(symbols.map((symbol) => trade(symbol, seq, seq)));
  const refused = await push([cancel(symbols[0], 300, 10)]);
  expect(refused.body.error.errors[0].hint).toContain("fewer");
  expect((await push([cancel(symbols[0], 301, 200)])).body.data.accepted).toBe(1);
  const { body } = await app.call("POST", "/stock/quote", { key: app.account.liveKey, body: { symbol: symbols[0] } });
  expect(body.data.results[0].quote).toMatchObject({
    last: { price: "199" },
    day: { trades: 199, high: "199", low: "1" },
  });
});
