// Weighs what the matches of a text say together: which place is meant, and how sure that is. Pure arithmetic.
import { flatKm } from "../geo.ts";
import { kind, type Layer } from "./layer.ts";
import type { Match } from "./matches.ts";
import { code32 } from "./text.ts";
import type { Word } from "./tokens.ts";
import { streetAfter, streetBefore } from "./words.ts";

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
}

/** The parts of a text that say in which country and region to look. */
export interface Frame {
  countries: { match: Match; country: number; strong: boolean }[];
  regions: { match: Match; admin: number; country: number; strong: boolean }[];
  postcodes: { match: Match; layer: Layer; id: number; weak: boolean }[];
}

const overlap = (a: Match, b: Match): boolean => a.from < b.to && b.from < a.to;

/** Reads countries, regions and postcodes out of the matches, with how much their position says. */
export function readFrame(words: Word[], matches: Match[]): Frame {
  const frame: Frame = { countries: [], regions: [], postcodes: [] };
  for (const match of matches) {
    const short = match.to - match.from === 1 && words[match.from].text.length <= 3;
    const tail = isTail(words, match.to);
    match.layer.each(match.start, (id) => {
      const of = match.layer.kind[id];
      if (of === kind.postcode) frame.postcodes.push({ match, layer: match.layer, id, weak: isHouseNumber(words, match) });
      if (of === kind.country && match.from > 0 && tail) {
        frame.countries.push({ match, country: match.layer.country[id], strong: true });
      }
      if (of === kind.region && match.from > 0) {
        const strong = tail || (!short && ownsPart(words, match));
        if (strong || !short) {
          frame.regions.push({ match, admin: match.layer.admin[id], country: match.layer.country[id], strong });
        }
      }
    });
  }
  return frame;
}

/** Whether nothing but numbers, regions and countries can follow: at most three more words, none a street. */
function isTail(words: Word[], at: number): boolean {
  if (words.length - at > 4) return false;
  for (let i = at; i < words.length; i++) {
    if (words[i].sort === "street" || words[i].sort === "venue") return false;
  }
  const rest = words.length - at;
  return rest === 0 || words[at].part > words[at - 1].part || words[at].sort === "number" || /\d/.test(words[at].text);
}

function ownsPart(words: Word[], match: Match): boolean {
  const part = words[match.from].part;
  for (let i = match.from - 1; i >= 0 && words[i].part === part; i--) if (!/\d/.test(words[i].text)) return false;
  for (let i = match.to; i < words.length && words[i].part === part; i++) if (!/\d/.test(words[i].text)) return false;
  return true;
}

/** A number at the head with a street behind it is a house number, whatever postcode it equals. */
function isHouseNumber(words: Word[], match: Match): boolean {
  if (match.from > 1 || words.length === match.to) return false;
  return words[match.to].part === words[match.from].part && words.slice(match.to).some((w) => w.sort === "street");
}

/** Scores a populated place, region, district or country against everything else the text says. */
export function scorePlace(c: Candidate, words: Word[], frame: Frame, hint: Hint | undefined): void {
  const { layer, id, match } = c;
  const of = layer.kind[id];
  const lat = layer.lat[id] / 1e6;
  const lon = layer.lon[id] / 1e6;
  let score = layer.rank[id] / 40 + 0.7 * (match.to - match.from - 1) - 1.5 * match.typos;
  if (c.alternate) score -= 0.8;
  if (of === kind.region) score -= 1.6;
  if (of === kind.district) score -= 1.9;
  if (of === kind.country) score -= 1.2;
  score += placeInText(words, match);
  score += agreement(c, frame, lat, lon);
  score += fromHint(hint, layer.country[id], lat, lon);
  c.score = score;
}

function placeInText(words: Word[], match: Match): number {
  let score = 0;
  if (ownsPart(words, match)) score += 1.2;
  const part = words[match.from].part;
  const next = words[match.to];
  if (next && next.part === part && next.sort === "street" && streetAfter.has(next.text)) score -= 3;
  let before = match.from - 1;
  while (before >= 0 && words[before].part === part && words[before].sort === "filler") before--;
  if (before >= 0 && words[before].part === part && streetBefore.has(words[before].text)) score -= 2.5;
  if (match.to - match.from === 1) {
    const word = words[match.from];
    if (word.sort === "filler" || word.sort === "street" || word.sort === "unit") score -= 3;
    if (word.sort === "venue") score -= 1.5;
    if (word.sort === "number") score -= 4;
    if (word.text.length <= 2) score -= 2;
  }
  for (let i = match.to; i < words.length; i++) if (words[i].sort === "word") score -= 0.25;
  return score;
}

function agreement(c: Candidate, frame: Frame, lat: number, lon: number): number {
  const { layer, id, match } = c;
  let score = 0;
  let region = 0;
  for (const r of frame.regions) {
    if (overlap(r.match, match)) continue;
    if (r.admin === layer.admin[id]) region = Math.max(region, r.strong ? 4 : 2.5);
    else if (r.strong && region === 0) region = -4;
  }
  score += region;
  let country = 0;
  for (const r of frame.countries) {
    if (overlap(r.match, match)) continue;
    if (r.country === layer.country[id]) country = Math.max(country, 3.5);
    else if (country === 0) country = -6;
  }
  score += country;
  let postcode = 0;
  for (const p of frame.postcodes) {
    if (overlap(p.match, match) || p.layer.country[p.id] !== layer.country[id]) continue;
    const weight = p.weak ? 0.3 : 1;
    if (p.layer.place[p.id] === match.key) postcode = Math.max(postcode, 5 * weight);
    else if (flatKm(lat, lon, p.layer.lat[p.id] / 1e6, p.layer.lon[p.id] / 1e6) < 30) postcode = Math.max(postcode, 4 * weight);
  }
  score += postcode;
  c.agreeing = (region > 0 ? 1 : 0) + (country > 0 ? 1 : 0) + (postcode > 2 ? 1 : 0);
  return score;
}

function fromHint(hint: Hint | undefined, country: number, lat: number, lon: number): number {
  if (!hint) return 0;
  let score = 0;
  if (hint.country) score += country === ((hint.country.charCodeAt(0) << 8) | hint.country.charCodeAt(1)) ? 2 : -1.5;
  if (hint.near) score += 3.5 * Math.exp(-flatKm(lat, lon, hint.near.lat, hint.near.lon) / 60);
  return score;
}

/** Scores a postcode: it wants a region, a country or a place that agrees, or to stand alone. */
export function scorePostcode(c: Candidate, words: Word[], frame: Frame, places: Candidate[], hint: Hint | undefined): void {
  const { layer, id, match } = c;
  const lat = layer.lat[id] / 1e6;
  const lon = layer.lon[id] / 1e6;
  const digits = words[match.from].text.length;
  let score = 0.5 + (isHouseNumber(words, match) ? -4 : 0) + (digits < 4 && match.to - match.from === 1 ? -1.5 : 0);
  if (match.to === words.length) score += 0.5;
  let region = 0;
  let country = 0;
  for (const r of frame.regions) {
    if (overlap(r.match, match)) continue;
    if (r.admin === layer.admin[id]) region = 4;
    else if (r.strong && region === 0) region = -3;
  }
  for (const r of frame.countries) {
    if (overlap(r.match, match)) continue;
    if (r.country === layer.country[id]) country = 3.5;
    else if (country === 0) country = -6;
  }
  let place = 0;
  for (const p of places) {
    if (p.layer.country[p.id] !== layer.country[id] || p.layer.kind[p.id] !== kind.locality || overlap(p.match, match)) continue;
    const weight = p.score > 3 ? 1 : 0.7;
    if (p.match.key === layer.place[id]) place = Math.max(place, 5.5 * weight);
    else if (place < 4 && flatKm(lat, lon, p.layer.lat[p.id] / 1e6, p.layer.lon[p.id] / 1e6) < 30) place = Math.max(place, 4 * weight);
  }
  for (const m of frame.postcodes) if (m.match !== match && overlap(m.match, match) && m.match.to - m.match.from > match.to - match.from) score -= 1;
  c.agreeing = (region > 0 ? 1 : 0) + (country > 0 ? 1 : 0) + (place > 0 ? 1 : 0);
  c.score = score + region + country + place + fromHint(hint, layer.country[id], lat, lon);
}

export const adminCode = (country: string, admin: string): number => code32(`${country}.${admin}`);
