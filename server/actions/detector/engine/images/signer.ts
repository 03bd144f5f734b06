// Who a C2PA manifest's certificate names. The certificate is not verified here: the name is what it says of itself.
import { X509Certificate } from "node:crypto";
import type { Provenance } from "../../contract/shapes.ts";
import { decodeCbor } from "./jumbf.ts";

export type Signer = NonNullable<Provenance["claims"][number]["signer"]>;

/** COSE's header for the chain of certificates, as a number and as older writers spelt it. */
const CHAIN_LABELS = ["33", "x5chain"];
const MAX_CERTIFICATE_BYTES = 16_384;

/** From the content of a c2pa.signature box (COSE_Sign1); null when no certificate can be read. */
export function signerOf(cose: Uint8Array | null): Signer | null {
  if (!cose) return null;
  try {
    const [sealed, open] = decodeCbor(cose) as [unknown, unknown];
    const chain = chainIn(sealed instanceof Uint8Array ? decodeCbor(sealed) : null) ?? chainIn(open);
    const leaf = Array.isArray(chain) ? chain[0] : chain;
    if (!(leaf instanceof Uint8Array) || leaf.length > MAX_CERTIFICATE_BYTES) return null;
    const { subject, issuer } = new X509Certificate(leaf);
    return {
      common_name: fieldOf(subject, "CN"),
      organization: fieldOf(subject, "O"),
      issuer: fieldOf(issuer, "CN") ?? fieldOf(issuer, "O"),
      identity: "unverified",
    };
  } catch {
    return null;
  }
}

function chainIn(header: unknown): unknown {
  if (header === null || typeof header !== "object") return null;
  return CHAIN_LABELS.map((label) => (header as Record<string, unknown>)[label]).find((found) => found) ?? null;
}

/** Names come one a line, e.g. CN=Example, with some marks escaped. */
function fieldOf(name: string | undefined, field: string): string | null {
  const line = name?.split("\n").find((part) => part.startsWith(`${field}=`));
  if (!line) return null;
  const value = line.slice(field.length + 1).replace(/\\(.)/g, "$1");
  return value.slice(0, 200);
}
