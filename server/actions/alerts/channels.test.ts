import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createShopping } from "../shopping/index.ts";
import { type Harness, noteSeen, startHarness } from "../../../tests/harness.ts";

setDefaultTimeout(120_000);

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

const make = async (body: object, options = {}) => app.call("POST", "/alerts/create", { body, ...options });
const push = (body: object, options = {}) => app.call("POST", "/alerts/content", { body, ...options });
const inbox = async (channel: string) =>
  (await app.call("GET", `/sandbox/inbox?channel=${channel}&limit=100`)).body.data.items;
const webhook = { type: "webhook", url: "https://hooks.example.com/a" };
let unique = 0;
const word = () => `zq${(++unique).toString(36)}x${Math.floor(performance.now() * 1000).toString(36)}`;

describe("channels", () => {
  const channels = [
    webhook,
    { type: "slack", url: "https://hooks.slack.com/services/T/B/x" },
    { type: "discord", url: "https://discord.com/api/webhooks/1/x" },
    { type: "teams", url: "https://prod.westus.logic.azure.com/workflows/x" },
    { type: "mattermost", url: "https://chat.example.com/hooks/x" },
    { type: "telegram", token: "123:secret", chat_id: "42" },
    { type: "ntfy", topic: "mytopic" },
    { type: "gotify", base_url: "https://push.example.com", token: "gsecret" },
    { type: "matrix", base_url: "https://matrix.example.com", room_id: "!r:example.com", token: "msecret" },
    { type: "pagerduty", routing_key: "psecret" },
  ];

  test("200 test messages reach the sandbox inbox of every channel, with no token in them", async () => {
    const { id } = (await make({ tag: word(), channels })).body.data;
    const tested = await app.call("POST", `/alerts/${id}/test`);
    expect(tested.body.data.deliveries).toHaveLength(10);
    await app.service.settle();
    for (const { type } of channels) {
      const sent = (await inbox(type))
        .map((m: any) => JSON.stringify(m.content))
        .filter((c: string) => /Test of|alert\.test/.test(c));
      expect(sent.length, `${type}: ${JSON.stringify((await inbox(type)).slice(0, 2))}`).toBe(1);
      expect(sent[0]).not.toMatch(/123:secret|gsecret|msecret|psecret/);
    }
    const done = (await app.call("GET", `/alerts/${id}/deliveries?status=delivered`)).body.data.items;
    expect(done).toHaveLength(10);
    const again = await app.call("POST", `/alerts/${id}/replay`, { body: { delivery_ids: [done[0].id] } });
    expect(again.body.data).toEqual({ replayed: 1 });
    expect(
      (await app.call("POST", `/alerts/${id}/replay`, { body: { since: "2020-01-01T00:00:00Z" } })).body.data.replayed,
    ).toBe(9);
  });

  test("200 mail waits for consent, then comes, then ends with one click", async () => {
    const a = word();
    const made = (await make({ tag: a, channels: [{ type: "email", to: "ada@example.com" }] })).body.data;
    expect([made.status, made.channels[0].status]).toEqual(["pending_verification", "pending_verification"]);
    await app.service.settle();
    const [asking] = await inbox("email");
    const confirm = /\/alerts\/confirm\/[\w-]+/.exec(asking.content.text)![0];
    expect((await push({ text: a })).body.data.matched).toBe(0);
    expect((await app.call("GET", `/${confirm}`, { key: null })).text).toContain("Yes, send them");
    expect((await app.call("POST", `/${confirm}`, { key: null })).text).toContain("Confirmed");
    expect((await push({ text: `${a} 1` })).body.data.matched).toBe(1);
    await app.service.settle();
    const [mail] = await inbox("email");
    expect(mail.content.headers).toMatchObject({ "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" });
    const end = /\/alerts\/unsubscribe\/[\w-]+/.exec(mail.content.headers["List-Unsubscribe"])![0];
    expect((await app.call("GET", `/${end}`, { key: null })).text).toContain("Stop them");
    const clicked = await app.call("POST", `/${end}`, {
      key: null,
      body: "List-Unsubscribe=One-Click",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    });
    expect(clicked.status).toBe(200);
    expect((await app.call("GET", `/alerts/${made.id}`)).body.data.status).toBe("degraded");
    expect((await app.call("POST", `/alerts/${made.id}/resume`)).body.data.status).toBe("active");
    for (const path of ["confirm", "unsubscribe"])
      for (const method of ["GET", "POST"]) {
        expect((await app.call(method, `//alerts/${path}/${"x".repeat(32)}`, { key: null })).status).toBe(404);
      }
  });
});

describe("rules on the owned clock", () => {
  test("a cooldown collects what follows into one message", async () => {
    const a = word();
    const { id } = (await make({ tag: a, delivery: { cooldown_s: 900 }, channels: [{ type: "ntfy", topic: a }] })).body
      .data;
    for (let i = 0; i < 4; i++) await push({ text: `${a} ${i}` });
    await app.service.settle();
    const mine = async () => (await inbox("ntfy")).filter((m: any) => m.content.body.includes(a));
    expect(await mine()).toHaveLength(1);
    expect((await app.call("GET", `/alerts/${id}`)).body.data.stats.held).toBe(3);
    await app.clock.advance(899_000);
    await app.service.settle();
    expect(await mine()).toHaveLength(1);
    await app.clock.advance(1000);
    await app.service.settle();
    const [batch, ...rest] = await mine();
    expect([rest.length, batch.content.body.includes("3 matches")]).toEqual([1, true]);
  });

  test("a daily digest comes at its hour of the wall", async () => {
    const a = word();
    await make({
      tag: a,
      name: a,
      delivery: { mode: "digest", digest: { every: "day", at: "08:00", timezone: "America/New_York" } },
      channels: [{ type: "ntfy", topic: a }],
    });
    await push({ text: `${a} 1` });
    await push({ text: `${a} 2` });
    const mine = async () => (await inbox("ntfy")).filter((m: any) => m.content.body.includes(a));
    // The clocks went back that very night: 08:00 is an hour later than the day before.
    const due = Date.parse(
      app.clock.now() < Date.parse("2026-11-01T13:00:00Z") ? "2026-11-01T13:00:00Z" : "2026-11-02T13:00:00Z",
    );
    await app.clock.advance(due - 1 - app.clock.now());
    await app.service.settle();
    expect(await mine()).toHaveLength(0);
    await app.clock.advance(1);
    await app.service.settle();
    expect((await mine()).map((m: any) => m.content.body.includes("2 matches"))).toEqual([true]);
  });

  test("events of the service are matched, with conditions that re-arm", async () => {
    const a = word();
    const { id } = (
      await make({
        query: `tag:${a}`,
        condition: { field: "price", op: "lt", value: "30", rearm: "on_clear", hysteresis: 0.1 },
        channels: [],
      })
    ).body.data;
    const { platform } = app.service;
    const { appendEvents } = await import("../../platform/events/index.ts");
    const [tenant] = await platform.db.sql`select tenant_id from alerts where id = ${id}`;
    await app.service.settle();
    const say = async (price: string) => {
      await platform.db.sql.begin((tx) =>
        appendEvents(tx, [
          {
            id: platform.makeId("evt"),
            tenantId: tenant.tenant_id,
            type: "shopping.price_changed",
            tags: [a],
            data: { tracker_id: "trk_1", price: { amount: price, currency: "EUR" } },
            at: app.clock.now(),
          },
        ]),
      );
      await app.service.settle();
    };
    for (const price of ["31", "29.99", "29", "30.5", "28", "33", "27"]) await say(price);
    const matches = (await app.call("GET", `/alerts/${id}/matches?state=notified`)).body.data.items;
    expect(matches.map((m: any) => m.item.numbers.price)).toEqual(["27", "29.99"]);
  });

  test("a tracked product's own events: tag:kettle price<30 as it is written", async () => {
    const url = encodeURIComponent(`${app.url}/demo-shop/kettle`);
    const cheap = (await make({ query: "tag:kettle-watch price<100000" })).body.data;
    const dear = (await make({ query: "tag:kettle-watch price>100000" })).body.data;
    await app.service.settle();
    expect((await app.call("GET", `/shopping/track?url=${url}&tags=kettle-watch&alert_on=price_drop`)).status).toBe(
      200,
    );
    const shopping = createShopping(app.service.platform);
    for (let k = 0; k < 14; k++) {
      await app.clock.advance(10_000);
      await shopping.loop.settle();
    }
    await app.service.settle();
    const told = (await app.call("GET", "/events?type=shopping.price_changed")).body.data.items[0].data;
    const matches = (await app.call("GET", `/alerts/${cheap.id}/matches`)).body.data.items;
    expect(matches[0].item).toMatchObject({ source: "shopping.price_changed", numbers: { price: told.amount } });
    expect(matches[0].item.title).toBe(`shopping.price_changed: ${told.name}`);
    expect((await app.call("GET", `/alerts/${dear.id}/matches`)).body.data.items).toEqual([]);
  });

  test("the demo feed: nothing on the first reading, then each new item once", async () => {
    const made = (
      await make({
        query: "demo",
        match: { fields: ["title", "text"] },
        sources: [{ type: "feed", url: "https://feeds.demo.test/news.xml", interval_s: 300 }],
      })
    ).body.data;
    expect((await app.call("PATCH", `/alerts/${made.id}`, { body: { query: "simulated" } })).status).toBe(200);
    await app.service.settle();
    const stats = async () => (await app.call("GET", `/alerts/${made.id}`)).body.data;
    expect((await stats()).stats.matched).toBe(0);
    expect((await stats()).sources[0]).toMatchObject({ format: "rss20", status: "active", poll_reason: "ttl" });
    for (let i = 0; i < 6; i++) {
      await app.clock.advance(15 * 60_000);
      await app.service.settle();
    }
    expect((await stats()).stats.matched).toBeGreaterThanOrEqual(8);
    expect((await stats()).stats.suppressed.duplicate).toBe(0);
  });
});

describe("GET /alerts/stream", () => {
  test("200 follows matches and resumes behind the last", async () => {
    const a = word();
    const { id } = (await make({ tag: a })).body.data;
    const read = async (headers: Record<string, string>, until: (text: string) => boolean) => {
      const abort = new AbortController();
      const response = await fetch(`${app.url}/api/v1/alerts/stream?alert_id=${id}`, {
        headers: { Authorization: `Bearer ${app.key}`, ...headers },
        signal: abort.signal,
      });
      let text = "";
      const decoder = new TextDecoder();
      for await (const chunk of response.body!) {
        text += decoder.decode(chunk);
        if (text.includes("event: ready") && headers.start !== "done") {
          headers.start = "done";
          if (!headers["Last-Event-ID"]) await push({ text: `${a} live` });
        }
        void app.clock.advance(5);
        if (until(text)) break;
      }
      abort.abort();
      return text;
    };
    const first = await read({}, (t) => t.includes("alert.matched"));
    const eventId = /^id: ?(\S+)/m.exec(first)![1];
    await push({ text: `${a} later` });
    const resumed = await read({ "Last-Event-ID": eventId }, (t) => t.includes("later"));
    expect(resumed).not.toContain(`${a} live`);
    // The harness reads answers to their end, which a stream does not have; so the audit hears of it here.
    noteSeen("alerts.stream", 200);
    const gone = await read({ "Last-Event-ID": "evt_00000000000000000000000000" }, (t) => t.includes("reset"));
    expect(gone).toContain("event: reset");
  });

  test("404 for an alert that is deleted or was never there: nothing would ever come", async () => {
    const { id } = (await make({ tag: word() })).body.data;
    await app.call("DELETE", `/alerts/${id}`);
    expect((await app.call("GET", `/alerts/stream?alert_id=${id}`)).status).toBe(404);
    const foreign = await app.openAccount();
    const { id: other } = (await make({ tag: word() })).body.data;
    expect((await app.call("GET", `/alerts/stream?alert_id=${other}`, { key: foreign.testKey })).status).toBe(404);
  });
});
