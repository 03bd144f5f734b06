// Group commit and migrations: what the store promises.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../tests/harness.ts";
import { connect } from "./db.ts";
import { createGroupCommit } from "./group-commit.ts";
import { migrate, readMigrations } from "./migrate.ts";

describe("group commit", () => {
  test("rows that arrive together go in one flush, in order", async () => {
    const groups: number[][] = [];
    const write = createGroupCommit<number>(async (rows) => void groups.push(rows));
    await Promise.all([1, 2, 3, 4].map(write));
    expect(groups).toEqual([[1, 2, 3, 4]]);
  });

  test("one bad row fails alone; its neighbours are written once", async () => {
    const written: number[] = [];
    const write = createGroupCommit<number>(async (rows) => {
      if (rows.includes(3)) throw Object.assign(new Error("3 is bad"), { errno: "23505" });
      written.push(...rows);
    });
    const results = await Promise.allSettled([1, 2, 3, 4].map(write));
    expect(results.map((r) => r.status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    expect(written).toEqual([1, 2, 4]);
  });

  test.each(["57014", "57P03", "08006", "53100"])(
    "an error %s of the store fails the whole group at once",
    async (errno) => {
      let flushes = 0;
      const write = createGroupCommit<number>(async () => {
        flushes += 1;
        throw Object.assign(new Error("away"), { errno });
      });
      const results = await Promise.allSettled([1, 2, 3, 4].map(write));
      expect(results.map((r) => r.status)).toEqual(Array(4).fill("rejected"));
      expect(flushes).toBe(1);
    },
  );

  test("what arrives while the lanes are busy waits and then goes together", async () => {
    const groups: number[][] = [];
    const gates: (() => void)[] = [];
    const write = createGroupCommit<number>(
      (rows) => {
        groups.push(rows);
        return new Promise((open) => gates.push(open));
      },
      { lanes: 1 },
    );
    const first = write(1);
    await new Promise(setImmediate);
    const rest = [2, 3, 4].map(write);
    gates[0]();
    await first;
    await new Promise(setImmediate);
    gates[1]();
    await Promise.all(rest);
    expect(groups).toEqual([[1], [2, 3, 4]]);
  });
});

describe("migrations", () => {
  let app: Harness;
  beforeAll(async () => {
    app = await startHarness();
  });
  afterAll(() => app.stop());

  test("a second run applies nothing; two replicas at once apply each file once", async () => {
    const { db } = app.service.platform;
    expect(await migrate(db)).toEqual([]);
    const more = [...readMigrations(), { name: "9998-x", checksum: "x", sql: "create table x_once (id int)" }];
    const applied = await Promise.all([migrate(db, more), migrate(db, more)]);
    expect(applied.flat()).toEqual(["9998-x"]);
  });

  test("a changed file and a database from the future are refused with their hint", async () => {
    const { db } = app.service.platform;
    const changed = readMigrations().map((m, i) => (i === 0 ? { ...m, checksum: "other" } : m));
    await expect(migrate(db, [...changed, { name: "9998-x", checksum: "x", sql: "" }])).rejects.toThrow(
      /was changed after it ran.*Hint/,
    );
    await expect(migrate(db, readMigrations())).rejects.toThrow(/9998-x is not part of this version.*Hint/);
  });

  test("a migration that fails half-way leaves nothing behind", async () => {
    const { db } = app.service.platform;
    const bad = [
      ...readMigrations(),
      { name: "9998-x", checksum: "x", sql: "" },
      { name: "9999-bad", checksum: "b", sql: "create table half (id int); select 1/0" },
    ];
    await expect(migrate(db, bad)).rejects.toThrow();
    const [{ t }] = await db.sql`select to_regclass('half') as t`;
    expect(t).toBeNull();
  });
});

test("an unreachable database is named, with its hint", async () => {
  await expect(connect({ url: "postgres://u:secret@127.0.0.1:1/x", pool: 1, timeoutMs: 1000 })).rejects.toThrow(
    /127\.0\.0\.1:1 cannot be used.*Hint/s,
  );
});
