// Opaque page cursors, signed so that a client can neither read meaning into them nor carry one to another list.
import { createHmac, timingSafeEqual } from "node:crypto";

export interface Cursors {
  /** `list` names what the cursor pages through, filters included. */
  encode(list: string, position: string): string;
  /** The position, or null when the cursor was not made for this list. */
  decode(list: string, cursor: string): string | null;
}

export function createCursors(secret: string): Cursors {
  const sign = (list: string, position: string) =>
    createHmac("sha256", secret).update(`cursor\0${list}\0${position}`).digest().subarray(0, 12);
  return {
    encode(list, position) {
      return Buffer.concat([sign(list, position), Buffer.from(position)]).toString("base64url");
    },
    decode(list, cursor) {
      const bytes = Buffer.from(cursor, "base64url");
      if (bytes.length < 13 || bytes.toString("base64url") !== cursor) return null;
      const position = bytes.subarray(12).toString();
      return timingSafeEqual(bytes.subarray(0, 12), sign(list, position)) ? position : null;
    },
  };
}
