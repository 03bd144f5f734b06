import { afterAll, beforeAll, expect, test } from "bun:test";
import { startHarness } from "../../../tests/harness.ts";
import type { Harness } from "../../../tests/harness.ts";

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
}, 120_000);
afterAll(() => app.stop(), 120_000);

test("80 and 100 percent of a quota are told once an hour, and never to another tenant", async () => {
  const account = await app.openAccount("free");
  const key = account.testKey;
  const told = async () => {
    const { sql } = app.service.platform.db;
    const rows = await sql`
      select e.data from events e join tenants t on t.id = e.tenant_id
      where t.account_id = ${account.id} and t.mode = 'test' and e.type = 'quota.threshold_reached' order by e.seq`;
    return rows.map((row: any) => row.data.percent);
  };
  const spend = async (count: number) => {
    for (let i = 0; i < count; i++) await app.call("GET", "/user/profile", { key });
  };
  await spend(79);
  expect(await told()).toEqual([]);
  await spend(1);
  while ((await told()).length < 1);
  await spend(25);
  while ((await told()).length < 2);
  expect(await told()).toEqual([80, 100]);
  await app.clock.advance(61_000);
  await spend(100);
  expect(await told()).toEqual([80, 100]);
  await app.clock.advance(3_600_000);
  await spend(85);
  while ((await told()).length < 3);
  expect(await told()).toEqual([80, 100, 80]);
  const other = await app.call("GET", "/events?type=quota.threshold_reached");
  expect(other.body.data.items).toEqual([]);
}, 120_000);
