// A system clock that jumps ahead does not empty the tables.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../../tests/harness.ts";
import { DAY_MS, HOUR_MS } from "../../lib/time.ts";
import { retentionNow } from "./index.ts";

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

test("a job follows its clock hour by hour, and a jump of 40 days by two days a run", async () => {
  const { platform } = app.service;
  const start = app.clock.now();
  expect(await retentionNow(platform, "a.forget")).toBe(start);
  await app.clock.advance(HOUR_MS);
  expect(await retentionNow(platform, "a.forget")).toBe(start + HOUR_MS);
  const ahead = { ...platform, clock: { ...platform.clock, now: () => start + 40 * DAY_MS } };
  expect(await retentionNow(ahead, "a.forget")).toBe(start + HOUR_MS + 2 * DAY_MS);
  // Corrected in time: it goes back with the clock.
  expect(await retentionNow(platform, "a.forget")).toBe(app.clock.now());
});

test("events of today survive the run after a jump of 40 days", async () => {
  const body = {
    pickup: { address: "1 Main St, Evanston, IL", time: "2026-11-02T15:00:00Z" },
    dropoff: { address: "Chicago, IL" },
  };
  expect((await app.call("POST", "/delivery/schedule", { body })).status).toBe(200);
  const { platform } = app.service;
  const { createEvents } = await import("../events/index.ts");
  const options = { follower: null, streams: {}, knownTypes: [], retentionDays: 30 } as never;
  for (const days of [0, 40]) {
    const clock = { ...platform.clock, now: () => app.clock.now() + days * DAY_MS };
    const [job] = createEvents({ ...platform, clock }, options).jobs!;
    await job.run({}, { log: platform.log } as never);
  }
  const [{ n }] = await platform.db.sql`select count(*)::int as n from events`;
  expect(n).toBe(1);
});
