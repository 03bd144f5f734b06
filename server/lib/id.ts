// Ids: a prefix and a time-ordered random part (48 bits of milliseconds, 80 random bits, Crockford base 32).
import type { Clock } from "./clock.ts";
import type { Random } from "./random.ts";

export type MakeId = (prefix: string) => string;

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Ids made by one maker sort in the order they were made, even within a millisecond. */
export function createIdMaker(clock: Clock, random: Random): MakeId {
  const noise = new Uint8Array(10);
  const digits = new Uint8Array(16);
  let lastMs = -1;
  let head = "";
  return (prefix) => {
    const ms = Math.max(clock.now(), lastMs);
    if (ms !== lastMs) {
      lastMs = ms;
      head = timeDigits(ms);
      random.bytes(noise);
      // The top bit stays clear so that counting up within the millisecond cannot overflow.
      noise[0] &= 0x7f;
      spread(noise, digits);
    } else {
      countUp(digits, random);
    }
    let tail = "";
    for (let i = 0; i < 16; i++) tail += alphabet[digits[i]];
    return `${prefix}_${head}${tail}`;
  };
}

export const idPattern = (prefix: string) => `^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`;

function timeDigits(ms: number): string {
  let text = "";
  for (let i = 0; i < 10; i++) {
    text = alphabet[ms % 32] + text;
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

/** Adds a random step of 1 to 2^25 so that a neighbour's id still cannot be guessed. */
function countUp(digits: Uint8Array, random: Random): void {
  let carry = 1 + Math.floor(random.unit() * 2 ** 25);
  for (let i = 15; i >= 0 && carry > 0; i--) {
    const sum = digits[i] + carry;
    digits[i] = sum & 31;
    carry = Math.floor(sum / 32);
  }
}
