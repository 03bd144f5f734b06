// For each term the alerts that are filed under it. One alert stands in the term's own record; more get a list in one
// arena. Adding and taking away cost the same whatever is stored.
import { HEAD, STRIDE, type Dictionary } from "./dictionary.ts";
import { grown } from "./growing.ts";

/** A list: capacity, count, then the postings. A head below zero is minus the list's place. */
export class Postings {
  arena = new Int32Array(1024);
  #end = 1;
  #spare: number[][] = [];

  get bytes(): number {
    return this.arena.byteLength;
  }

  /** Files the posting and returns its index in the term's list. */
  add(dictionary: Dictionary, term: number, posting: number): number {
    const cell = term * STRIDE + HEAD;
    const head = dictionary.records[cell];
    if (head === 0) {
      dictionary.records[cell] = posting + 1;
      return 0;
    }
    let list = head > 0 ? this.#room(4) : -head;
    if (head > 0) {
      this.arena[list + 1] = 1;
      this.arena[list + 2] = head - 1;
    } else if (this.arena[list + 1] === this.arena[list]) list = this.#move(list);
    dictionary.records[cell] = -list;
    const index = this.arena[list + 1]++;
    this.arena[list + 2 + index] = posting;
    return index;
  }

  /** Takes the posting at `index` away; returns the posting that now stands there, or -1. */
  remove(dictionary: Dictionary, term: number, index: number): number {
    const cell = term * STRIDE + HEAD;
    const head = dictionary.records[cell];
    if (head > 0) {
      dictionary.records[cell] = 0;
      return -1;
    }
    const list = -head;
    const last = --this.arena[list + 1];
    const moved = this.arena[list + 2 + last];
    this.arena[list + 2 + index] = moved;
    if (last === 0) {
      dictionary.records[cell] = 0;
      this.#give(list);
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
