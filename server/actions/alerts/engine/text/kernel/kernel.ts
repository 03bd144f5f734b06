// The tokeniser loop in WebAssembly: words.c splits, folds and hashes. One instance per thread, of fixed size; its result
// is valid until the next call.
import { WORDS_WASM } from "./words-wasm.ts";

const { memory, ...calls } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(WORDS_WASM, "base64")))
  .exports as { memory: WebAssembly.Memory } & Record<string, (...given: number[]) => number>;

/** Units that fit at once. */
export const CUT_MAX = 32_768;
/** Of each word sixteen folded units are kept, a byte each, or eight of two bytes; zero stands where none is. */
export const KEPT_INTS = 4;
const ROWS = CUT_MAX / 2 + 1;

const view = (place: string, count: number) => new Int32Array(memory.buffer, calls[place](), count);
const input = Buffer.from(memory.buffer, calls.text_at(), CUT_MAX * 2);
const stop = view("stop_at", 1);

/** What each unit folds to; 0 ends a word, 1 is beyond the table. Filled by chars.ts. */
export const foldMemory = new Uint16Array(memory.buffer, calls.fold_at(), 65_536);

export const hashes = view("hashes_at", ROWS);
export const starts = view("starts_at", ROWS);
export const ends = view("ends_at", ROWS);
/** KEPT_INTS for each word; all zero when it does not fit. */
export const kept = view("kept_at", ROWS * KEPT_INTS);

/** Takes a text of at most CUT_MAX units that begins and ends between words. */
export function load(text: string): void {
  input.write(text, 0, "utf16le");
}

/** How many words there are from here to the length, or to the first that cannot be folded unit by unit. */
export function cut(from: number, length: number, seed: number): number {
  return calls.cut(from, length, seed);
}

/** Where the last cut ended: the length, or the beginning of a word for the slow path. */
export function stoppedAt(): number {
  return stop[0];
}
