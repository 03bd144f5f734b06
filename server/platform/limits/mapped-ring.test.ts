// Rings in shared memory: as exact as the ring of one process, also when several processes write at once or one is killed.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { Ring } from "./ring.ts";
import { makeSharedFile } from "./mapped.ts";
import { SharedRings } from "./mapped-ring.ts";

const WINDOW_MS = 60_000;
const folder = mkdtempSync(join(tmpdir(), "connector-rings-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the same verdicts as the ring of one process, whatever the arrivals and limits", () => {
  const arrivals = fc.array(
    fc.record({
      gapMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 900 }), fc.constantFrom(60_000, 60_001, 60_002)),
      limit: fc.constantFrom(3, 3, 3, 20, 100),
    }),
    { maxLength: 600 },
  );
  fc.assert(
    fc.property(arrivals, (steps) => {
      const shared = new SharedRings(new Uint8Array(4 * 2_050 * 8), WINDOW_MS);
      const own = new Ring(WINDOW_MS);
      let now = 1_000_000;
      for (const { gapMs, limit } of steps) {
        // Two admissions are never at the same microsecond; a little more than that keeps both rings alike.
        now += gapMs + 0.01;
        const got = shared.admit("t1", BigInt(Math.round(now * 1000)), limit, true)!;
        const want = own.admit(now, limit);
        expect([got.admitted, got.remaining]).toEqual([want.admitted, want.remaining]);
        expect(Math.abs(got.resetMs - want.resetMs)).toBeLessThan(0.1);
      }
    }),
    { numRuns: 100 },
  );
});

test("three processes, one killed in the middle: never more than the limit in a window, and the whole limit is used", async () => {
  const file = join(folder, "rings");
  makeSharedFile(file);
  const limit = 200;
  const hammer = (name: string) =>
    Bun.spawn([process.execPath, join(import.meta.dir, "fixtures/hammer.ts"), file, String(limit), name], {
      stdout: "pipe",
      stderr: "inherit",
    });
  const hammers = ["a", "b", "c"].map(hammer);
  const first = hammers[2].stdout.getReader();
  await first.read();
  hammers[2].kill("SIGKILL");
  const texts = await Promise.all(hammers.slice(0, 2).map((h) => new Response(h.stdout).text()));
  const rings = new SharedRings(Bun.mmap(file, { shared: true }), WINDOW_MS);
  const times = rings.timesOf("t1").map(Number);
  expect(texts.every((text) => text.includes("done"))).toBe(true);
  expect(times.length).toBeGreaterThan(2 * limit);
  for (let i = limit; i < times.length; i++) expect(times[i] - times[i - limit]).toBeGreaterThanOrEqual(300_000);
}, 60_000);

test("a full table gives the place of an idle subject away, never that of a busy one", () => {
  const rings = new SharedRings(new Uint8Array(2 * 2_050 * 8), WINDOW_MS);
  const at = (ms: number) => BigInt(ms * 1000);
  expect(rings.admit("t1", at(500_000), 5, true)?.remaining).toBe(4);
  expect(rings.admit("t2", at(500_000), 5, true)?.remaining).toBe(4);
  expect(rings.admit("t3", at(500_001), 5, true)).toBeNull();
  expect(rings.admit("t1", at(600_000), 5, true)?.remaining).toBe(4);
  expect(rings.admit("t3", at(700_000), 5, true)?.remaining).toBe(4);
  expect(rings.admit("t1", at(700_000), 5, true)?.remaining).toBe(4);
});
