// For each term the alerts that are indexed under it. A few fit in the term's record; more get a list in one arena. Adding
// and removing cost the same whatever is stored.
import type { Dictionary } from "./dictionary.ts";
import { grown } from "./growing.ts";
import { HEAD, INLINE, INLINE_MOST, STRIDE } from "./record.ts";

/** A list: capacity, count, then the postings. A head below zero is minus the list's place. */
export class Postings {
  arena = new Int32Array(1024);
  #end = 1;
  #spare: number[][] = [];

  get bytes(): number {
    return this.arena.byteLength;
  }

  /** Files the posting and returns its index among the term's. */
  add(dictionary: Dictionary, term: number, posting: number): number {
    const at = term * STRIDE;
    const { records } = dictionary;
    dictionary.changed(term);
    const head = records[at + HEAD];
    if (head >= 0 && head < INLINE_MOST) {
      records[at + INLINE + head] = posting;
      return records[at + HEAD]++;
    }
    let list = -head;
    if (head > 0) {
      list = this.#room(16);
      this.arena.set(records.subarray(at + INLINE, at + INLINE + INLINE_MOST), list + 2);
      this.arena[list + 1] = INLINE_MOST;
    } else if (this.arena[list + 1] === this.arena[list]) list = this.#move(list);
    records[at + HEAD] = -list;
    const index = this.arena[list + 1]++;
    this.arena[list + 2 + index] = posting;
    return index;
  }

  /** Takes the posting at `index` away; returns the posting that now stands there, or -1. */
  remove(dictionary: Dictionary, term: number, index: number): number {
    const at = term * STRIDE;
    const { records } = dictionary;
    dictionary.changed(term);
    const head = records[at + HEAD];
    const inline = head >= 0;
    const cells = inline ? records : this.arena;
    const first = inline ? at + INLINE : -head + 2;
    const last = inline ? --records[at + HEAD] : --this.arena[-head + 1];
    const moved = cells[first + last];
    cells[first + index] = moved;
    if (!inline && last === 0) {
      records[at + HEAD] = 0;
      this.#give(-head);
    }
    return index === last ? -1 : moved;
  }

  #room(capacity: number): number {
    const power = Math.log2(capacity);
    const reused = this.#spare[power]?.pop();
    const list = reused ?? this.#end;
    if (reused === undefined) {
      this.#end += capacity + 2;
      this.arena = grown(this.arena, this.#end);
    }
    this.arena[list] = capacity;
    this.arena[list + 1] = 0;
    return list;
  }

  #give(list: number): void {
    (this.#spare[Math.log2(this.arena[list])] ??= []).push(list);
  }

  #move(list: number): number {
    const count = this.arena[list + 1];
    const bigger = this.#room(this.arena[list] * 2);
    this.arena.copyWithin(bigger + 2, list + 2, list + 2 + count);
    this.arena[bigger + 1] = count;
    this.#give(list);
    return bigger;
  }
}
