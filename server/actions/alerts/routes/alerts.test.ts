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
const inbox = async (channel: string) =>
  (await app.call("GET", `/sandbox/inbox?channel=${channel}&limit=100`)).body.data.items;
const webhook = { type: "webhook", url: "https://hooks.example.com/a" };
let unique = 0;
const word = () => `zq${(++unique).toString(36)}x${Math.floor(performance.now() * 1000).toString(36)}`;

describe("POST /alerts/create", () => {
  test("201 with a tag; it counts for the very next content", async () => {
    const tag = word();
    const made = await make({ tag: `#${tag}`, channels: [webhook, { type: "sse" }], labels: { team: "pr" } });
    expect(made.status).toBe(201);
    const alert = made.body.data;
    expect(alert).toMatchObject({
      status: "active",
      query: { canonical: `tag:"${tag}"`, leaves: 1, required_terms: [`#${tag}`] },
      labels: { team: "pr" },
    });
    expect(alert.channels[0].secret).toStartWith("whsec_");
    const pushed = await push({ title: "News", text: `Look at #${tag}!` });
    expect(pushed.body.data).toMatchObject({ accepted: 1, matched: 1, results: [{ alerts: [alert.id] }] });
    const read = await app.call("GET", `/alerts/${alert.id}`);
    expect(read.body.data.channels[0].secret).toBeUndefined();
    expect(read.body.data.stats).toMatchObject({ matched: 1, notified: 1 });
  });

  test("201 with tags, and with a query that compares a number", async () => {
    const a = word();
    const lists = (await make({ tags: { any: [`#${a}`, `${a} sale`], none: ["hiring"] } })).body.data;
    expect(lists.query.canonical).toBe(`(tag:"${a}" OR "${a} sale") AND NOT "hiring"`);
    const priced = (await make({ query: `tag:${a} price<30` })).body.data;
    const hits = async (content: object) => (await push(content)).body.data.results[0].alerts;
    expect(await hits({ tags: [a], numbers: { price: "29.99" } })).toEqual(
      expect.arrayContaining([lists.id, priced.id]),
    );
    expect(await hits({ tags: [a], numbers: { price: "30.00" } })).toEqual([lists.id]);
    expect(await hits({ text: `${a} sale, hiring` })).toEqual([]);
  });

  test("400 with all faults at once, each with its place", async () => {
    const refused = await make({
      tag: "a",
      sources: [{ type: "feed" }],
      channels: [
        { type: "telegram", token: "t" },
        { type: "slack", url: "https://a.example/x", to: "a@b.cd" },
      ],
      delivery: {
        mode: "digest",
        quiet_hours: [{ from: "22:00", to: "07:00", timezone: "Mars/Base", days: ["noday"] }],
      },
      condition: { field: "price", op: "lt" },
    });
    expect(refused.status).toBe(400);
    expect(refused.body.error.errors.map((e: any) => e.pointer)).toEqual([
      "/sources/0/url",
      "/channels/0/chat_id",
      "/channels/1/to",
      "/condition/value",
      "/delivery/digest",
      "/delivery/quiet_hours/0/timezone",
      "/delivery/quiet_hours/0/days",
    ]);
  });

  test("400 with position and expectation when the query does not parse", async () => {
    const refused = await make({ query: "(acme AND" });
    expect([refused.status, refused.body.error.code, refused.body.error.position, refused.body.error.expected]).toEqual(
      [400, "validation_failed", 9, expect.arrayContaining(["a word"])],
    );
    expect(refused.body.error.errors[0]).toMatchObject({ pointer: "/query", code: "syntax" });
  });

  test("422 query_unbounded when everything is excluded", async () => {
    expect((await make({ query: "NOT acme" })).body.error.code).toBe("query_unbounded");
    expect((await make({ tags: { none: ["x"] } })).status).toBe(422);
  });

  test("422 target_not_allowed for addresses inside, and for feeds of test keys outside the demo", async () => {
    expect(
      (await make({ tag: "a", channels: [{ type: "webhook", url: "http://169.254.169.254/x" }] })).body.error.code,
    ).toBe("target_not_allowed");
    expect(
      (await make({ tag: "a", sources: [{ type: "feed", url: "https://example.com/feed.xml" }] })).body.error.errors[0]
        .pointer,
    ).toBe("/sources/0/url");
  });

  test("503 when a live key asks for mail and no mail server is set up", async () => {
    const refused = await make(
      { tag: "a", channels: [{ type: "email", to: "ada@example.com" }] },
      { key: app.account.liveKey },
    );
    expect([refused.status, refused.body.error.code]).toEqual([503, "provider_not_configured"]);
  });

  test("201 once for one idempotency key", async () => {
    const headers = { "Idempotency-Key": "alert-once" };
    const first = await make({ tag: word(), channels: [webhook] }, { headers });
    const again = await app.call("POST", "/alerts/create", {
      body: JSON.parse(JSON.stringify({ tag: first.body.data.query.source, channels: [webhook] })),
      headers,
    });
    expect(again.text).toBe(first.text);
  });

  test("201 with a preview of recent content, and with what was already there delivered", async () => {
    const a = word();
    await push({ id: "p1", title: `${a} one`, url: "https://e.org/1" });
    await push({ id: "p2", title: `${a} two` });
    const preview = (await make({ tag: a, backfill: "preview" })).body.data;
    expect(preview.preview).toMatchObject({
      matched: 2,
      samples: [{ highlights: [{ field: "title", start: 0, end: a.length }] }, {}],
    });
    expect(preview.stats.matched).toBe(0);
    expect((await make({ tag: a, backfill: "deliver" })).body.data.stats.matched).toBe(2);
  });

  test("403 plan_limit_reached beyond what the plan holds", async () => {
    const small = await app.openAccount("free");
    const { sql } = app.service.platform.db;
    const [tenant] = await sql`select id from tenants where account_id = ${small.id} and mode = 'test'`;
    const [made] = [await make({ tag: word() }, { key: small.testKey })];
    await sql`insert into alerts (id, tenant_id, status, term, query, sources, spec, pace, conditions, stats, created_at, updated_at)
      select 'alt_' || lpad(n::text, 26, '0'), ${tenant.id}, 'active', 'w:full' || n, 'full' || n, 3, spec, pace, conditions, stats,
        created_at,
        ${new Date(app.clock.now())}
      from alerts, generate_series(1, 999) n where id = ${made.body.data.id}`;
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
    const page = (await app.call("GET", "/alerts?status=paused&limit=1")).body.data;
    expect([page.items[0].id, page.has_more]).toEqual([second.id, true]);
    const next = (await app.call("GET", `/alerts?status=paused&limit=1&cursor=${page.next_cursor}`)).body.data;
    expect(next.items[0].id).toBe(first.id);
  });

  test("200 changes what is watched at once; 400 and 422 leave it as it was", async () => {
    const [a, b] = [word(), word()];
    const { id } = (await make({ tag: a })).body.data;
    const changed = await app.call("PATCH", `/alerts/${id}`, {
      body: { query: b, name: "Other", channels: [webhook] },
    });
    expect(changed.body.data).toMatchObject({ name: "Other", query: { canonical: `"${b}"` } });
    expect(changed.body.data.channels[0].secret).toStartWith("whsec_");
    expect((await push({ text: a })).body.data.matched).toBe(0);
    expect((await push({ text: b })).body.data.matched).toBe(1);
    expect((await app.call("PATCH", `/alerts/${id}`, { body: { query: "(" } })).status).toBe(400);
    expect((await app.call("PATCH", `/alerts/${id}`, { body: { query: "-x" } })).body.error.code).toBe(
      "query_unbounded",
    );
    expect(
      (
        await app.call("PATCH", `/alerts/${id}`, {
          body: { channels: [{ type: "slack", url: "http://127.0.0.1/x" }] },
        })
      ).body.error.code,
    ).toBe("target_not_allowed");
    expect((await push({ text: `${b} again` })).body.data.matched).toBe(1);
  });

  test("503 when a live alert is given mail without a mail server", async () => {
    const key = app.account.liveKey;
    const { id } = (await make({ tag: word() }, { key })).body.data;
    expect(
      (await app.call("PATCH", `/alerts/${id}`, { key, body: { channels: [{ type: "email", to: "a@b.org" }] } }))
        .status,
    ).toBe(503);
  });

  test("200 deletes at once; 404 afterwards", async () => {
    const a = word();
    const { id } = (await make({ tag: a })).body.data;
    expect((await app.call("DELETE", `/alerts/${id}`)).body.data).toEqual({ id, deleted: true });
    expect((await push({ text: a })).body.data.matched).toBe(0);
    for (const [method, path] of [
      ["GET", ""],
      ["DELETE", ""],
      ["PATCH", ""],
      ["POST", "/pause"],
      ["POST", "/resume"],
      ["POST", "/snooze"],
      ["POST", "/test"],
      ["POST", "/poll"],
      ["POST", "/replay"],
      ["GET", "/matches"],
      ["GET", "/deliveries"],
    ]) {
      const body =
        method === "PATCH"
          ? { name: "x" }
          : path === "/snooze"
            ? { until: "2027-01-01T00:00:00Z" }
            : path === "/replay"
              ? { since: "2026-01-01T00:00:00Z" }
              : undefined;
      expect((await app.call(method, `/alerts/${id}${path}`, body ? { body } : {})).status, `${method} ${path}`).toBe(
        404,
      );
    }
  });
});

describe("pause, resume, snooze", () => {
  test("200 paused matches nothing; resumed matches; 409 what is not allowed", async () => {
    const a = word();
    const { id } = (await make({ tag: a })).body.data;
    expect((await app.call("POST", `/alerts/${id}/pause`)).body.data.status).toBe("paused");
    expect((await push({ text: a })).body.data.matched).toBe(0);
    expect((await app.call("POST", `/alerts/${id}/pause`)).body.data.status).toBe("paused");
    const refused = await app.call("POST", `/alerts/${id}/snooze`, { body: { until: "2027-01-01T00:00:00Z" } });
    expect(refused.body.error).toMatchObject({ code: "wrong_state", status: 409, state: "paused" });
    expect(refused.body.error.allowed).toEqual(["pause", "resume"]);
    expect((await app.call("POST", `/alerts/${id}/resume`)).body.data.status).toBe("active");
    expect((await push({ text: `${a} b` })).body.data.matched).toBe(1);
  });

  test("200 snoozed counts, and the next message says how many", async () => {
    const a = word();
    const { id } = (await make({ tag: a, channels: [{ type: "slack", url: "https://hooks.slack.com/x" }] })).body.data;
    const until = new Date(app.clock.now() + 60_000).toISOString();
    expect((await app.call("POST", `/alerts/${id}/snooze`, { body: { until } })).body.data.status).toBe("snoozed");
    expect((await app.call("POST", `/alerts/${id}/snooze`, { body: { until_clear: true } })).status).toBe(400);
    expect((await app.call("POST", `/alerts/${id}/snooze`, { body: { until: "2020-01-01T00:00:00Z" } })).status).toBe(
      400,
    );
    await push({ text: `${a} 1` });
    await push({ text: `${a} 2` });
    await app.clock.advance(60_000);
    await push({ text: `${a} 3` });
    await app.service.settle();
    const [sent] = await inbox("slack");
    expect(sent.content.body).toContain("not sent: snoozed 2");
    const states = (await app.call("GET", `/alerts/${id}/matches`)).body.data.items.map((m: any) => m.state);
    expect(states).toEqual(["notified", "suppressed", "suppressed"]);
  });

  test("409 resume of an alert that has expired", async () => {
    const a = word();
    const { id } = (await make({ tag: a, expires_at: new Date(app.clock.now() + 1000).toISOString() })).body.data;
    expect((await make({ tag: a, expires_at: "2020-01-01T00:00:00Z" })).body.error.errors[0].pointer).toBe(
      "/expires_at",
    );
    await app.clock.advance(1000);
    await app.service.settle();
    expect((await push({ text: a })).body.data.matched).toBe(0);
    expect((await app.call("POST", `/alerts/${id}/resume`)).status).toBe(409);
    expect((await app.call("POST", `/alerts/${id}/pause`)).body.error).toMatchObject({ status: 409, allowed: [] });
  });
});
