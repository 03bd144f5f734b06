// Spelling-tolerant, but never two doors for one: measured on made-up addresses.
import { expect, test } from "bun:test";
import { seededRandom } from "../../../../lib/random.ts";
import { addressWords } from "./address-words.ts";
import { isSameAddress } from "./same-address.ts";

const random = seededRandom("addresses");
const pick = <T>(list: readonly T[]): T => list[Math.floor(random.unit() * list.length)];
const STREETS =
  "Linden Rosen Garten Berg Schiller Goethe Bahnhof Haupt Kirch Mühlen Wald Wiesen Schul Ahorn Birken Eichen Tannen Ulmen Buchen Sonnen".split(
    " ",
  );
const KINDS = ["straße", "weg", "platz", "allee", "gasse"];
const TOWNS = [
  ["Berlin", "10435"],
  ["Hamburg", "20095"],
  ["München", "80331"],
  ["Köln", "50667"],
  ["Düsseldorf", "40210"],
];
const AMERICAN =
  "Maple Oak Pine Cedar Elm Washington Lincoln Jefferson Madison Franklin Highland Sunset Park River Lake Hill Church Mill Union Spring".split(
    " ",
  );
const AMERICAN_KINDS = ["Street", "Avenue", "Road", "Lane", "Drive", "Court"];
const CITIES = [
  ["Springfield", "IL", "62701"],
  ["Salem", "MA", "01970"],
  ["Portland", "OR", "97201"],
  ["Austin", "TX", "78701"],
];

interface Door {
  street: string;
  kind: string;
  number: number;
  town: string[];
  american: boolean;
}

const makeDoor = (): Door => {
  const american = random.unit() < 0.5;
  return {
    american,
    street: pick(american ? AMERICAN : STREETS),
    kind: pick(american ? AMERICAN_KINDS : KINDS),
    number: 1 + Math.floor(random.unit() * 60),
    town: pick(american ? CITIES : TOWNS),
  };
};
const keyOf = (door: Door) => `${door.street} ${door.kind} ${door.number} ${door.town[0]}`;
const SHORT: Record<string, string> = { Street: "St", Avenue: "Ave", Road: "Rd", Lane: "Ln", Drive: "Dr", Court: "Ct" };

function write(door: Door, style: number): string {
  const { street, kind, number, town, american } = door;
  if (american) {
    const [city, state, zip] = town;
    const line = `${number} ${street}`;
    return [
      `${line} ${kind}, ${city}, ${state} ${zip}`,
      `${line} ${SHORT[kind]}., ${city}, ${state}`,
      `${line} ${SHORT[kind]} ${city} ${state} ${zip} USA`.toUpperCase(),
      `${line} ${kind}, Apt ${number + 3}, ${city}, ${state} ${zip}, United States`,
      `${line} ${kind}\n${city}, ${state}\n${zip}`,
    ][style];
  }
  const [city, code] = town;
  const plain = (text: string) => text.replaceAll("ß", "ss").replaceAll("ü", "ue").replaceAll("ö", "oe");
  const long = `${street}${kind}`;
  return [
    `${long} ${number}, ${code} ${city}`,
    `${plain(long)} ${number}, ${plain(city)}`,
    `${long.replace("straße", "str.")} ${number} ${code} ${city}`,
    `${number} ${long}, ${city} ${code}, Germany`,
    `${long.toUpperCase()} ${number}\n${code} ${city.toUpperCase()}`,
  ][style];
}

const compared = (text: string) => ({ words: addressWords(text), at: null });

test("five spellings of 2,000 doors are one door each, and fewer than 1 in 200 joins is false", () => {
  let missed = 0;
  let joined = 0;
  let wrong = 0;
  for (let i = 0; i < 2000; i++) {
    const door = makeDoor();
    for (let style = 1; style < 5; style++) {
      joined++;
      if (!isSameAddress(compared(write(door, 0)), compared(write(door, style)))) missed++;
    }
    // Neighbours in every sense: another number, street, kind or town.
    const others: Door[] = [
      { ...door, number: door.number + 2 },
      { ...door, street: pick(door.american ? AMERICAN : STREETS) },
      { ...door, kind: pick(door.american ? AMERICAN_KINDS : KINDS) },
      { ...door, town: pick(door.american ? CITIES : TOWNS) },
    ].filter((other) => keyOf(other) !== keyOf(door));
    for (const other of others) {
      for (let style = 0; style < 5; style++) {
        if (isSameAddress(compared(write(door, 0)), compared(write(other, style)))) wrong++;
      }
    }
  }
  expect(missed / joined).toBeLessThan(0.02);
  expect(wrong / (joined + wrong)).toBeLessThan(0.005);
});

test("letters, directions and units: a door is a building", () => {
  const same = (a: string, b: string) => isSameAddress(compared(a), compared(b));
  expect(same("Hauptstr. 12 a, 12159 Berlin", "Hauptstraße 12a, Berlin 12159")).toBe(true);
  expect(same("Hauptstr. 12, 12159 Berlin", "Hauptstraße 12a, Berlin 12159")).toBe(false);
  expect(same("12 N Main St, Salem, MA", "12 S Main St, Salem, MA")).toBe(false);
  expect(same("350 5th Ave Suite 3300, New York", "350 Fifth Avenue, New York, NY 10118")).toBe(true);
  expect(same("350 5th Ave, New York", "350 5th Ave, Brooklyn, New York")).toBe(false);
  expect(same("12 Main St, Salem, MA", "12 Main St, Salem, OR")).toBe(false);
});
