// Alerts of the form "these words and not those": each a row of integers, evaluated without a tree.
import { DEFAULT_FIELDS } from "../query/ast.ts";
import type { Compiled, Plan } from "./compile.ts";
import type { Reader } from "./reader.ts";
import { grown } from "./terms/growing.ts";

export class Programs {
  /** Count, then term << 1 | negated; the first is the term the alert is filed under. */
  #cells = new Int32Array(64);
  #end = 0;
  #free: number[][] = [];

  get bytes(): number {
    return this.#cells.byteLength;
  }

  /** Stores a conjunction of bare terms; `ids` are those of its terms. Returns its place. */
  add({ plan, cover }: Compiled, ids: Int32Array): number {
    const codes = (plan.op === "and" ? plan.children : [plan]).map((p) => {
      const term = (p.op === "not" ? p.child : p) as Plan & { op: "term" };
      return (ids[term.term] << 1) | (p.op === "not" ? 1 : 0);
    });
    // A term written twice is held once: it was acquired once.
    const distinct = [...new Set([ids[cover[0]] << 1, ...codes])];
    const place = this.#free[distinct.length]?.pop() ?? this.#end;
    if (place === this.#end) this.#end += distinct.length + 1;
    this.#cells = grown(this.#cells, this.#end);
    this.#cells[place] = distinct.length;
    this.#cells.set(distinct, place + 1);
    return place;
  }

  /** Frees the place and returns the ids of its terms, the one it is filed under first. */
  remove(place: number): Int32Array {
    const count = this.#cells[place];
    (this.#free[count] ??= []).push(place);
    return this.#cells.slice(place + 1, place + 1 + count).map((code) => code >>> 1);
  }

  /** Whether the other terms are there or not, as they should; the first is. */
  holds(place: number, reader: Reader): boolean {
    const cells = this.#cells;
    const end = place + cells[place];
    for (let p = place + 2; p <= end; p++) {
      if (reader.present(cells[p] >>> 1, DEFAULT_FIELDS) === ((cells[p] & 1) === 1)) return false;
    }
    return true;
  }
}
