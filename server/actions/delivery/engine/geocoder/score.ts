// Scores the matches of a text to find the place that is meant. Pure arithmetic; one point is worth ten times the
// population.
import { flatKm } from "../geo.ts";
import { countryCode, kind, type Layer } from "./layer.ts";
import type { HousePoint } from "./houses.ts";
import type { Match } from "./matches.ts";
import { type Frame, isHouseNumber, namesStreet, ownsPart, type Qualifier } from "./qualify.ts";
import { liesInTown } from "./streets.ts";
import type { Word } from "./tokens.ts";
import { streetAfter } from "./words.ts";

export interface Hint {
  /** Two letters; a place elsewhere must have better reasons. */
  country?: string | null;
  /** A point the place is probably near to, such as the other end of the delivery. */
  near?: { lat: number; lon: number } | null;
}

export interface Candidate {
  layer: Layer;
  id: number;
  match: Match;
  score: number;
  /** Independent words that agree on it: region, country, postcode, place of the postcode. */
  agreeing: number;
  alternate: boolean;
  /** The text has both this postcode and the place it belongs to. */
  exact?: boolean;
  /** Of a street: where the house number of the text stands. */
  house?: HousePoint | null;
}

/** Before a common noun, not before the name of a town ("the old mill"). */
const ARTICLES = new Set(["the", "a", "an", "my", "our", "your", "his", "her", "their"]);

const overlap = (a: Match, b: Match): boolean => a.from < b.to && b.from < a.to;

/** Scores a populated place, region, district or country against everything else the text says. */
export function scorePlace(c: Candidate, words: Word[], frame: Frame, hint: Hint | undefined): void {
  const { layer, id, match } = c;
  const of = layer.kind[id];
  let score = layer.rank[id] / 40 + 0.7 * (match.to - match.from - 1) - 1.5 * match.typos;
  if (c.alternate) score -= 1.6;
  if (match.inside) score -= 1.5;
  if (of === kind.region) score -= 1.6;
  if (of === kind.district) score -= 1.9;
  if (of === kind.country) score -= 1.2;
  c.score = score + placeInText(words, match, of) + agreement(c, frame) + fromHint(hint, layer, id);
  if (match.typos > 0 && !believable(c, words)) c.score = -9;
}

/** A corrected name counts when something agrees with it, or when it is all there is and a place people write about. */
function believable(c: Candidate, words: Word[]): boolean {
  if (c.agreeing > 0) return true;
  const rest = words.filter((w, i) => (i < c.match.from || i >= c.match.to) && w.sort !== "filler");
  return rest.length === 0 && c.layer.rank[c.id] >= 75 && !c.alternate && c.layer.kind[c.id] === kind.locality;
}

function placeInText(words: Word[], match: Match, of: number): number {
  if (match.from === 0 && match.to === words.length) return 1.2;
  let score = 0;
  const part = words[match.from].part;
  if (ownsPart(words, match)) score += 1.2;
  else if (of === kind.country || of === kind.region) score -= 2.5;
  const next = words[match.to];
  if (next && next.part === part && next.sort === "street" && streetAfter.has(next.text)) score -= 3;
  if (namesStreet(words, match.from)) score -= 2.5;
  const before = words[match.from - 1];
  if (before?.part === part && before.text === "saint") score -= 1.5;
  for (let i = match.from - 1; i >= Math.max(0, match.from - 2); i--) {
    if (words[i].part === part && ARTICLES.has(words[i].text)) score -= 2;
  }
  if (match.to - match.from === 1) {
    const word = words[match.from];
    if (word.sort === "filler" || word.sort === "street" || word.sort === "unit") score -= 3;
    if (word.sort === "venue") score -= 1.5;
    if (word.sort === "number") score -= 4;
    if (word.text.length <= 2) score -= 2;
    else if (word.text.length === 3) score -= 0.8;
  }
  for (let i = match.to; i < words.length; i++) if (words[i].sort === "word") score -= 0.25;
  return score;
}

/** What the regions and countries named in the text say about a place in `country`, `admin`. */
function qualified(c: Candidate, groups: Qualifier[][]): { score: number; agreeing: number } {
  let score = 0;
  let agreeing = 0;
  for (const group of groups) {
    if (overlap(group[0].match, c.match)) continue;
    let best = -9;
    for (const q of group) {
      let says = 0;
      if (q.admin === 0) says = q.country === c.layer.country[c.id] ? 3.5 : -6;
      else if (c.layer.admin[c.id] === q.admin) says = q.strong ? 4 : 2.5;
      else if (c.layer.admin[c.id] !== 0 || q.country !== c.layer.country[c.id]) says = q.strong ? -4 : 0;
      best = Math.max(best, says);
    }
    score += best;
    if (best > 0) agreeing++;
  }
  return { score: Math.max(-8, score), agreeing };
}

function agreement(c: Candidate, frame: Frame): number {
  const { layer, id, match } = c;
  const { score, agreeing } = qualified(c, frame.qualifiers);
  const lat = layer.lat[id] / 1e6;
  const lon = layer.lon[id] / 1e6;
  let postcode = 0;
  let beside = false;
  for (const p of frame.postcodes) {
    if (overlap(p.match, match) || p.layer.country[p.id] !== layer.country[id] || layer.kind[id] < kind.district)
      continue;
    const weight = p.weak ? 0.3 : 1;
    if (!p.weak && p.match.to === match.from) beside = true;
    const km = flatKm(lat, lon, p.layer.lat[p.id] / 1e6, p.layer.lon[p.id] / 1e6);
    // Of two villages of one name the nearer one is the postcode's.
    if (p.layer.place[p.id] === match.key && km < 60) postcode = Math.max(postcode, (5 - km / 30) * weight);
    else if (km < 30) postcode = Math.max(postcode, 4 * weight);
  }
  // Its country has this postcode, but elsewhere: another place of the name is meant.
  if (beside && postcode === 0) postcode = -1.5;
  c.agreeing = agreeing + (postcode > 2 ? 1 : 0);
  return score + postcode + spokenThere(frame, layer.country[id]);
}

const spokenThere = (frame: Frame, country: number): number =>
  frame.speakers === null ? 0 : frame.speakers.has(country) ? 0.8 : -0.8;

function fromHint(hint: Hint | undefined, layer: Layer, id: number): number {
  if (!hint) return 0;
  let score = 0;
  const { country, near } = hint;
  if (country) score += layer.country[id] === ((country.charCodeAt(0) << 8) | country.charCodeAt(1)) ? 2 : -1.5;
  if (near) score += 3.5 * Math.exp(-flatKm(layer.lat[id] / 1e6, layer.lon[id] / 1e6, near.lat, near.lon) / 60);
  return score;
}

/** Where the postcode is written after the place, so that a place after it is no evidence. */
const CODE_LAST = new Set("US CA GB AU NZ IE ZA IN PH SG JP KR CN TW MX TH ID MY".split(" ").map(countryCode));

/** Scores a postcode: it wants a region, a country or a place that agrees, or to stand alone. */
export function scorePostcode(
  c: Candidate,
  words: Word[],
  frame: Frame,
  places: Candidate[],
  hint: Hint | undefined,
): void {
  const { layer, id, match } = c;
  const { score, agreeing } = qualified(c, frame.qualifiers);
  const lat = layer.lat[id] / 1e6;
  const lon = layer.lon[id] / 1e6;
  let base = isHouseNumber(words, match) ? -4 : 0.5;
  if (words[match.from].text.length < 4 && match.to - match.from === 1) base -= 1.5;
  if (match.to === words.length) base += 0.5;
  let place = 0;
  for (const p of places) {
    if (p.layer.country[p.id] !== layer.country[id] || p.layer.kind[p.id] !== kind.locality || overlap(p.match, match))
      continue;
    const weight = p.score > 2 ? 1 : 0.7;
    if (p.match.key === layer.place[id]) {
      c.exact = true;
      place = Math.max(place, 5.5 * weight);
    } else if (place < 4 && flatKm(lat, lon, p.layer.lat[p.id] / 1e6, p.layer.lon[p.id] / 1e6) < 30)
      place = Math.max(place, 4 * weight);
    // "62170 Montreuil" is the Montreuil of that postcode, whatever it is called in full.
    else if (place < 3 && match.to === p.match.from && !CODE_LAST.has(layer.country[id]))
      place = Math.max(place, 3 * weight);
  }
  c.agreeing = agreeing + (place > 0 ? 1 : 0);
  // Five digits are a postcode of many countries: inside a text something should say which.
  if (c.agreeing === 0 && words.length > match.to - match.from + 1) base -= 1.5;
  c.score = base + score + place + spokenThere(frame, layer.country[id]) + fromHint(hint, layer, id);
  // A code that several countries use is most often that of the largest.
  c.score += layer.rank[id] / 200;
}

/** What a street adds to the place it lies in, and what its very house adds to that (one between others: half). */
const STREET_LEAD = 1.5;
const HOUSE_LEAD = 0.4;
/** A postcode without a place: the street must be this near to it. */
const NEAR_CODE_KM = 6;

/** Scores an imported street: just above the place or postcode of the text that it lies in; without one, by the rest alone. */
export function scoreStreet(
  c: Candidate,
  words: Word[],
  frame: Frame,
  places: Candidate[],
  hint: Hint | undefined,
): void {
  const { layer, id, match } = c;
  let around: Candidate | null = null;
  let isTownNamed = false;
  let isTownAgreed = false;
  for (const p of places) {
    // The Miami of "Miami Lakes" is not named.
    if (p.match.inside || overlap(p.match, match) || p.layer.kind[p.id] < kind.locality) continue;
    const isTown = p.layer.kind[p.id] === kind.locality;
    if (isTown && ownsPart(words, p.match)) isTownNamed = true;
    if (p.layer.country[p.id] !== layer.country[id]) continue;
    const agrees = isTown ? liesInTown(c, { layer: p.layer, id: p.id, key: p.match.key }) : agreesWithCode(c, p);
    if (!agrees) continue;
    if (isTown || agrees === "named") isTownAgreed = true;
    if (!around || around.score < p.score) around = p;
  }
  // The text names a town, and the street is not in it.
  if (isTownNamed && !isTownAgreed) {
    c.score = -9;
    return;
  }
  const house = c.house ? (c.house.exact ? HOUSE_LEAD : HOUSE_LEAD / 2) : 0;
  const length = 0.1 * (match.to - match.from) + house;
  if (around) {
    c.agreeing = around.agreeing + 1;
    c.score = around.score + STREET_LEAD + length;
    return;
  }
  const { score, agreeing } = qualified(c, frame.qualifiers);
  const whole = match.from === 0 && match.to === words.length;
  c.agreeing = agreeing;
  c.score = length + (whole ? 1.2 : 0.4) + score + spokenThere(frame, layer.country[id]) + fromHint(hint, layer, id);
}

/** A postcode vouches for a street of its own place, and, less firmly, for one that is near. */
function agreesWithCode(street: Candidate, code: Candidate): "named" | "near" | null {
  const { layer, id } = street;
  const [lat, lon] = [code.layer.lat[code.id] / 1e6, code.layer.lon[code.id] / 1e6];
  const km = flatKm(layer.lat[id] / 1e6, layer.lon[id] / 1e6, lat, lon);
  const key = layer.place[id];
  if (key !== 0 && (key === code.match.key || key === code.layer.place[code.id])) return km < 40 ? "named" : null;
  return km < NEAR_CODE_KM ? "near" : null;
}
