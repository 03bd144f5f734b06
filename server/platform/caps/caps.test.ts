// At every cap, however many requests come at once: never one too many.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../../tests/harness.ts";
import { CAP_KINDS, readCaps } from "../plans/caps.ts";
import type { Db } from "../../store/db.ts";
import { sqlStateOf } from "../../store/faults.ts";

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

const CAP = 5;
const AT_ONCE = 40;
const text = "The committee met on Tuesday and agreed to widen the road by the river before the winter comes. ".repeat(
  6,
);

interface Creation {
  kind: string;
  method?: string;
  path: string | ((n: number) => string);
  body?(n: number): unknown;
  headers?(n: number): Record<string, string>;
}

const SYMBOLS = Array.from(
  { length: AT_ONCE },
  (_, n) => `ZZ${String.fromCharCode(65 + Math.floor(n / 10), 65 + (n % 10))}`,
);
const tradeOf = (symbol: string) => {
  const at = new Date(app.clock.now()).toISOString();
  return { type: "trade", symbol, seq: 1, at, price: "271.30", size: 100 };
};

const CREATIONS: Creation[] = [
  { kind: "keys", path: "/keys", body: () => ({ name: "k", mode: "test", scopes: ["profile:read"] }) },
  { kind: "webhooks", path: "/webhooks", body: (n) => ({ url: `https://example.com/${n}` }) },
  { kind: "couriers", path: "/delivery/couriers", body: (n) => ({ name: `Courier ${n}` }) },
  {
    kind: "deliveries",
    path: "/delivery/schedule",
    body: () => ({
      pickup: { address: "1 Main St, Evanston, IL", time: "2026-11-01T15:00:00Z" },
      dropoff: { address: "Chicago, IL" },
    }),
  },
  { kind: "levels", path: "/stock/levels", body: (n) => ({ symbol: "AAPL", above: `${1000 + n}.00` }) },
  { kind: "alerts", path: "/alerts/create", body: (n) => ({ tag: `tag${n}` }) },
  {
    kind: "feeds",
    path: "/alerts/create",
    body: (n) => ({ tag: `feed${n}`, sources: [{ type: "feed", url: `https://feeds.demo.test/${n}.xml` }] }),
  },
  { kind: "content", path: "/alerts/content", body: (n) => ({ text: `Content ${n}` }) },
  {
    kind: "idempotency_records",
    path: "/delivery/couriers",
    body: (n) => ({ name: `Kept ${n}` }),
    headers: (n) => ({ "Idempotency-Key": `kept-${n}` }),
  },
  {
    kind: "events",
    path: "/delivery/schedule",
    body: () => ({
      pickup: { address: "1 Main St, Evanston, IL", time: "2026-11-01T16:00:00Z" },
      dropoff: { address: "Chicago, IL" },
    }),
  },
  {
    kind: "batches",
    path: "/detector/batches",
    body: (n) => ({ items: [{ content: `${n} ${text}` }] }),
  },
  {
    kind: "delivery_templates",
    path: "/delivery/templates",
    body: (n) => ({
      name: `Bread ${n}`,
      order: { pickup: { address: "New York, NY 10118" }, dropoff: { address: "Brooklyn, NY 11201" } },
      recurrence: { days: ["mon"], time: "09:00", time_zone: "America/New_York" },
    }),
  },
  {
    kind: "alert_channels",
    path: "/alerts/create",
    body: (n) => ({ tag: `channel${n}`, channels: [{ type: "webhook", url: `https://example.com/${n}` }] }),
  },
  {
    kind: "trackers",
    method: "GET",
    path: (n) => `/shopping/track?url=${encodeURIComponent(`${app.url}/demo-shop/kettle`)}&wait=0&variant=v${n}`,
  },
  { kind: "own_securities", path: "/stock/ticks", body: (n) => ({ currency: "USD", ticks: [tradeOf(SYMBOLS[n])] }) },
  { kind: "analyses", path: "/detector/analyze", body: (n) => ({ content: `${n} ${text}`, store: true }) },
];

async function lowerCap(kind: string, rows: number, bytes = 1_000_000_000): Promise<void> {
  const { sql } = app.service.platform.db;
  await sql`update plan_caps set max_rows = ${rows}, max_bytes = ${bytes} where plan = 'max' and kind = ${kind}`;
}

describe.each(CREATIONS)("$kind", ({ kind, method = "POST", path, body, headers }) => {
  test(`403 plan_limit_reached for all but ${CAP} of ${AT_ONCE} at once`, async () => {
    const { testKey: key } = await app.openAccount("max");
    const before = (await app.call("GET", "/user/profile", { key })).body.data.limits[kind].used;
    await lowerCap(kind, before + CAP);
    const replies = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, n) =>
        app.call(method, typeof path === "string" ? path : path(n), { key, body: body?.(n), headers: headers?.(n) }),
      ),
    );
    const made = replies.filter((reply) => reply.status < 300);
    const refused = replies.filter((reply) => reply.status >= 300);
    expect(refused.map((reply) => reply.body.error.code)).toEqual(Array(AT_ONCE - CAP).fill("plan_limit_reached"));
    expect(made.length).toBe(CAP);
    expect(refused[0].body.error).toMatchObject({ limit: kind, status: 403 });
    await app.clock.advance(60_000);
    const { limits } = (await app.call("GET", "/user/profile", { key })).body.data;
    expect(limits[kind].used).toBe(before + CAP);
    expect(limits[kind].used_bytes).toBeGreaterThan(0);
    await lowerCap(kind, 1_000_000_000);
  });
});

/** Kinds that are written beside a request (a proof, a tick, a message of the sandbox): the row itself is what is refused. */
const WRITES: { kind: string; write(sql: Db["sql"], tenantId: number, n: number): Promise<unknown> }[] = [
  {
    kind: "delivery_places",
    write: (sql, tenantId, n) => sql`
      insert into delivery_places (id, tenant_id, address, words, keys, sightings, created_at, updated_at)
      values (${`plc_${n}`}, ${tenantId}, 'Dock', '{}', '{}', '[]', now(), now())`,
  },
  {
    kind: "delivery_pictures",
    write: (sql, tenantId, n) => sql`
      insert into delivery_pictures (delivery_id, kind, tenant_id, media_type, sha256, sealed, created_at)
      values (${`dlv_${n}`}, 'photo', ${tenantId}, 'image/png', 'a', 'b', now())`,
  },
  {
    kind: "inbox_messages",
    write: (sql, tenantId, n) => sql`
      insert into sandbox_inbox (id, tenant_id, channel, recipient, content, created_at)
      values (${`msg_${n}`}, ${tenantId}, 'email', 'ada@example.com', '{}', now())`,
  },
];

describe.each(WRITES)("$kind", ({ kind, write }) => {
  test(`${CAP} of ${AT_ONCE} rows written at once`, async () => {
    const { id } = await app.openAccount("max");
    const { sql } = app.service.platform.db;
    const [tenant] = await sql`select id from tenants where account_id = ${id} and mode = 'test'`;
    await lowerCap(kind, CAP);
    const results = await Promise.allSettled(Array.from({ length: AT_ONCE }, (_, n) => write(sql, tenant.id, n)));
    const refused = results.filter((result) => result.status === "rejected").map(({ reason }) => sqlStateOf(reason));
    expect(refused).toEqual(Array(AT_ONCE - CAP).fill("23514"));
    await lowerCap(kind, 1_000_000_000);
  });
});

test("a large cap is reached exactly too, though sessions take a part of the room in advance", async () => {
  const { id } = await app.openAccount("max");
  const { sql } = app.service.platform.db;
  const [tenant] = await sql`select id from tenants where account_id = ${id} and mode = 'test'`;
  const cap = 2_000;
  await lowerCap("inbox_messages", cap);
  let next = 0;
  const write = async () => {
    const { write: insert } = WRITES.find(({ kind }) => kind === "inbox_messages")!;
    return insert(sql, tenant.id, 100_000 + next++).then(
      () => true,
      () => false,
    );
  };
  const writer = async () => {
    while (next < cap + 200) await write();
  };
  await Promise.all(Array.from({ length: 10 }, writer));
  while (await write());
  const [{ count }] = await sql`select count(*)::int as count from sandbox_inbox where tenant_id = ${tenant.id}`;
  expect(count).toBe(cap);
  const taken = await sql`
    select 1 from stored_changes where tenant_id = ${tenant.id} and kind = 'inbox_messages' and (free_rows > 0 or free_bytes > 0)`;
  expect(taken.length).toBe(0);
  await lowerCap("inbox_messages", 1_000_000_000);
});

test("every kind that has a cap is tried above", () => {
  expect([...CREATIONS, ...WRITES].map(({ kind }) => kind).sort()).toEqual(CAP_KINDS.toSorted());
});

test("no more batches run at once than the plan allows, however many are asked for together", async () => {
  const { testKey: key } = await app.openAccount("free");
  const body = { items: [{ content: text }] };
  const replies = await Promise.all(
    Array.from({ length: AT_ONCE }, () => app.call("POST", "/detector/batches", { key, body })),
  );
  expect(replies.filter((reply) => reply.status === 202).length).toBe(3);
});

test("bytes are capped as well as rows, and what is removed is counted back", async () => {
  const { testKey: key } = await app.openAccount("max");
  await lowerCap("webhooks", 1_000, 3_000);
  const create = () =>
    app.call("POST", "/webhooks", { key, body: { url: "https://example.com/", description: "x".repeat(200) } });
  const made = [];
  let last = await create();
  for (; last.status === 201 && made.length < 20; last = await create()) made.push(last.body.data.id);
  expect([last.status, last.body.error.code]).toEqual([403, "plan_limit_reached"]);
  expect((await app.call("DELETE", `/webhooks/${made[0]}`, { key })).status).toBe(200);
  expect((await create()).status).toBe(201);
});

test("events that no request asked for are counted and never refused: a delivery goes on when the log is full", async () => {
  const { testKey: key } = await app.openAccount("max");
  const body = {
    pickup: { address: "1 Main St, Evanston, IL", time: "2026-11-01T15:00:00Z" },
    dropoff: { address: "Chicago, IL" },
  };
  const { delivery_id: id } = (await app.call("POST", "/delivery/schedule", { key, body })).body.data;
  await lowerCap("events", 1);
  expect((await app.call("POST", "/delivery/schedule", { key, body })).body.error.code).toBe("plan_limit_reached");
  await app.clock.advance(86_400_000);
  await app.service.settle();
  const { status } = (await app.call("GET", `/delivery/${id}`, { key })).body.data;
  expect(status).not.toBe("scheduled");
  expect((await app.call("GET", "/user/profile", { key })).body.data.limits.events.used).toBeGreaterThan(1);
});

describe("an account at its cap keeps no other from being served", () => {
  const NOWHERE = { pickup: { address: "New York, NY 10118" }, dropoff: { address: "Brooklyn, NY 11201" } };
  const settleLater = async (ms: number) => {
    await app.clock.advance(ms);
    await app.service.settle();
  };

  test("by an order that comes again: the template says why, and deliveries of others move", async () => {
    const full = await app.openAccount("max");
    const other = await app.openAccount("plus");
    const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
    const template = { name: "Bread", order: NOWHERE, recurrence: { days, time: "09:00", time_zone: "UTC" } };
    expect((await app.call("POST", "/delivery/templates", { key: full.testKey, body: template })).status).toBe(201);
    const body = { ...NOWHERE, pickup: { ...NOWHERE.pickup, time: "asap" } };
    const { delivery_id: id } = (await app.call("POST", "/delivery/schedule", { key: other.testKey, body })).body.data;
    await lowerCap("deliveries", 0);
    await settleLater(86_400_000);
    const [shown] = (await app.call("GET", "/delivery/templates", { key: full.testKey })).body.data.items;
    expect(shown.last_error).toContain("The max plan holds 0 deliveries");
    expect((await app.call("GET", `/delivery/${id}`, { key: other.testKey })).body.data.status).not.toBe("scheduled");
    await lowerCap("deliveries", 1_000_000_000);
  });

  test("by pictures: a simulated courier arrives without one", async () => {
    const { testKey: key } = await app.openAccount("max");
    const body = { ...NOWHERE, pickup: { ...NOWHERE.pickup, time: "asap" }, proof: ["photo"] };
    const { delivery_id: id } = (await app.call("POST", "/delivery/schedule", { key, body })).body.data;
    await lowerCap("delivery_pictures", 0);
    for (let turn = 0; turn < 30; turn++) await settleLater(300_000);
    const { status, proof } = (await app.call("GET", `/delivery/${id}`, { key })).body.data;
    expect([status, proof.given?.note]).toEqual(["delivered", expect.stringContaining("not kept")]);
    expect(Object.keys(proof.given)).not.toContain("photo_url");
    expect((await app.call("GET", `/delivery/${id}/proof/photo`, { key })).status).toBe(404);
    await lowerCap("delivery_pictures", 1_000_000_000);
  });

  test("by prices of its own: those of others are saved, and its own up to the cap", async () => {
    const [full, other] = [await app.openAccount("max"), await app.openAccount("plus")];
    await lowerCap("own_securities", 1);
    const push = (key: string, ...symbols: string[]) => {
      const ticks = symbols.map(tradeOf);
      return app.call("POST", "/stock/ticks", { key, body: { source: "own", currency: "USD", ticks } });
    };
    const first = await push(full.testKey, "AAPL", "MSFT", "KO");
    expect(first.status).toBe(200);
    expect(first.body.data).toMatchObject({
      accepted: 1,
      rejected: 2,
      errors: [
        { index: 1, field: "symbol", detail: "The max plan holds 1 own securities." },
        { index: 2, field: "symbol", detail: "The max plan holds 1 own securities." },
      ],
    });
    const second = await push(full.testKey, "MSFT");
    expect([second.status, second.body.error.code, second.body.error.limit]).toEqual([
      403,
      "plan_limit_reached",
      "own_securities",
    ]);
    expect((await push(full.testKey, "AAPL")).body.data.duplicates).toBe(1);
    const quote = await app.call("POST", "/stock/quote", { key: full.testKey, body: { symbol: "MSFT" } });
    expect(quote.body.data.results[0].quote.data.source).not.toBe("own");
    expect((await push(other.testKey, "AAPL")).status).toBe(200);
    await settleLater(2_000);
    const saved = await app.service.platform.db.sql`
      select t.account_id as account, count(*)::int as n from stock_books b join tenants t on t.id = b.tenant_id
      where t.account_id in (${full.id}, ${other.id}) group by 1`;
    expect(new Map(saved.map((row: any) => [row.account, row.n]))).toEqual(
      new Map([
        [full.id, 1],
        [other.id, 1],
      ]),
    );
    await lowerCap("own_securities", 1_000_000_000);
  });
});

test("an operator's own caps are read, and a mistake among them is named", () => {
  expect(readCaps(["free.alerts=5/1"]).alerts.free).toEqual([5, 1]);
  expect(() => readCaps(["free.alerts=5"])).toThrow("free.alerts=500/20");
  expect(() => readCaps(["free.alarms=5/1"])).toThrow("alarms");
  expect(() => readCaps(["gold.alerts=5/1"])).toThrow("gold");
});
