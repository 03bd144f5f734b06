// Checks a C2PA manifest's signature and hashes with c2pa-ts. A file that library cannot parse counts as unchecked, never as
// genuine; the signer's identity (its chain of trust) is not judged.
import type { Asset } from "@trustnxt/c2pa-ts/asset";
import type { Container } from "../engine/images/bytes.ts";
import { readManifests } from "../engine/images/jumbf.ts";
import type { Checked } from "../engine/images/provenance.ts";

const MAX_BYTES = 12 * 1024 * 1024;

export async function checkManifest(file: Uint8Array, container: Container): Promise<Checked> {
  if (file.length > MAX_BYTES || !container.jumbf) return null;
  // Ours is bounded in depth and count, theirs is not: what ours refuses never gets there.
  readManifests(container.jumbf);
  try {
    const [{ JPEG, PNG }, { SuperBox }, { ManifestStore }] = await Promise.all([
      import("@trustnxt/c2pa-ts/asset"),
      import("@trustnxt/c2pa-ts/jumbf"),
      import("@trustnxt/c2pa-ts/manifest"),
    ]);
    const bytes = new Uint8Array(file);
    const assets = {
      jpeg: () => new JPEG(bytes),
      png: () => new PNG(bytes),
      webp: () => new WebP(bytes, container.jumbf!),
    };
    const asset = assets[container.format]();
    const jumbf = asset.getManifestJUMBF();
    if (!jumbf) return null;
    const result = await ManifestStore.read(SuperBox.fromBuffer(new Uint8Array(jumbf))).validate(asset);
    return result.isValid;
  } catch {
    return null;
  }
}

/** c2pa-ts knows no WebP, but to check one it needs only the bytes and the manifest, which our own parser has found. */
class WebP implements Asset {
  readonly mimeType = "image/webp";
  #bytes: Uint8Array;
  #jumbf: Uint8Array;

  constructor(bytes: Uint8Array, jumbf: Uint8Array) {
    this.#bytes = bytes;
    this.#jumbf = jumbf;
  }

  getDataLength(): number {
    return this.#bytes.length;
  }

  async getDataRange(start = 0, length = this.#bytes.length - start): Promise<Uint8Array> {
    return this.#bytes.subarray(start, start + length);
  }

  getManifestJUMBF(): Uint8Array {
    return this.#jumbf;
  }

  dumpInfo(): string {
    return "WebP";
  }

  getHashExclusionRange(): never {
    throw new Error("manifests are read, not written");
  }

  ensureManifestSpace(): never {
    throw new Error("manifests are read, not written");
  }

  writeManifestJUMBF(): never {
    throw new Error("manifests are read, not written");
  }
}
