// API keys: `acn_<mode>_` + 30 random base-62 characters + 6 base-62 characters of CRC-32 over all that precedes.
// A mistyped or invented key fails its checksum and is refused without a look-up.
import { createHmac } from "node:crypto";
import type { Random } from "./random.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SHAPE = /^acn_(live|test)_[0-9A-Za-z]{36}$/;

export function makeKey(mode: "live" | "test", random: Random): string {
  let body = `acn_${mode}_`;
  const end = body.length + 30;
  const bytes = new Uint8Array(32);
  while (body.length < end) {
    for (const byte of random.bytes(bytes)) {
      // 248 is the largest multiple of 62 in a byte; the rest would favour the first characters.
      if (byte < 248 && body.length < end) body += ALPHABET[byte % 62];
    }
  }
  return body + checksum(body);
}

export function isKey(text: string): boolean {
  return SHAPE.test(text) && checksum(text.slice(0, -6)) === text.slice(-6);
}

/** What is stored instead of the key. */
export function hashKey(pepper: string, key: string): string {
  return createHmac("sha256", pepper).update(key).digest("hex");
}

function checksum(text: string): string {
  let rest = Bun.hash.crc32(text);
  let digits = "";
  for (let i = 0; i < 6; i++) {
    digits = ALPHABET[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
