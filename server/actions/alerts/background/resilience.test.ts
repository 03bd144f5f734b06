import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type Harness, startHarness } from "../../../../tests/harness.ts";
import { verify } from "../../../lib/sign.ts";
import { leaseNotifications } from "../store/outbox.ts";

// The owned clock is walked through hours, which takes a busy machine a while.
setDefaultTimeout(120_000);

let app: Harness;
let replica: Harness;
let receiver: ReturnType<typeof Bun.serve>;
let answer: (request: Request, body: string) => Response | Promise<Response> = () => new Response("ok");
const got: { id: string; headers: Headers; body: string; path: string }[] = [];

beforeAll(async () => {
  receiver = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 60,
    async fetch(request) {
      const body = await request.text();
      got.push({
        id: request.headers.get("webhook-id") ?? "",
        headers: request.headers,
        body,
        path: new URL(request.url).pathname,
      });
      return answer(request, body);
    },
  });
  const config = { ALLOW_LOOPBACK: [`127.0.0.1:${receiver.port}`], PUBLIC_URL: "https://connector.example" };
  app = await startHarness({ config });
  replica = await startHarness({ config, databaseUrl: app.databaseUrl, clock: app.clock });
});
afterAll(async () => {
  await replica.stop();
  await app.stop();
  await receiver.stop(true);
});

const live = () => app.account.liveKey;
const make = async (body: object) => (await app.call("POST", "/alerts/create", { body, key: live() })).body.data;
const push = async (body: object, on: Harness = app) =>
  (await on.call("POST", "/alerts/content", { body, key: live() })).body.data;
const at = (path: string) => `http://127.0.0.1:${receiver.port}${path}`;
const hook = (path: string) => ({ type: "webhook", url: at(path) });
const sentTo = (path: string) => got.filter((g) => g.path === path);
const forward = async (ms: number) => {
  await app.clock.advance(ms);
  await app.service.settle();
};

describe("receivers", () => {
  test("one that flaps gets every message, under the same id, signed anew", async () => {
    let calls = 0;
    answer = () => new Response("", { status: ++calls % 3 === 0 ? 200 : 503 });
    const alert = await make({ tag: "flap", channels: [hook("/flap")] });
    await push({ text: "flap one" });
    await push({ text: "flap two" });
    await app.service.settle();
    // The waits of the schedule with their jitter: 5 seconds, 5 minutes, 30 minutes.
    for (const wait of [6_000, 331_000, 1_990_000]) await forward(wait);
    answer = () => new Response("ok");
    const { items } = (await app.call("GET", `/alerts/${alert.id}/deliveries`, { key: live() })).body.data;
    expect(items.map((i: any) => i.status)).toEqual(["delivered", "delivered"]);
    const secret = alert.channels[0].secret;
    for (const { id, headers, body } of sentTo("/flap")) {
      const timestamp = headers.get("webhook-timestamp")!;
      expect(
        verify([secret], { id, timestamp, signature: headers.get("webhook-signature"), body }, Number(timestamp)),
      ).toBe(true);
    }
    expect(new Set(sentTo("/flap").map((g) => g.id)).size).toBe(2);
  });

  test("one that says 410 is disabled, announced as an event, and its messages are dead letters that can be replayed", async () => {
    answer = () => new Response("", { status: 410 });
    const alert = await make({ tag: "gone", channels: [hook("/gone")] });
    await push({ text: "gone" });
    await app.service.settle();
    const read = async () => (await app.call("GET", `/alerts/${alert.id}`, { key: live() })).body.data;
    expect([(await read()).status, (await read()).channels[0].status]).toEqual(["degraded", "disabled"]);
    const events = (await app.call("GET", "/events?type=alert.channel_disabled", { key: live() })).body.data.items;
    expect(events[0].data).toMatchObject({ alert_id: alert.id, type: "webhook" });
    answer = () => new Response("ok");
    await app.call("POST", `/alerts/${alert.id}/resume`, { key: live() });
    const replayed = await app.call("POST", `/alerts/${alert.id}/replay`, {
      key: live(),
      body: { since: "2026-01-01T00:00:00Z" },
    });
    expect(replayed.body.data.replayed).toBe(1);
    await app.service.settle();
    expect(sentTo("/gone").map((g) => g.id)).toEqual([sentTo("/gone")[0].id, sentTo("/gone")[0].id]);
  });

  test("a process that dies with messages in hand leaves them to the next", async () => {
    answer = () => new Response("ok");
    await make({ tag: "orphan", channels: [hook("/orphan")] });
    await push({ text: "orphan" });
    const { platform } = app.service;
    expect(await leaseNotifications(platform.db.sql, platform.clock.now(), 60_000, 50)).toHaveLength(1);
    await app.service.settle();
    expect(sentTo("/orphan")).toHaveLength(0);
    await forward(60_000);
    expect(sentTo("/orphan")).toHaveLength(1);
  });
});

describe("two replicas", () => {
  test("an alert made on one matches on the other, and each message is sent once", async () => {
    await make({ tag: "twice", channels: [hook("/twice")], delivery: { max_per_hour: 3600 } });
    for (let tries = 0; tries < 200 && (await push({ text: `twice probe ${tries}` }, replica)).matched === 0; tries++);
    const before = sentTo("/twice").length;
    await Promise.all(Array.from({ length: 40 }, (_, i) => push({ text: `twice ${i}` }, i % 2 ? app : replica)));
    await Promise.all([app.service.settle(), replica.service.settle(), app.service.settle(), replica.service.settle()]);
    await forward(61_000);
    const ids = sentTo("/twice")
      .slice(before)
      .map((g) => g.id);
    expect(new Set(ids).size).toBe(ids.length);
    const bodies = new Set(sentTo("/twice").map((g) => JSON.parse(g.body).data.items[0].summary));
    for (let i = 0; i < 40; i++) expect(bodies.has(`twice ${i}`)).toBe(true);
  });

  test("an event is matched once, whoever reads the log", async () => {
    const alert = await make({ query: "source:delivery.scheduled" });
    await Promise.all([app.service.settle(), replica.service.settle()]);
    const order = {
      pickup: { address: "1 Main St", time: new Date(app.clock.now() + 3_600_000).toISOString() },
      dropoff: { address: "2 Main St" },
    };
    const made = await app.call("POST", "/delivery/schedule", { body: order, key: live() });
    expect(made.status).toBe(200);
    await app.clock.advance(100);
    await Promise.all([app.service.settle(), replica.service.settle()]);
    const matches = (await app.call("GET", `/alerts/${alert.id}/matches`, { key: live() })).body.data.items;
    expect(matches).toHaveLength(1);
  });
});

describe("ten thousand matches in one moment", () => {
  test("are all kept, told in one message after the first, and counted exactly", async () => {
    answer = () => new Response("ok");
    const alert = await make({ tag: "flood", delivery: { cooldown_s: 600 }, channels: [hook("/flood")] });
    const lines = (k: number) =>
      Array.from({ length: 1000 }, (_, i) => JSON.stringify({ id: `f${k}-${i}`, text: `flood ${k} ${i}` })).join("\n");
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, k) =>
        app.call("POST", "/alerts/content", {
          key: live(),
          body: lines(k),
          headers: { "Content-Type": "application/x-ndjson" },
        }),
      ),
    );
    expect(replies.reduce((n, r) => n + r.body.data.matched, 0)).toBe(10_000);
    await app.service.settle();
    await forward(600_000);
    const told = sentTo("/flood").map((g) => JSON.parse(g.body).data.total);
    expect(told).toEqual([1, 9999]);
    const { stats } = (await app.call("GET", `/alerts/${alert.id}`, { key: live() })).body.data;
    expect(stats).toMatchObject({ matched: 10_000, notified: 2, held: 0 });
  });
});

describe("feeds", () => {
  const rss = (items: string[]) =>
    new Response(`<rss version="2.0"><channel><title>F</title>${items.join("")}</channel></rss>`, {
      headers: { "Content-Type": "application/rss+xml" },
    });

  test("one that gives every item a new guid each time tells only what is new", async () => {
    let round = 0;
    const posts = ["old one", "old two"];
    answer = () => {
      round++;
      return rss(
        posts.map(
          (p, i) =>
            `<item><guid isPermaLink="false">${round}-${i}</guid><title>guidless ${p}</title><link>https://e.org/${p.replace(" ", "-")}</link></item>`,
        ),
      );
    };
    const alert = await make({ tag: "guidless", sources: [{ type: "feed", url: at("/guids.xml"), interval_s: 300 }] });
    await app.service.settle();
    for (const post of ["new three", "new four"]) {
      posts.unshift(post);
      await forward(400_000);
      await forward(400_000);
    }
    const matches = (await app.call("GET", `/alerts/${alert.id}/matches`, { key: live() })).body.data.items;
    expect(matches.map((m: any) => m.item.title)).toEqual(["guidless new four", "guidless new three"]);
    expect(sentTo("/guids.xml").length).toBeGreaterThanOrEqual(4);
  });

  test("one that never ends is given up, and said so", async () => {
    const chunk = new TextEncoder().encode(`<item><title>endless</title></item>`.repeat(2000));
    answer = () =>
      new Response(
        new ReadableStream({
          pull: (c) => c.enqueue(chunk),
        }),
        { headers: { "Content-Type": "application/rss+xml" } },
      );
    const alert = await make({ tag: "endless", sources: [{ type: "feed", url: at("/endless.xml") }] });
    await app.service.settle();
    const [source] = (await app.call("GET", `/alerts/${alert.id}`, { key: live() })).body.data.sources;
    expect(source).toMatchObject({ status: "backing_off", poll_reason: "backoff" });
    expect(source.last_error).toContain("too_large");
  });

  test("a page leads to its feed; validators save the next reading; 410 ends it", async () => {
    let gone = false;
    answer = (request) => {
      if (gone) return new Response("", { status: 410 });
      if (request.url.endsWith("/blog"))
        return new Response(`<html><link rel="alternate" type="application/rss+xml" href="/blog.xml"></html>`, {
          headers: { "Content-Type": "text/html" },
        });
      if (request.headers.get("if-none-match") === '"v1"') return new Response(null, { status: 304 });
      const reply = rss([`<item><title>x</title><guid>1</guid></item>`]);
      reply.headers.set("ETag", '"v1"');
      return reply;
    };
    const alert = await make({ tag: "paged", sources: [{ type: "feed", url: at("/blog"), interval_s: 300 }] });
    const source = async () => (await app.call("GET", `/alerts/${alert.id}`, { key: live() })).body.data.sources[0];
    await app.service.settle();
    expect(await source()).toMatchObject({ format: "rss20", status: "active" });
    await forward(400_000);
    expect(sentTo("/blog.xml").at(-1)!.headers.get("if-none-match")).toBe('"v1"');
    gone = true;
    await forward(400_000);
    expect(await source()).toMatchObject({ status: "gone", next_poll_at: null });
  });

  test("a hub is asked to push, is believed only with the right signature, and tells each item once", async () => {
    const feed = (items: string[]) =>
      `<feed xmlns="http://www.w3.org/2005/Atom"><link rel="hub" href="${at("/hub")}"/><link rel="self" href="${at("/hubbed.xml")}"/>` +
      `${items.map((t) => `<entry><id>urn:${t}</id><title>hubbed ${t}</title></entry>`).join("")}</feed>`;
    answer = (request) =>
      request.url.endsWith("/hub")
        ? new Response("", { status: 202 })
        : new Response(feed(["one"]), { headers: { "Content-Type": "application/atom+xml" } });
    const alert = await make({ tag: "hubbed", sources: [{ type: "feed", url: at("/hubbed.xml"), interval_s: 300 }] });
    await app.service.settle();
    const asked = new URLSearchParams(sentTo("/hub")[0].body);
    expect([asked.get("hub.mode"), asked.get("hub.topic")]).toEqual(["subscribe", at("/hubbed.xml")]);
    const callback = `/${new URL(asked.get("hub.callback")!).pathname}`;
    const topic = encodeURIComponent(at("/hubbed.xml"));
    const verified = await app.call(
      "GET",
      `${callback}?hub.mode=subscribe&hub.topic=${topic}&hub.challenge=abc&hub.lease_seconds=864000`,
      { key: null },
    );
    expect([verified.status, verified.text]).toEqual([200, "abc"]);
    expect((await app.call("GET", `${callback}?hub.mode=subscribe&hub.topic=other`, { key: null })).status).toBe(404);
    const body = feed(["two", "one"]);
    const push = (signature: string) =>
      app.call("POST", callback, {
        key: null,
        body,
        headers: { "Content-Type": "application/atom+xml", "X-Hub-Signature": signature },
      });
    const hex = new Bun.CryptoHasher("sha256", asked.get("hub.secret")!).update(body).digest("hex");
    const matched = async () => (await app.call("GET", `/alerts/${alert.id}`, { key: live() })).body.data.stats.matched;
    expect([(await push("sha256=00")).status, await matched()]).toEqual([202, 0]);
    expect([(await push(`sha256=${hex}`)).status, await matched()]).toEqual([202, 1]);
    expect([(await push(`sha256=${hex}`)).status, await matched()]).toEqual([202, 1]);
    const unknown = `//alerts/websub/${"x".repeat(32)}`;
    expect((await app.call("POST", unknown, { key: null, body, headers: { "Content-Type": "text/xml" } })).status).toBe(
      404,
    );
    expect((await app.call("GET", `${unknown}?hub.mode=subscribe&hub.topic=x`, { key: null })).status).toBe(404);
  });
});
