// Requests are counted once, also when the store commits and its answer is lost.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { type TestDatabase, testDatabase } from "../../../tests/database.ts";
import { ManualClock } from "../../lib/clock.ts";
import type { Db } from "../../store/db.ts";
import { createUsage } from "./index.ts";

const clock = new ManualClock("2026-11-01T12:00:00Z");
let database: TestDatabase;
let tenantId: number;
beforeAll(async () => {
  database = await testDatabase();
  const { sql } = database.db;
  await sql`insert into accounts (id, name, plan, created_at) values ('usr_1', 'Ada', 'free', now())`;
  [{ id: tenantId }] = await sql`insert into tenants (account_id, mode) values ('usr_1', 'test') returning id`;
});
afterAll(() => database.drop());
beforeEach(async () => void (await database.db.sql`delete from usage`));

/** A store whose transactions fail at a point of our choosing. */
function storeThat(begin: (work: any) => Promise<unknown>): Db {
  const { sql } = database.db;
  return { ...database.db, sql: Object.assign(sql.bind(null), sql, { begin }) } as never;
}

async function countedBy(db: Db): Promise<number> {
  const usage = createUsage(db, clock, 1_000_000, () => {});
  const caller = { tenantId, keyId: "key_1" };
  for (let i = 0; i < 3; i++) usage.count(caller, "user.profile", 200, clock.now());
  await usage.flush();
  await usage.flush();
  await usage.close();
  const [{ sum }] = await database.db.sql`select coalesce(sum(requests), 0)::int as sum from usage`;
  return sum;
}

test("a commit whose answer was lost is not added again", async () => {
  let lost = 0;
  const db = storeThat(async (work) => {
    const done = await database.db.sql.begin(work);
    if (lost++ === 0) throw new Error("Connection closed");
    return done;
  });
  expect([await countedBy(db), lost]).toEqual([3, 1]);
});

test("a transaction that was rolled back is added again, and so is one that never began", async () => {
  let failed = 0;
  const rolledBack = storeThat((work) =>
    database.db.sql.begin(async (tx) => {
      await work(tx);
      if (failed++ === 0) throw new Error("no commit");
    }),
  );
  expect(await countedBy(rolledBack)).toBe(3);
  await database.db.sql`delete from usage`;
  let refused = 0;
  const away = storeThat(async (work) => {
    if (refused++ === 0) throw new Error("Connection refused");
    return database.db.sql.begin(work);
  });
  expect(await countedBy(away)).toBe(3);
});
