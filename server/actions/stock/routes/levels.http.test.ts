// Price levels over HTTP: created, fired once, changed, listed and removed.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../../../tests/harness.ts";

let app: Harness;
/** Tuesday, 10:00 in New York. */
const OPEN = Date.parse("2026-11-03T15:00:00Z");

beforeAll(async () => {
  app = await startHarness();
  app.clock.jump(OPEN);
});
afterAll(() => app.stop());

const ask = (body: unknown) => app.call("POST", "/stock/quote", { body });

describe("POST /stock/levels", () => {
  const push = (seq: number, price: string) =>
    app.call("POST", "/stock/ticks", {
      body: {
        currency: "USD",
        ticks: [{ symbol: "LVL", seq, at: new Date(app.clock.now() + seq).toISOString(), price }],
      },
    });
  const crossed = async () =>
    (await app.service.platform.db
      .sql`select tags, data from events where type = 'stock.level_crossed' order by id`) as any[];

  test("201, fires once with the symbol as a tag, and not again", async () => {
    await push(1, "10.00");
    const made = await app.call("POST", "/stock/levels", { body: { symbol: "LVL", above: "11.00", tags: ["desk"] } });
    expect([made.status, made.body.data.state]).toEqual([201, "armed"]);
    await push(2, "10.99");
    expect((await crossed()).length).toBe(0);
    await push(3, "11.00");
    await push(4, "10.00");
    await push(5, "12.00");
    const events = await crossed();
    expect(events.length).toBe(1);
    expect(events[0].tags).toEqual(["LVL", "desk"]);
    expect(events[0].data).toMatchObject({
      title: "LVL rose to 11.00 USD, above your level of 11.00.",
      direction: "up",
      threshold: "11.00",
      price: "11.00",
      currency: "USD",
      simulated: false,
      level: { id: made.body.data.id, state: "done" },
    });
  });

  test("201 with repeat fires again only after it came back by the hysteresis", async () => {
    const made = await app.call("POST", "/stock/levels", {
      body: { symbol: "LVL", below: "9.00", hysteresis: "0.50", repeat: true },
    });
    const mine = async () => (await crossed()).filter((e) => e.data.level.id === made.body.data.id).length;
    for (const [seq, price] of [
      [6, "8.90"],
      [7, "9.10"],
      [8, "8.80"],
    ] as const)
      await push(seq, price);
    expect(await mine()).toBe(1);
    for (const [seq, price] of [
      [9, "9.60"],
      [10, "8.70"],
    ] as const)
      await push(seq, price);
    expect(await mine()).toBe(2);
    expect((await app.call("DELETE", `/stock/levels/${made.body.data.id}`)).status).toBe(200);
    expect((await app.call("DELETE", `/stock/levels/${made.body.data.id}`)).status).toBe(404);
  });

  test("201 on a simulated security is watched without a feed", async () => {
    const { quote } = (await ask({ symbol: "ACNWILD" })).body.data.results[0];
    const made = await app.call("POST", "/stock/levels", {
      body: {
        symbol: "ACNWILD",
        percent: quote.change.percent.startsWith("-") ? "0.0001" : "-0.0001",
        hysteresis: "0",
      },
    });
    expect(made.body.data.state).toBe("armed");
    const list = (await app.call("GET", "/stock/levels?limit=1")).body.data;
    expect(list.items[0].id).toBe(made.body.data.id);
  });

  test("403 past a thousand levels", async () => {
    const { sql } = app.service.platform.db;
    const account = await app.openAccount("free");
    const [tenant] = await sql`select id from tenants where account_id = ${account.id} and mode = 'test'`;
    await sql`insert into stock_levels (id, tenant_id, key, symbol, above, repeat, state, tags, mode, created_at)
      select 'lvl_' || n, ${tenant.id}, 'AAPL:XNAS', 'AAPL', '1', false, 'done', '{}', 'test', now() from generate_series(1, 1000) n`;
    const over = await app.call("POST", "/stock/levels", {
      key: account.testKey,
      body: { symbol: "AAPL", above: "1" },
    });
    expect([over.status, over.body.error.code]).toEqual([403, "plan_limit_reached"]);
  });

  test("400 for none or two conditions and for zero; 422 for no symbol; 503 without a source", async () => {
    for (const body of [
      { symbol: "AAPL" },
      { symbol: "AAPL", above: "1", below: "2" },
      { symbol: "AAPL", above: "0" },
      { symbol: "AAPL", below: "-2" },
      { symbol: "AAPL", above: "1", hysteresis: "-1" },
    ]) {
      expect((await app.call("POST", "/stock/levels", { body })).status).toBe(400);
    }
    expect((await app.call("POST", "/stock/levels", { body: { symbol: "SHOP", above: "1" } })).status).toBe(422);
    expect((await app.call("POST", "/stock/levels", { body: { symbol: "??", above: "1" } })).status).toBe(422);
    expect(
      (await app.call("POST", "/stock/levels", { key: app.account.liveKey, body: { symbol: "AAPL", above: "1" } }))
        .status,
    ).toBe(503);
    expect((await app.call("GET", "/stock/levels?cursor=zzz")).status).toBe(400);
  });

  test("201 with numbers for decimals", async () => {
    const made = await app.call("POST", "/stock/levels", { body: { symbol: "AAPL", above: 4000, hysteresis: 0.5 } });
    expect(made.body.data).toMatchObject({ above: "4000", hysteresis: "0.5", warnings: [] });
  });

  test("201 with a warning when the price is already beyond", async () => {
    const { quote } = (await ask({ symbol: "AAPL" })).body.data.results[0];
    const made = await app.call("POST", "/stock/levels", { body: { symbol: "AAPL", above: "10.00" } });
    expect([made.status, made.body.data.state]).toEqual([201, "beyond"]);
    expect(made.body.data.warnings).toEqual([
      `AAPL is at ${quote.last.price} USD, already beyond 10.00. The level fires only after the value has come back to 9.99 or below and crosses again.`,
    ]);
  });

  test("201 with a warning when the only price is stale, and a stale price never fires it", async () => {
    const tick = (seq: number, price: string, at: string) =>
      app.call("POST", "/stock/ticks", { body: { currency: "USD", ticks: [{ symbol: "OLDT", seq, at, price }] } });
    await tick(1, "5.00", "2026-11-03T14:40:00Z");
    const made = await app.call("POST", "/stock/levels", { body: { symbol: "OLDT", above: "6.00" } });
    expect(made.body.data).toMatchObject({ state: "waiting", warnings: [expect.stringContaining("no fresh price")] });
    await tick(2, "7.00", "2026-11-03T14:41:00Z");
    const read = await app.call("GET", `/stock/levels/${made.body.data.id}`);
    expect(read.body.data).toMatchObject({ state: "waiting", crossed_at: null });
  });

  test("404 for a symbol that no source knows", async () => {
    const reply = await app.call("POST", "/stock/levels", { body: { symbol: "NOPE", above: "1" } });
    expect([reply.status, reply.body.error.code]).toEqual([404, "symbol_not_found"]);
    expect(reply.body.error.hint).toContain("POST /stock/ticks");
  });
});

describe("GET, PATCH /stock/levels", () => {
  const make = async (body: object) => (await app.call("POST", "/stock/levels", { body })).body.data;

  test("200 by id, and filtered by symbol, state and tag", async () => {
    const account = await app.openAccount("free");
    const key = account.testKey;
    const create = async (body: object) => (await app.call("POST", "/stock/levels", { key, body })).body.data;
    const high = await create({ symbol: "MSFT", above: "9000", tags: ["watch"] });
    await create({ symbol: "MSFT", above: "1" });
    await create({ symbol: "IBM", above: "9000" });
    expect((await app.call("GET", `/stock/levels/${high.id}`, { key })).body.data.id).toBe(high.id);
    const ids = async (query: string) =>
      (await app.call("GET", `/stock/levels?${query}`, { key })).body.data.items.map((l: any) => l.symbol);
    expect(await ids("symbol=msft")).toEqual(["MSFT", "MSFT"]);
    expect(await ids("state=beyond")).toEqual(["MSFT"]);
    expect(await ids("tag=watch")).toEqual(["MSFT"]);
    expect(await ids("symbol=IBM&state=armed")).toEqual(["IBM"]);
  });

  test("200 changes what is given and starts anew with a new condition", async () => {
    const made = await make({ symbol: "MSFT", above: "9000", tags: ["a"] });
    const path = `/stock/levels/${made.id}`;
    const tags = await app.call("PATCH", path, { body: { tags: ["b"], repeat: true } });
    expect(tags.body.data).toMatchObject({ above: "9000", repeat: true, tags: ["b"], state: "armed", warnings: [] });
    const below = await app.call("PATCH", path, { body: { below: 9000, hysteresis: null } });
    expect(below.body.data).toMatchObject({ above: null, below: "9000", state: "beyond" });
    expect(below.body.data.warnings[0]).toContain("already beyond 9000");
    expect((await app.call("GET", path)).body.data.below).toBe("9000");
  });

  test("400 for nothing to change and for two conditions, 404 for another's, 422 for a symbol that is none", async () => {
    const made = await make({ symbol: "MSFT", above: "9000" });
    const path = `/stock/levels/${made.id}`;
    expect((await app.call("PATCH", path, { body: {} })).status).toBe(400);
    expect((await app.call("PATCH", path, { body: { above: "1", below: "2" } })).status).toBe(400);
    const other = (await app.openAccount("free")).testKey;
    expect((await app.call("PATCH", path, { key: other, body: { above: "1" } })).status).toBe(404);
    expect((await app.call("GET", path, { key: other })).status).toBe(404);
    expect((await app.call("GET", "/stock/levels?symbol=%3F%3F")).body.error.code).toBe("symbol_invalid");
    expect((await app.call("GET", "/stock/levels?symbol=SHOP")).body.error.code).toBe("symbol_ambiguous");
  });
});
