// Typed arrays that grow, and a map from number to slot, so that a million alerts need no objects.

export function grown<T extends Int32Array | Uint16Array | Uint8Array>(old: T, needed: number): T {
  if (old.length >= needed) return old;
  const size = Math.max(needed, Math.ceil(old.length * 1.5), 64);
  const bigger = new (old.constructor as new (n: number) => T)(size);
  bigger.set(old as never);
  return bigger;
}

/** Open addressing with linear probing; keys are positive 32-bit numbers. */
export class NumberMap {
  #cells = new Int32Array(2 * 64);
  #mask = 63;
  #used = 0;

  get size(): number {
    return this.#used;
  }

  get bytes(): number {
    return this.#cells.byteLength;
  }

  get(key: number): number {
    for (let i = home(key) & this.#mask; ; i = (i + 1) & this.#mask) {
      const found = this.#cells[2 * i];
      if (found === key) return this.#cells[2 * i + 1];
      if (found === 0) return -1;
    }
  }

  set(key: number, value: number): void {
    if ((this.#used + 1) * 10 > (this.#mask + 1) * 7) this.#resize((this.#mask + 1) * 2);
    let i = home(key) & this.#mask;
    while (this.#cells[2 * i] !== 0 && this.#cells[2 * i] !== key) i = (i + 1) & this.#mask;
    if (this.#cells[2 * i] === 0) this.#used++;
    this.#cells[2 * i] = key;
    this.#cells[2 * i + 1] = value;
  }

  delete(key: number): void {
    let i = home(key) & this.#mask;
    while (this.#cells[2 * i] !== key) {
      if (this.#cells[2 * i] === 0) return;
      i = (i + 1) & this.#mask;
    }
    this.#used--;
    // Close the gap, so that no probe stops early and no tombstone stays.
    for (let j = (i + 1) & this.#mask; this.#cells[2 * j] !== 0; j = (j + 1) & this.#mask) {
      const want = home(this.#cells[2 * j]) & this.#mask;
      if (((j - want) & this.#mask) < ((j - i) & this.#mask)) continue;
      this.#cells[2 * i] = this.#cells[2 * j];
      this.#cells[2 * i + 1] = this.#cells[2 * j + 1];
      i = j;
    }
    this.#cells[2 * i] = 0;
  }

  reserve(count: number): void {
    let size = this.#mask + 1;
    while (count * 10 > size * 7) size *= 2;
    if (size > this.#mask + 1) this.#resize(size);
  }

  #resize(size: number): void {
    const old = this.#cells;
    this.#cells = new Int32Array(2 * size);
    this.#mask = size - 1;
    this.#used = 0;
    for (let i = 0; i < old.length; i += 2) if (old[i] !== 0) this.set(old[i], old[i + 1]);
  }
}

function home(key: number): number {
  return Math.imul(key ^ (key >>> 15), 0x2c1b3c6d) >>> 3;
}
