// The exact sliding log of ring.ts in memory that several processes of one machine share, without a lock: a killed process
// can leave nothing behind that another waits for. Each subject has a ring of the times of its last admissions.
import type { Verdict } from "./ring.ts";

/** More than the largest quota of a window, so that the time of the admission that decides is always still there. */
export const RING = 2_048;
/** Words of a ring: its subject, how many were ever admitted, then the times in microseconds. */
const HEAD = 2;
const STRIDE = HEAD + RING;
/** How far a subject may lie from where its hash points. */
const MAX_PROBES = 64;

export const RING_BYTES = STRIDE * 8;

interface Place {
  at: number;
  name: bigint;
  /** The oldest admission that may still be in the window, as this process last saw it. */
  first: bigint;
}

/** `memory` is mapped by every process; times are microseconds of a clock that they share. */
export class SharedRings {
  readonly #words: BigInt64Array;
  readonly #windowUs: bigint;
  readonly #subjects: number;
  #places = new Map<string, Place>();

  constructor(memory: Uint8Array, windowMs: number) {
    this.#words = new BigInt64Array(memory.buffer, memory.byteOffset, Math.floor(memory.byteLength / 8));
    this.#subjects = Math.floor(this.#words.length / STRIDE);
    this.#windowUs = BigInt(Math.round(windowMs * 1000));
  }

  /** Null when there is no room for another subject. */
  admit(subject: string, nowUs: bigint, limit: number, count: boolean): Verdict | null {
    const place = this.#placeOf(subject, nowUs);
    if (!place) return null;
    const words = this.#words;
    const oldest = nowUs - this.#windowUs;
    const { at } = place;
    for (;;) {
      const n = Atomics.load(words, at + 1);
      const slot = at + HEAD + (Number(n) % RING);
      const held = Atomics.load(words, slot);
      const last = n === 0n ? 0n : Atomics.load(words, at + HEAD + ((Number(n) - 1) % RING));
      if (held > last) {
        // Another process took this number and has not counted it yet.
        Atomics.compareExchange(words, at + 1, n, n + 1n);
        continue;
      }
      const decisive = Number(n) - limit;
      const free = decisive < 0 || Atomics.load(words, at + HEAD + (decisive % RING)) <= oldest;
      if (!free || !count) return this.#verdict(place, n, nowUs, limit, free);
      const time = nowUs > last ? nowUs : last + 1n;
      if (Atomics.compareExchange(words, slot, held, time) !== held) continue;
      Atomics.compareExchange(words, at + 1, n, n + 1n);
      return this.#verdict(place, n + 1n, nowUs, limit, true);
    }
  }

  /** The admissions of a subject that are still known, oldest first. */
  timesOf(subject: string): bigint[] {
    const place = this.#placeOf(subject, 0n);
    if (!place) return [];
    const n = Number(Atomics.load(this.#words, place.at + 1));
    const known = Math.min(n, RING);
    return Array.from({ length: known }, (_, i) =>
      Atomics.load(this.#words, place.at + HEAD + ((n - known + i) % RING)),
    );
  }

  /** What is left and when the next comes back, from the admissions that are still in the window. */
  #verdict(place: Place, n: bigint, nowUs: bigint, limit: number, admitted: boolean): Verdict {
    const words = this.#words;
    const oldest = nowUs - this.#windowUs;
    const floor = n > BigInt(RING) ? n - BigInt(RING) : 0n;
    let first = place.first > floor && place.first <= n ? place.first : floor;
    let time = 0n;
    while (first < n) {
      time = Atomics.load(words, place.at + HEAD + (Number(first) % RING));
      if (time > oldest) break;
      first++;
    }
    place.first = first;
    const used = Number(n - first);
    const resetMs = used === 0 ? 0 : Number(time + this.#windowUs - nowUs) / 1000;
    return { admitted, remaining: Math.max(0, limit - used), resetMs };
  }

  #placeOf(subject: string, nowUs: bigint): Place | null {
    const known = this.#places.get(subject);
    if (known && Atomics.load(this.#words, known.at) === known.name) return known;
    const name = BigInt.asIntN(64, Bun.hash(subject) as bigint) || 1n;
    const at = this.#find(name, nowUs);
    if (at < 0) return null;
    const place = { at, name, first: 0n };
    if (this.#places.size >= this.#subjects) this.#places = new Map();
    this.#places.set(subject, place);
    return place;
  }

  /** The ring of this name; else a free one near where its hash points; else one that has been idle for a window. */
  #find(name: bigint, nowUs: bigint): number {
    const words = this.#words;
    const start = Number(BigInt.asUintN(32, name)) % this.#subjects;
    const at = (probe: number) => ((start + probe) % this.#subjects) * STRIDE;
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const held = Atomics.compareExchange(words, at(probe), 0n, name);
      if (held === 0n || held === name) return at(probe);
    }
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const held = Atomics.load(words, at(probe));
      if (held === name) return at(probe);
      if (this.#isIdle(at(probe), nowUs) && Atomics.compareExchange(words, at(probe), held, name) === held)
        return at(probe);
    }
    return -1;
  }

  /** The old admissions stay: they are past the window, so that they count for nobody. */
  #isIdle(at: number, nowUs: bigint): boolean {
    const n = Atomics.load(this.#words, at + 1);
    const last = n === 0n ? 0n : Atomics.load(this.#words, at + HEAD + ((Number(n) - 1) % RING));
    return last + 2n * this.#windowUs <= nowUs;
  }
}
