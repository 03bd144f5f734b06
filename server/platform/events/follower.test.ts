// The promise of the log: whoever follows it in order misses nothing, however late a writer commits.
import { afterAll, beforeAll, expect, test } from "bun:test";
import pino from "pino";
import { testDatabase } from "../../../tests/database.ts";
import type { TestDatabase } from "../../../tests/database.ts";
import { createIdMaker } from "../../lib/id.ts";
import { systemClock } from "../../lib/clock.ts";
import { seededRandom } from "../../lib/random.ts";
import { appendEvents, createFollower, readAfter } from "./index.ts";

let database: TestDatabase;
let tenantId: number;
const random = seededRandom("follower");
const makeId = createIdMaker(systemClock, random);
const event = (id = makeId("evt")) => ({ id, tenantId, type: "t.happened", tags: [], data: {}, at: 0 });

beforeAll(async () => {
  database = await testDatabase({ pool: 12 });
  const { sql } = database.db;
  await sql`insert into accounts (id, name, plan, created_at) values ('usr_1', 'a', 'max', now())`;
  const [row] = await sql`insert into tenants (account_id, mode) values ('usr_1', 'test') returning id`;
  tenantId = row.id;
}, 120_000);
afterAll(() => database.drop(), 120_000);

const newFollower = () => createFollower({ db: database.db, clock: systemClock, log: pino({ level: "silent" }) });

test("the horizon stays below a writer that is not done, and passes it when it is", async () => {
  const { db } = database;
  const follower = newFollower();
  const start = await follower.horizon();
  let finish = () => {};
  const held = new Promise<void>((go) => (finish = go));
  let wrote = () => {};
  const written = new Promise<void>((go) => (wrote = go));
  const slow = db.sql.begin(async (tx) => {
    await appendEvents(tx, [event("evt_slow")]);
    wrote();
    await held;
  });
  await written;
  await db.sql.begin((tx) => appendEvents(tx, [event("evt_fast")]));
  expect(await follower.horizon()).toBe(start);
  expect(await readAfter(db, [tenantId], start, await follower.horizon(), 10)).toEqual([]);
  finish();
  await slow;
  const rows = await readAfter(db, [tenantId], start, await follower.horizon(), 10);
  expect(rows.map((row) => row.id)).toEqual(["evt_slow", "evt_fast"]);
});

test("the horizon never passes a seq that no commit made durable: a crash could give it out again", async () => {
  const { db } = database;
  const rolledBack = db.sql.begin(async (tx) => {
    await appendEvents(tx, [event("evt_rolled_back")]);
    throw new Error("rolled back");
  });
  await expect(rolledBack).rejects.toThrow("rolled back");
  const [{ last }] = await db.sql`select coalesce(max(seq), 0)::text as last from events`;
  expect(await newFollower().horizon()).toBe(BigInt(last));
});

test("a long transaction that writes no event holds nobody back", async () => {
  const { db } = database;
  const follower = newFollower();
  let finish = () => {};
  const held = new Promise<void>((go) => (finish = go));
  const other = db.sql.begin(async (tx) => {
    await tx`update accounts set name = 'b'`;
    await held;
  });
  await db.sql.begin((tx) => appendEvents(tx, [event("evt_free")]));
  const rows = await readAfter(db, [tenantId], 0n, await follower.horizon(), 100);
  expect(rows.at(-1)!.id).toBe("evt_free");
  finish();
  await other;
});

test("eight writers that commit out of order, some rolled back: a follower sees each event once, in order", async () => {
  const { db } = database;
  const follower = newFollower();
  const committed: string[] = [];
  let position = await follower.horizon();
  let writing = true;
  const writers = Array.from({ length: 8 }, async () => {
    for (let i = 0; i < 40; i++) {
      const events = Array.from({ length: 1 + Math.floor(random.unit() * 3) }, () => event());
      const fail = random.unit() < 0.2;
      const done = db.sql.begin(async (tx) => {
        for (const one of events) await appendEvents(tx, [one]);
        if (random.unit() < 0.5) await tx`select pg_sleep(${random.unit() / 200})`;
        if (fail) throw new Error("rolled back");
      });
      await done.then(
        () => committed.push(...events.map((e) => e.id)),
        () => {},
      );
    }
  });
  const seen: string[] = [];
  const reading = (async () => {
    for (let last = false; ; last = !writing) {
      const horizon = await follower.horizon();
      const rows = await readAfter(db, [tenantId], position, horizon, 1000);
      seen.push(...rows.map((row) => row.id));
      position = horizon;
      if (last) return;
    }
  })();
  await Promise.all(writers);
  writing = false;
  await reading;
  expect(seen.length).toBe(committed.length);
  expect(new Set(seen)).toEqual(new Set(committed));
}, 120_000);

test("reading on costs what is read, not what is left: a backlog of 2,000 events is not touched for ten", async () => {
  const { db } = database;
  const start = await newFollower().horizon();
  await db.sql.begin((tx) =>
    appendEvents(
      tx,
      Array.from({ length: 2_000 }, () => event()),
    ),
  );
  const horizon = await newFollower().horizon();
  await db.sql`analyze events`;
  const touched = await db.sql.begin(async (tx) => {
    expect(await readAfter({ ...db, sql: tx as never }, [tenantId], start, horizon, 10)).toHaveLength(10);
    const [{ rows }] = await tx`select idx_tup_fetch::int + seq_tup_read::int as rows from pg_stat_xact_user_tables
      where relname = 'events'`;
    return rows;
  });
  expect(touched).toBeLessThanOrEqual(20);
});
