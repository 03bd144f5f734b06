// How often an answer like this one is right. Says nothing about which answer to give.
import { kind } from "./layer.ts";
import type { Candidate } from "./score.ts";
import type { Word } from "./tokens.ts";

/** A bare name whose rival abroad is within this lead is anyone's guess. */
const CLOSE_CALL = 1.5;
const GUESS = 0.49;

export interface Rivals {
  /** The best score of another place; -Infinity when there is none. */
  anywhere: number;
  abroad: number;
  /** The place lies far from where the hint says it should be. */
  farOff: boolean;
}

export function confidenceOf(words: Word[], top: Candidate, rivals: Rivals): number {
  const { match, layer, id } = top;
  let unexplained = 0;
  let venues = 0;
  let rest = 0;
  for (let i = 0; i < words.length; i++) {
    if (i >= match.from && i < match.to) continue;
    if (words[i].sort === "word") unexplained++;
    if (words[i].sort === "venue") venues++;
    if (!words[i].digit) rest++;
  }
  const lead = Math.min(top.agreeing === 0 && rest > 0 ? 2 : 4, top.score - rivals.anywhere);
  const size = (layer.kind[id] === kind.postcode ? 90 : layer.rank[id]) / 40;
  let x = -0.6 + 1.1 * lead + 1.4 * top.agreeing + 0.25 * top.score - 1.4 * match.typos;
  if (top.agreeing === 0) {
    x -= 0.9 * Math.min(unexplained, 4) + 0.3 * Math.min(venues, 2);
    // A small place inside a longer phrase is more often a word that happens to be a name.
    if (rest > 0)
      x -= Math.max(0, 3.2 - size) * 1.5 + (top.alternate ? 1 : 0) + (layer.kind[id] < kind.locality ? 1.5 : 0);
  } else x -= 0.1 * Math.min(unexplained, 4);
  const sure = 1 / (1 + Math.exp(-0.9 * x));
  // An old or foreign name of a small place is as likely someone else's own name.
  const borrowed = top.alternate && layer.rank[id] < 100;
  const doubtful =
    top.agreeing === 0 && (borrowed || match.typos > 0 || rivals.farOff || top.score - rivals.abroad < CLOSE_CALL);
  const capped = doubtful ? Math.min(sure, GUESS) : sure;
  return Math.round(capped * 100) / 100;
}
