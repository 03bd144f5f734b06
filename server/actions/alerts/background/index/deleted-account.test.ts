// An account that is deleted takes its alerts out of the memory of every replica.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../../../../tests/harness.ts";
import { deleteAccount } from "../../../../platform/accounts/index.ts";
import { createLiveIndex, type LiveIndex } from "./live-index.ts";

let app: Harness;
let index: LiveIndex;
beforeAll(async () => {
  app = await startHarness();
  const { db, clock, log } = app.service.platform;
  index = createLiveIndex({ db, clock, log });
});
afterAll(async () => {
  await index.stop();
  await app.stop();
});

test("its alerts match nothing any more, and others stay", async () => {
  const { platform } = app.service;
  const gone = await app.openAccount();
  for (const key of [gone.testKey, app.account.testKey])
    expect((await app.call("POST", "/alerts/create", { key, body: { tag: "kettle" } })).status).toBe(201);
  await index.start();
  const [{ id: tenantId }] = await platform.db.sql`
    select id from tenants where account_id = ${gone.id} and mode = 'test'`;
  const matches = async () =>
    (await index.matchForTenants([tenantId], 1, [{ text: "#kettle", tags: ["kettle"] }])).numbers[0];
  expect([await matches(), index.size]).toEqual([[expect.any(Number)], 2]);

  expect(await deleteAccount(platform, gone.id)).toBe(true);
  // The notification arrives on another connection: bounded round trips to the store, no time.
  for (let turn = 0; turn < 500 && index.size > 1; turn++) await platform.db.sql`select 1`;
  expect([await matches(), index.size]).toEqual([[], 1]);
});
