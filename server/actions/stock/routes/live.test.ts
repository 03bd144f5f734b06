// Live keys with a provider behind them: a local server in Alpaca's shape, healthy and failing.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { systemClock } from "../../../lib/clock.ts";
import { type Harness, startHarness } from "../../../../tests/harness.ts";

let app: Harness;
let serverState: "healthy" | "silent" | "broken" | "limited" | "refused" = "healthy";
let calls: string[] = [];
const snapshot = {
  latestTrade: { t: "2026-11-13T20:59:59.123456789Z", x: "V", p: 271.3, s: 100, c: [] },
  dailyBar: { t: "2026-11-13T05:00:00Z", o: 270, h: 272, l: 269, c: 271.3, v: 10, n: 1, vw: 271 },
  prevDailyBar: { t: "2026-11-12T05:00:00Z", o: 1, h: 1, l: 1, c: 269.05, v: 1, n: 1, vw: 1 },
};

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const symbols = (new URL(request.url).searchParams.get("symbols") ?? "").split(",");
    calls.push(symbols.join(","));
    if (serverState === "silent") return new Promise<Response>(() => {});
    if (serverState === "broken") return new Response("oops", { status: 500 });
    if (serverState === "limited") return new Response("{}", { status: 429, headers: { "Retry-After": "0" } });
    if (serverState === "refused") return Response.json({ message: "forbidden" }, { status: 403 });
    await new Promise((turn) => setImmediate(turn));
    return Response.json(Object.fromEntries(symbols.filter((s) => !s.startsWith("ZZ")).map((s) => [s, snapshot])));
  },
});

beforeAll(async () => {
  app = await startHarness({
    clock: systemClock,
    config: {
      STOCK_PROVIDERS: ["alpaca"],
      STOCK_ALPACA_KEY: "k",
      STOCK_ALPACA_SECRET: "s",
      STOCK_TIMEOUT_MS: 1000,
      STOCK_PROVIDER_URLS: [`alpaca=http://127.0.0.1:${server.port}`],
      ALLOW_LOOPBACK: [`127.0.0.1:${server.port}`],
    },
  });
});
afterAll(async () => {
  await app.stop();
  server.stop(true);
});

const ask = (...symbols: string[]) => app.call("POST", "/stock/quote", { key: app.account.liveKey, body: { symbols } });

describe("POST /stock/quote with a live key", () => {
  test("200 says where it comes from, and is never simulated", async () => {
    const reply = await ask("AAPL");
    expect(reply.headers.get("X-Data-Simulated")).toBeNull();
    const { quote } = reply.body.data.results[0];
    expect(quote).toMatchObject({
      last: { price: "271.3", at: "2026-11-13T20:59:59.123456789Z" },
      change: { amount: "2.25", basis_date: "2026-11-12" },
      day: { close: "271.3" },
    });
    expect(quote.data).toMatchObject({
      source: "alpaca",
      feed: "iex",
      coverage: "single_venue",
      simulated: false,
      label: "Real-time, IEX only",
    });
  });

  test("200 for 300 callers at once with one upstream call", async () => {
    calls = [];
    const replies = await Promise.all(Array.from({ length: 300 }, () => ask("MSFT")));
    expect(replies.every((r) => r.status === 200)).toBe(true);
    expect(calls).toEqual(["MSFT"]);
  });

  test("200 mixed, and a made-up security does not exist here", async () => {
    const { body } = await ask("AAPL", "ZZQQ", "ACNCALM");
    expect(body.data.results.map((r: any) => (r.ok ? "ok" : r.error.code))).toEqual([
      "ok",
      "symbol_not_found",
      "symbol_not_found",
    ]);
  });

  test("404, 504, 502, 429 and 403 say what the provider did", async () => {
    expect((await ask("ZZAA")).status).toBe(404);
    serverState = "silent";
    const late = await ask("IBM");
    expect([late.status, late.body.error.code]).toEqual([504, "upstream_timeout"]);
    serverState = "broken";
    expect((await ask("KO")).body.error).toMatchObject({ code: "upstream_error", retryable: true });
    serverState = "limited";
    expect((await ask("PG")).body.error.code).toBe("upstream_rate_limited");
    serverState = "refused";
    const refused = await ask("JNJ");
    expect([refused.status, refused.body.error.code]).toEqual([403, "not_entitled"]);
    serverState = "healthy";
  });
});
