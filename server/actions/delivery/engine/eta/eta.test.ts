import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  type Calibration,
  DEFAULT_ACCESS_SECONDS,
  DEFAULT_SERVICE_SECONDS,
  estimate,
  estimateDrive,
  learn,
  localTime,
  modelDrive,
  uncalibrated,
} from "./index.ts";

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
  const start = { from: manhattan, to: brooklyn, startMs: Date.parse("2026-12-01T15:00:00Z"), timeZone: "UTC" };
  const model = modelDrive(start);
  const finished = (factor: number, more: Partial<typeof start> = {}) => {
    const drive = modelDrive({ ...start, ...more });
    return { trip: drive.trip, model: drive, actualSeconds: factor * drive.seconds };
  };
  const factorOf = (area: Calibration, more: Partial<typeof start> = {}) =>
    estimate({ ...start, ...more, calibration: area }).driveSeconds / modelDrive({ ...start, ...more }).seconds;

  test("moves an area towards what was seen, slowly, and never for one accident", () => {
    expect(factorOf(learn(uncalibrated, finished(100)))).toBeLessThan(1.5);
    let area = uncalibrated;
    for (let i = 0; i < 3; i++) area = learn(area, finished(1.5));
    expect(factorOf(area)).toBeLessThan(1.42);
    for (let i = 0; i < 300; i++) area = learn(area, finished(1.5));
    expect(factorOf(area)).toBeGreaterThan(1.45);
    expect(factorOf(area)).toBeLessThan(1.55);
    expect(ask({ calibration: area }).arrivalMs).toBeGreaterThan(ask().arrivalMs);
    expect(ask({ calibration: area }).method).toContain("recalibrated");
  });

  test("tells hours, weekdays and places apart", () => {
    const evening = { startMs: start.startMs + 4 * 3_600_000 };
    const elsewhere = { to: { lat: manhattan.lat + 0.06, lon: manhattan.lon } };
    let area = uncalibrated;
    for (let i = 0; i < 200; i++) {
      area = learn(area, finished(1));
      area = learn(area, finished(1.6, evening));
      area = learn(area, finished(0.7, elsewhere));
    }
    expect(factorOf(area, evening)).toBeGreaterThan(1.35 * factorOf(area));
    expect(factorOf(area, elsewhere)).toBeLessThan(0.8 * factorOf(area));
  });

  test("its window widens and narrows until it holds four in five", () => {
    for (const spread of [0.15, 0.9]) {
      let area = uncalibrated;
      for (let i = 0; i < 400; i++) area = learn(area, finished(Math.exp(spread * (((i * 37) % 101) / 50 - 1))));
      const eta = estimate({ ...start, calibration: area });
      let inside = 0;
      for (let i = 0; i < 101; i++) {
        const seconds = model.seconds * Math.exp(spread * (i / 50 - 1));
        const arrived = start.startMs + 1000 * (seconds + DEFAULT_SERVICE_SECONDS + DEFAULT_ACCESS_SECONDS);
        if (arrived >= eta.windowFromMs - 30_000 && arrived <= eta.windowToMs + 30_000) inside++;
      }
      expect(inside).toBeGreaterThan(70);
      if (spread > 0.5) expect(inside).toBeLessThan(92);
    }
    expect(learn(uncalibrated, { ...finished(1), actualSeconds: 0 })).toBe(uncalibrated);
  });
});
