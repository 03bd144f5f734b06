// "Kreuzberg, Berlin": a smaller place named beside the city it lies in is what is meant, and the city says which one.
import { flatKm } from "../geo.ts";
import { kind, type Layer } from "./layer.ts";
import type { Match } from "./matches.ts";
import { type Frame, namesStreet, ownsPart } from "./qualify.ts";
import { type Candidate, type Hint, scorePlace } from "./score.ts";
import type { Word } from "./tokens.ts";
import { streetAfter } from "./words.ts";

/** A city must be this much better known than a part of it, in steps of rank. */
const LEAST_LEAD = 8;
/** How far ahead of its city a part of it is put. */
const AHEAD = 0.6;
/** Cities that are tried: the likeliest readings of the text. */
const MAX_CITIES = 6;

/** The parts of the likeliest cities that the text names, scored just above their city. */
export function findDistricts(
  words: Word[],
  matches: Match[],
  frame: Frame,
  places: Candidate[],
  hint: Hint | undefined,
): Candidate[] {
  const parts = matches.filter((match) => match.typos === 0 && mayBeDistrict(words, match));
  if (parts.length === 0) return [];
  const found: Candidate[] = [];
  for (const city of places.filter((c) => c.layer.kind[c.id] === kind.locality).slice(0, MAX_CITIES)) {
    for (const match of parts) {
      if (overlap(match, city.match)) continue;
      match.layer.each(match.start, (id, alternate) => {
        const { layer } = match;
        if (layer.kind[id] !== kind.locality || !liesIn(layer, id, city)) return;
        const part: Candidate = { layer, id, match, score: 0, agreeing: 0, alternate };
        scorePlace(part, words, frame, hint);
        const slight = (alternate ? 0.3 : 0) + (match.inside ? 0.3 : 0) - layer.rank[id] / 200;
        part.score = Math.max(part.score, city.score) + AHEAD - slight;
        part.agreeing = Math.max(part.agreeing, city.agreeing) + 1;
        found.push(part);
      });
    }
  }
  return found;
}

/** A name that fills its part between commas, or follows a number there, and is not a street's. */
function mayBeDistrict(words: Word[], match: Match): boolean {
  const next = words[match.to];
  const part = words[match.from].part;
  if (next?.part === part && streetAfter.has(next.text)) return false;
  if (words.slice(match.from, match.to).every((w) => w.sort !== "word" && w.sort !== "filler")) return false;
  return ownsPart(words, match) && !namesStreet(words, match.from);
}

function liesIn(layer: Layer, id: number, city: Candidate): boolean {
  if (layer.country[id] !== city.layer.country[city.id]) return false;
  if (layer.rank[id] + LEAST_LEAD > city.layer.rank[city.id]) return false;
  const latGap = Math.abs(layer.lat[id] - city.layer.lat[city.id]) / 1e6;
  if (latGap > 0.5) return false;
  return (
    flatKm(layer.lat[id] / 1e6, layer.lon[id] / 1e6, city.layer.lat[city.id] / 1e6, city.layer.lon[city.id] / 1e6) <
    reachOf(city.layer.population[city.id])
  );
}

/** Kilometres from a city's centre within which its parts lie: 8 for a town, 30 for a city of millions. */
function reachOf(population: number): number {
  return Math.min(35, 8 + 0.012 * Math.sqrt(population));
}

const overlap = (a: Match, b: Match): boolean => a.from < b.to && b.from < a.to;
