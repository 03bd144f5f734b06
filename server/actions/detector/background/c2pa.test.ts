// Manifests made here, by a signer made here: what holds, what does not, and whom the certificate names. WebP above all, which
// c2pa-ts itself does not read.
import { beforeAll, describe, expect, test } from "bun:test";
import * as x509 from "@peculiar/x509";
import { CoseAlgorithmIdentifier, LocalSigner } from "@trustnxt/c2pa-ts/cose";
import {
  ActionAssertion,
  ActionType,
  DataHashAssertion,
  DigitalSourceType,
  ManifestStore,
} from "@trustnxt/c2pa-ts/manifest";
import fc from "fast-check";
import { perform } from "./tasks.ts";

const CHUNK = 8;

/** A WebP of one picture chunk whose manifest is written behind it. */
class WritableWebP {
  readonly mimeType = "image/webp";
  bytes = riff(chunk("VP8 ", new Uint8Array(20).fill(7)));
  #at = this.bytes.length;
  #size = 0;

  getDataLength = () => this.bytes.length;
  getDataRange = async (start = 0, length = this.bytes.length - start) => this.bytes.slice(start, start + length);
  getManifestJUMBF = () => undefined;
  dumpInfo = () => "";
  getHashExclusionRange = () => ({ start: this.#at, length: this.#size });

  async ensureManifestSpace(length: number): Promise<void> {
    const manifest = chunk("C2PA", new Uint8Array(length));
    this.#size = manifest.length;
    this.bytes = riff(this.bytes.slice(12), manifest);
  }

  async writeManifestJUMBF(jumbf: Uint8Array): Promise<void> {
    this.bytes.set(jumbf, this.#at + CHUNK);
  }
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const out = new Uint8Array(CHUNK + data.length + (data.length & 1));
  out.set(new TextEncoder().encode(type));
  new DataView(out.buffer).setUint32(4, data.length, true);
  out.set(data, CHUNK);
  return out;
}

function riff(...chunks: Uint8Array[]): Uint8Array {
  return chunk("RIFF", Buffer.concat([Buffer.from("WEBP"), ...chunks]));
}

async function makeSigner(): Promise<LocalSigner> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const make = () => crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const [authority, keys] = await Promise.all([make(), make()]);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: "01",
    subject: "CN=Paint\\, Inc. Signer, O=Paint House",
    issuer: "CN=Paint Root",
    notBefore: new Date("2020-01-01"),
    notAfter: new Date("2120-01-01"),
    publicKey: keys.publicKey,
    signingKey: authority.privateKey,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.emailProtection]),
      await x509.AuthorityKeyIdentifierExtension.create(authority.publicKey),
    ],
  });
  const secret = new Uint8Array(await crypto.subtle.exportKey("pkcs8", keys.privateKey));
  return new LocalSigner(secret, CoseAlgorithmIdentifier.ES256, certificate);
}

async function signed(source: DigitalSourceType): Promise<Uint8Array> {
  const signer = await makeSigner();
  const store = new ManifestStore();
  const manifest = store.createManifest({
    assetFormat: "image/webp",
    instanceID: "xmp:iid:1",
    defaultHashAlgorithm: "SHA-256",
    signer,
  });
  const hash = DataHashAssertion.create("SHA-256");
  manifest.addAssertion(hash);
  const actions = new ActionAssertion();
  actions.actions.push({ action: ActionType.C2paCreated, digitalSourceType: source });
  manifest.addAssertion(actions);
  const asset = new WritableWebP();
  await asset.ensureManifestSpace(store.measureSize());
  await hash.updateWithAsset(asset);
  await manifest.sign(signer);
  await asset.writeManifestJUMBF(store.getBytes());
  return asset.bytes;
}

const judge = (file: Uint8Array) => perform({ kind: "image", base64: Buffer.from(file).toString("base64") });

async function claimOf(file: Uint8Array) {
  const outcome = await judge(file);
  if (!outcome.ok) throw new Error(outcome.detail);
  return { ...outcome.result.provenance.claims[0], verdict: outcome.result.verdict, signals: outcome.result.signals };
}

let made: Uint8Array;
beforeAll(async () => {
  made = await signed(DigitalSourceType.TrainedAlgorithmicMedia);
});

describe("a WebP with a manifest", () => {
  test("holds, says what made it, and names a signer whom nobody vouches for", async () => {
    const claim = await claimOf(made);
    expect(claim).toMatchObject({ kind: "c2pa", says: "ai_generated", trust: "signature_valid", verdict: "likely_ai" });
    expect(claim.signer).toEqual({
      common_name: "Paint, Inc. Signer",
      organization: "Paint House",
      issuer: "Paint Root",
      identity: "unverified",
    });
    expect(claim.signals[0].explanation).toContain("identity is not verified");
  });

  test("changed in its picture no longer holds, and is not believed", async () => {
    const file = made.slice();
    file[12 + CHUNK + 5] ^= 1;
    expect(await claimOf(file)).toMatchObject({ trust: "signature_invalid", verdict: "unclear" });
  });

  test("changed in its signed claim no longer holds", async () => {
    const file = made.slice();
    const at = Buffer.from(file).indexOf("image/webp");
    file[at] ^= 1;
    expect((await claimOf(file)).trust).toBe("signature_invalid");
  });

  test("a photograph's claim is believed only while it holds", async () => {
    const photo = await signed(DigitalSourceType.DigitalCapture);
    expect(await claimOf(photo)).toMatchObject({ says: "captured", trust: "signature_valid", verdict: "likely_human" });
    photo[12 + CHUNK] ^= 1;
    expect((await claimOf(photo)).verdict).toBe("unclear");
  });

  test("whose signature box cannot be read is reported as unverified, without a signer", async () => {
    const file = made.slice();
    const at = Buffer.from(file).indexOf("c2pa.signature", Buffer.from(file).lastIndexOf("jumd"));
    file.fill(0xff, at + 24, at + 40);
    const claim = await claimOf(file);
    expect(claim.trust).not.toBe("signature_valid");
    expect(claim.signer).toBeNull();
  });

  test("with an assertion that promises four thousand million items is not believed, and costs nothing", async () => {
    const file = made.slice();
    const content = Buffer.from(file).indexOf("cbor", Buffer.from(file).indexOf("c2pa.hash.data")) + 4;
    file.set([0x9a, 0xff, 0xff, 0xff, 0xff], content);
    expect((await claimOf(file)).trust).not.toBe("signature_valid");
    file.set([0x5a, 0xff, 0xff, 0xff, 0xff], content);
    expect((await claimOf(file)).trust).not.toBe("signature_valid");
  });

  test("cut anywhere it is refused, never believed", async () => {
    for (let size = 0; size < made.length; size += 97) {
      const outcome = await judge(made.slice(0, size));
      expect(outcome.ok).toBe(false);
    }
  });

  test("damaged anywhere it is refused or not believed (seed 5)", async () => {
    const start = 12 + chunk("VP8 ", new Uint8Array(20)).length + CHUNK;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: start, max: made.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, by) => {
          const file = made.slice();
          file[at] ^= by;
          const outcome = await judge(file);
          if (outcome.ok && outcome.result.provenance.claims[0]?.trust === "signature_valid") {
            // Padding is signed by nobody; what it says must then be what the whole file said.
            expect(outcome.result.provenance.claims[0].says).toBe("ai_generated");
          }
        },
      ),
      { seed: 5, numRuns: 150 },
    );
  });
});
