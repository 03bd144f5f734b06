// Streets of imported layers: one key for the spellings of a name, the runs of words that name one, and the town it lies in.
import { flatKm } from "../geo.ts";
import { type HouseNumber, readHouseNumber } from "./houses.ts";
import type { Layer } from "./layer.ts";
import type { Match } from "./matches.ts";
import { emptyKey, extendKey, type Key, wordKey } from "./text.ts";
import type { Word } from "./tokens.ts";
import { longStreet } from "./words.ts";

/** Said or left out at will: "rue de la Paix", "rue Paix". */
const ARTICLES = new Set(
  "de la le les du des d l del los las el da do dos das di della delle dei degli the of".split(" "),
);
const LONGEST_STREET = 8;
/** Keeps the keys of streets apart from those of places. */
const STREET_MARK = wordKey("§");
const streetStart: Key = { a: 0, b: 0 };
extendKey(emptyKey, STREET_MARK, streetStart);

const known = new Map<string, Key[]>();
/** A name has few distinct words; the table is emptied rather than left to grow. */
const MAX_KNOWN = 50_000;

/** The keys of one word of a street: written out, "Hauptstr" as two words. */
function keysOf(word: string): Key[] {
  let keys = known.get(word);
  if (!keys) {
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(word, (keys = canonical(word).map(wordKey)));
  }
  return keys;
}

function canonical(word: string): string[] {
  const compound = /^(.{2,})(?:strasse|str)$/.exec(word);
  if (compound) return [compound[1], "street"];
  return (longStreet[word] ?? ordinal(word)).split(" ");
}

/** "73rd" → "73", "1er" → "1". */
const ordinal = (word: string): string => (/^\d+(st|nd|rd|th|er|eme|e)$/.test(word) ? /^\d+/.exec(word)![0] : word);

const SAINT = wordKey("saint");

/** Mixes the words [from, to) into one key. */
function mixStreet(words: readonly string[], from: number, to: number, into: Key): void {
  into.a = streetStart.a;
  into.b = streetStart.b;
  for (let i = from; i < to; i++) {
    // The D of "Avenue D" is a name.
    if (i > from && i < to - 1 && ARTICLES.has(words[i])) continue;
    // "St Marks Place", "Main St", "Main St N".
    if (words[i] === "st" && (i === from || i < to - 2)) extendKey(into, SAINT, into);
    else for (const key of keysOf(words[i])) extendKey(into, key, into);
  }
}

/** The key of a street's folded name, house number left out. */
export function streetKey(folded: string): Key {
  const key: Key = { a: 0, b: 0 };
  const words = folded.split(" ");
  mixStreet(words, 0, words.length, key);
  return { a: key.a >>> 0, b: key.b >>> 0 };
}

export interface StreetMatch extends Match {
  house: HouseNumber | null;
}

/** Runs of words that are the name of a street, each with the house number that stands beside it. */
export function findStreets(words: Word[], layers: Layer[]): StreetMatch[] {
  const matches: StreetMatch[] = [];
  const texts = words.map((word) => word.text);
  const key: Key = { a: 0, b: 0 };
  for (let from = 0; from < words.length; from++) {
    for (let to = from + 1; to <= Math.min(words.length, from + LONGEST_STREET); to++) {
      if (words[to - 1].part !== words[from].part) break;
      mixStreet(texts, from, to, key);
      for (const layer of layers) {
        const start = layer.find(key);
        if (start < 0) continue;
        matches.push({ from, to, layer, start, key: key.a >>> 0, typos: 0, house: houseBeside(words, from, to) });
      }
    }
  }
  return matches;
}

/** "12 rue X", "12 bis rue X", "Hauptstr. 5", "Hauptstr. 5 a", "Hauptstr., 5". */
function houseBeside(words: Word[], from: number, to: number): HouseNumber | null {
  const part = words[from].part;
  const after = words[to];
  if (after?.digit && (after.part === part || standsAlone(words, to))) {
    const next = words[to + 1];
    const suffix = next?.part === after.part && isSuffix(next.text) ? next.text : "";
    const read = readHouseNumber(after.text + suffix);
    if (read) return read;
  }
  const before = words[from - 1];
  if (before?.part !== part) return null;
  if (before.digit) return readHouseNumber(before.text);
  const first = words[from - 2];
  return isSuffix(before.text) && first?.part === part && first.digit
    ? readHouseNumber(first.text + before.text)
    : null;
}

const isSuffix = (text: string): boolean => text === "bis" || text === "ter" || /^[a-d]$/.test(text);
const standsAlone = (words: Word[], at: number): boolean => words[at + 1]?.part !== words[at].part;

/** Steps of the packed position of a town: about 600 m. */
const TOWN_STEPS = 180;

/** The middle of the town of a street in 32 bits, and whether the data names the town or it is only the nearest. */
export function packTown(lat: number, lon: number, isNamed: boolean): number {
  const y = Math.round((lat + 90) * TOWN_STEPS);
  const x = Math.round((lon + 180) * TOWN_STEPS);
  return ((y << 17) | (x << 1) | (isNamed ? 1 : 0)) >>> 0;
}

function unpackTown(packed: number): { lat: number; lon: number; isNamed: boolean } {
  return {
    lat: (packed >>> 17) / TOWN_STEPS - 90,
    lon: ((packed >>> 1) & 0xffff) / TOWN_STEPS - 180,
    isNamed: (packed & 1) === 1,
  };
}

/** Two middles this near are one town in two lists. */
const SAME_TOWN_KM = 2.5;
/** Two middles this near are one point, packed. */
const SAME_POINT_KM = 1;
/** A town must be this much better known than a part of it, in steps of rank. */
const LEAST_LEAD = 8;
/** A street this near to the middle of a part of its town lies in that part. */
const IN_PART_KM = 3;

/** Whether a street lies in a place that the text names: in that town, in that part of its town, or in a part of that town. */
export function liesInTown(
  street: { layer: Layer; id: number },
  place: { layer: Layer; id: number; key: number },
): boolean {
  const { layer, id } = street;
  const [lat, lon] = [layer.lat[id] / 1e6, layer.lon[id] / 1e6];
  const [placeLat, placeLon] = [place.layer.lat[place.id] / 1e6, place.layer.lon[place.id] / 1e6];
  const km = flatKm(lat, lon, placeLat, placeLon);
  if (place.key === layer.place[id]) return km < 40;
  if (km > 40 || layer.population[id] === 0) return false;
  const town = unpackTown(layer.population[id]);
  const apart = flatKm(town.lat, town.lon, placeLat, placeLon);
  // A town that the data names is that town alone, perhaps spelled otherwise.
  if (town.isNamed) return apart < SAME_POINT_KM;
  if (apart < SAME_TOWN_KM) return true;
  const [townRank, placeRank] = [layer.rank[id], place.layer.rank[place.id]];
  if (placeRank + LEAST_LEAD <= townRank) return km < IN_PART_KM && apart < reachOf(townRank);
  return townRank + LEAST_LEAD <= placeRank && apart < reachOf(placeRank) / 2;
}

/** Kilometres from the middle of a place, by its rank, within which its parts lie. */
export function reachOf(rank: number): number {
  return Math.min(30, 2 + 0.012 * Math.sqrt(10 ** ((rank - 5) / 34 + 2)));
}
