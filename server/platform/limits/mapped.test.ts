// Two processes over one file: addresses are counted as one, and what is warned of once is warned of by one of them.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualClock } from "../../lib/clock.ts";
import { HOUR_MS, MINUTE_MS } from "../../lib/time.ts";
import { createMemoryLimits } from "./index.ts";
import { createSharedLimits, makeSharedFile } from "./mapped.ts";
import type { Limits, Verdict } from "./port.ts";

const folder = mkdtempSync(join(tmpdir(), "connector-mapped-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function twoProcesses(name: string): { clock: ManualClock; both: Limits[] } {
  const file = join(folder, name);
  makeSharedFile(file);
  const clock = new ManualClock();
  const open = () => createSharedLimits(clock, { file, offsetMs: 10_000_000 }, createMemoryLimits(clock));
  return { clock, both: [open(), open()] };
}

test("wrong keys and visits without a key are counted for both processes together", () => {
  const { both } = twoProcesses("addresses");
  for (const subject of ["a192.0.2.1", "k192.0.2.1"]) {
    const admitted = Array.from({ length: 30 }, (_, i) => both[i % 2].admit(subject, 20) as Verdict);
    expect(admitted.filter((verdict) => verdict.admitted).length).toBe(20);
  }
  expect((both[0].admit("a192.0.2.2", 20) as Verdict).remaining).toBe(19);
});

test("a limit beyond what a shared ring holds is counted by the process itself", () => {
  const { both } = twoProcesses("large");
  expect((both[0].admit("k192.0.2.1", 5_000) as Verdict).remaining).toBe(4_999);
  expect((both[1].admit("k192.0.2.1", 5_000) as Verdict).remaining).toBe(4_999);
});

test("only one process is the first within an hour", async () => {
  const { clock, both } = twoProcesses("warnings");
  const first = (name: string) => both.map((limits) => limits.isFirst!(name));
  expect(first("1 80")).toEqual([true, false]);
  expect(first("1 100")).toEqual([true, false]);
  await clock.advance(HOUR_MS - MINUTE_MS);
  expect(first("1 80")).toEqual([false, false]);
  await clock.advance(2 * MINUTE_MS);
  expect(first("1 80")).toEqual([true, false]);
});
