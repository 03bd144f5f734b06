// The shipped postcodes and districts: what an address in any country is placed by, with nothing imported.
import { describe, expect, test } from "bun:test";
import { haversineKm } from "../../engine/geo.ts";
import { loadGeocoder } from "./load.ts";
import { decodePostal, encodePostal, type PostalRow, type VillageRow } from "./postal-format.ts";

const geocoder = loadGeocoder();

function expectNear(text: string, lat: number, lon: number, km: number, precision?: string): void {
  const found = geocoder.geocode(text);
  if (found.precision === "none") throw new Error(`${text}: not found`);
  expect([text, haversineKm(found.lat, found.lon, lat, lon) <= km, found.label]).toEqual([text, true, found.label]);
  if (precision) expect([text, found.precision]).toEqual([text, precision]);
}

describe("a postcode", () => {
  test("is found in every part of the world without an import", () => {
    expectNear("Unter den Linden 77, 10117 Berlin", 52.517, 13.388, 3, "postcode");
    expectNear("10 Downing Street, London SW1A 2AA", 51.503, -0.128, 3, "postcode");
    expectNear("Calle Mayor 5, 28013 Madrid", 40.417, -3.709, 3, "postcode");
    expectNear("ul. Lipowa 3, 15-427 Białystok", 53.13, 23.15, 5);
    expectNear("12 Church Lane, Parramatta 2150, Australia", -33.815, 151.0, 5);
    expectNear("Rua Augusta 100, 1100-053 Lisboa", 38.711, -9.137, 5, "postcode");
    expectNear("Nieuwezijds Voorburgwal 147, 1012 RJ Amsterdam", 52.373, 4.893, 3, "postcode");
  });

  test("never outvotes the city in the text: 10117 is Berlin's beside Berlin and Tallinn's beside Tallinn", () => {
    expect(geocoder.geocode("10117 Berlin")).toMatchObject({ country: "DE" });
    expect(geocoder.geocode("10117 Tallinn")).toMatchObject({ country: "EE" });
  });

  test("of one city's parts is that part, not the middle of the city", () => {
    expectNear("8 rue de Rivoli, 75004 Paris", 48.856, 2.36, 1.5, "postcode");
    expectNear("75008 Paris", 48.876, 2.318, 1.5, "postcode");
  });

  test("tells two villages of one name apart", () => {
    expectNear("Školní 5, 294 25 Víska, Czechia", 50.47, 14.9, 15);
  });

  test("alone, shared by many countries, is a guess and says so", () => {
    expect(geocoder.geocode("10118").confidence).toBeLessThan(0.5);
  });
});

describe("a district", () => {
  test("beats the city it is named with", () => {
    expectNear("Kreuzberg, Berlin", 52.5, 13.403, 2);
    expectNear("Peckham, London", 51.474, -0.07, 2);
    expectNear("Copacabana, Rio de Janeiro", -22.969, -43.186, 2);
    expectNear("Koreatown, Los Angeles", 34.058, -118.301, 2);
    expectNear("Kadıköy, İstanbul", 40.99, 29.03, 3);
    expectNear("新宿区", 35.694, 139.703, 3);
    expectNear("Av. Paseo de la Reforma 222, Juárez, Cuauhtémoc, 06600 Ciudad de México, CDMX", 19.43, -99.15, 5);
  });

  test("is not read into the name of a street", () => {
    expectNear("Plaza de España 12, 193550 Rosas, Colombia", 2.26, -76.74, 20);
    expectNear("Avenue de Kreuzberg 3, Berlin", 52.52, 13.405, 25);
  });
});

test("words that say nothing about where are no place", () => {
  for (const text of ["home", "the office", "my flat"]) expect(geocoder.geocode(text).precision).toBe("none");
});

test("all spellings of a city are one city", () => {
  for (const text of ["Köln", "Koeln", "Cologne", "KOLN"]) expectNear(text, 50.94, 6.96, 5);
  for (const text of ["Saigon", "Ho Chi Minh City", "Thành phố Hồ Chí Minh"]) expectNear(text, 10.82, 106.63, 10);
});

test("the packed form gives back its rows, to 60 m, and the villages that nobody else knows", () => {
  const rows: PostalRow[] = [
    { country: "DE", code: "01067", place: "Dresden", lat: 51.06, lon: 13.72, admin: 7 },
    { country: "DE", code: "01069", place: "Dresden", lat: 51.04, lon: 13.73, admin: 7 },
    { country: "DE", code: "01108", place: "Gomlitz", lat: 51.14, lon: 13.78, admin: 0 },
    { country: "FR", code: "75004", place: "Dresden", lat: -48.86, lon: -2.35, admin: 7 },
  ];
  const packed = encodePostal("test", rows, (village) => village.place === "Gomlitz");
  const read: PostalRow[] = [];
  const villages: VillageRow[] = [];
  decodePostal(packed, { postcode: (row) => read.push(row), village: (row) => villages.push(row) });
  read.forEach((row, i) => {
    expect(haversineKm(row.lat, row.lon, rows[i].lat, rows[i].lon)).toBeLessThan(0.06);
    expect({ ...row, lat: 0, lon: 0 }).toEqual({ ...rows[i], lat: 0, lon: 0 });
  });
  expect(villages.map((v) => [v.place, v.codes])).toEqual([["Gomlitz", 1]]);
});
