// What an image says of itself: C2PA manifests, IPTC source types, the settings generators leave behind. Pixels are not judged.
import type { Provenance } from "../../contract/shapes.ts";
import { type Container, MediaError, Reader } from "./bytes.ts";
import { readExif } from "./exif.ts";
import { readJpeg } from "./jpeg.ts";
import { type Manifest, readManifests } from "./jumbf.ts";
import { readPng } from "./png.ts";
import { signerOf } from "./signer.ts";
import { readWebp } from "./webp.ts";

export type Claim = Provenance["claims"][number];
/** What checking the manifest's signature and hashes gave; null when it could not be checked. */
export type Checked = boolean | null;

export function readContainer(bytes: Uint8Array): Container {
  const r = new Reader(bytes);
  if (r.has(0, "\x89PNG\r\n\x1a\n")) return readPng(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return readJpeg(bytes);
  if (r.has(0, "RIFF") && r.has(8, "WEBP")) return readWebp(bytes);
  throw new MediaError("This is not a PNG, JPEG or WebP file");
}

export function claimsOf(container: Container, checked: Checked): Claim[] {
  const claims: Claim[] = [];
  if (container.jumbf) claims.push(...manifestClaims(readManifests(container.jumbf), checked));
  if (container.xmp) claims.push(...xmpClaims(container.xmp));
  const exif = container.exif ? readExif(container.exif) : {};
  for (const [key, value] of [...container.texts, ...Object.entries(exif)]) {
    const detail = generatorSettings(key, value);
    if (detail) claims.push(plain("generator_parameters", "ai_generated", detail));
  }
  const software = exif.Software ?? container.texts.find(([key]) => key === "Software")?.[1];
  if (software && GENERATORS.test(software))
    claims.push(plain("software", "ai_generated", `Software: ${short(software)}`));
  return claims;
}

/** Metadata that nobody signed. */
function plain(kind: Claim["kind"], says: Claim["says"], detail: string): Claim {
  return { kind, says, trust: "unverified", detail, signer: null };
}

const GENERATORS =
  /\b(?:stable diffusion|midjourney|dall[-·.]?e|novelai|invokeai|comfyui|adobe firefly|imagen|flux\.1|ideogram|fooocus|draw things|leonardo\.ai)\b/i;

/** IPTC NewsCodes. A composite holds a part made by a trained model. */
function meaningOf(source: string): Claim["says"] | null {
  const code = source.slice(source.lastIndexOf("/") + 1);
  if (code === "trainedAlgorithmicMedia") return "ai_generated";
  if (code === "compositeWithTrainedAlgorithmicMedia" || code === "compositeSynthetic") return "ai_edited";
  if (
    code === "digitalCapture" ||
    code === "negativeFilm" ||
    code === "positiveFilm" ||
    code === "computationalCapture"
  )
    return "captured";
  return null;
}

function manifestClaims(manifests: Manifest[], checked: Checked): Claim[] {
  const active = manifests.at(-1);
  if (!active) return [];
  const { says, detail } = readingOf(active, manifests.slice(0, -1));
  const by = active.generator ? ` by ${short(active.generator)}` : "";
  const trust = checked === null ? "unverified" : checked ? "signature_valid" : "signature_invalid";
  return [{ kind: "c2pa", says, trust, detail: `C2PA manifest${by}: ${detail}`, signer: signerOf(active.signature) }];
}

function readingOf(active: Manifest, ingredients: Manifest[]): Pick<Claim, "says" | "detail"> {
  const meanings = active.actions.map((a) => ({ ...a, says: a.source ? meaningOf(a.source) : null }));
  const made =
    meanings.find((m) => m.says === "ai_generated") ??
    meanings.find((m) => m.says === "ai_edited") ??
    meanings.find((m) => m.says);
  if (made) {
    const agent = made.agent ? ` with ${short(made.agent)}` : "";
    return { says: made.says!, detail: `${made.action}${agent}, ${made.source!.split("/").at(-1)}` };
  }
  const isModel = (m: Manifest) => m.actions.some((a) => a.source && meaningOf(a.source) === "ai_generated");
  if (ingredients.some(isModel)) return { says: "ai_edited", detail: "an ingredient was made by a trained model" };
  const edited = active.actions.some((a) => a.action !== "c2pa.created" && a.action !== "c2pa.published");
  const actions = active.actions.map((a) => a.action).slice(0, 6);
  return { says: edited ? "edited" : "unknown", detail: actions.join(", ") || "no actions" };
}

function xmpClaims(xmp: string): Claim[] {
  const found =
    /DigitalSourceType(?:\s*=\s*["']|>\s*(?:<rdf:[^>]*>\s*)*)(https?:\/\/cv\.iptc\.org\/newscodes\/digitalsourcetype\/\w+)/i.exec(
      xmp.slice(0, 1 << 20),
    );
  const says = found ? meaningOf(found[1]) : null;
  return says ? [plain("iptc_digital_source_type", says, `XMP DigitalSourceType ${found![1].split("/").at(-1)}`)] : [];
}

/** The settings a generator writes beside its picture; the key alone proves nothing ("parameters" occurs in ordinary files). */
function generatorSettings(key: string, value: string): string | null {
  const start = value.slice(0, 200_000);
  if (/\bSteps: \d+, (?:Sampler|Schedule|CFG scale|Seed)/.test(start))
    return `${key}: Stable Diffusion settings (${short(/Steps: .*/.exec(start)![0])})`;
  const json = start.replace(/^(?:workflow|prompt):/i, "").trimStart();
  if (json.startsWith("{") || json.startsWith("[")) {
    if (/"class_type"\s*:|"last_node_id"\s*:/.test(json)) return `${key}: a ComfyUI workflow`;
    if (/^(?:invokeai_metadata|sd-metadata|invokeai_graph)$/.test(key)) return `${key}: InvokeAI settings`;
    if (key === "Comment" && /"(?:sampler|noise_schedule|uc)"\s*:/.test(json) && /"steps"\s*:/.test(json))
      return `${key}: NovelAI settings`;
    if (/"sui_image_params"\s*:/.test(json)) return `${key}: SwarmUI settings`;
    if (/"(?:full_)?negative_prompt"\s*:/i.test(json) && /"(?:steps|sampler|seed)"\s*:/i.test(json))
      return `${key}: settings of an image generator`;
  }
  if (key === "Dream" && /-s ?\d+/.test(start)) return `${key}: InvokeAI settings`;
  return null;
}

function short(text: string): string {
  return text.replace(/\s+/g, " ").slice(0, 120);
}
