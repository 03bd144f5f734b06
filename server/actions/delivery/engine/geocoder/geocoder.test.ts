import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Geocoder } from "./index.ts";
import { kind, Layer, type PlaceRow } from "./layer.ts";
import { LayerPacker } from "./pack.ts";
import { fold, foldName } from "./text.ts";
import { packNumber } from "./houses.ts";
import { packTown, streetKey } from "./streets.ts";
import { canonName } from "./words.ts";

const seed = Number(process.env.CONNECTOR_TEST_SEED ?? 20261115);
console.log(`geocoder.test.ts seed ${seed}`);

const packer = new LayerPacker();
const rankOf = (people: number) => 34 * (Math.log10(people) - 2) + 5;
function add(
  of: number,
  name: string,
  country: string,
  admin: string,
  lat: number,
  lon: number,
  people: number,
  others: string[] = [],
  more: Partial<PlaceRow> = {},
) {
  const row = {
    kind: of,
    name,
    country,
    admin,
    lat,
    lon,
    population: people,
    rank: rankOf(Math.max(people, 1000)),
    ...more,
  };
  packer.add(row, [canonName(foldName(name)), ...others.map((o) => canonName(foldName(o)))]);
}
const city = (
  name: string,
  country: string,
  admin: string,
  lat: number,
  lon: number,
  people: number,
  others: string[] = [],
) => add(kind.locality, name, country, admin, lat, lon, people, others);
const postcode = (code: string, country: string, admin: string, lat: number, lon: number, place: string) =>
  packer.add(
    {
      kind: kind.postcode,
      name: `${code} ${place}`,
      country,
      admin,
      lat,
      lon,
      population: 0,
      rank: 60,
      place: canonName(foldName(place)),
    },
    [code.toLowerCase()],
  );

add(kind.country, "United States", "US", "", 39, -95, 3e8, ["usa"]);
add(kind.country, "Germany", "DE", "", 51, 10, 8e7, ["Deutschland"]);
add(kind.region, "Florida", "US", "FL", 28, -82, 2e7, ["fl"]);
add(kind.region, "Texas", "US", "TX", 31, -99, 2e7, ["tx"]);
add(kind.region, "Illinois", "US", "IL", 40, -89, 1e7, ["il"]);
add(kind.region, "Missouri", "US", "MO", 38, -92, 6e6, ["mo"]);
city("Springfield", "US", "IL", 39.8, -89.64, 116_000);
city("Springfield", "US", "MO", 37.2, -93.3, 166_000);
city("Paris", "FR", "11", 48.85, 2.35, 2_100_000);
city("Paris", "US", "TX", 33.66, -95.55, 25_000);
city("München", "DE", "02", 48.137, 11.575, 1_260_000, ["Munich"]);
city("Fort Lauderdale", "US", "FL", 26.12, -80.14, 180_000);
city("Saint Petersburg", "US", "FL", 27.77, -82.67, 250_000);
city("Miami", "US", "FL", 25.77, -80.19, 440_000);
city("Miami Lakes", "US", "FL", 25.91, -80.31, 30_000);
city("Москва", "RU", "48", 55.75, 37.62, 10_000_000, ["Moskva", "Moscow"]);
city("Mill", "NL", "06", 51.69, 5.78, 11_000);
postcode("33014", "US", "FL", 25.9, -80.3, "Hialeah");
postcode("80331", "DE", "02", 48.135, 11.573, "München");
const marienplatz = packer.add(
  {
    kind: kind.street,
    name: "Marienplatz, München",
    country: "DE",
    admin: "02",
    lat: 48.1372,
    lon: 11.5755,
    population: packTown(48.14, 11.58, true),
    rank: 143,
    place: "munchen",
  },
  [],
);
packer.addKey(streetKey("marienplatz"), marienplatz);

/** The layer with the houses of its last place, the street: number and latitude. */
function withHouses(bytes: Uint8Array, houses: [number: number, lat: number][]): Uint8Array {
  const starts = new Uint32Array(marienplatz + 2);
  starts[marienplatz + 1] = houses.length;
  const rows = houses.flatMap(([number, lat]) => [
    packNumber({ number, suffix: 0 }),
    Math.round(lat * 1e6),
    11_575_500,
  ]);
  return new Uint8Array(
    Buffer.concat([bytes, new Uint8Array(starts.buffer), new Uint8Array(Int32Array.from(rows).buffer)]),
  );
}

const packed = withHouses(packer.pack(), [
  [10, 48.1371],
  [12, 48.1373],
]);
const geocoder = new Geocoder([new Layer(packed)]);
const label = (text: string, hint?: Parameters<Geocoder["geocode"]>[1]) => {
  const found = geocoder.geocode(text, hint);
  return found.precision === "none" ? "none" : `${found.precision} ${found.label}`;
};

describe("the geocoder", () => {
  test("reads order, commas, case, marks and short forms", () => {
    expect(label("7347 MIAMI LAKES DR, MIAMI LAKES, FL, 33014")).toBe("postcode 33014 Hialeah, Florida, US");
    expect(label("FL, Miami")).toBe("locality Miami, Florida, US");
    expect(label("Ft. Lauderdale, FL")).toBe("locality Fort Lauderdale, Florida, US");
    expect(label("st petersburg fl")).toBe("locality Saint Petersburg, Florida, US");
    expect(label("33014-1234")).toContain("33014");
    expect(label("330141234")).toContain("33014");
  });

  test("knows names in other spellings and scripts", () => {
    for (const text of ["München", "Munchen", "MUENCHEN", "Munich"]) expect(label(text)).toBe("locality München, DE");
    expect(label("Москва")).toBe("locality Москва, RU");
    expect(label("москва, ulica")).toContain("Москва");
  });

  test("tells places of one name apart by region, country, hint and the other end", () => {
    expect(label("Springfield, IL")).toContain("Illinois");
    expect(label("Springfield, Missouri")).toContain("Missouri");
    expect(label("Paris")).toContain("FR");
    expect(label("Paris, TX")).toContain("Texas");
    expect(label("Paris", { country: "US" })).toContain("Texas");
    expect(label("Springfield", { near: { lat: 39.7, lon: -89.5 } })).toContain("Illinois");
    const { dropoff } = geocoder.geocodePair("Paris, TX", "Paris");
    expect(dropoff).toMatchObject({ country: "US" });
    expect(geocoder.geocode("Springfield").runners_up.map((p) => p.label)).toEqual(["Springfield, Illinois, US"]);
  });

  test("is unsure where it should be", () => {
    const sure = geocoder.geocode("Springfield, IL").confidence;
    expect(geocoder.geocode("Springfield").confidence).toBeLessThan(sure);
    expect(sure).toBeGreaterThan(0.8);
  });

  test("hints one slip, beside a region or alone", () => {
    expect(label("Fort Lauderdael, FL")).toContain("Fort Lauderdale");
    expect(label("Springfeild IL")).toContain("Springfield");
    expect(label("Muncihen")).toContain("München");
  });

  test("reads downtown and near, and widens near", () => {
    expect(label("downtown Miami")).toBe("locality Miami, Florida, US");
    const [at, near] = [geocoder.geocode("Miami"), geocoder.geocode("near Miami")] as any[];
    expect(near.radius_km).toBe(2 * at.radius_km);
  });

  test("says none rather than guess", () => {
    for (const text of ["", "???", "asdfgh qwertz", "the old mill", "12345", "Rue de la Paix"])
      expect([text, label(text)]).toEqual([text, "none"]);
  });

  test("finds houses and streets of imported layers, number first or last", () => {
    for (const text of ["Marienplatz 12, 80331 München", "12 Marienplatz, München, Germany"]) {
      expect([text, label(text)]).toEqual([text, "rooftop 12 Marienplatz, München, DE"]);
    }
    expect(geocoder.geocode("Marienplatz 11, 80331 München")).toMatchObject({ precision: "street", lat: 48.1372 });
    expect(label("Marienplatz 99, 80331 München")).toContain("street 99 Marienplatz");
    expect(label("Marienplatz 12, Miami")).not.toContain("Marienplatz");
  });

  test("answers anything at all, with a place on the globe or none", () => {
    const word = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom("Paris", "FL", "33014", "Miami", "St", "near", ",", "Springfield", "München"),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), (words) => {
        const found = geocoder.geocode(words.join(" "));
        expect(found.confidence).toBeGreaterThanOrEqual(0);
        expect(found.confidence).toBeLessThanOrEqual(1);
        if (found.precision === "none") return;
        expect(Math.abs(found.lat)).toBeLessThanOrEqual(90);
        expect(found.time_zone.length).toBeGreaterThan(2);
      }),
      { seed, numRuns: 500 },
    );
  });
});

describe("fold", () => {
  test("keeps letters, digits and commas, and is idempotent", () => {
    expect(fold("Ft. Môn-Río,  FL")).toBe("ft mon rio,fl");
    expect(fold("Villeneuve d'Ascq")).toBe("villeneuve d ascq");
    expect(fold("O'Fallon; Łódź")).toBe("ofallon,lodz");
    fc.assert(
      fc.property(fc.string(), (text) => expect(fold(fold(text))).toBe(fold(text))),
      { seed, numRuns: 300 },
    );
  });
});
