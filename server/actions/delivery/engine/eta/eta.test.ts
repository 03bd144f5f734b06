import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { estimate, estimateDrive, factorOf, learn, localTime, uncalibrated } from "./index.ts";

const seed = Number(process.env.CONNECTOR_TEST_SEED ?? 20261115);
console.log(`eta.test.ts seed ${seed}`);

const start = Date.parse("2026-12-01T15:00:00Z");
const manhattan = { lat: 40.75, lon: -73.99 };
const brooklyn = { lat: 40.69, lon: -73.98 };
const ask = (more: object = {}) =>
  estimate({ from: manhattan, to: brooklyn, startMs: start, timeZone: "America/New_York", ...more });

describe("estimate", () => {
  test("lands on a whole minute, inside its window, after the service at the pickup", () => {
    const point = fc.record({
      lat: fc.double({ min: -60, max: 70, noNaN: true }),
      lon: fc.double({ min: -180, max: 180, noNaN: true }),
      radius_km: fc.double({ min: 0, max: 20, noNaN: true }),
    });
    const near = fc.record({
      dLat: fc.double({ min: -1, max: 1, noNaN: true }),
      dLon: fc.double({ min: -1, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(
        point,
        near,
        fc.integer({ min: 0, max: 7 * 86_400 }),
        fc.constantFrom("car", "van", "bicycle", "foot", "motorbike", "truck"),
        (from, { dLat, dLon }, s, vehicle) => {
          const eta = estimate({
            from,
            to: { lat: from.lat + dLat, lon: from.lon + dLon },
            startMs: start + s * 1000,
            timeZone: "UTC",
            vehicle: vehicle as never,
          });
          expect(eta.arrivalMs % 60_000).toBe(0);
          expect(eta.windowFromMs).toBeLessThanOrEqual(eta.arrivalMs);
          expect(eta.windowToMs).toBeGreaterThanOrEqual(eta.arrivalMs);
          expect(eta.arrivalMs).toBeGreaterThan(start + s * 1000 + 300_000);
        },
      ),
      { seed, numRuns: 300 },
    );
  });

  test("grows with distance, and its window with what is not known of the ends", () => {
    const width = (e: ReturnType<typeof estimate>) => e.windowToMs - e.windowFromMs;
    const drives = [1, 2, 4, 8, 16, 32, 64, 128].map(
      (km) =>
        estimateDrive({ from: manhattan, to: { lat: 40.75 + km / 111.2, lon: -73.99 }, hour: 12, weekday: 3 }).seconds,
    );
    expect(drives).toEqual([...drives].sort((a, b) => a - b));
    expect(width(ask({ to: { ...brooklyn, radius_km: 4.3 } }))).toBeGreaterThan(width(ask()));
    const unknown = ask({ to: null });
    const usual = ask({ to: { lat: manhattan.lat + 0.0225, lon: manhattan.lon } });
    expect([unknown.method, width(unknown) > 1.5 * width(usual), unknown.km]).toEqual(["unknown_distance", true, null]);
  });

  test("knows the rush hour of the place, not of the server", () => {
    const at = (iso: string, timeZone: string) => ask({ startMs: Date.parse(iso), timeZone }).driveSeconds;
    expect(at("2026-12-01T22:00:00Z", "America/New_York")).toBeGreaterThan(
      1.15 * at("2026-12-01T09:00:00Z", "America/New_York"),
    );
    expect(localTime(Date.parse("2026-07-01T12:30:00Z"), "America/New_York")).toEqual({ hour: 8.5, weekday: 3 });
    expect(localTime(Date.parse("2026-12-01T12:30:00Z"), "America/New_York")).toEqual({ hour: 7.5, weekday: 2 });
    expect(localTime(0, "Not/AZone").hour).toBe(0);
  });
});

describe("recalibration", () => {
  test("moves an area towards what was seen, slowly, and never for one accident", () => {
    const slow = { estimatedSeconds: 600, actualSeconds: 900, insideBand: false };
    let area = uncalibrated;
    area = learn(area, { ...slow, actualSeconds: 60_000 });
    expect(factorOf(area)).toBeLessThan(1.05);
    area = uncalibrated;
    for (let i = 0; i < 300; i++) area = learn(area, slow);
    expect(factorOf(area)).toBeGreaterThan(1.38);
    expect(factorOf(area)).toBeLessThan(1.5);
    expect(area.widen).toBeGreaterThan(1);
    expect(ask({ calibration: area }).arrivalMs).toBeGreaterThan(ask().arrivalMs);
    expect(ask({ calibration: area }).method).toContain("recalibrated");
  });

  test("its band settles where it holds four in five", () => {
    let area = uncalibrated;
    for (let i = 0; i < 400; i++)
      area = learn(area, { estimatedSeconds: 600, actualSeconds: 600, insideBand: i % 5 !== 0 });
    expect(area.widen).toBeCloseTo(1, 1);
    expect(learn(area, { estimatedSeconds: 0, actualSeconds: 5, insideBand: true })).toBe(area);
  });
});
