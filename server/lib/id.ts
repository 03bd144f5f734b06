// Ids: a prefix and a time-ordered random part (48 bits of milliseconds, 80 random bits, Crockford base 32).
import type { Clock } from "./clock.ts";
import type { Random } from "./random.ts";

export type MakeId = (prefix: string) => string;

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const pairs = Array.from({ length: 1024 }, (_, n) => ALPHABET[n >> 5] + ALPHABET[n & 31]);
const LOW_END = 2 ** 30;

/** Ids made by one maker sort in the order they were made, even within a millisecond. */
export function createIdMaker(clock: Clock, random: Random): MakeId {
  const noise = new Uint8Array(10);
  const digits = new Uint8Array(16);
  let lastMs = -1;
  /** Time and the ten digits that seldom change within a millisecond; the six that do are kept as a number. */
  let head = "";
  let low = 0;
  const setHead = () => {
    head = timeDigits(lastMs);
    for (let i = 0; i < 10; i++) head += ALPHABET[digits[i]];
  };
  return (prefix) => {
    const ms = Math.max(clock.now(), lastMs);
    if (ms !== lastMs) {
      lastMs = ms;
      random.bytes(noise);
      // The top bit stays clear so that counting up within the millisecond cannot overflow.
      noise[0] &= 0x7f;
      spread(noise, digits);
      low = 0;
      for (let i = 10; i < 16; i++) low = low * 32 + digits[i];
      setHead();
    } else {
      // A random step of 1 to 2^25, so that a neighbour's id still cannot be guessed.
      low += 1 + Math.floor(random.unit() * 2 ** 25);
      if (low >= LOW_END) {
        low -= LOW_END;
        countUp(digits);
        setHead();
      }
    }
    return `${prefix}_${head}${pairs[low >>> 20]}${pairs[(low >>> 10) & 1023]}${pairs[low & 1023]}`;
  };
}

export const idPattern = (prefix: string) => `^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`;

function timeDigits(ms: number): string {
  let text = "";
  for (let i = 0; i < 10; i++) {
    text = ALPHABET[ms % 32] + text;
    ms = Math.floor(ms / 32);
  }
  return text;
}

function spread(bytes: Uint8Array, digits: Uint8Array): void {
  let buffer = 0;
  let bits = 0;
  let at = 0;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      digits[at++] = (buffer >> bits) & 31;
    }
    buffer &= (1 << bits) - 1;
  }
}

/** Adds one to the digits before the last six. */
function countUp(digits: Uint8Array): void {
  for (let i = 9; i >= 0; i--) {
    digits[i] = (digits[i] + 1) & 31;
    if (digits[i] > 0) return;
  }
}
