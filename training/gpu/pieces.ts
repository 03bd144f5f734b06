// Cuts canonical words into the encoder's word pieces: the longest known piece first, "##" marks a continuation.
import type { Tokens } from "../../server/actions/detector/engine/text/canonical.ts";

const UNKNOWN = 2;

export class Pieces {
  #ids = new Map<string, number>();
  #known = new Map<number, number[]>();
  #longest = 0;
  readonly size: number;

  /** `vocabulary` is one piece a line; the line number is its id. */
  constructor(vocabulary: string) {
    const lines = vocabulary.split("\n").filter((line) => line !== "");
    this.size = lines.length;
    lines.forEach((piece, id) => {
      this.#ids.set(piece, id);
      this.#longest = Math.max(this.#longest, piece.length);
    });
  }

  /** Writes the ids of at most `max` pieces into `out` and returns how many there are. */
  encode(t: Tokens, out: Uint16Array, max: number): number {
    let n = 0;
    for (let i = 0; i < t.count && n < max; i++) {
      let ids = this.#known.get(t.hashes[i]);
      if (ids === undefined) {
        ids = this.#cut(spell(t, i));
        if (this.#known.size < 200_000) this.#known.set(t.hashes[i], ids);
      }
      for (let k = 0; k < ids.length && n < max; k++) out[n++] = ids[k];
    }
    return n;
  }

  /** Joints within a word ("don't", "well-known") are pieces of their own, as in BERT's way of cutting. */
  #cut(word: string): number[] {
    return word.split(/([^a-z0-9])/).flatMap((part) => (part === "" ? [] : this.#cutPart(part)));
  }

  #cutPart(word: string): number[] {
    const whole = this.#ids.get(word);
    if (whole !== undefined) return [whole];
    const ids: number[] = [];
    let at = 0;
    while (at < word.length) {
      let end = Math.min(word.length, at + this.#longest);
      let id: number | undefined;
      for (; end > at; end--) {
        id = this.#ids.get(at === 0 ? word.slice(at, end) : `##${word.slice(at, end)}`);
        if (id !== undefined) break;
      }
      if (id === undefined) return [UNKNOWN];
      ids.push(id);
      at = end;
    }
    return ids;
  }
}

function spell(t: Tokens, i: number): string {
  let word = "";
  for (let k = t.starts[i]; k < t.ends[i]; k++)
    word += t.bytes[k] === 1 ? "§" : t.bytes[k] === 2 ? "¤" : String.fromCharCode(t.bytes[k]);
  return word;
}
