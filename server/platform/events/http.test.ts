import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { appendFileSync } from "node:fs";
import { startHarness } from "../../../tests/harness.ts";
import type { Harness } from "../../../tests/harness.ts";
import { createSseParser } from "../../lib/sse.ts";
import type { ParsedEvent } from "../../lib/sse.ts";
import { appendEvents } from "./index.ts";

let app: Harness;
let replica: Harness;
beforeAll(async () => {
  app = await startHarness();
  replica = await startHarness({ databaseUrl: app.databaseUrl });
}, 120_000);
afterAll(async () => {
  await replica.stop();
  await app.stop();
}, 120_000);

interface World {
  key: string;
  tenantId: number;
  happen(count: number, type?: string, tag?: string): Promise<string[]>;
}

async function openWorld(): Promise<World> {
  const account = await app.openAccount("max");
  const { db, makeId, clock } = app.service.platform;
  const [tenant] = await db.sql`select id from tenants where account_id = ${account.id} and mode = 'test'`;
  return {
    key: account.testKey,
    tenantId: tenant.id,
    async happen(count, type = "delivery.scheduled", tag = "a") {
      const events = Array.from({ length: count }, (_, n) => ({
        id: makeId("evt"),
        tenantId: tenant.id,
        type,
        tags: [tag],
        data: { n, text: "zwei\nZeilen" },
        at: clock.now(),
      }));
      await db.sql.begin((tx) => appendEvents(tx, events));
      return events.map((e) => e.id);
    },
  };
}

/** An open stream that collects what comes; `until` waits for a number of events of any name. */
async function listen(at: Harness, path: string, key: string, headers: Record<string, string> = {}) {
  const abort = new AbortController();
  const response = await fetch(`${at.url}/api/v1${path}`, {
    headers: { Authorization: `Bearer ${key}`, ...headers },
    signal: abort.signal,
  });
  // The harness reads answers to their end, which a stream has not; so the audit is told from here.
  if (process.env.CONNECTOR_TEST_SEEN)
    appendFileSync(process.env.CONNECTOR_TEST_SEEN, `events.stream ${response.status}\n`);
  const events: ParsedEvent[] = [];
  let raw = "";
  const waiting: Array<() => void> = [];
  const wake = () => waiting.splice(0).forEach((go) => go());
  const parser = createSseParser((event) => {
    events.push(event);
    wake();
  });
  let ended = false;
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body as any) {
      const text = decoder.decode(chunk, { stream: true });
      raw += text;
      parser.push(text);
      wake();
    }
  })()
    .catch(() => {})
    .finally(() => {
      ended = true;
      wake();
    });
  const until = async (check: () => boolean) => {
    while (!check() && !ended) await new Promise<void>((go) => waiting.push(go));
  };
  return {
    response,
    events,
    raw: () => raw,
    ended: () => ended,
    until,
    count: (n: number) => until(() => events.length >= n),
    close: async () => {
      abort.abort();
      await reading;
    },
  };
}

/** The writer's replica tells the others; their own clocks stand still, so nothing but the notification can wake them. */
const pass = () => app.clock.advance(100);

describe("GET /events", () => {
  test("200 newest first in pages, filtered by type, family and tag", async () => {
    const world = await openWorld();
    const a = await world.happen(3, "delivery.scheduled", "x");
    const b = await world.happen(2, "key.rolled", "y");
    const list = async (query: string) => (await app.call("GET", `/events${query}`, { key: world.key })).body.data;
    expect((await list("")).items.map((e: any) => e.id)).toEqual([...a, ...b].reverse());
    expect((await list("?type=key.rolled")).items.map((e: any) => e.id)).toEqual([...b].reverse());
    expect((await list("?type=delivery.*,key.rolled&tag=x")).items.map((e: any) => e.id)).toEqual([...a].reverse());
    const first = await list("?limit=2");
    const second = await list(`?limit=2&cursor=${first.next_cursor}`);
    expect([...first.items, ...second.items].map((e: any) => e.id)).toEqual([...a, ...b].reverse().slice(0, 4));
    expect(first.items[0]).toMatchObject({
      type: "key.rolled",
      mode: "test",
      tags: ["y"],
      data: { n: 1, text: "zwei\nZeilen" },
    });
  });

  test("200 filtered by time and by the object they are about, also with after", async () => {
    const world = await openWorld();
    const { makeId } = app.service.platform;
    const object = makeId("dlv");
    const [before] = await world.happen(1);
    const about = { id: makeId("evt"), type: "delivery.scheduled", tags: [], tenantId: world.tenantId };
    const at = app.clock.now() + 5_000;
    await appendEvents(app.service.platform.db.sql, [{ ...about, data: { delivery_id: object }, at }]);
    const ids = async (query: string) =>
      (await app.call("GET", `/events?${query}`, { key: world.key })).body.data.items.map((e: any) => e.id);
    expect(await ids(`object=${object}`)).toEqual([about.id]);
    expect(await ids(`object=${object}&after=${before}`)).toEqual([about.id]);
    expect(await ids(`object=${makeId("dlv")}&after=${before}`)).toEqual([]);
    const moment = new Date(at).toISOString();
    expect(await ids(`since=${moment}`)).toEqual([about.id]);
    expect(await ids(`until=${moment}`)).toEqual([before]);
    expect(await ids(`until=${moment}&after=${before}`)).toEqual([]);
  });

  test("200 with after: oldest first, so that a reader never misses one; 404 when that event is not kept", async () => {
    const world = await openWorld();
    const ids = await world.happen(7);
    const seen: string[] = [];
    let query = `?limit=3&after=${ids[0]}`;
    for (;;) {
      const { items, next_cursor } = (await app.call("GET", `/events${query}`, { key: world.key })).body.data;
      seen.push(...items.map((e: any) => e.id));
      if (!next_cursor) break;
      query = `?limit=3&after=${ids[0]}&cursor=${next_cursor}`;
    }
    expect(seen).toEqual(ids.slice(1));
    const unknown = await app.call("GET", `/events?after=${app.service.platform.makeId("evt")}`, {
      key: world.key,
    });
    expect(unknown.status).toBe(404);
  });

  test("400 for a type that does not exist and for a cursor of another list", async () => {
    const reply = await app.call("GET", "/events?type=delivery.sheduled");
    expect([reply.status, reply.body.error.hint]).toEqual([400, 'Did you mean "delivery.scheduled"?']);
    expect((await app.call("GET", "/events?cursor=abc")).body.error.code).toBe("invalid_cursor");
  });
});

describe("GET /events/{id}", () => {
  test("200, and 404 for another tenant's", async () => {
    const world = await openWorld();
    const [id] = await world.happen(1);
    expect((await app.call("GET", `/events/${id}`, { key: world.key })).body.data.id).toBe(id);
    expect((await app.call("GET", `/events/${id}`)).status).toBe(404);
  });
});

describe("GET /events/stream", () => {
  test("200 brings what happens, in order, here and on another replica, and only to its own world", async () => {
    const [world, other] = [await openWorld(), await openWorld()];
    const here = await listen(app, "/events/stream", world.key);
    const there = await listen(replica, "/events/stream?type=delivery.*", world.key);
    const foreign = await listen(app, "/events/stream", other.key);
    expect(here.response.status).toBe(200);
    expect(here.response.headers.get("content-type")).toStartWith("text/event-stream");
    await Promise.all([here.count(1), there.count(1), foreign.count(1)]);
    const ids = await world.happen(20);
    await pass();
    await Promise.all([here.count(21), there.count(21)]);
    for (const { events } of [here, there]) {
      expect(events[0].event).toBe("ready");
      expect(events.slice(1).map((e) => e.lastEventId)).toEqual(ids);
      expect(JSON.parse(events[1].data)).toMatchObject({
        id: ids[0],
        type: "delivery.scheduled",
        data: { text: "zwei\nZeilen" },
      });
      expect(events[1].event).toBe("delivery.scheduled");
    }
    expect(foreign.events.length).toBe(1);
    await Promise.all([here.close(), there.close(), foreign.close()]);
  });

  test("200 with Last-Event-ID goes on behind that event, on any replica, without a gap or a repeat", async () => {
    const world = await openWorld();
    const ids = await world.happen(1500);
    const stream = await listen(replica, "/events/stream", world.key, { "Last-Event-ID": ids[9] });
    await stream.count(1000);
    const later = await world.happen(5);
    await pass();
    await stream.count(1 + 1490 + 5);
    expect(stream.events.slice(1).map((e) => e.lastEventId)).toEqual([...ids.slice(10), ...later]);
    await stream.close();
  });

  test("200 with a place that is no longer kept: an event named reset, then what is new", async () => {
    const world = await openWorld();
    const gone = app.service.platform.makeId("evt");
    const stream = await listen(app, "/events/stream", world.key, { "Last-Event-ID": gone });
    await stream.count(2);
    expect(stream.events[1]).toMatchObject({
      event: "reset",
      data: JSON.stringify({ last_event_id: gone }),
      lastEventId: "",
    });
    const [id] = await world.happen(1);
    await pass();
    await stream.count(3);
    expect(stream.events[2].lastEventId).toBe(id);
    await stream.close();
  });

  test("a comment every 15 seconds keeps it open", async () => {
    const world = await openWorld();
    const stream = await listen(app, "/events/stream", world.key);
    await stream.count(1);
    const beats = () =>
      stream
        .raw()
        .split("\n")
        .filter((line) => line === ":").length;
    await app.clock.advance(45_000);
    await stream.until(() => beats() === 3);
    expect(beats()).toBe(3);
    await stream.close();
  });

  test("400 for an unknown type", async () => {
    expect((await app.call("GET", "/events/stream?type=nothing.here")).status).toBe(400);
  });
});

describe("an orderly stop", () => {
  test("ends open streams at once instead of waiting for them", async () => {
    const third = await startHarness({ databaseUrl: app.databaseUrl, config: { SHUTDOWN_MS: 600_000 } });
    const world = await openWorld();
    const stream = await listen(third, "/events/stream", world.key);
    await stream.count(1);
    await third.stop();
    await stream.until(() => false);
    expect(stream.ended()).toBe(true);
  }, 120_000);
});

describe("retention", () => {
  test("what is older than the setting is removed", async () => {
    const world = await openWorld();
    const old = await world.happen(3);
    await app.clock.advance(1000);
    const { forgetEvents } = await import("./store.ts");
    const kept = await world.happen(1);
    expect(await forgetEvents(app.service.platform.db, new Date(app.clock.now()), 400)).toBeGreaterThanOrEqual(3);
    const items = (await app.call("GET", "/events", { key: world.key })).body.data.items;
    expect(items.map((e: any) => e.id)).toEqual(kept);
    expect(items.map((e: any) => e.id)).not.toContain(old[0]);
  });
});
