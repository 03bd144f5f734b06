// What a terminal sees: tables, lists of facts, colours and progress. Colours and progress stay out of pipes and files.
import { systemClock } from "../../lib/clock.ts";

const COLOURS = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;
const GAP = "  ";
const REDRAW_MS = 100;
const MAX_CELL = 60;

export type Colour = keyof typeof COLOURS;

function hasColours(environment: Record<string, string | undefined> = process.env): boolean {
  return process.stdout.isTTY === true && !environment.NO_COLOR && environment.TERM !== "dumb";
}

export const paint = (colour: Colour, text: string): string =>
  hasColours() ? `\u001b[${COLOURS[colour]}m${text}\u001b[0m` : text;

/** Text of a server must not move the cursor or change colours. */
export const plain = (value: unknown): string => String(value ?? "").replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ");

/** Rows under their heads; no row, no table. */
export function printTable(heads: string[], rows: unknown[][], empty: string): void {
  if (rows.length === 0) return console.log(empty);
  const cells = rows.map((row) => row.map((cell) => shorten(plain(cell))));
  const widths = heads.map((head, i) =>
    Math.max(...[head, ...cells.map((row) => row[i])].map((text) => Bun.stringWidth(text))),
  );
  const line = (row: string[]) =>
    row
      .map((cell, i) => cell + " ".repeat(widths[i] - Bun.stringWidth(cell)))
      .join(GAP)
      .trimEnd();
  console.log(paint("bold", line(heads)));
  for (const row of cells) console.log(line(row));
}

const shorten = (text: string): string => (text.length > MAX_CELL ? `${text.slice(0, MAX_CELL - 1)}…` : text);

/** One thing: a name and its value a line. What is unknown is left out. */
export function printFacts(facts: Record<string, unknown>): void {
  const known = Object.entries(facts).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const width = Math.max(...known.map(([name]) => name.length));
  for (const [name, value] of known) console.log(`${paint("dim", name.padEnd(width))}${GAP}${plain(value)}`);
}

export const printJson = (value: unknown): void => console.log(JSON.stringify(value));

/** A time as the reader's clock shows it. */
export function clockTime(iso: string): string {
  return hasColours() ? new Date(iso).toLocaleTimeString(undefined, { hour12: false }) : iso;
}

/** A line on standard error that is redrawn; nothing where standard error is no terminal. */
export function startProgress(label: string) {
  const shown = process.stderr.isTTY === true;
  let text = label;
  let turn = 0;
  const draw = () => process.stderr.write(`\r\u001b[K${"|/-\\"[turn++ % 4]} ${text}`);
  const stop = shown ? systemClock.every(REDRAW_MS, draw) : () => {};
  if (shown) draw();
  return {
    update(next: string) {
      text = next;
    },
    end() {
      stop();
      if (shown) process.stderr.write("\r\u001b[K");
    },
  };
}

/** `3 of 10` with a bar. */
export function bar(done: number, total: number): string {
  const filled = total === 0 ? 20 : Math.round((done / total) * 20);
  return `${"█".repeat(filled)}${"░".repeat(20 - filled)} ${done} of ${total}`;
}
