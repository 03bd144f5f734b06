// Proof of delivery: the pin with its five tries, the barcode, and pictures that are kept encrypted.
import { Failure, invalid } from "../../../contract/errors.ts";
import { formatTime, MINUTE_MS, parseTime } from "../../../lib/time.ts";
import type { Tx } from "../../../store/db.ts";
import type { Delivery, Proof } from "../contract/delivery.ts";
import type { ProofKind } from "../contract/states.ts";
import { MAX_PICTURE_BYTES, readPicture } from "../engine/picture.ts";
import type { DeliveryRow } from "../store/index.ts";
import { pictureUrl } from "../view.ts";
import type { RouteDeps } from "./deps.ts";

export interface CheckedProof {
  kinds: ProofKind[];
  given: NonNullable<Delivery["proof"]["given"]>;
}

/** An older position of the courier proves nothing about the door. */
const FRESH_MS = 10 * MINUTE_MS;

/** A wrong pin of a courier counts; the caller commits the count, then refuses. */
export async function failPin(deps: RouteDeps, tx: Tx, row: DeliveryRow, now: number): Promise<Failure> {
  const { proof } = row.view;
  const left = Math.max(0, (proof.pin_tries_left ?? 0) - 1);
  proof.pin_tries_left = left;
  await deps.store.save(tx, row);
  await deps.lifecycle.emit(tx, row, "pin_failed", now);
  const hint =
    left > 0 ? `Ask the recipient for the pin; ${left} tries are left.` : "Ask the sender to close it with the API.";
  return new Failure("wrong_state", "The pin is wrong.", { hint, extra: { pin_tries_left: left } });
}

export const isPinWrong = ({ view }: DeliveryRow, proof: Proof | undefined): boolean =>
  view.proof.pin !== null && proof?.pin !== undefined && proof.pin !== view.proof.pin;

/** After the last try even the right pin is refused from the courier's side. */
export function refuseSpentPin({ view }: DeliveryRow): void {
  if (view.proof.pin === null || view.proof.pin_tries_left !== 0) return;
  throw new Failure("wrong_state", "The pin was wrong five times.", {
    hint: "Ask the sender to close it with the API.",
    extra: { pin_tries_left: 0 },
  });
}

/** Checks what was sent and stores its pictures, in the transaction of the move. */
export async function takeProof(
  deps: RouteDeps,
  tx: Tx,
  row: DeliveryRow,
  proof: Proof,
  now: number,
): Promise<CheckedProof> {
  const { photo, signature_image, ...rest } = proof;
  const kinds: ProofKind[] = [];
  const given: CheckedProof["given"] = { ...rest, ...positionOf(row, now), at: formatTime(now) };
  if (photo) {
    given.photo_sha256 = await keepPicture(deps, tx, row, "photo", photo, now);
    given.photo_url = pictureUrl(deps.platform.publicUrl(), row.id, "photo");
  }
  if (signature_image) {
    await keepPicture(deps, tx, row, "signature", signature_image, now);
    given.signature_url = pictureUrl(deps.platform.publicUrl(), row.id, "signature");
  }
  if (given.photo_sha256) kinds.push("photo");
  if (proof.signature || signature_image) kinds.push("signature");
  if (proof.pin !== undefined && proof.pin === row.view.proof.pin) kinds.push("pin");
  if (proof.barcode !== undefined) {
    checkBarcode(row, proof.barcode);
    kinds.push("barcode");
  }
  return { kinds, given };
}

async function keepPicture(
  deps: RouteDeps,
  tx: Tx,
  row: DeliveryRow,
  kind: "photo" | "signature",
  base64: string,
  now: number,
): Promise<string> {
  const picture = readPicture(Buffer.from(base64, "base64"));
  const member = kind === "photo" ? "photo" : "signature_image";
  if (!picture)
    throw invalid(
      `/proof/${member}`,
      `proof.${member} is not a PNG, JPEG or WebP picture of at most ${MAX_PICTURE_BYTES / 1e6} MB`,
      "Send a whole picture in base64, scaled down to about 1600 pixels",
    );
  await deps.store.pictures.insert(tx, row.tenantId, row.id, { kind, ...picture }, now);
  return picture.sha256;
}

function checkBarcode({ view }: DeliveryRow, barcode: string): void {
  const known = view.items.flatMap((item) => item.barcode ?? []);
  if (known.length === 0 || known.includes(barcode)) return;
  throw new Failure("wrong_state", "The barcode belongs to none of the items.", {
    hint: "Scan the label of the parcel.",
  });
}

function positionOf({ view }: DeliveryRow, now: number): { lat?: number; lon?: number } {
  const at = view.courier?.position;
  return at && now - parseTime(at.at)! <= FRESH_MS ? { lat: at.lat, lon: at.lon } : {};
}
