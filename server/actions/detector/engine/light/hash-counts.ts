// Counts 32-bit hashes without making objects: open addressing, cleared in constant time by a round number.

const SIZE = 8_192;
/** Past this many different hashes further ones are counted as seen once: the table must never fill up. */
const MAX_DISTINCT = 6_000;

export class HashCounts {
  #keys = new Int32Array(SIZE);
  #rounds = new Uint32Array(SIZE);
  #counts = new Uint16Array(SIZE);
  #round = 1;
  size = 0;

  clear(): void {
    this.#round++;
    this.size = 0;
  }

  /** How often the hash has been added, this time included. */
  add(hash: number): number {
    let at = (Math.imul(hash, 0x9e3779b1) >>> 19) & (SIZE - 1);
    while (this.#rounds[at] === this.#round) {
      if (this.#keys[at] === hash) return ++this.#counts[at];
      at = (at + 1) & (SIZE - 1);
    }
    if (this.size >= MAX_DISTINCT) return 1;
    this.#rounds[at] = this.#round;
    this.#keys[at] = hash;
    this.#counts[at] = 1;
    this.size++;
    return 1;
  }
}
