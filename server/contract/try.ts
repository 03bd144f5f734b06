// What `connector try NAME …` asks of an engine: one question on the command line, or JSON lines with `-`.
import { existsSync, readFileSync } from "node:fs";

export interface Try {
  /** How it is called, without the `connector try` in front. */
  usage: string;
  /** How many words it needs at the least; one unless said. */
  minWords?: number;
  /** Answers one question put as words and --flags. */
  ask(words: string[], flags: Record<string, string>): unknown | Promise<unknown>;
  /** Answers one JSON line, with the same --flags. */
  askRow(row: any, flags: Record<string, string>): unknown | Promise<unknown>;
}

const LOOKS_LIKE_A_PATH = /^\S*(?:\/\S*|\.[a-z]{2,5})$/i;

/** The text of a file when the words name one, else the words themselves. */
export function readTextOrFile(words: string[]): string {
  const [word] = words;
  if (words.length === 1 && existsSync(word)) return readFileSync(word, "utf8");
  if (words.length === 1 && LOOKS_LIKE_A_PATH.test(word)) throw new Error(`There is no such file: ${word}`);
  return words.join(" ");
}
