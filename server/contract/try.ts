// What `connector try NAME …` asks of an engine: one question on the command line, or JSON lines with `-`.

export interface Try {
  /** How it is called, without the `connector try` in front. */
  usage: string;
  /** Answers one question put as words and --flags. */
  ask(words: string[], flags: Record<string, string>): unknown | Promise<unknown>;
  /** Answers one JSON line. */
  askRow(row: any): unknown | Promise<unknown>;
}
