// Unguessable addresses of public pages, and the pin a recipient gives to the courier.
import type { Random } from "../../../lib/random.ts";

export const makeToken = (random: Random): string =>
  Buffer.from(random.bytes(new Uint8Array(18))).toString("base64url");

export function makePin(random: Random): string {
  const [a, b] = random.bytes(new Uint8Array(2));
  return String(((a << 8) | b) % 10_000).padStart(4, "0");
}
