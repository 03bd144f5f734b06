import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type Harness, startHarness } from "../../../../tests/harness.ts";

setDefaultTimeout(120_000);

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

const make = async (body: object, options = {}) => app.call("POST", "/alerts/create", { body, ...options });
const push = (body: object, options = {}) => app.call("POST", "/alerts/content", { body, ...options });
let unique = 0;
const word = () => `zq${(++unique).toString(36)}x${Math.floor(performance.now() * 1000).toString(36)}`;

describe("POST /alerts/content", () => {
  test("200 with lines, each judged by itself; 400 that names them all when every line is bad", async () => {
    const a = word();
    await make({ tag: a });
    const lines = (text: string) =>
      app.call("POST", "/alerts/content", { body: text, headers: { "Content-Type": "application/x-ndjson" } });
    const good = await lines(`{"text":"${a}"}\n\n{"text":"none"}\n{"html":"<p>${a}&amp;co</p>"}\n`);
    expect(good.body.data).toMatchObject({ accepted: 3, matched: 2 });
    const mixed = await lines(
      `{"text":"a"}\n{"txt":1}\nnope\n{"text":"b\\u0000"}\n{"text":"\\ud800"}\n{"id":"1","id":"2"}`,
    );
    expect(mixed.body.data).toMatchObject({ accepted: 1, rejected: 5 });
    expect(mixed.body.data.errors.map((e: any) => [e.line, e.pointer])).toEqual([
      [2, "/txt"],
      [3, ""],
      [4, "/text"],
      [5, "/text"],
      [6, ""],
    ]);
    expect(mixed.body.data.errors[0].hint).toContain("text");
    const bad = await lines(`\n{"txt":1}\nnope`);
    expect([bad.status, bad.body.error.errors.map((e: any) => e.pointer.slice(0, 2))]).toEqual([400, ["/1", "/2"]]);
    expect(bad.body.error.detail).toStartWith("Line 2: ");
    expect((await lines("")).status).toBe(400);
  });

  test("200 matches once: the same id, the same words under a new id, and the same address", async () => {
    const a = word();
    await make({ tag: a });
    expect((await push({ id: "1", text: `${a} first` })).body.data.matched).toBe(1);
    expect((await push({ id: "1", text: `${a} edited` })).body.data.matched).toBe(0);
    expect((await push({ id: "2", text: `${a} first` })).body.data.matched).toBe(0);
    expect((await push({ id: "3", text: `${a} third` })).body.data.matched).toBe(1);
  });

  test("200 and nobody else's alert", async () => {
    const a = word();
    await make({ tag: a });
    const other = await app.openAccount();
    expect((await push({ text: a }, { key: other.testKey })).body.data.matched).toBe(0);
    expect((await push({ text: a }, { key: app.account.liveKey })).body.data.matched).toBe(0);
  });

  test("200 for a thousand lines that all match; each is sent once", async () => {
    const a = word();
    const { id } = (
      await make({
        tag: a,
        delivery: { max_per_hour: 3600 },
        channels: [{ type: "discord", url: "https://discord.com/api/webhooks/1/x" }],
      })
    ).body.data;
    const lines = Array.from({ length: 1000 }, (_, i) => JSON.stringify({ id: `m${i}`, text: `${a} ${i}` })).join("\n");
    const sent = await app.call("POST", "/alerts/content", {
      body: lines,
      headers: { "Content-Type": "application/x-ndjson" },
    });
    expect(sent.body.data.matched).toBe(1000);
    await app.service.settle();
    const { sql } = app.service.platform.db;
    const [{ n, d }] =
      await sql`select count(*)::int as n, count(distinct id)::int as d from alert_outbox where status = 'delivered'
      and alert_number = (select number from alerts where id = ${id})`;
    expect([n, d]).toEqual([1000, 1000]);
  });
});

describe("POST /alerts/preview", () => {
  test("200 over what was pushed, what feeds said and what happened, each for alerts that would see it", async () => {
    const feed = "https://feeds.demo.test/news.xml";
    const { key } = { key: (await app.openAccount("plus")).testKey };
    const ask = async (body: object) => (await app.call("POST", "/alerts/preview", { body, key })).body.data.preview;
    const make = async (body: object) => (await app.call("POST", "/alerts/create", { body, key })).body.data;
    await make({ tag: "unheard", sources: [{ type: "feed", url: feed }] });
    await app.call("POST", "/alerts/content", { body: { text: "simulated by hand" }, key });
    const order = {
      pickup: { address: "1 Main St", time: new Date(app.clock.now() + 3_600_000).toISOString() },
      dropoff: { address: "2 Main St" },
    };
    await app.call("POST", "/delivery/schedule", { body: order, key });
    await app.service.settle();
    expect((await ask({ query: "source:delivery.scheduled" })).matched).toBe(1);
    const all = await ask({ query: "simulated" });
    const backfill = "preview";
    const fed = (await make({ query: "simulated", backfill, sources: [{ type: "feed", url: feed }] })).preview;
    const pushed = (await make({ query: "simulated", backfill, sources: [{ type: "ingest" }] })).preview;
    expect(pushed).toMatchObject({ scanned: 1, matched: 1 });
    expect(fed.matched).toBeGreaterThan(0);
    expect(all.matched).toBe(fed.matched + 1);
  });

  test("200 without making anything", async () => {
    const seen = await app.call("POST", "/alerts/preview", {
      body: { query: "acme*", content: [{ text: "acmesoft" }, { text: "other" }] },
    });
    expect(seen.body.data).toMatchObject({ query: { canonical: "acme*" }, preview: { scanned: 2, matched: 1 } });
    expect((await app.call("POST", "/alerts/preview", { body: { query: "acme" } })).status).toBe(200);
    const content = Array.from({ length: 20 }, (_, i) => ({ text: i < 12 ? "acme" : "other" }));
    const broad = await app.call("POST", "/alerts/preview", { body: { query: "acme", content } });
    expect(broad.body.data.query.warnings).toMatchObject([{ code: "broad_query", term: null }]);
    expect((await app.call("POST", "/alerts/preview", { body: { query: "-acme" } })).status).toBe(422);
    expect((await app.call("POST", "/alerts/preview", { body: {} })).status).toBe(400);
  });
});
