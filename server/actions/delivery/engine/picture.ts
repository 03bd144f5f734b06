// A picture that proves a delivery: what it is by its first bytes, never by what the sender calls it. Pure.
import { createHash } from "node:crypto";

export interface ReadPicture {
  mediaType: "image/jpeg" | "image/png" | "image/webp";
  sha256: string;
  bytes: Uint8Array;
}

export const MAX_PICTURE_BYTES = 2_000_000;

/** Null when it is too large, or neither JPEG nor PNG nor WebP. */
export function readPicture(bytes: Uint8Array): ReadPicture | null {
  const mediaType = mediaTypeOf(bytes);
  if (!mediaType || bytes.length > MAX_PICTURE_BYTES) return null;
  return { mediaType, sha256: createHash("sha256").update(bytes).digest("hex"), bytes };
}

function mediaTypeOf(bytes: Uint8Array): ReadPicture["mediaType"] | null {
  const head = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("RIFF") && head.endsWith("WEBP")) return "image/webp";
  return null;
}
