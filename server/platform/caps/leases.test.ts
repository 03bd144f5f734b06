// Leases: room that processes took in advance makes a cap neither larger nor smaller, whatever happens to them.
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { type TestDatabase, testDatabase } from "../../../tests/database.ts";
import { ManualClock } from "../../lib/clock.ts";
import type { Db } from "../../store/db.ts";
import {
  countAll,
  countDeliveries,
  fill,
  leased,
  openProcess,
  openTenant,
  type Process,
  setCap,
  shown,
} from "../../../tests/integration/lease-processes.ts";
import { foldChanges, foldLog } from "./store/stored.ts";

let store: TestDatabase;
let db: Db;
const clock = new ManualClock("2026-11-01T12:00:00Z");
const processes: Process[] = [];

beforeAll(async () => {
  store = await testDatabase({ pool: 12 });
  db = store.db;
  // Every tenant of these tests is on a plan of its own.
  await db.sql`alter table accounts drop constraint accounts_plan_check`;
});
afterAll(async () => {
  for (const { leases } of processes) await leases.stop();
  await store.drop();
});

function start(): Process {
  const process = openProcess(db, clock);
  processes.push(process);
  return process;
}

/** Two processes with leases of a tenant, which is full but for what they have leased. */
async function leasedOut(cap: number): Promise<{ tenant: { id: number; plan: string }; a: Process; b: Process }> {
  const tenant = await openTenant(db, cap);
  const [a, b] = [start(), start()];
  await a.warm(tenant.id);
  await b.warm(tenant.id);
  expect(await leased(db, tenant.id)).toBeGreaterThan(100);
  await fill(db, tenant.id, cap - (await countDeliveries(db, tenant.id)) - (await leased(db, tenant.id)));
  return { tenant, a, b };
}

const orderMany = (from: Process[], tenantId: number, count: number) =>
  Promise.all(Array.from({ length: count }, (_, n) => from[n % from.length].order(tenantId)));

const storedOf = (outcomes: string[]) => outcomes.filter((outcome) => outcome === "stored").length;

async function expectExact(tenantId: number): Promise<void> {
  const truth = await countAll(db, tenantId);
  for (const [kind, { rows }] of truth) if (rows === 0) truth.delete(kind);
  const seen = await shown(db, tenantId);
  for (const [kind, { rows }] of seen) if (rows === 0) seen.delete(kind);
  expect(new Map([...seen].sort())).toEqual(new Map([...truth].sort()));
}

test("an account that orders again and again is counted in memory and in the log, not by the triggers", async () => {
  const tenant = await openTenant(db, 10_000);
  const a = start();
  await a.warm(tenant.id);
  const counted = async () =>
    (
      await db.sql`select coalesce(sum(rows), 0)::int as n from stored_changes where tenant_id = ${tenant.id} and session > 0`
    )[0].n;
  const before = await counted();
  expect(storedOf(await orderMany([a], tenant.id, 20))).toBe(20);
  expect(await counted()).toBe(before);
  await expectExact(tenant.id);
  await foldLog(db);
  await expectExact(tenant.id);
});

test("what is left of a cap is stored exactly, though two processes have leased it and a third has nothing", async () => {
  const { tenant, a, b } = await leasedOut(1_000);
  const room = 1_000 - (await countDeliveries(db, tenant.id));
  expect(room).toBeGreaterThan(40);
  const outcomes = await orderMany([a, b, start()], tenant.id, room + 40);
  expect(storedOf(outcomes)).toBe(room);
  expect(outcomes.filter((outcome) => outcome === "refused").length).toBe(40);
  await expectExact(tenant.id);
});

test("40 at once with room for 5: five are stored, though all the room is leased to a process that does not use it", async () => {
  const { tenant, a } = await leasedOut(1_000);
  await fill(db, tenant.id, 1_000 - (await countDeliveries(db, tenant.id)) - 5);
  expect(storedOf(await orderMany([a, start()], tenant.id, 40))).toBe(5);
  await expectExact(tenant.id);
});

test("bytes that are leased are as exact as rows", async () => {
  const tenant = await openTenant(db, 1_000_000, 3_000_000);
  const [a, b] = [start(), start()];
  await a.warm(tenant.id);
  await b.warm(tenant.id);
  for (let full = false; !full; ) full = (await orderMany([a, b], tenant.id, 200)).includes("refused");
  const { bytes } = (await countAll(db, tenant.id)).get("deliveries")!;
  expect(bytes).toBeLessThanOrEqual(3_000_000);
  // A row takes 800 to 1,000 bytes.
  expect(bytes).toBeGreaterThan(2_999_000);
  await expectExact(tenant.id);
});

test("a process that dies leaves nothing uncounted and keeps no room", async () => {
  const { tenant, a, b } = await leasedOut(1_000);
  const room = 1_000 - (await countDeliveries(db, tenant.id));
  expect(storedOf(await orderMany([a], tenant.id, 10))).toBe(10);
  // From here on `a` does nothing more, as after kill -9.
  await expectExact(tenant.id);
  expect(storedOf(await orderMany([b], tenant.id, room))).toBe(room - 10);
  await expectExact(tenant.id);
});

test("a holder that was not seen for a minute is ended; a process that was only paused goes on under another number", async () => {
  const tenant = await openTenant(db, 10_000);
  const a = start();
  await a.warm(tenant.id);
  await orderMany([a], tenant.id, 5);
  await db.sql`update cap_holders set seen_at = now() - interval '2 minutes'`;
  await foldLog(db);
  expect(await db.sql`select 1 from stored_changes where tenant_id = ${tenant.id} and session < 0`).toHaveLength(0);
  await expectExact(tenant.id);
  expect(storedOf(await orderMany([a], tenant.id, 5))).toBe(5);
  await a.warm(tenant.id);
  expect(await leased(db, tenant.id)).toBeGreaterThan(100);
  await expectExact(tenant.id);
});

test("a group under way when its lease is revoked is waited for, and counts", async () => {
  const { tenant, a, b } = await leasedOut(1_000);
  const other = await openTenant(db, 1_000);
  const room = 1_000 - (await countDeliveries(db, tenant.id));
  let waiting!: Promise<string>;
  let revoking!: Promise<string[]>;
  // The order waits for the idempotency key of a transaction that is open.
  const open = db.sql.begin(async (tx) => {
    await tx`
      insert into idempotency (digest, tenant_id, fingerprint, status, body, created_at)
      values ('same', ${other.id}, 'f', 201, '{}', now())`;
    waiting = a.order(tenant.id, null, "same");
    await someoneWaits("transactionid");
    revoking = orderMany([start()], tenant.id, room + 10);
    await someoneWaits("advisory");
    throw new Error("rolled back");
  });
  await expect(open).rejects.toThrow("rolled back");
  expect(await waiting).toBe("stored");
  expect(storedOf(await revoking)).toBe(room - 1);
  expect(await b.order(tenant.id)).toBe("refused");
  await expectExact(tenant.id);
});

/** Asks again and again until a session of this database waits for a lock of this type. */
async function someoneWaits(type: string): Promise<void> {
  const waiting = () => db.sql`
    select 1 from pg_locks l join pg_stat_activity a using (pid)
    where l.locktype = ${type} and not l.granted and a.datname = current_database()`;
  while ((await waiting()).length === 0) await new Promise((go) => setImmediate(go));
}

test("a smaller plan holds from the moment it is set, whatever was leased under the larger one", async () => {
  const tenant = await openTenant(db, 100_000);
  const smaller = await openTenant(db, 30);
  const [a, b] = [start(), start()];
  await a.warm(tenant.id);
  await b.warm(tenant.id);
  await orderMany([a, b], tenant.id, 10);
  await db.sql`update accounts set plan = ${smaller.plan} where id = ${tenant.plan}`;
  const before = await countDeliveries(db, tenant.id);
  expect(storedOf(await orderMany([a, b], tenant.id, 60))).toBe(30 - before);
  await db.sql`update accounts set plan = ${tenant.plan} where id = ${tenant.plan}`;
  expect(storedOf(await orderMany([a, b], tenant.id, 60))).toBe(60);
  await setCap(db, tenant.plan, 100);
  expect(storedOf(await orderMany([a, b], tenant.id, 60))).toBe(10);
  await expectExact(tenant.id);
});

test("an order that fails for its own reason takes nothing of the lease; what is not used is given back", async () => {
  const tenant = await openTenant(db, 10_000);
  const a = start();
  await a.warm(tenant.id);
  const before = await leased(db, tenant.id);
  expect(await a.order(tenant.id, "one")).toBe("stored");
  expect(await Promise.all([a.order(tenant.id, "one"), a.order(tenant.id, "one"), a.order(tenant.id)])).toEqual([
    "taken",
    "taken",
    "stored",
  ]);
  await foldLog(db);
  expect(await leased(db, tenant.id)).toBe(before - 2);
  for (let fold = 0; fold < 13; fold++) {
    await clock.advance(10_000);
    await a.leases.settle();
  }
  expect(await leased(db, tenant.id)).toBe(0);
  await expectExact(tenant.id);
});

test("a process that stops gives everything back", async () => {
  const tenant = await openTenant(db, 10_000);
  const a = start();
  await a.warm(tenant.id);
  await orderMany([a], tenant.id, 5);
  await a.leases.stop();
  expect(await db.sql`select 1 from stored_changes where tenant_id = ${tenant.id} and session < 0`).toHaveLength(0);
  await expectExact(tenant.id);
  expect(await a.order(tenant.id)).toBe("stored");
});

const CAP = 700;
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("order" as const),
      by: fc.nat({ max: 2 }),
      count: fc.integer({ min: 1, max: 30 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("together" as const), count: fc.integer({ min: 2, max: 60 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("warm" as const), by: fc.nat({ max: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("fill" as const), leave: fc.nat({ max: 120 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete" as const), count: fc.integer({ min: 1, max: 650 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("fold" as const), sessions: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("die" as const), by: fc.nat({ max: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("stop" as const), by: fc.nat({ max: 2 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("cap" as const), rows: fc.constantFrom(CAP, CAP + 40, 2 * CAP) }),
  },
);

test("whatever the order of orders, deletions, folds, deaths and new caps: never one too many, never refused while there is room, and the profile shows what is there", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25, size: "max" }), async (steps) => {
      const tenant = await openTenant(db, CAP);
      const own = [start(), start(), start()];
      let cap = CAP;
      const order = async (from: Process[], count: number) => {
        const room = Math.max(0, cap - (await countDeliveries(db, tenant.id)));
        expect(storedOf(await orderMany(from, tenant.id, count))).toBe(Math.min(count, room));
      };
      for (const now of steps) {
        if (now.do === "order") await order([own[now.by]], now.count);
        else if (now.do === "together") await order(own, now.count);
        else if (now.do === "warm") await own[now.by].warm(tenant.id);
        else if (now.do === "fill") {
          const missing = cap - (await countDeliveries(db, tenant.id)) - now.leave;
          if (missing > 0) await fill(db, tenant.id, missing);
        } else if (now.do === "delete") {
          await db.sql`
            delete from deliveries where tenant_id = ${tenant.id} and id in (
              select id from deliveries where tenant_id = ${tenant.id} limit ${now.count})`;
        } else if (now.do === "fold") await (now.sessions ? foldChanges(db) : foldLog(db));
        else if (now.do === "die") own[now.by] = start();
        else if (now.do === "stop") {
          await own[now.by].leases.stop();
          own[now.by] = start();
        } else {
          cap = now.rows;
          await setCap(db, tenant.plan, cap);
        }
        await expectExact(tenant.id);
      }
    }),
    { numRuns: 25, seed: 305 },
  );
});
