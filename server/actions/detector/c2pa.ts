// Checks a C2PA manifest's signature and hashes with c2pa-ts. A file that library cannot parse counts as unchecked, never as
// genuine; the signer's identity (its chain of trust) is not judged.
import type { Checked } from "./engine/images/provenance.ts";

const MOST_BYTES = 12 * 1024 * 1024;

export async function checkManifest(file: Uint8Array): Promise<Checked> {
  if (file.length > MOST_BYTES) return null;
  const bytes = new Uint8Array(file);
  try {
    const [{ JPEG, PNG }, { SuperBox }, { ManifestStore }] = await Promise.all([
      import("@trustnxt/c2pa-ts/asset"),
      import("@trustnxt/c2pa-ts/jumbf"),
      import("@trustnxt/c2pa-ts/manifest"),
    ]);
    const asset = JPEG.canRead(bytes) ? new JPEG(bytes) : PNG.canRead(bytes) ? new PNG(bytes) : null;
    const jumbf = asset?.getManifestJUMBF();
    if (!asset || !jumbf) return null;
    const result = await ManifestStore.read(SuperBox.fromBuffer(new Uint8Array(jumbf))).validate(asset);
    return result.isValid;
  } catch {
    return null;
  }
}
