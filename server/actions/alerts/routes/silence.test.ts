// No alert falls silent without a word: what can never do what was meant is refused, or answered with a warning.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type Harness, startHarness } from "../../../../tests/harness.ts";

setDefaultTimeout(120_000);

let app: Harness;
let publisher: ReturnType<typeof Bun.serve>;
beforeAll(async () => {
  publisher = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) =>
      new URL(request.url).pathname === "/page" ? new Response("<p>no feed</p>") : new Response("", { status: 404 }),
  });
  app = await startHarness({ config: { ALLOW_LOOPBACK: [`127.0.0.1:${publisher.port}`] } as never });
});
afterAll(async () => {
  await app.stop();
  await publisher.stop(true);
});

const make = (body: object, key?: string) => app.call("POST", "/alerts/create", { body, ...(key ? { key } : {}) });
const change = (id: string, body: object) => app.call("PATCH", `/alerts/${id}`, { body });
const codes = (warnings: { code: string }[]) => warnings.map((w) => w.code);

describe("a query that other languages read differently is warned about", () => {
  test.each([
    ["kettle or teapot", "lower_case_operator"],
    ["kettle and teapot", "lower_case_operator"],
    ["kettle~1", "no_fuzzy_search"],
    ['"kett* price"', "star_in_phrase"],
    ["lang:de katze", "lang_not_detected"],
  ])("%s", async (query, code) => {
    expect(codes((await make({ query })).body.data.query.warnings)).toContain(code);
  });

  test("one that says what it means is not", async () => {
    expect((await make({ query: "(kettle OR teapot) AND price<30" })).body.data.query.warnings).toEqual([]);
  });
});

describe("what can never fire is refused", () => {
  test.each([
    ["an unknown topic", { sources: [{ type: "events", topics: ["shopping.nonsense"] }] }, "/sources/0/topics/0"],
    ["its own events", { sources: [{ type: "events", topics: ["alert.matched"] }] }, "/sources/0/topics/0"],
    [
      "quiet hours without end",
      { delivery: { quiet_hours: [{ from: "22:00", to: "22:00" }] } },
      "/delivery/quiet_hours",
    ],
    [
      "quiet hours that follow each other",
      {
        delivery: {
          quiet_hours: [
            { from: "00:00", to: "12:00" },
            { from: "12:00", to: "00:00" },
          ],
        },
      },
      "/delivery/quiet_hours",
    ],
    ["a digest that is never sent", { delivery: { mode: "instant", digest: { every: "day" } } }, "/delivery/mode"],
    ["an address twice", { channels: ["a@b.org", "A@b.org"].map((to) => ({ type: "email", to })) }, "/channels/1/to"],
  ])("%s", async (_, more, pointer) => {
    const { status, body } = await make({ tag: "kettle", ...more });
    expect([status, body.error.errors[0].pointer]).toEqual([400, pointer]);
    expect(body.error.hint).toBe(body.error.errors[0].hint);
  });

  test("a near topic is suggested; a whole quiet day is allowed", async () => {
    const near = await make({ tag: "a1", sources: [{ type: "events", topics: ["shopping.price_change"] }] });
    expect(near.body.error.hint).toBe('Did you mean "shopping.price_changed"?');
    const sunday = [{ days: ["sun"], from: "00:00", to: "00:00" }];
    expect((await make({ tag: "a1", delivery: { quiet_hours: sunday } })).status).toBe(201);
  });

  test("a missing member is asked for by example", async () => {
    const { errors } = (await make({ tag: "a1", channels: [{ type: "email" }] })).body.error;
    expect(errors[0]).toMatchObject({
      detail: "email needs a recipient: to.",
      hint: 'Send e.g. "to":"ada@example.com".',
    });
    const lists = await make({ tags: ["kettle"] });
    expect([lists.status, lists.body.data.query.canonical]).toEqual([201, '"kettle"']);
  });

  test("NOT beside OR is named, with its place in the query", async () => {
    const { error } = (await make({ query: "kettle OR NOT teapot" })).body;
    expect([error.code, error.position, error.detail]).toEqual([
      "query_unbounded",
      10,
      "A NOT beside OR matches nearly everything that lacks the term.",
    ]);
    expect((await make({ tags: { none: ["a"] } })).body.error.position).toBeUndefined();
  });
});

describe("an alert that watches nothing or tells nobody", () => {
  test("201 with warnings, also for a live key", async () => {
    const alert = (await make({ tag: "kettle" }, app.account.liveKey)).body.data;
    expect(codes(alert.warnings)).toEqual(["no_feed", "no_channel"]);
    expect(alert.name).toBe("kettle");
  });

  test.each(["/missing", "/page"])("a feed that is none (%s): degraded, an event, a warning", async (path) => {
    const key = app.account.liveKey;
    const url = `http://127.0.0.1:${publisher.port}${path}`;
    const { id } = (await make({ tag: "kettle", sources: [{ type: "feed", url }] }, key)).body.data;
    await app.service.settle();
    const alert = (await app.call("GET", `/alerts/${id}`, { key })).body.data;
    expect([alert.status, alert.sources[0].status]).toEqual(["degraded", "failing"]);
    expect(codes(alert.warnings)).toContain("feed_not_readable");
    const { items } = (await app.call("GET", "/events?type=alert.source_failed", { key })).body.data;
    expect(items.filter((e: any) => e.data.alert_id === id)).toHaveLength(1);
    const listed = (await app.call("GET", "/alerts?status=degraded&limit=100", { key })).body.data.items;
    expect(listed.map((a: any) => a.id)).toContain(id);
  });

  test("a preview that cannot have seen a new feed says so", async () => {
    const sources = [{ type: "feed", url: "https://feeds.demo.test/unread.xml" }];
    const alert = (await make({ tag: "kettle", sources, backfill: "preview" })).body.data;
    expect(codes(alert.warnings)).toContain("feed_not_read");
  });
});

describe("PATCH /alerts/{id}", () => {
  test("200 merges delivery, match and dedupe member by member", async () => {
    const delivery = { cooldown_s: 600, digest: { every: "day" } };
    const { id } = (await make({ tag: "a1", delivery, match: { case_sensitive: true } })).body.data;
    const changed = await change(id, { delivery: { max_per_hour: 3 }, match: { diacritics: "exact" } });
    expect(changed.body.data.delivery).toEqual({ ...delivery, max_per_hour: 3 });
    expect(changed.body.data.match).toEqual({ case_sensitive: true, diacritics: "exact" });
    expect((await change(id, { delivery: { mode: "instant" } })).body.data.delivery.digest).toBeUndefined();
  });

  test("200 pauses and resumes by enabled", async () => {
    const { id } = (await make({ tag: "a1" })).body.data;
    expect((await change(id, { enabled: false })).body.data.status).toBe("paused");
    expect((await change(id, { enabled: true })).body.data.status).toBe("active");
  });
});

describe("GET /alerts", () => {
  test("200 by shown status, label and text; cursors belong to their filter", async () => {
    const labels = { team: "pr" };
    const made = (await make({ tag: "zebra", name: "Striped 100%", labels })).body.data;
    await make({ tag: "other", labels: { team: "it" } });
    const ids = async (query: string) =>
      (await app.call("GET", `/alerts?limit=100&${query}`)).body.data.items.map((a: any) => a.id);
    expect(await ids("label=team:pr")).toEqual([made.id]);
    expect(await ids("label=team")).toHaveLength(2);
    expect(await ids("q=ZEBRA")).toEqual([made.id]);
    expect(await ids("q=100%25")).toEqual([made.id]);
    const snoozed = await app.call("POST", `/alerts/${made.id}/snooze`, { body: { for_s: 3600 } });
    const until = new Date(app.clock.now() + 3_600_000).toISOString().replace(".000Z", "Z");
    expect(snoozed.body.data.snoozed_until).toBe(until);
    expect(await ids("status=snoozed")).toEqual([made.id]);
    expect(await ids("status=active")).not.toContain(made.id);
  });
});

describe("POST /alerts/{id}/poll", () => {
  test("200 reads a feed now, but not twice in a minute", async () => {
    const sources = [{ type: "feed", url: "https://feeds.demo.test/poll.xml" }];
    const { id } = (await make({ tag: "kettle", sources })).body.data;
    await app.service.settle();
    const poll = async () => (await app.call("POST", `/alerts/${id}/poll`)).body.data.polled;
    expect(await poll()).toBe(0);
    await app.clock.advance(60_000);
    expect(await poll()).toBe(1);
    await app.service.settle();
    const { sources: shown } = (await app.call("GET", `/alerts/${id}`)).body.data;
    expect(Date.parse(shown[0].next_poll_at)).toBeGreaterThan(app.clock.now());
  });
});

describe("messages", () => {
  test("an event reads as a sentence of its facts", async () => {
    const channels = [{ type: "slack", url: "https://hooks.slack.com/x" }];
    await make({ tag: "kettle", sources: [{ type: "events", topics: ["delivery.*"] }], channels });
    const { platform } = app.service;
    const { appendEvents } = await import("../../../platform/events/index.ts");
    const [tenant] = await platform.db.sql`
      select id from tenants where account_id = ${app.account.id} and mode = 'test'`;
    await app.service.settle();
    const data = { id: "del_1", item: "kettle", price: { amount: "9.50", currency: "EUR" }, level: "400" };
    await platform.db.sql.begin((tx) =>
      appendEvents(tx, [
        {
          id: platform.makeId("evt"),
          tenantId: tenant.id,
          type: "delivery.scheduled",
          tags: [],
          data,
          at: app.clock.now(),
        },
      ]),
    );
    await app.service.settle();
    const [sent] = (await app.call("GET", "/sandbox/inbox?channel=slack")).body.data.items;
    expect(sent.content.body).toContain("item kettle, price 9.50 EUR, level 400");
  });

  test("the sandbox inbox hides a secret where it stands, not its letters elsewhere", async () => {
    const channels = [{ type: "telegram", token: "t", chat_id: "12" }];
    const { id } = (await make({ tag: "a1", channels })).body.data;
    await app.call("POST", `/alerts/${id}/test`);
    await app.service.settle();
    const [sent] = (await app.call("GET", "/sandbox/inbox?channel=telegram")).body.data.items;
    expect(sent.content.url).toBe("https://api.telegram.org/bot***/sendMessage");
    expect(sent.content.body).toContain("This is what a match looks like");
  });
});
