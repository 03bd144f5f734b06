// Standard Webhooks 1.0.0: proves that a webhook came from the service, whole and recently.
import { WebhookVerificationError } from "./errors.ts";
import type { EventData, EventType } from "./generated/types.ts";
import { webcrypto } from "./platform.ts";

export interface WebhookOptions {
  /** How far the timestamp may lie from now, either way; 300 seconds unless given. */
  toleranceSeconds?: number;
  /** Milliseconds since the epoch; now unless given. */
  now?: number;
}

/** What a webhook carries; `data` is known by `type`. */
export type WebhookEvent = {
  [T in EventType]: {
    id: string;
    type: T;
    created_at: string;
    mode: "live" | "test";
    tags: string[];
    data: EventData[T];
  };
}[EventType];

type GivenHeaders = Headers | Record<string, string | string[] | undefined>;

/** Verifies, then gives the event. `body` must be the very text or bytes that arrived, not parsed and printed again. */
export async function unwrapWebhook(
  body: string | Uint8Array,
  headers: GivenHeaders,
  secrets: string | string[],
  options?: WebhookOptions,
): Promise<WebhookEvent> {
  await verifyWebhook(body, headers, secrets, options);
  return JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body));
}

/** Throws WebhookVerificationError unless one signature fits one secret and the timestamp is near. */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: GivenHeaders,
  secrets: string | string[],
  options: WebhookOptions = {},
): Promise<void> {
  const keys = (Array.isArray(secrets) ? secrets : [secrets]).map(readKey);
  if (keys.length === 0) throw new TypeError("At least one webhook secret is needed.");
  const id = required(headers, "webhook-id");
  const timestamp = required(headers, "webhook-timestamp");
  const signatures = required(headers, "webhook-signature").split(" ");
  if (!/^\d{1,15}$/.test(timestamp)) throw new WebhookVerificationError("The timestamp is not in Unix seconds.");
  const age = (options.now ?? Date.now()) / 1000 - Number(timestamp);
  const tolerance = options.toleranceSeconds ?? 300;
  // Whole seconds: the timestamp has no finer ones.
  if (Math.floor(age) > tolerance) throw new WebhookVerificationError("The timestamp is too old.");
  if (Math.floor(age) < -tolerance) throw new WebhookVerificationError("The timestamp is too far ahead.");
  if (!(await anyFits(keys, signatures, joined(id, timestamp, body))))
    throw new WebhookVerificationError("No signature fits.");
}

/** The headers with which the service would send this body, for tests of your own receiver. The secret is a whsec_ one. */
export async function signWebhook(
  body: string | Uint8Array,
  secret: string,
  { id = "evt_test", timestamp = Math.floor(Date.now() / 1000) }: { id?: string; timestamp?: number } = {},
): Promise<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>> {
  const { version, bytes } = readKey(secret);
  if (version !== "v1") throw new TypeError("A public key cannot sign. Give the whsec_ secret.");
  const { subtle } = await webcrypto();
  const key = await subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const digest = new Uint8Array(await subtle.sign("HMAC", key, joined(id, String(timestamp), body)));
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `v1,${btoa(String.fromCharCode(...digest))}`,
  };
}

/** What is signed: id, timestamp and body, with dots between. */
function joined(id: string, timestamp: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const text = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(prefix.length + text.length);
  signed.set(prefix);
  signed.set(text, prefix.length);
  return signed;
}

interface Key {
  version: "v1" | "v1a";
  bytes: Uint8Array<ArrayBuffer>;
}

async function anyFits(keys: Key[], signatures: string[], signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const { subtle } = await webcrypto();
  for (const { version, bytes } of keys) {
    const algorithm = version === "v1" ? { name: "HMAC", hash: "SHA-256" } : { name: "Ed25519" };
    const key = await subtle.importKey("raw", bytes, algorithm, false, ["verify"]);
    for (const entry of signatures) {
      const comma = entry.indexOf(",");
      const signature = entry.slice(0, comma) === version ? decode(entry.slice(comma + 1)) : null;
      // WebCrypto compares in constant time.
      if (signature && (await subtle.verify(algorithm.name, key, signature, signed))) return true;
    }
  }
  return false;
}

/** The key is the decoded bytes after `whsec_` (or `whpk_` for a public key), never the text itself. */
function readKey(secret: string): Key {
  const isPublic = typeof secret === "string" && secret.startsWith("whpk_");
  const bytes = typeof secret === "string" ? decode(secret.replace(/^(whsec_|whpk_)/, "")) : null;
  if (!bytes || bytes.length === 0) throw new TypeError("A webhook secret is whsec_ followed by base64.");
  return { version: isPublic ? "v1a" : "v1", bytes };
}

function decode(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  } catch {
    return null;
  }
}

function required(headers: GivenHeaders, name: string): string {
  const given =
    typeof (headers as Headers).get === "function"
      ? (headers as Headers).get(name)
      : Object.entries(headers as Record<string, string | string[] | undefined>).find(
          ([key]) => key.toLowerCase() === name,
        )?.[1];
  const value = Array.isArray(given) ? given[0] : given;
  if (!value) throw new WebhookVerificationError(`The header ${name} is missing.`);
  return value;
}
