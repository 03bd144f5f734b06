// Proof on a phone: a photograph from the camera, a signature drawn with a finger, a barcode, a pin.
import { element } from "./dom.ts";
import type { Entry } from "./outbox.ts";

export interface ProofFields {
  node: HTMLElement;
  /** Called whenever something was entered. */
  onChange(): void;
  isComplete(): boolean;
  /** What was given, or null while something is missing. */
  read(): Promise<Pick<Entry, "proof" | "photo" | "signatureImage"> | null>;
}

const MAX_PIXELS = 1600;
const QUALITY = 0.8;

export function proofFields(required: string[]): ProofFields {
  let photo: Promise<Blob> | null = null;
  const onChange = () => fields.onChange();
  const pad = required.includes("signature") ? signaturePad(onChange) : null;
  const pin = element("input", { inputMode: "numeric", maxLength: 4, autocomplete: "off", oninput: onChange });
  const barcode = element("input", { maxLength: 100, autocomplete: "off", oninput: onChange });
  const preview = element("img", { alt: "", hidden: true, className: "preview" });
  const node = element("div", { className: "proof" });
  if (required.includes("photo")) {
    const camera = element("input", { type: "file", accept: "image/*", className: "camera" });
    camera.setAttribute("capture", "environment");
    camera.onchange = () => {
      const file = camera.files?.[0];
      if (!file) return;
      photo = shrink(file);
      preview.src = URL.createObjectURL(file);
      preview.hidden = false;
      onChange();
    };
    node.append(element("label", { className: "button" }, "Take a photo", camera), preview);
  }
  if (pad) node.append(pad.node);
  if (required.includes("pin")) node.append(element("label", {}, "Pin of the recipient", pin));
  if (required.includes("barcode"))
    node.append(element("label", {}, "Barcode", barcode), ...scanner((text) => setText(barcode, text)));
  const isComplete = () =>
    (!required.includes("photo") || photo !== null) &&
    (!pad || pad.isSigned()) &&
    (!required.includes("pin") || /^\d{4}$/.test(pin.value)) &&
    (!required.includes("barcode") || barcode.value.trim() !== "");
  const fields: ProofFields = {
    node,
    onChange() {},
    isComplete,
    async read() {
      if (!isComplete()) return null;
      return {
        proof: {
          ...(pin.value ? { pin: pin.value } : {}),
          ...(barcode.value.trim() ? { barcode: barcode.value.trim() } : {}),
          ...(pad?.name() ? { signature: pad.name() } : {}),
        },
        ...(photo ? { photo: await photo } : {}),
        ...(pad ? { signatureImage: await pad.image() } : {}),
      };
    },
  };
  return fields;
}

function setText(input: HTMLInputElement, text: string): void {
  input.value = text;
  input.dispatchEvent(new Event("input"));
}

/** A phone's photograph is ten times larger than anybody will look at. */
async function shrink(file: Blob): Promise<Blob> {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, MAX_PIXELS / Math.max(picture.width, picture.height));
  const canvas = element("canvas", { width: picture.width * scale, height: picture.height * scale });
  canvas.getContext("2d")!.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return blobOf(canvas, "image/jpeg");
}

const blobOf = (canvas: HTMLCanvasElement, type: string): Promise<Blob> =>
  new Promise((done, fail) => canvas.toBlob((b) => (b ? done(b) : fail(new Error("no picture"))), type, QUALITY));

function signaturePad(onChange: () => void) {
  const canvas = element("canvas", { width: 600, height: 220, className: "pad" });
  const name = element("input", { maxLength: 100, placeholder: "Name", autocomplete: "off" });
  const pen = canvas.getContext("2d")!;
  Object.assign(pen, { lineWidth: 4, lineCap: "round", strokeStyle: "#111" });
  let points = 0;
  const at = (event: PointerEvent): [number, number] => {
    const box = canvas.getBoundingClientRect();
    const scale = canvas.width / box.width;
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  };
  canvas.onpointerdown = (event) => {
    canvas.setPointerCapture(event.pointerId);
    pen.beginPath();
    pen.moveTo(...at(event));
  };
  canvas.onpointermove = (event) => {
    if (!canvas.hasPointerCapture(event.pointerId)) return;
    pen.lineTo(...at(event));
    pen.stroke();
    points++;
    onChange();
  };
  const clear = element("button", { type: "button", onclick: erase }, "Clear");
  function erase(): void {
    pen.clearRect(0, 0, canvas.width, canvas.height);
    points = 0;
    onChange();
  }
  return {
    node: element("div", {}, element("label", {}, "Signature", canvas), name, clear),
    isSigned: () => points > 3,
    name: () => name.value.trim() || undefined,
    image: () => blobOf(canvas, "image/png"),
  };
}

/** Browsers that can read barcodes scan one from a photograph; elsewhere it is typed. */
function scanner(onFound: (text: string) => void): HTMLElement[] {
  const Detector = (globalThis as any).BarcodeDetector;
  if (!Detector) return [];
  const camera = element("input", { type: "file", accept: "image/*", className: "camera" });
  camera.setAttribute("capture", "environment");
  camera.onchange = async () => {
    const file = camera.files?.[0];
    const [found] = file ? await new Detector().detect(await createImageBitmap(file)) : [];
    if (found) onFound(found.rawValue);
  };
  return [element("label", { className: "button" }, "Scan", camera)];
}
