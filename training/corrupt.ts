// Damages a text the way typists, learners and evaders do, whatever its label, so that damage says nothing of the label.
import type { Random } from "../server/lib/random.ts";

const ARTICLES = new Set(["a", "an", "the"]);
const PREPOSITIONS = ["in", "on", "at", "for", "to", "of", "with", "by", "from", "about"];
const BRITISH: [RegExp, string][] = [
  [/\b(\w+)ization\b/g, "$1isation"],
  [/\b(\w+)izing\b/g, "$1ising"],
  [/\b(\w{3,})ized\b/g, "$1ised"],
  [/\bcolor/g, "colour"],
  [/\bfavor/g, "favour"],
  [/\bbehavior/g, "behaviour"],
  [/\bcenter\b/g, "centre"],
  [/\banalyze/g, "analyse"],
];

export function corrupt(text: string, random: Random): string {
  const kind = Math.floor(random.unit() * 8);
  const rate = 0.02 + 0.1 * random.unit();
  if (kind === 0) return eachWord(text, (w) => (ARTICLES.has(w.toLowerCase()) && random.unit() < 0.6 ? "" : w));
  if (kind === 1) return eachWord(text, (w) => (w.length > 3 && random.unit() < rate ? misspell(w, random) : w));
  if (kind === 2) return swapNeighbours(text, rate / 2, random);
  if (kind === 3) return eachWord(text, (w) => (random.unit() < rate ? "" : w));
  if (kind === 4) return BRITISH.reduce((t, [from, to]) => t.replace(from, to), text);
  if (kind === 5) return shuffleSentences(text, random);
  if (kind === 6) return eachWord(text, (w) => learner(w, 2 * rate, random));
  return eachWord(text, (w) => (w.endsWith(",") && random.unit() < 0.5 ? w.slice(0, -1) : w));
}

/** The commonest slips of learners of English: articles, prepositions, the s of plurals and of the third person. */
function learner(word: string, rate: number, random: Random): string {
  if (random.unit() >= rate) return word;
  if (ARTICLES.has(word)) return random.unit() < 0.7 ? "" : "the";
  if (PREPOSITIONS.includes(word)) return PREPOSITIONS[Math.floor(random.unit() * PREPOSITIONS.length)];
  if (/[^s]s$/.test(word) && word.length > 3) return word.slice(0, -1);
  return /^[a-z]{4,}[^s]$/.test(word) && random.unit() < 0.15 ? `${word}s` : word;
}

function eachWord(text: string, change: (word: string) => string): string {
  return text.split(" ").map(change).join(" ");
}

function misspell(word: string, random: Random): string {
  const at = 1 + Math.floor(random.unit() * (word.length - 2));
  const kind = Math.floor(random.unit() * 4);
  if (kind === 0) return word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2);
  if (kind === 1) return word.slice(0, at) + word.slice(at + 1);
  if (kind === 2) return word.slice(0, at) + word[at] + word.slice(at);
  return word.slice(0, at) + "aeiourstnl"[Math.floor(random.unit() * 10)] + word.slice(at + 1);
}

function swapNeighbours(text: string, rate: number, random: Random): string {
  const words = text.split(" ");
  for (let i = 0; i + 1 < words.length; i++) {
    if (random.unit() < rate) [words[i], words[i + 1]] = [words[i + 1], words[i]];
  }
  return words.join(" ");
}

function shuffleSentences(text: string, random: Random): string {
  const parts = text.split(/(?<=[.!?])\s+/);
  for (let i = 0; i + 1 < parts.length; i++) {
    if (random.unit() < 0.3) [parts[i], parts[i + 1]] = [parts[i + 1], parts[i]];
  }
  return parts.join(" ");
}
