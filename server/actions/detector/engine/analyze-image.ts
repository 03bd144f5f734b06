// Analyses one image: what its metadata claims, and how far that can be trusted. Pixels are not judged.
import type { Analysis, Provenance, Signal, Verdict } from "../contract/shapes.ts";
import { VERSION } from "./analyze.ts";
import type { Container } from "./images/bytes.ts";
import { type Checked, type Claim, claimsOf } from "./images/provenance.ts";

const LIMITS = [
  "Only metadata is read; pixels are not judged.",
  "Metadata can be removed by any re-encoding and can be forged; its absence says nothing.",
  "A valid signature shows that the manifest was not changed since it was signed; who signed it is not checked against a trust list.",
];

const TRUST: Record<Claim["trust"], string> = {
  signature_valid: "signature and hashes hold",
  signature_invalid: "signature or hashes do not hold",
  unverified: "not verified",
};

export type ImageAnalysis = Omit<Analysis, "analysis_id" | "id" | "source_url">;

export function analyzeImage(container: Container, checked: Checked): ImageAnalysis {
  const claims = claimsOf(container, checked);
  const believed = claims.filter((claim) => claim.trust !== "signature_invalid");
  const verdict = verdictOf(believed);
  const provenance: Provenance = { format: container.format, width: container.width, height: container.height, claims };
  return {
    type: "image",
    verdict,
    score: null,
    confidence: confidenceOf(verdict, believed),
    interval: null,
    abstained_because: claims.length === 0 ? "no_metadata" : null,
    operating_point: null,
    signals: claims.map(signalOf),
    segments: [],
    sentences: [],
    shares: null,
    language: null,
    words: 0,
    model: {
      name: "provenance",
      version: VERSION,
      trained_on: "Nothing: it reads what the file says of itself.",
      known_limits: LIMITS,
    },
    provenance,
  };
}

function verdictOf(claims: Claim[]): Verdict {
  if (claims.some((claim) => claim.says === "ai_generated")) return "likely_ai";
  if (claims.some((claim) => claim.says === "ai_edited")) return "mixed";
  if (claims.some((claim) => claim.says === "captured" && claim.trust === "signature_valid")) return "likely_human";
  return "unclear";
}

function confidenceOf(verdict: Verdict, claims: Claim[]): Analysis["confidence"] {
  if (verdict === "unclear") return null;
  return claims.some((claim) => claim.trust === "signature_valid") ? "high" : "medium";
}

function signalOf(claim: Claim): Signal {
  const direction =
    claim.trust === "signature_invalid" || claim.says === "edited" || claim.says === "unknown"
      ? "neutral"
      : claim.says === "captured"
        ? "human"
        : "ai";
  return {
    name: claim.kind,
    value: claim.says,
    weight: 0,
    direction,
    explanation: `The file's metadata says so (${TRUST[claim.trust]}).${signedBy(claim)}`,
    evidence: [claim.detail],
  };
}

function signedBy({ kind, signer }: Claim): string {
  if (kind !== "c2pa") return "";
  if (!signer) return " Who signed it could not be read.";
  const name = signer.common_name ?? signer.organization ?? "no name";
  return ` Its certificate names ${JSON.stringify(name)}; that identity is not verified, for no trust list is shipped.`;
}
