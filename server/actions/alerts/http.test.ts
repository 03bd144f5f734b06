import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../../tests/harness.ts";

let house: Harness;
beforeAll(async () => {
  house = await startHarness();
});
afterAll(() => house.stop());

const make = async (body: object, options = {}) => house.call("POST", "/alerts/create", { body, ...options });
const push = (body: object, options = {}) => house.call("POST", "/alerts/content", { body, ...options });
const inbox = async (channel: string) => (await house.call("GET", `/sandbox/inbox?channel=${channel}&limit=100`)).body.data.items;
const webhook = { type: "webhook", url: "https://hooks.example.com/a" };
let unique = 0;
const word = () => `zq${(++unique).toString(36)}x${Math.floor(performance.now() * 1000).toString(36)}`;

describe("POST /alerts/create", () => {
  test("201 with a tag; it counts for the very next content", async () => {
    const tag = word();
    const made = await make({ tag: `#${tag}`, channels: [webhook, { type: "sse" }], labels: { team: "pr" } });
    expect(made.status).toBe(201);
    const alert = made.body.data;
    expect(alert).toMatchObject({ status: "active", query: { canonical: `tag:"${tag}"`, leaves: 1, required_terms: [`#${tag}`] }, labels: { team: "pr" } });
    expect(alert.channels[0].secret).toStartWith("whsec_");
    const pushed = await push({ title: "News", text: `Look at #${tag}!` });
    expect(pushed.body.data).toMatchObject({ accepted: 1, matched: 1, results: [{ alerts: [alert.id] }] });
    const read = await house.call("GET", `/alerts/${alert.id}`);
    expect(read.body.data.channels[0].secret).toBeUndefined();
    expect(read.body.data.stats).toMatchObject({ matched: 1, notified: 1 });
  });

  test("201 with tags, and with a query that compares a number", async () => {
    const a = word();
    const lists = (await make({ tags: { any: [`#${a}`, `${a} sale`], none: ["hiring"] } })).body.data;
    expect(lists.query.canonical).toBe(`(tag:"${a}" OR "${a} sale") AND NOT "hiring"`);
    const priced = (await make({ query: `tag:${a} price<30` })).body.data;
    const hits = async (content: object) => (await push(content)).body.data.results[0].alerts;
    expect(await hits({ tags: [a], numbers: { price: "29.99" } })).toEqual(expect.arrayContaining([lists.id, priced.id]));
    expect(await hits({ tags: [a], numbers: { price: "30.00" } })).toEqual([lists.id]);
    expect(await hits({ text: `${a} sale, hiring` })).toEqual([]);
  });

  test("400 with all faults at once, each with its place", async () => {
    const refused = await make({
      tag: "a", query: "b", sources: [{ type: "feed" }], channels: [{ type: "telegram", token: "t" }, { type: "slack", url: "https://a.example/x", to: "a@b.cd" }],
      delivery: { mode: "digest", quiet_hours: [{ from: "22:00", to: "07:00", timezone: "Mars/Base", days: ["noday"] }] }, condition: { field: "price", op: "lt" },
    });
    expect(refused.status).toBe(400);
    expect(refused.body.error.errors.map((e: any) => e.pointer)).toEqual(["", "/sources/0/url", "/channels/0/chat_id", "/channels/1/to", "/condition/value",
      "/delivery/digest", "/delivery/quiet_hours/0/timezone", "/delivery/quiet_hours/0/days"]);
  });

  test("400 with position and expectation when the query does not parse", async () => {
    const refused = await make({ query: "(acme AND" });
    expect([refused.status, refused.body.error.code, refused.body.error.position, refused.body.error.expected]).toEqual([400, "validation_failed", 9, expect.arrayContaining(["a word"])]);
    expect(refused.body.error.errors[0]).toMatchObject({ pointer: "/query", code: "syntax" });
  });

  test("422 query_unbounded when everything is excluded", async () => {
    expect((await make({ query: "NOT acme" })).body.error.code).toBe("query_unbounded");
    expect((await make({ tags: { none: ["x"] } })).status).toBe(422);
  });

  test("422 target_not_allowed for addresses inside, and for feeds of test keys outside the demo", async () => {
    expect((await make({ tag: "a", channels: [{ type: "webhook", url: "http://169.254.169.254/x" }] })).body.error.code).toBe("target_not_allowed");
    expect((await make({ tag: "a", sources: [{ type: "feed", url: "https://example.com/feed.xml" }] })).body.error.errors[0].pointer).toBe("/sources/0/url");
  });

  test("503 when a live key asks for mail and no mail server is set up", async () => {
    const refused = await make({ tag: "a", channels: [{ type: "email", to: "ada@example.com" }] }, { key: house.account.liveKey });
    expect([refused.status, refused.body.error.code]).toEqual([503, "provider_not_configured"]);
  });

  test("201 once for one idempotency key", async () => {
    const headers = { "Idempotency-Key": "alert-once" };
    const first = await make({ tag: word(), channels: [webhook] }, { headers });
    const again = await house.call("POST", "/alerts/create", { body: JSON.parse(JSON.stringify({ tag: first.body.data.query.source, channels: [webhook] })), headers });
    expect(again.text).toBe(first.text);
  });

  test("201 with a preview of recent content, and with what was already there delivered", async () => {
    const a = word();
    await push({ id: "p1", title: `${a} one`, url: "https://e.org/1" });
    await push({ id: "p2", title: `${a} two` });
    const preview = (await make({ tag: a, backfill: "preview" })).body.data;
    expect(preview.preview).toMatchObject({ matched: 2, samples: [{ highlights: [{ field: "title", start: 0, end: a.length }] }, {}] });
    expect(preview.stats.matched).toBe(0);
    expect((await make({ tag: a, backfill: "deliver" })).body.data.stats.matched).toBe(2);
  });

  test("403 plan_limit_reached beyond what the plan holds", async () => {
    const small = await house.openAccount("free");
    const { sql } = house.service.platform.db;
    const [tenant] = await sql`select id from tenants where account_id = ${small.id} and mode = 'test'`;
    const [made] = [await make({ tag: word() }, { key: small.testKey })];
    await sql`insert into alerts (id, tenant_id, status, term, query, sources, spec, pace, conditions, stats, created_at, updated_at)
      select 'alt_' || lpad(n::text, 26, '0'), ${tenant.id}, 'active', 'w:full' || n, 'full' || n, 3, spec, pace, conditions, stats, created_at, ${new Date(house.clock.now())}
      from alerts, generate_series(1, 999) n where id = ${made.body.data.id}`;
    // Nobody told this replica: it finds them by itself within 30 seconds.
    for (let tries = 0; tries < 100 && (await house.call("POST", "/alerts/content", { key: small.testKey, body: { text: "full1 full999" } })).body.data.matched < 2; tries++) {
      await house.clock.advance(30_000);
    }
    const refused = await make({ tag: word() }, { key: small.testKey });
    expect([refused.status, refused.body.error.code]).toEqual([403, "plan_limit_reached"]);
  });

  test("201 with a warning for a term that is everywhere", async () => {
    expect((await make({ tag: "the" })).body.data.query.warnings[0]).toMatchObject({ code: "broad_term", term: "the" });
  });
});

describe("GET /alerts, GET, PATCH, DELETE /alerts/{id}", () => {
  test("200 lists newest first and pages", async () => {
    const first = (await make({ tag: word(), enabled: false })).body.data;
    const second = (await make({ tag: word(), enabled: false })).body.data;
    const page = (await house.call("GET", "/alerts?status=paused&limit=1")).body.data;
    expect([page.items[0].id, page.has_more]).toEqual([second.id, true]);
    const next = (await house.call("GET", `/alerts?status=paused&limit=1&cursor=${page.next_cursor}`)).body.data;
    expect(next.items[0].id).toBe(first.id);
  });

  test("200 changes what is watched at once; 400 and 422 leave it as it was", async () => {
    const [a, b] = [word(), word()];
    const { id } = (await make({ tag: a })).body.data;
    const changed = await house.call("PATCH", `/alerts/${id}`, { body: { query: b, name: "Other", channels: [webhook] } });
    expect(changed.body.data).toMatchObject({ name: "Other", query: { canonical: `"${b}"` } });
    expect(changed.body.data.channels[0].secret).toStartWith("whsec_");
    expect((await push({ text: a })).body.data.matched).toBe(0);
    expect((await push({ text: b })).body.data.matched).toBe(1);
    expect((await house.call("PATCH", `/alerts/${id}`, { body: { query: "(" } })).status).toBe(400);
    expect((await house.call("PATCH", `/alerts/${id}`, { body: { query: "-x" } })).body.error.code).toBe("query_unbounded");
    expect((await house.call("PATCH", `/alerts/${id}`, { body: { channels: [{ type: "slack", url: "http://127.0.0.1/x" }] } })).body.error.code).toBe("target_not_allowed");
    expect((await push({ text: `${b} again` })).body.data.matched).toBe(1);
  });

  test("503 when a live alert is given mail without a mail server", async () => {
    const key = house.account.liveKey;
    const { id } = (await make({ tag: word() }, { key })).body.data;
    expect((await house.call("PATCH", `/alerts/${id}`, { key, body: { channels: [{ type: "email", to: "a@b.org" }] } })).status).toBe(503);
  });

  test("200 deletes at once; 404 afterwards", async () => {
    const a = word();
    const { id } = (await make({ tag: a })).body.data;
    expect((await house.call("DELETE", `/alerts/${id}`)).body.data).toEqual({ id, deleted: true });
    expect((await push({ text: a })).body.data.matched).toBe(0);
    for (const [method, path] of [["GET", ""], ["DELETE", ""], ["PATCH", ""], ["POST", "/pause"], ["POST", "/resume"], ["POST", "/snooze"], ["POST", "/test"], ["POST", "/replay"], ["GET", "/matches"], ["GET", "/deliveries"]]) {
      const body = method === "PATCH" ? { name: "x" } : path === "/snooze" ? { until: "2027-01-01T00:00:00Z" } : path === "/replay" ? { since: "2026-01-01T00:00:00Z" } : undefined;
      expect((await house.call(method, `/alerts/${id}${path}`, body ? { body } : {})).status, `${method} ${path}`).toBe(404);
    }
  });
});

describe("pause, resume, snooze", () => {
  test("200 paused matches nothing; resumed matches; 409 what is not allowed", async () => {
    const a = word();
    const { id } = (await make({ tag: a })).body.data;
    expect((await house.call("POST", `/alerts/${id}/pause`)).body.data.status).toBe("paused");
    expect((await push({ text: a })).body.data.matched).toBe(0);
    expect((await house.call("POST", `/alerts/${id}/pause`)).body.error).toMatchObject({ code: "wrong_state", allowed: ["resume", "expire"] });
    expect((await house.call("POST", `/alerts/${id}/snooze`, { body: { until: "2027-01-01T00:00:00Z" } })).status).toBe(409);
    expect((await house.call("POST", `/alerts/${id}/resume`)).body.data.status).toBe("active");
    expect((await push({ text: `${a} b` })).body.data.matched).toBe(1);
  });

  test("200 snoozed counts, and the next message tells how many", async () => {
    const a = word();
    const { id } = (await make({ tag: a, channels: [{ type: "slack", url: "https://hooks.slack.com/x" }] })).body.data;
    const until = new Date(house.clock.now() + 60_000).toISOString();
    expect((await house.call("POST", `/alerts/${id}/snooze`, { body: { until } })).body.data.status).toBe("snoozed");
    expect((await house.call("POST", `/alerts/${id}/snooze`, { body: { until_clear: true } })).status).toBe(400);
    expect((await house.call("POST", `/alerts/${id}/snooze`, { body: { until: "2020-01-01T00:00:00Z" } })).status).toBe(400);
    await push({ text: `${a} 1` });
    await push({ text: `${a} 2` });
    await house.clock.advance(60_000);
    await push({ text: `${a} 3` });
    await house.service.settle();
    const [sent] = await inbox("slack");
    expect(sent.content.body).toContain("not told: snoozed 2");
    const states = (await house.call("GET", `/alerts/${id}/matches`)).body.data.items.map((m: any) => m.state);
    expect(states).toEqual(["notified", "suppressed", "suppressed"]);
  });

  test("409 resume of an alert that has expired", async () => {
    const a = word();
    const { id } = (await make({ tag: a, expires_at: new Date(house.clock.now() + 1000).toISOString() })).body.data;
    expect((await make({ tag: a, expires_at: "2020-01-01T00:00:00Z" })).body.error.errors[0].pointer).toBe("/expires_at");
    await house.clock.advance(1000);
    await house.service.settle();
    expect((await push({ text: a })).body.data.matched).toBe(0);
    expect((await house.call("POST", `/alerts/${id}/resume`)).status).toBe(409);
  });
});

describe("POST /alerts/content", () => {
  test("200 with lines, and 400 that names the bad line", async () => {
    const a = word();
    await make({ tag: a });
    const lines = (text: string) => house.call("POST", "/alerts/content", { body: text, headers: { "Content-Type": "application/x-ndjson" } });
    const good = await lines(`{"text":"${a}"}\n\n{"text":"none"}\n{"html":"<p>${a}&amp;co</p>"}\n`);
    expect(good.body.data).toMatchObject({ accepted: 3, matched: 2 });
    const bad = await lines(`{"text":"a"}\n{"txt":1}\nnope`);
    expect([bad.status, bad.body.error.errors.map((e: any) => e.pointer.slice(0, 2))]).toEqual([400, ["/1", "/2"]]);
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
    const other = await house.openAccount();
    expect((await push({ text: a }, { key: other.testKey })).body.data.matched).toBe(0);
    expect((await push({ text: a }, { key: house.account.liveKey })).body.data.matched).toBe(0);
  });

  test("200 for a thousand lines that all match; each is told once", async () => {
    const a = word();
    const { id } = (await make({ tag: a, delivery: { max_per_hour: 3600 }, channels: [{ type: "discord", url: "https://discord.com/api/webhooks/1/x" }] })).body.data;
    const lines = Array.from({ length: 1000 }, (_, i) => JSON.stringify({ id: `m${i}`, text: `${a} ${i}` })).join("\n");
    const sent = await house.call("POST", "/alerts/content", { body: lines, headers: { "Content-Type": "application/x-ndjson" } });
    expect(sent.body.data.matched).toBe(1000);
    await house.service.settle();
    const { sql } = house.service.platform.db;
    const [{ n, d }] = await sql`select count(*)::int as n, count(distinct id)::int as d from alert_outbox where status = 'delivered'
      and alert_number = (select number from alerts where id = ${id})`;
    expect([n, d]).toEqual([1000, 1000]);
  });
});

describe("POST /alerts/preview", () => {
  test("200 without making anything", async () => {
    const seen = await house.call("POST", "/alerts/preview", { body: { query: "acme*", content: [{ text: "acmesoft" }, { text: "other" }] } });
    expect(seen.body.data).toMatchObject({ query: { canonical: "acme*" }, preview: { scanned: 2, matched: 1 } });
    expect((await house.call("POST", "/alerts/preview", { body: { query: "acme" } })).status).toBe(200);
    expect((await house.call("POST", "/alerts/preview", { body: { query: "-acme" } })).status).toBe(422);
    expect((await house.call("POST", "/alerts/preview", { body: {} })).status).toBe(400);
  });
});

describe("channels", () => {
  const channels = [
    webhook, { type: "slack", url: "https://hooks.slack.com/services/T/B/x" }, { type: "discord", url: "https://discord.com/api/webhooks/1/x" },
    { type: "teams", url: "https://prod.westus.logic.azure.com/workflows/x" }, { type: "mattermost", url: "https://chat.example.com/hooks/x" },
    { type: "telegram", token: "123:secret", chat_id: "42" }, { type: "ntfy", topic: "mytopic" }, { type: "gotify", base_url: "https://push.example.com", token: "gsecret" },
    { type: "matrix", base_url: "https://matrix.example.com", room_id: "!r:example.com", token: "msecret" }, { type: "pagerduty", routing_key: "psecret" },
  ];

  test("200 test messages reach the sandbox inbox of every channel, with no token in them", async () => {
    const { id } = (await make({ tag: word(), channels })).body.data;
    const tested = await house.call("POST", `/alerts/${id}/test`);
    expect(tested.body.data.deliveries).toHaveLength(10);
    await house.service.settle();
    for (const { type } of channels) {
      const sent = (await inbox(type)).map((m: any) => JSON.stringify(m.content)).filter((c: string) => /Test of|alert\.test/.test(c));
      expect(sent.length, `${type}: ${JSON.stringify((await inbox(type)).slice(0, 2))}`).toBe(1);
      expect(sent[0]).not.toMatch(/123:secret|gsecret|msecret|psecret/);
    }
    const done = (await house.call("GET", `/alerts/${id}/deliveries?status=delivered`)).body.data.items;
    expect(done).toHaveLength(10);
    const again = await house.call("POST", `/alerts/${id}/replay`, { body: { delivery_ids: [done[0].id] } });
    expect(again.body.data).toEqual({ replayed: 1 });
    expect((await house.call("POST", `/alerts/${id}/replay`, { body: { since: "2020-01-01T00:00:00Z" } })).body.data.replayed).toBe(9);
  });

  test("200 mail waits for consent, then comes, then ends with one click", async () => {
    const a = word();
    const made = (await make({ tag: a, channels: [{ type: "email", to: "ada@example.com" }] })).body.data;
    expect([made.status, made.channels[0].status]).toEqual(["pending_verification", "pending_verification"]);
    await house.service.settle();
    const [asking] = await inbox("email");
    const confirm = /\/alerts\/confirm\/[\w-]+/.exec(asking.content.text)![0];
    expect((await push({ text: a })).body.data.matched).toBe(0);
    expect((await house.call("GET", `/${confirm}`, { key: null })).text).toContain("Yes, send them");
    expect((await house.call("POST", `/${confirm}`, { key: null })).text).toContain("Confirmed");
    expect((await push({ text: `${a} 1` })).body.data.matched).toBe(1);
    await house.service.settle();
    const [mail] = await inbox("email");
    expect(mail.content.headers).toMatchObject({ "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" });
    const end = /\/alerts\/unsubscribe\/[\w-]+/.exec(mail.content.headers["List-Unsubscribe"])![0];
    expect((await house.call("GET", `/${end}`, { key: null })).text).toContain("Stop them");
    const clicked = await house.call("POST", `/${end}`, { key: null, body: "List-Unsubscribe=One-Click", headers: { "Content-Type": "application/x-www-form-urlencoded" } });
    expect(clicked.status).toBe(200);
    expect((await house.call("GET", `/alerts/${made.id}`)).body.data.status).toBe("degraded");
    expect((await house.call("POST", `/alerts/${made.id}/resume`)).body.data.status).toBe("active");
    for (const path of ["confirm", "unsubscribe"]) for (const method of ["GET", "POST"]) {
      expect((await house.call(method, `//alerts/${path}/${"x".repeat(32)}`, { key: null })).status).toBe(404);
    }
  });
});

describe("rules on the owned clock", () => {
  test("a cooldown collects what follows into one message", async () => {
    const a = word();
    const { id } = (await make({ tag: a, delivery: { cooldown_s: 900 }, channels: [{ type: "ntfy", topic: a }] })).body.data;
    for (let i = 0; i < 4; i++) await push({ text: `${a} ${i}` });
    await house.service.settle();
    const mine = async () => (await inbox("ntfy")).filter((m: any) => m.content.body.includes(a));
    expect(await mine()).toHaveLength(1);
    expect((await house.call("GET", `/alerts/${id}`)).body.data.stats.held).toBe(3);
    await house.clock.advance(899_000);
    await house.service.settle();
    expect(await mine()).toHaveLength(1);
    await house.clock.advance(1000);
    await house.service.settle();
    const [batch, ...rest] = await mine();
    expect([rest.length, batch.content.body.includes("3 matches")]).toEqual([1, true]);
  });

  test("a daily digest comes at its hour of the wall", async () => {
    const a = word();
    await make({ tag: a, name: a, delivery: { mode: "digest", digest: { every: "day", at: "08:00", timezone: "America/New_York" } }, channels: [{ type: "ntfy", topic: a }] });
    await push({ text: `${a} 1` });
    await push({ text: `${a} 2` });
    const mine = async () => (await inbox("ntfy")).filter((m: any) => m.content.body.includes(a));
    // The clocks went back that very night: 08:00 is an hour later than the day before.
    const due = Date.parse(house.clock.now() < Date.parse("2026-11-01T13:00:00Z") ? "2026-11-01T13:00:00Z" : "2026-11-02T13:00:00Z");
    await house.clock.advance(due - 1 - house.clock.now());
    await house.service.settle();
    expect(await mine()).toHaveLength(0);
    await house.clock.advance(1);
    await house.service.settle();
    expect((await mine()).map((m: any) => m.content.body.includes("2 matches"))).toEqual([true]);
  });

  test("events of the service are matched, with conditions that re-arm", async () => {
    const a = word();
    const { id } = (await make({ query: `tag:${a}`, condition: { field: "price", op: "lt", value: "30", rearm: "on_clear", hysteresis: 0.1 }, channels: [] })).body.data;
    const { platform } = house.service;
    const { appendEvents } = await import("../../platform/events/index.ts");
    const [tenant] = await platform.db.sql`select tenant_id from alerts where id = ${id}`;
    await house.service.settle();
    const say = async (price: string) => {
      await platform.db.sql.begin((tx) => appendEvents(tx, [{ id: platform.makeId("evt"), tenantId: tenant.tenant_id, type: "shopping.price_changed", tags: [a], data: { tracker_id: "trk_1", price: { amount: price, currency: "EUR" } }, at: house.clock.now() }]));
      await house.service.settle();
    };
    for (const price of ["31", "29.99", "29", "30.5", "28", "33", "27"]) await say(price);
    const matches = (await house.call("GET", `/alerts/${id}/matches?state=notified`)).body.data.items;
    expect(matches.map((m: any) => m.item.numbers.price)).toEqual(["27", "29.99"]);
  });

  test("the demo feed: nothing on the first reading, then each new item once", async () => {
    const made = (await make({ query: "demo", match: { fields: ["title", "text"] }, sources: [{ type: "feed", url: "https://feeds.demo.test/news.xml", interval_s: 300 }] })).body.data;
    expect((await house.call("PATCH", `/alerts/${made.id}`, { body: { query: "simulated" } })).status).toBe(200);
    await house.service.settle();
    const stats = async () => (await house.call("GET", `/alerts/${made.id}`)).body.data;
    expect((await stats()).stats.matched).toBe(0);
    expect((await stats()).sources[0]).toMatchObject({ format: "rss20", status: "active", poll_reason: "ttl" });
    for (let i = 0; i < 6; i++) {
      await house.clock.advance(15 * 60_000);
      await house.service.settle();
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
      const response = await fetch(`${house.url}/api/v1/alerts/stream?alert_id=${id}`, { headers: { Authorization: `Bearer ${house.key}`, ...headers }, signal: abort.signal });
      let text = "";
      const decoder = new TextDecoder();
      for await (const chunk of response.body!) {
        text += decoder.decode(chunk);
        if (text.includes("event: ready") && headers.start !== "done") {
          headers.start = "done";
          if (!headers["Last-Event-ID"]) await push({ text: `${a} live` });
        }
        void house.clock.advance(5);
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
    const gone = await read({ "Last-Event-ID": "evt_00000000000000000000000000" }, (t) => t.includes("reset"));
    expect(gone).toContain("event: reset");
  });
});
