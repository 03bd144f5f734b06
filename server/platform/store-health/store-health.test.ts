import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestDatabase, testDatabase } from "../../../tests/database.ts";
import { ManualClock } from "../../lib/clock.ts";
import type { Db } from "../../store/db.ts";
import { createStoreHealth } from "./index.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

test("a disk that is nearly full stops writing with a 503 until there is room again", async () => {
  const clock = new ManualClock();
  let free = 500;
  const options = { db: database.db, clock, folder: "/data", reserveBytes: 100, readFreeBytes: () => free };
  const health = createStoreHealth(options);
  expect(await health.missing()).toEqual([]);
  expect(() => health.refuseWrites()).not.toThrow();
  free = 99;
  await clock.advance(1_000);
  expect(() => health.refuseWrites()).toThrow(/too little room/);
  expect([await health.missing(), health.freeBytes()]).toEqual([["disk"], 99]);
  free = 100;
  await clock.advance(1_000);
  expect(() => health.refuseWrites()).not.toThrow();
  health.stop();
});

test("a store that does not answer within a second is missing", async () => {
  const silent = { sql: () => new Promise(() => {}) } as unknown as Db;
  const health = createStoreHealth({ db: silent, clock: new ManualClock(), folder: null, reserveBytes: 100 });
  expect(await health.missing()).toEqual(["store"]);
  health.stop();
});
