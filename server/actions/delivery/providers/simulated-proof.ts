// The proof a simulated courier brings: the right pin, a signature, the barcode, and a small drawn picture.
import { createHash } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import { formatTime } from "../../../lib/time.ts";
import type { Delivery } from "../contract/delivery.ts";
import type { Picture } from "../store/index.ts";

type Given = NonNullable<Delivery["proof"]["given"]>;

export interface SimulatedProof {
  given: Given;
  photo: Picture | null;
}

const WIDTH = 160;
const HEIGHT = 120;

/** Null when none was asked for. */
export function simulatedProof(view: Delivery, pictureUrl: string, atMs: number): SimulatedProof | null {
  const { required, pin } = view.proof;
  if (required.length === 0) return null;
  const given: Given = { at: formatTime(atMs), note: "Simulated" };
  if (pin && required.includes("pin")) given.pin = pin;
  if (required.includes("signature")) given.signature = view.dropoff.contact?.name ?? "Simulated recipient";
  if (required.includes("barcode")) given.barcode = view.items.find((item) => item.barcode)?.barcode ?? "SIMULATED";
  if (!required.includes("photo")) return { given, photo: null };
  const bytes = drawParcel();
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  Object.assign(given, { photo_sha256: sha256, photo_url: pictureUrl });
  return { given, photo: { kind: "photo", mediaType: "image/png", sha256, bytes } };
}

/** A parcel on a doormat, as a PNG. */
function drawParcel(): Uint8Array {
  const rows = Buffer.alloc((WIDTH * 3 + 1) * HEIGHT);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) rows.set(colourAt(x, y), y * (WIDTH * 3 + 1) + 1 + x * 3);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function colourAt(x: number, y: number): [number, number, number] {
  const parcel = x >= 50 && x < 112 && y >= 40 && y < 88;
  if (parcel) return x >= 78 && x < 84 ? [150, 105, 60] : [201, 160, 109];
  return y >= 78 ? [96, 96, 104] : [214, 224, 232];
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  const frame = Buffer.alloc(4);
  frame.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([frame, body, check]);
}
