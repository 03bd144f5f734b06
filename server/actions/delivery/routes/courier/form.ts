// The forms of the courier's page, for phones without scripts: fields as text, a photograph as a file.
import { Failure } from "../../../../contract/errors.ts";
import type { Proof } from "../../contract/delivery.ts";
import type { CourierMove } from "./moves.ts";

const MAX_FIELD = 500;
const LIMITS = { pin: 4, signature: 100, barcode: 100, note: 500 } as const;

export async function readCourierForm({ contentType, bytes }: FormBody): Promise<CourierMove> {
  const form = await readForm(contentType, bytes);
  const text = (name: string): string | undefined => {
    const value = form.get(name);
    if (typeof value !== "string" || value.trim() === "") return undefined;
    if (/\p{Cc}/u.test(value) || !value.isWellFormed()) throw unreadable(name);
    return value.trim().slice(0, MAX_FIELD);
  };
  const position = { lat: numberOf(text("lat"), 90), lon: numberOf(text("lon"), 180) };
  return {
    action: text("do") ?? "",
    delivery: text("delivery"),
    ...(position.lat !== undefined && position.lon !== undefined ? position : {}),
    reason: text("reason")?.slice(0, 200),
    proof: await proofOf(form, text),
  };
}

interface FormBody {
  /** With its parameters: the boundary of a multipart form is one. */
  contentType: string;
  bytes: Uint8Array;
}

/** A form has a dozen fields; megabytes of empty ones would hold everybody for as long as they are read. */
const MAX_TEXT_BYTES = 65_536;
const MAX_PARTS = 32;

async function readForm(contentType: string, bytes: Uint8Array): Promise<FormData | URLSearchParams> {
  if (!contentType.startsWith("multipart/")) {
    if (bytes.length > MAX_TEXT_BYTES) throw tooLarge();
    return new URLSearchParams(new TextDecoder().decode(bytes));
  }
  if (countParts(bytes) > MAX_PARTS) throw tooLarge();
  try {
    return (await new Response(bytes as BodyInit, { headers: { "Content-Type": contentType } }).formData()) as FormData;
  } catch {
    throw new Failure("wrong_state", "The form could not be read. Please send it again.");
  }
}

const tooLarge = (): Failure => new Failure("wrong_state", "The form holds more than a form of this page.");

/** Every part has one of these lines; counting ends where there are too many. */
function countParts(bytes: Uint8Array): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let count = 0;
  for (let at = buffer.indexOf("\n--"); at >= 0 && count <= MAX_PARTS; at = buffer.indexOf("\n--", at + 3)) count += 1;
  return count;
}

const unreadable = (name: string): Failure =>
  new Failure("wrong_state", `${name} holds characters that cannot be read.`);

function numberOf(text: string | undefined, limit: number): number | undefined {
  const value = text === undefined ? Number.NaN : Number(text);
  return Math.abs(value) <= limit ? value : undefined;
}

async function proofOf(
  form: FormData | URLSearchParams,
  text: (name: string) => string | undefined,
): Promise<Proof | undefined> {
  const proof: Proof = {};
  for (const [name, limit] of Object.entries(LIMITS) as [keyof typeof LIMITS, number][]) {
    const value = text(name)?.slice(0, limit);
    if (value) proof[name] = value;
  }
  if (proof.pin && !/^\d{4}$/.test(proof.pin)) proof.pin = "none";
  const photo: unknown = form.get("photo");
  if (photo instanceof Blob && photo.size > 0) proof.photo = Buffer.from(await photo.arrayBuffer()).toString("base64");
  return Object.keys(proof).length > 0 ? proof : undefined;
}
