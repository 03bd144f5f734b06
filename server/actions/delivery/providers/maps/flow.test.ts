import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../../../../tests/harness.ts";
import { type Fake, serveFake } from "../conformance.suite.ts";

let app: Harness;
let nominatim: Fake;
let osrm: Fake;
beforeAll(async () => {
  const place = { lat: "40.7484", lon: "-73.9857", display_name: "350 5th Avenue", place_rank: 30, importance: 0.9 };
  nominatim = serveFake(() => [
    { ...place, addresstype: "building", address: { house_number: "350", country_code: "us" } },
  ]);
  osrm = serveFake(() => ({ code: "Ok", routes: [{ distance: 5200, duration: 1200, legs: [] }] }));
  const hosts = [nominatim, osrm].map((f) => new URL(f.url).host);
  app = await startHarness({ config: { NOMINATIM_URL: nominatim.url, OSRM_URL: osrm.url, ALLOW_LOOPBACK: hosts } });
});
afterAll(async () => {
  await app.stop();
  nominatim.stop();
  osrm.stop();
});

const body = {
  pickup: { address: "350 5th Ave, New York, NY 10118", time: "2026-11-01T15:00:00Z" },
  dropoff: { address: "Brooklyn, NY" },
};
const schedule = async (key: string) => (await app.call("POST", "/delivery/schedule", { body, key })).body.data;

describe("geocoder and router of the operator", () => {
  test("are never asked for a test key", async () => {
    expect((await schedule(app.key)).eta.method).toStartWith("power_law/");
    expect([nominatim.requests.length, osrm.requests.length]).toEqual([0, 0]);
  });

  test("sharpen a live order, and the band stays around the new time", async () => {
    const sharp = await schedule(app.account.liveKey);
    expect([sharp.locations.pickup.precision, sharp.eta.method]).toEqual(["rooftop", "osrm"]);
    const { from, to } = sharp.eta.window;
    expect(from < sharp.dropoff.estimated_arrival && sharp.dropoff.estimated_arrival < to).toBe(true);
  });

  test("change nothing when they fail", async () => {
    nominatim.fail("garbage");
    osrm.fail(400);
    const plain = await schedule(app.account.liveKey);
    expect([plain.locations.pickup.precision, plain.eta.method.split("/")[0]]).toEqual(["postcode", "power_law"]);
  });
});
