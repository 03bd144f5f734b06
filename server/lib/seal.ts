// Keeps recoverable secrets unreadable at rest: AES-256-GCM with a named key and bound to the row it belongs to.
import { createCipheriv, createDecipheriv } from "node:crypto";
import type { Random } from "./random.ts";

/** Names to 32-byte keys. `current` seals; every listed key opens, so keys can be changed without a stop. */
export interface SealKeys {
  current: string;
  keys: Record<string, Uint8Array>;
}

export interface Seal {
  /** `context` names the owner (an endpoint's id): a sealed text copied to another row does not open there. */
  seal(plain: string, context: string): string;
  open(sealed: string, context: string): string;
  /** Whether a newer key should seal this again. */
  isStale(sealed: string): boolean;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KID = /^[A-Za-z0-9_-]{1,32}$/;

export class SealError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SealError";
  }
}

export function createSeal({ current, keys }: SealKeys, random: Random): Seal {
  for (const [kid, key] of Object.entries(keys)) {
    if (!KID.test(kid) || key.length !== 32) throw new SealError(`Key "${kid}" must have a plain name and 32 bytes.`);
  }
  if (!keys[current]) throw new SealError(`The current key "${current}" is not among the keys.`);
  const bound = (kid: string, context: string) => Buffer.from(`s1.${kid}.${context}`);

  return {
    seal(plain, context) {
      const nonce = random.bytes(new Uint8Array(NONCE_BYTES));
      const cipher = createCipheriv("aes-256-gcm", keys[current], nonce).setAAD(bound(current, context));
      const body = Buffer.concat([nonce, cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return `s1.${current}.${body.toString("base64url")}`;
    },
    open(sealed, context) {
      const [version, kid, text, rest] = sealed.split(".");
      const body = Buffer.from(text ?? "", "base64url");
      if (version !== "s1" || rest !== undefined || body.length < NONCE_BYTES + TAG_BYTES) {
        throw new SealError("This is not a sealed secret.");
      }
      if (!Object.hasOwn(keys, kid)) throw new SealError(`The sealing key "${kid}" is not configured.`);
      const decipher = createDecipheriv("aes-256-gcm", keys[kid], body.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(bound(kid, context)).setAuthTag(body.subarray(-TAG_BYTES));
      try {
        return decipher.update(body.subarray(NONCE_BYTES, -TAG_BYTES)).toString("utf8") + decipher.final("utf8");
      } catch {
        throw new SealError("The sealed secret was changed, moved or sealed with another key.");
      }
    },
    isStale: (sealed) => sealed.split(".")[1] !== current,
  };
}
