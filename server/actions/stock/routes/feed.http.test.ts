// A user's own feed, streams and the operator's commands over HTTP.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createSseParser, type ParsedEvent } from "../../../lib/sse.ts";
import { type Harness, startHarness } from "../../../../tests/harness.ts";
import { importInstruments, replayFile } from "../operator.ts";

let app: Harness;
/** Tuesday, 10:00 in New York. */
const OPEN = Date.parse("2026-11-03T15:00:00Z");

beforeAll(async () => {
  app = await startHarness();
  app.clock.jump(OPEN);
});
afterAll(() => app.stop());

const ask = (body: unknown, key?: string) => app.call("POST", "/stock/quote", { body, ...(key ? { key } : {}) });

describe("POST /stock/ticks", () => {
  const trade = (seq: number, price: string, more = {}) => ({
    type: "trade",
    symbol: "OWN",
    seq,
    at: `2026-11-03T15:00:${String(seq % 60).padStart(2, "0")}Z`,
    price,
    size: 10,
    ...more,
  });

  test("200 makes a live quote without any provider; repeats and disorder change nothing", async () => {
    const key = app.account.liveKey;
    const send = (ticks: unknown[]) =>
      app.call("POST", "/stock/ticks", { key, body: { source: "desk", currency: "USD", ticks } });
    const first = await send([
      trade(1, "10.00"),
      trade(3, "10.30"),
      trade(2, "9.90"),
      {
        type: "quote",
        symbol: "OWN",
        seq: 4,
        at: "2026-11-03T15:00:04Z",
        bid: "10.29",
        ask: "10.31",
        bid_size: 5,
        ask_size: 7,
      },
    ]);
    expect(first.body.data).toEqual({ accepted: 4, duplicates: 0, too_old: 0, rejected: 0, errors: [] });
    expect((await send([trade(3, "10.30")])).body.data).toMatchObject({ accepted: 0, duplicates: 1 });
    const quote = (await ask({ symbol: "OWN" }, key)).body.data.results[0].quote;
    expect(quote).toMatchObject({
      last: { price: "10.30" },
      day: { high: "10.30", low: "9.90", open: "10.00", volume: 30 },
      mid: "10.3",
      spread: "0.02",
    });
    expect(quote.data).toMatchObject({ source: "ticks", feed: "desk", simulated: false, delivery: "realtime" });
    await send([{ type: "cancel", symbol: "OWN", seq: 5, at: "2026-11-03T15:00:06Z", of: 3 }]);
    const undone = (await ask({ symbol: "OWN" }, key)).body.data.results[0].quote;
    expect(undone).toMatchObject({ last: { price: "9.90" }, day: { high: "10.00", volume: 20 } });
    const foreign = await ask({ symbol: "OWN" }, (await app.openAccount("free")).liveKey);
    expect(foreign.status).toBe(503);
  });

  test("200 as NDJSON; a bad line is named and the others count", async () => {
    const lines = [
      trade(1, "5.00", { symbol: "NDJ" }),
      "rubbish",
      { ...trade(2, "5.1", { symbol: "NDJ" }), colour: "red" },
      trade(3, "-1", { symbol: "NDJ" }),
      trade(4, "5.2", { symbol: "SHOP" }),
    ];
    const text = lines.map((l) => (typeof l === "string" ? l : JSON.stringify(l))).join("\n");
    const reply = await fetch(`${app.url}/api/v1/stock/ticks?source=nd&currency=EUR`, {
      method: "POST",
      body: text,
      headers: { Authorization: `Bearer ${app.key}`, "Content-Type": "application/x-ndjson" },
    });
    const { data } = (await reply.json()) as any;
    expect(data).toMatchObject({ accepted: 1, rejected: 4 });
    expect(data.errors.map((e: any) => e.index)).toEqual([1, 2, 3, 4]);
    expect((await ask({ symbol: "NDJ" })).body.data.results[0].quote).toMatchObject({
      currency: "EUR",
      last: { price: "5.00" },
    });
  });

  test("400 without ticks", async () => {
    expect((await app.call("POST", "/stock/ticks", { body: { ticks: [] } })).status).toBe(400);
    const empty = await fetch(`${app.url}/api/v1/stock/ticks`, {
      method: "POST",
      body: "\n",
      headers: { Authorization: `Bearer ${app.key}`, "Content-Type": "application/x-ndjson" },
    });
    expect(empty.status).toBe(400);
  });

  test("the books survive a restart", async () => {
    await app.clock.advance(1100);
    const keys = async () =>
      (await app.service.platform.db.sql`select key from stock_books order by key`).map((r: any) => r.key);
    for (let i = 0; i < 3000 && (await keys()).length < 2; i++) await Promise.resolve();
    expect(await keys()).toEqual(["NDJ", "OWN"]);
    const other = await startHarness({ databaseUrl: app.databaseUrl, clock: app.clock });
    const reply = await other.call("POST", "/stock/quote", { key: app.account.liveKey, body: { symbol: "OWN" } });
    expect(reply.body.data.results[0].quote.last.price).toBe("9.90");
    await other.stop();
  });
});

describe("GET /stock/stream", () => {
  async function listen(path: string, headers: Record<string, string> = {}) {
    const control = new AbortController();
    const reply = await fetch(`${app.url}/api/v1${path}`, {
      signal: control.signal,
      headers: { Authorization: `Bearer ${app.key}`, ...headers },
    });
    const events: ParsedEvent[] = [];
    const waiting: (() => void)[] = [];
    const parser = createSseParser((e) => {
      events.push(e);
      for (const go of waiting.splice(0)) go();
    });
    const decoder = new TextDecoder();
    const done = (async () => {
      for await (const chunk of reply.body as any) parser.push(decoder.decode(chunk));
    })().catch(() => {});
    const until = async (count: number) => {
      while (events.length < count) await new Promise<void>((go) => waiting.push(go));
      return events;
    };
    return {
      reply,
      events,
      until,
      done,
      close: async () => {
        control.abort();
        await done;
      },
    };
  }

  test("200 sends the present quote, then each change, flagged as simulated", async () => {
    const stream = await listen("/stock/stream?symbols=ACNWILD,AAPL");
    expect([stream.reply.status, stream.reply.headers.get("content-type")]).toEqual([
      200,
      "text/event-stream; charset=utf-8",
    ]);
    await app.clock.advance(5);
    const first = await stream.until(2);
    expect(first[0].event).toBe("quote");
    const before = JSON.parse(first[0].data);
    expect(before.data).toMatchObject({ simulated: true, cache: "stream" });
    const count = first.length;
    for (let i = 0; i < 8; i++) {
      await app.clock.advance(1005);
      await new Promise((turn) => setImmediate(turn));
    }
    const more = await stream.until(count + 1);
    expect(JSON.parse(more.at(-1)!.data).last.at > before.last.at).toBe(true);
    await stream.close();
  });

  test("200 an own feed's ticks come at once, and Last-Event-ID brings only what changed", async () => {
    const push = (seq: number, price: string, symbol: string) =>
      app.call("POST", "/stock/ticks", {
        body: {
          currency: "USD",
          ticks: [{ symbol, seq, at: new Date(app.clock.now()).toISOString(), price, size: 1 }],
        },
      });
    await push(1, "1.00", "STRA");
    await push(1, "2.00", "STRB");
    const stream = await listen("/stock/stream?symbols=STRA,STRB");
    const first = await stream.until(2);
    const keeper = await listen("/stock/stream?symbols=STRA,STRB");
    await keeper.until(2);
    await stream.close();
    await push(2, "1.10", "STRA");
    await keeper.until(3);
    const again = await listen("/stock/stream?symbols=STRA,STRB", { "Last-Event-ID": first[1].lastEventId });
    await again.until(1);
    await push(2, "2.20", "STRB");
    const seen = await again.until(2);
    expect(seen.map((e) => JSON.parse(e.data).last.price)).toEqual(["1.10", "2.20"]);
    await again.close();
    await keeper.close();
  });

  test("200 with an unknown symbol: an event says so, and the others come", async () => {
    const stream = await listen("/stock/stream?symbols=NOPEX,AAPL");
    await app.clock.advance(5);
    const events = await stream.until(2);
    const failed = events.find((e) => e.event === "symbol_error")!;
    expect(JSON.parse(failed.data)).toMatchObject({ requested: "NOPEX", error: { code: "symbol_not_found" } });
    expect(events.some((e) => e.event === "quote")).toBe(true);
    await stream.close();
  });

  test("200 ends when its key is revoked", async () => {
    const key = await app.makeKey(app.account, { mode: "test", scopes: ["stock:read"] });
    const stream = await listen("/stock/stream?symbols=AAPL", { Authorization: `Bearer ${key}` });
    await app.clock.advance(5);
    await stream.until(1);
    const { items } = (await app.call("GET", "/keys?limit=100")).body.data;
    const { id } = items.find((k: any) => k.name === "k" && k.mode === "test" && k.revoked_at === null);
    expect((await app.call("DELETE", `/keys/${id}`)).status).toBe(200);
    await app.clock.advance(2000);
    await stream.done;
  });

  test("422 for a symbol that is none or two, 400 without symbols, 503 for a live key without a source", async () => {
    expect((await app.call("GET", "/stock/stream?symbols=%3F%3F")).body.error.code).toBe("symbol_invalid");
    expect((await app.call("GET", "/stock/stream?symbols=SHOP")).body.error.code).toBe("symbol_ambiguous");
    expect((await app.call("GET", "/stock/stream")).status).toBe(400);
    expect((await app.call("GET", "/stock/stream?symbols=AAPL", { key: app.account.liveKey })).status).toBe(503);
  });
});

describe("operator", () => {
  test("an imported directory is found and resolves what was ambiguous; bad rows are named", async () => {
    const report = await importInstruments(app.service.platform.db, [
      "symbol,name,mic,isin\nQQZ.PRD,Quiet Quarry Series D Preferred,XNYS,\nX,Y,NOPE,\n",
    ]);
    expect([report.imported, report.skipped.length]).toEqual([1, 1]);
    expect((await ask({ symbol: "QQZ-D" })).status).toBe(422);
    await app.clock.advance(60_000);
    await app.service.settle();
    expect((await app.call("GET", "/stock/symbols?q=QQZ")).body.data.items).toHaveLength(1);
    expect((await ask({ symbol: "QQZ-D" })).body.data.results[0].quote.id).toBe("QQZ.PRD:XNYS");
  });

  test("a file without a valid row changes nothing; another import replaces the one before and says so", async () => {
    const { db } = app.service.platform;
    const count = async () => (await db.sql`select count(*)::int as n from stock_instruments`)[0].n;
    const before = await count();
    const none = await importInstruments(db, ["Symbol,Security\nMMM,3M\nAOS,A. O. Smith\n"]);
    expect([none.imported, none.rows, none.replaced, await count()]).toEqual([0, 2, 0, before]);
    const two = await importInstruments(db, ["symbol,name,mic\nQQZ.PRD,Quiet Quarry,XNYS\nQQY,Quiet Yard,XNYS\n"]);
    expect([two.imported, two.replaced, await count()]).toEqual([2, before, 2]);
  });

  test("a replayed file keeps its own dates and says that it is a replay", async () => {
    const account = await app.openAccount("free");
    const [tenant] = await app.service.platform.db
      .sql`select id from tenants where account_id = ${account.id} and mode = 'test'`;
    const bars =
      "Date,Name,Open,High,Low,Close,Volume\n2017-11-07,AAPL,173.91,175.25,173.60,174.81,24361485\n2017-11-09,AAPL,175.11,176.1,173.14,175.88,29482600\n";
    await replayFile(app.service.platform.db, tenant.id, bars, { name: "bars.csv", currency: "USD" }, app.clock.now());
    const { quote } = (await ask({ symbol: "AAPL" }, account.testKey)).body.data.results[0];
    expect(quote).toMatchObject({
      last: { price: "175.88", at: "2017-11-09T21:00:00Z" },
      day: { date: "2017-11-09", volume: 29482600 },
      change: { amount: "1.07", basis_date: "2017-11-07" },
    });
    expect(quote.data).toMatchObject({
      delivery: "replay",
      label: "Replay of 2017-11-09",
      as_of: "2017-11-09T21:00:00Z",
      simulated: false,
      stale: false,
    });
    expect(quote.warnings[0]).toContain("not of the session before (2017-11-08)");
  });
});
