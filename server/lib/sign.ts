// Standard Webhooks 1.0.0: makes and checks signatures. Knows nothing of endpoints, schedules or storage.
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  sign as signBytes,
  timingSafeEqual,
  verify as verifyBytes,
} from "node:crypto";
import type { Random } from "./random.ts";

const TOLERANCE_SECONDS = 300;
const SECRET_BYTES = 32;
// DER wrappers around a bare ed25519 seed and public key.
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");
const SPKI = Buffer.from("302a300506032b6570032100", "hex");

export function newSecret(random: Random): string {
  return `whsec_${Buffer.from(random.bytes(new Uint8Array(SECRET_BYTES))).toString("base64")}`;
}

/** The HMAC key is the decoded bytes after `whsec_`, never the text itself. */
export function secretBytes(secret: string): Buffer {
  const text = typeof secret === "string" ? secret.replace(/^whsec_/, "") : "";
  const key = Buffer.from(text, "base64");
  if (key.length === 0) throw new TypeError("A webhook secret is whsec_ followed by base64.");
  return key;
}

export interface Message {
  id: string;
  /** Unix seconds of the attempt. */
  timestamp: number;
  body: string;
}

/** One `v1,…` per secret (two while a secret is rolled), or `v1a,…` for a `whsk_` key; separated by spaces. */
function signatureHeader(secrets: string[], message: Message): string {
  return secrets.map((secret) => signOne(secret, message)).join(" ");
}

export function signOne(secret: string, { id, timestamp, body }: Message): string {
  if (id.includes(".")) throw new TypeError("A message id must not contain a full stop.");
  const text = `${id}.${timestamp}.${body}`;
  if (secret?.startsWith?.("whsk_"))
    return `v1a,${signBytes(null, Buffer.from(text), privateKey(secret)).toString("base64")}`;
  return `v1,${createHmac("sha256", secretBytes(secret)).update(text).digest("base64")}`;
}

export function webhookHeaders(secrets: string[], message: Message): Record<string, string> {
  return {
    "webhook-id": message.id,
    "webhook-timestamp": String(message.timestamp),
    "webhook-signature": signatureHeader(secrets, message),
  };
}

export interface Received {
  id: string | null | undefined;
  timestamp: string | null | undefined;
  signature: string | null | undefined;
  body: string;
}

/** True when one signature is good for one of the secrets (or `whpk_` keys) and the time is within five minutes. */
export function verify(secrets: string[], received: Received, nowSeconds: number): boolean {
  const { id, timestamp, signature, body } = received;
  if (!id || !timestamp || !signature || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(nowSeconds - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const text = `${id}.${timestamp}.${body}`;
  const given = signature.split(" ");
  let good = false;
  for (const secret of secrets) {
    for (const one of given) good = matches(secret, one, text) || good;
  }
  return good;
}

function matches(secret: string, given: string, text: string): boolean {
  const comma = given.indexOf(",");
  const version = given.slice(0, comma);
  const bytes = Buffer.from(given.slice(comma + 1), "base64");
  if (secret.startsWith("whpk_")) {
    return version === "v1a" && bytes.length === 64 && verifyBytes(null, Buffer.from(text), publicKey(secret), bytes);
  }
  if (version !== "v1") return false;
  const right = createHmac("sha256", secretBytes(secret)).update(text).digest();
  return bytes.length === right.length && timingSafeEqual(bytes, right);
}

function privateKey(secret: string) {
  const seed = Buffer.from(secret.slice(5), "base64").subarray(0, 32);
  return createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: "der", type: "pkcs8" });
}

function publicKey(text: string) {
  return createPublicKey({
    key: Buffer.concat([SPKI, Buffer.from(text.slice(5), "base64")]),
    format: "der",
    type: "spki",
  });
}
