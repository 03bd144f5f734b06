import { afterAll, describe, expect, test } from "bun:test";
import { systemClock } from "../../../../lib/clock.ts";
import { createGuardFetch } from "../../../../lib/guard-fetch/index.ts";
import type { Way } from "../ask.ts";
import { serveFake } from "../conformance.suite.ts";
import { ProviderFailure } from "../port.ts";
import { createNominatim, createPhoton } from "./geocoders.ts";
import { createOsrm, createValhalla } from "./routers.ts";

const fakes = {
  nominatim: serveFake(({ path }) =>
    path.includes("nowhere")
      ? []
      : [
          {
            lat: "48.8584",
            lon: "2.2945",
            display_name: "5 Avenue Anatole France, Paris",
            place_rank: 30,
            importance: 0.6,
            addresstype: "building",
            address: { house_number: "5", country_code: "fr" },
          },
        ],
  ),
  photon: serveFake(({ path }) => ({
    type: "FeatureCollection",
    features: path.includes("nowhere")
      ? []
      : [
          {
            geometry: { coordinates: [2.2945, 48.8584] },
            properties: {
              type: "house",
              housenumber: "5",
              street: "Avenue Anatole France",
              postcode: "75007",
              city: "Paris",
              countrycode: "FR",
            },
          },
        ],
  })),
  osrm: serveFake(({ path }) =>
    path.includes("/0,0")
      ? Response.json({ code: "NoRoute", message: "no" }, { status: 400 })
      : { code: "Ok", routes: [{ distance: 5200, duration: 731.5, legs: [] }], waypoints: [] },
  ),
  valhalla: serveFake(({ body }) =>
    body.locations[0].lat === 0
      ? Response.json({ error_code: 442, error: "No path could be found for input" }, { status: 400 })
      : { trip: { summary: { time: 731.5, length: 5.2 } } },
  ),
};
const guard = createGuardFetch({
  clock: systemClock,
  userAgent: "test",
  allowLoopback: Object.values(fakes).map((f) => new URL(f.url).host),
  ports: "any",
});
const way: Way = { fetch: (url, options) => guard.fetch(url, { ...options, polite: false }) };
afterAll(() => {
  for (const fake of Object.values(fakes)) fake.stop();
  guard.close();
});

const fails = async (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => false,
    (error) => error instanceof ProviderFailure,
  );

describe("an outside geocoder", () => {
  for (const [name, make] of [
    ["nominatim", createNominatim],
    ["photon", createPhoton],
  ] as const) {
    test(`${name} answers a place, none, or a failure of the port's`, async () => {
      const geocoder = make(fakes[name].url, way);
      const found = await geocoder.geocode("5 avenue Anatole France, Paris", { lat: 48, lon: 2 });
      expect(found).toMatchObject({
        lat: 48.8584,
        lon: 2.2945,
        precision: "rooftop",
        country: "FR",
        time_zone: "Europe/Paris",
      });
      expect(await geocoder.geocode("nowhere", null)).toBeNull();
      for (const how of [500, 429, 403, "garbage"] as const) {
        fakes[name].fail(how);
        expect([how, await fails(geocoder.geocode("x", null))]).toEqual([how, true]);
      }
      fakes[name].fail(null);
    });
  }
});

describe("an outside router", () => {
  for (const [name, make] of [
    ["osrm", createOsrm],
    ["valhalla", createValhalla],
  ] as const) {
    test(`${name} answers a time, no way, or a failure of the port's`, async () => {
      const router = make(fakes[name].url, way);
      expect(await router.route({ lat: 48.8, lon: 2.2 }, { lat: 48.9, lon: 2.3 }, "car")).toEqual({
        seconds: 731.5,
        km: 5.2,
      });
      expect(await router.route({ lat: 0, lon: 0 }, { lat: 0, lon: 0 }, "bicycle")).toBeNull();
      for (const how of [500, 401, "garbage"] as const) {
        fakes[name].fail(how);
        expect([how, await fails(router.route({ lat: 1, lon: 1 }, { lat: 2, lon: 2 }, "foot"))]).toEqual([how, true]);
      }
      fakes[name].fail(null);
    });
  }
});
