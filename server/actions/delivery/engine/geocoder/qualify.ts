// The parts of a text that say where to look: countries, regions, postcodes, and the language of its street words.
import { countryCode, kind, type Layer } from "./layer.ts";
import type { Match } from "./matches.ts";
import type { Word } from "./tokens.ts";
import { streetBefore } from "./words.ts";

export interface Qualifier {
  match: Match;
  /** 0 for a country. */
  admin: number;
  country: number;
  /** Placed where nothing else can stand; a place elsewhere is then unlikely. */
  strong: boolean;
}

export interface Postcode {
  match: Match;
  layer: Layer;
  id: number;
  /** Probably a house number or a box. */
  weak: boolean;
}

export interface Frame {
  /** Grouped: the readings of one run of words stand together ("CA": California, Canada). */
  qualifiers: Qualifier[][];
  postcodes: Postcode[];
  /** Countries where the street words of the text are spoken; null when there are none. */
  speakers: Set<number> | null;
}

export function readFrame(words: Word[], matches: Match[]): Frame {
  const groups = new Map<number, Qualifier[]>();
  const postcodes: Postcode[] = [];
  for (const match of matches) {
    const short = match.to - match.from === 1 && words[match.from].text.length <= 3;
    const tail = isTail(words, match.to);
    const owns = ownsPart(words, match);
    // The Mexico of "Ciudad de México" is no country, the España of "Plaza de España" neither.
    const named = namesStreet(words, match.from) || match.inside;
    match.layer.each(match.start, (id, alternate) => {
      const of = match.layer.kind[id];
      if (of === kind.postcode) postcodes.push({ match, layer: match.layer, id, weak: isHouseNumber(words, match) });
      if ((of !== kind.country && of !== kind.region) || match.from === 0 || named) return;
      if (of === kind.country && !(tail && (!alternate || !short || owns))) return;
      const strong = of === kind.country || tail || (!short && owns);
      if (!strong && short) return;
      const group = groups.get(match.from * 64 + match.to) ?? [];
      group.push({
        match,
        admin: of === kind.region ? match.layer.admin[id] : 0,
        country: match.layer.country[id],
        strong,
      });
      groups.set(match.from * 64 + match.to, group);
    });
  }
  return { qualifiers: [...groups.values()], postcodes, speakers: speakersOf(words) };
}

/** Whether nothing but numbers, regions and countries can follow: at most four more words, none a street. */
function isTail(words: Word[], at: number): boolean {
  if (at === words.length) return true;
  if (words.length - at > 4) return false;
  for (let i = at; i < words.length; i++) if (words[i].sort === "street" || words[i].sort === "venue") return false;
  return words[at].part > words[at - 1].part || words[at].digit;
}

/** Whether the run of words is a whole part between commas, numbers aside. */
export function ownsPart(words: Word[], match: Match): boolean {
  const part = words[match.from].part;
  for (let i = match.from - 1; i >= 0 && words[i].part === part; i--) if (!words[i].digit) return false;
  for (let i = match.to; i < words.length && words[i].part === part; i++) if (!words[i].digit) return false;
  return true;
}

/** "rue de Cambrai", "Plaza de España": a name that follows a street word, with no number between, is the street's. */
export function namesStreet(words: Word[], from: number): boolean {
  const part = words[from].part;
  for (let i = from - 1; i >= 0 && i >= from - 4 && words[i].part === part; i--) {
    if (words[i].sort === "number") return false;
    if (streetBefore.has(words[i].text)) return true;
  }
  return false;
}

/** A number at the head with a street behind it is a house number; behind "suite" or "BP" it is a box. */
export function isHouseNumber(words: Word[], match: Match): boolean {
  if (match.to - match.from > 1) return false;
  if (match.from > 0 && words[match.from - 1].sort === "unit") return true;
  if (match.from > 1 || words.length === match.to) return false;
  return words[match.to].part === words[match.from].part && words.slice(match.to).some((w) => w.sort === "street");
}

/** Street words and the countries that use them. */
const spoken = new Map<string, number[]>();
for (const [words, countries] of [
  [
    "rue chemin impasse allee allees quai cours ruelle sentier faubourg cedex bd mairie lotissement",
    "FR BE CH LU CA MC",
  ],
  ["via viale piazza corso vicolo", "IT CH SM VA"],
  [
    "calle avenida avda paseo carretera plaza calzada",
    "ES MX AR CO PE CL EC VE GT CU BO DO HN PY SV NI CR PA UY PR US",
  ],
  ["rua travessa estrada rodovia praca alameda", "BR PT AO MZ CV"],
  ["ul ulica aleja plac osiedle", "PL CZ SK HR SI RS BA"],
  ["st street ave blvd rd road dr drive ln lane hwy pkwy ct trl cir suite ste", "US CA GB AU NZ IE ZA IN PH SG HK"],
]) {
  for (const word of words.split(" ")) spoken.set(word, countries.split(" ").map(countryCode));
}

/** How compound street names end. */
const endings: [string, number[]][] = [
  ["strasse", "DE AT CH LI LU"],
  ["str", "DE AT CH LI LU"],
  ["platz", "DE AT CH LI LU"],
  ["gasse", "DE AT CH LI LU"],
  ["weg", "DE AT CH LI LU NL BE"],
  ["straat", "NL BE SR"],
  ["laan", "NL BE SR"],
  ["gracht", "NL BE SR"],
  ["plein", "NL BE SR"],
  ["gatan", "SE FI"],
  ["vagen", "SE FI"],
  ["gata", "SE NO"],
  ["gade", "DK"],
  ["vej", "DK"],
  ["veien", "NO"],
].map(([ending, countries]) => [ending, countries.split(" ").map(countryCode)]);

function speakersOf(words: Word[]): Set<number> | null {
  let out: Set<number> | null = null;
  if (words.length < 3) return null;
  for (const { text, sort } of words) {
    if (sort === "number" || text.length < 2) continue;
    const there =
      spoken.get(text) ?? (text.length > 5 ? endings.find(([ending]) => text.endsWith(ending))?.[1] : undefined);
    if (!there) continue;
    out ??= new Set();
    for (const country of there) out.add(country);
  }
  return out;
}
