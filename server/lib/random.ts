// The only source of randomness. Secrets come from the operating system; a test passes a seeded source instead.
import { randomFillSync } from "node:crypto";

export interface Random {
  /** Fills the array with random bytes and returns it. */
  bytes(into: Uint8Array): Uint8Array;
  /** A number in [0, 1). */
  unit(): number;
}

const pool = new Uint8Array(8192);
let used = pool.length;

export const systemRandom: Random = {
  bytes(into) {
    if (into.length > 256) return randomFillSync(into);
    if (used + into.length > pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    into.set(pool.subarray(used, used + into.length));
    pool.fill(0, used, used + into.length);
    used += into.length;
    return into;
  },
  unit: () => Math.random(),
};

/** xoshiro128**: the same seed gives the same sequence on every machine. Never for secrets. */
export function seededRandom(seed: number | string): Random {
  let mix = typeof seed === "number" ? seed >>> 0 : hashText(seed);
  const next32 = () => {
    mix = (mix + 0x9e3779b9) >>> 0;
    let z = mix;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return (z ^ (z >>> 16)) >>> 0;
  };
  let a = next32();
  let b = next32();
  let c = next32();
  let d = next32();
  const roll = () => {
    const r = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const t = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= t;
    d = rotate(d, 11);
    return r;
  };
  return {
    bytes(into) {
      for (let i = 0; i < into.length; i++) into[i] = roll() >>> 24;
      return into;
    },
    unit: () => (roll() * 2 ** 21 + (roll() >>> 11)) / 2 ** 53,
  };
}

function rotate(x: number, k: number): number {
  return (x << k) | (x >>> (32 - k));
}

function hashText(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}
