// The length of a trip between rough ends: the map where it is sharp, the prior where it is not, never an absurd window.
import { describe, expect, test } from "bun:test";
import { estimate } from "./index.ts";
import { tripLength } from "./trip-length.ts";

const MINUTE_MS = 60_000;

describe("tripLength", () => {
  test("is the distance on the map between exact ends", () => {
    expect(tripLength(3.7, 0, 0.15)).toEqual({ km: 3.7, spread: 0 });
    expect(tripLength(0, 0, 0.15).km).toBe(0.15);
  });

  test("moves from the map to the prior as the ends grow vague, and its spread grows with it", () => {
    const lengths = [0.5, 2, 5, 20].map((blur) => tripLength(9, blur, 0.15));
    for (let i = 1; i < lengths.length; i++) {
      expect(lengths[i].km).toBeLessThan(lengths[i - 1].km);
      expect(lengths[i].spread).toBeGreaterThan(lengths[i - 1].spread);
    }
  });

  test("stays near the map for ends hundreds of kilometres apart", () => {
    expect(tripLength(400, 20, 0.15).km).toBeGreaterThan(300);
  });
});

describe("an arrival between two ends known only as one city", () => {
  const city = { lat: 52.52, lon: 13.4, radius_km: 20 };
  const startMs = Date.UTC(2026, 10, 17, 11);
  const eta = estimate({ from: city, to: city, startMs, timeZone: "Europe/Berlin" });

  test("is a usual courier trip with a window of less than 45 minutes", () => {
    const minutes = (eta.arrivalMs - startMs) / MINUTE_MS;
    expect(minutes).toBeGreaterThan(12);
    expect(minutes).toBeLessThan(30);
    expect((eta.windowToMs - eta.windowFromMs) / MINUTE_MS).toBeLessThan(45);
  });
});
