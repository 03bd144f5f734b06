// Whatever is worked off in the background, accounts take turns: one with much to do does not keep another waiting.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { insertFeedContent } from "../server/actions/alerts/store/recent.ts";
import { leaseNotifications } from "../server/actions/alerts/store/outbox.ts";
import { createStore } from "../server/actions/delivery/store/index.ts";
import { DAY_MS, HOUR_MS } from "../server/lib/time.ts";
import { createDispatcher } from "../server/platform/webhooks/dispatcher.ts";
import { findDue } from "../server/platform/webhooks/store/outbox.ts";
import { type Harness, startHarness } from "./harness.ts";

const MUCH = 6;
/** Fewer than the busy account has, more than there are accounts. */
const ROOM = 3;

let app: Harness;
let busy: Awaited<ReturnType<Harness["openAccount"]>>;
let other: typeof busy;
beforeAll(async () => {
  app = await startHarness();
  busy = await app.openAccount("max");
  other = await app.openAccount("max");
});
afterAll(() => app.stop());

const db = () => app.service.platform.db;

async function tenantOf({ id }: typeof busy): Promise<number> {
  const [row] = await db().sql`select id from tenants where account_id = ${id} and mode = 'test'`;
  return row.id;
}

/** The busy account first and often, the other last and once. */
async function create(path: string, body: (n: number) => unknown): Promise<void> {
  for (let n = 0; n <= MUCH; n++) {
    const key = n < MUCH ? busy.testKey : other.testKey;
    const { status } = await app.call("POST", path, { key, body: body(n) });
    expect(status).toBeLessThan(300);
  }
}

const ORDER = { pickup: { address: "New York, NY 10118", time: "asap" }, dropoff: { address: "Brooklyn, NY 11201" } };

test("deliveries that are due", async () => {
  await create("/delivery/schedule", () => ORDER);
  const due = await createStore(app.service.platform).due(app.clock.now() + DAY_MS, ROOM);
  expect(due.map(({ tenantId, ids }) => [tenantId, ids.length]).sort()).toEqual(
    [
      [await tenantOf(busy), ROOM - 1],
      [await tenantOf(other), 1],
    ].sort(),
  );
});

test("recurring orders", async () => {
  const recurrence = { days: ["mon"], time: "09:00", time_zone: "UTC" };
  const order = { pickup: { address: ORDER.pickup.address }, dropoff: ORDER.dropoff };
  await create("/delivery/templates", (n) => ({ name: `Bread ${n}`, order, recurrence }));
  const due = await createStore(app.service.platform).templates.due(app.clock.now() + 8 * DAY_MS, ROOM);
  expect(due.map(({ tenantId }) => tenantId)).toContain(await tenantOf(other));
});

test("notifications of alerts", async () => {
  const channels = [{ type: "webhook", url: "https://example.com/hook" }];
  await create("/alerts/create", (n) => ({ tag: "storm", name: `Storm ${n}`, channels }));
  for (const { testKey: key } of [busy, other])
    await app.call("POST", "/alerts/content", { key, body: { text: "A #storm is coming", tags: ["storm"] } });
  const leased = await db().sql.begin((tx) => leaseNotifications(tx, app.clock.now() + HOUR_MS, HOUR_MS, ROOM));
  expect(leased.length).toBe(ROOM);
  expect(leased.map(({ tenantId }) => tenantId)).toContain(await tenantOf(other));
});

test("endpoints with news, and no account holds every place", async () => {
  await create("/webhooks", (n) => ({ url: `https://example.com/${n}` }));
  for (let n = 0; n < 24; n++)
    await app.call("POST", "/webhooks", { key: busy.testKey, body: { url: `https://example.com/more/${n}` } });
  for (const { testKey: key } of [busy, other]) await app.call("POST", "/delivery/schedule", { key, body: ORDER });
  const [{ last }] = await db().sql`select max(seq)::text as last from events`;
  const { webhooks } = await findDue(db(), BigInt(last), app.clock.now(), ROOM);
  const others = await tenantOf(other);
  expect(webhooks.map(({ tenantId }) => tenantId)).toContain(others);

  const started: string[] = [];
  let release = () => {};
  const released = new Promise<void>((go) => (release = go));
  const { clock, log } = app.service.platform;
  const dispatcher = createDispatcher({
    db: db(),
    clock,
    log,
    follower: {
      horizon: async () => BigInt(last),
      knownHorizon: () => 0n,
      onNews: () => () => {},
      async start() {},
      async stop() {},
    },
    async serve(id) {
      started.push(id);
      await released;
    },
  });
  dispatcher.start();
  const roundTrip = () => db().sql`select 1`;
  while (started.length < 21) await roundTrip();
  // Whatever else it would start needs one round trip each.
  for (let n = 0; n < 50; n++) await roundTrip();
  const rows = await db().sql`select tenant_id from webhooks where id in ${db().sql(started)}`;
  expect(rows.filter((row: any) => row.tenant_id === others).length).toBe(1);
  expect(started.length).toBe(21);
  release();
  await dispatcher.stop();
});

test("a feed that is new at every reading keeps only its newest thousand items", async () => {
  const sources = [{ type: "feed", url: "https://feeds.demo.test/endless.xml" }];
  await app.call("POST", "/alerts/create", { key: other.testKey, body: { tag: "x", sources } });
  const [{ id }] = await db().sql`select id from alert_feeds limit 1`;
  for (let reading = 0; reading < 7; reading++) {
    const contents = Array.from({ length: 200 }, (_, n) => ({ title: `${reading} ${n}` }));
    await db().sql.begin((tx) => insertFeedContent(tx, id, contents, app.clock.now()));
  }
  const rows = await db()
    .sql`select content ->> 'title' as title from alert_feed_content where feed_id = ${id} order by seq`;
  expect([rows.length, rows[0].title, rows.at(-1).title]).toEqual([1_000, "2 0", "6 199"]);
});
