// Detector: shapes, routes, events. Data, no logic.
import Type, { type Static } from "typebox";
import { route } from "../../contract/define.ts";
import { Choice, Id, Nullable, Shape, Tags, Time } from "../../contract/shapes.ts";

export const VERDICTS = ["likely_ai", "mixed", "unclear", "likely_human", "too_short", "unsupported_language"] as const;
export type Verdict = (typeof VERDICTS)[number];
export const SENSITIVITIES = ["0.002", "0.005", "0.01", "0.05"] as const;

const Verdict = Choice(VERDICTS, "What the signals add up to; never proof of who wrote it.");
const Number01 = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

const input = {
  content: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 400_000,
      description: "The text itself. Judged from 75 words of English prose on.",
      examples: [
        "The council met on Tuesday to talk about the bridge, and nobody could agree on who should pay for it.",
      ],
    }),
  ),
  url: Type.Optional(
    Type.String({
      minLength: 8,
      maxLength: 2_048,
      pattern: "^https?://",
      description: "A public page; only its main text is read. Live keys only.",
      examples: ["https://example.org/article"],
    }),
  ),
  media: Type.Optional(
    Type.String({
      minLength: 8,
      maxLength: 8_000_000,
      description:
        "A PNG, JPEG or WebP image of at most 6 MB, in base64; its metadata is read, its pixels are not judged.",
    }),
  ),
  type: Type.Optional(Choice(["text", "image"], "What it is; found out when left out.")),
  id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: "Your own id; comes back with the answer." }),
  ),
};

const terms = {
  language: Type.Optional(
    Type.String({
      pattern: "^[a-z]{2,3}$",
      description: "ISO 639 code, when you know it; anything but en is not judged.",
      examples: ["en"],
    }),
  ),
  detail: Type.Optional(
    Choice(
      ["basic", "full", "deep"],
      "basic: no segments; full (the default): with segments; deep: also asks the neural network.",
    ),
  ),
  sensitivity: Type.Optional(
    Choice(
      SENSITIVITIES,
      "The share of human texts you accept to be flagged; 0.01 unless given. The answer says what was really measured.",
    ),
  ),
  threshold: Type.Optional(Number01("Write a detector.flagged event for each item whose score is at or above this.")),
  tags: Type.Optional(Tags("Labels of the event; tag alerts match them.")),
  store: Type.Optional(
    Type.Boolean({ description: "Keep the content with the analysis. Without it nothing of the content is kept." }),
  ),
};

export const AnalyzeRequest = Shape(
  {
    ...input,
    items: Type.Optional(
      Type.Array(Shape(input), {
        minItems: 1,
        maxItems: 50,
        description: "Up to 50 things at once, instead of one; the answer keeps their order.",
      }),
    ),
    ...terms,
  },
  { exactlyOne: ["content", "url", "media", "items"] },
);
export type AnalyzeRequest = Static<typeof AnalyzeRequest>;

export const Signal = Shape({
  name: Type.String({ description: "e.g. phrasing, rhythm, pasted_from_chatbot." }),
  value: Type.Union([Type.Number(), Type.String(), Type.Boolean()], { description: "What was measured or found." }),
  weight: Type.Number({ description: "How much it moved the score, in logits; 0 for a signal that is only reported." }),
  direction: Choice(["ai", "human", "neutral"], "Which way it points."),
  explanation: Type.String({ description: "In plain words." }),
  evidence: Type.Array(Type.String(), { description: "What was found, shortened." }),
});
export type Signal = Static<typeof Signal>;

export const Segment = Shape({
  start: Type.Integer({ description: "UTF-16 offset of the first character." }),
  end: Type.Integer({ description: "UTF-16 offset behind the last." }),
  start_byte: Type.Integer({ description: "The same in UTF-8 bytes." }),
  end_byte: Type.Integer(),
  words: Type.Integer(),
  score: Number01("Calibrated probability for the passages around these sentences."),
  verdict: Verdict,
});
export type Segment = Static<typeof Segment>;

export const Provenance = Shape({
  format: Nullable(Type.String({ description: "png, jpeg or webp; null for text." })),
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
  claims: Type.Array(
    Shape({
      kind: Choice(["c2pa", "iptc_digital_source_type", "generator_parameters", "software"], "Where it was found."),
      says: Choice(["ai_generated", "ai_edited", "captured", "edited", "unknown"], "What the metadata claims."),
      trust: Choice(
        ["signature_valid", "signature_invalid", "unverified"],
        "signature_valid: the claim's signature and hashes hold (the signer's identity is not judged); unverified: read, not checked.",
      ),
      detail: Type.String(),
      signer: Nullable(
        Shape(
          {
            common_name: Nullable(Type.String()),
            organization: Nullable(Type.String()),
            issuer: Nullable(Type.String({ description: "Who issued the certificate, by its own words." })),
            identity: Choice(
              ["unverified"],
              "Always unverified: no trust list is shipped, so anybody could have made a certificate with this name.",
            ),
          },
          { description: "Whom the certificate of a C2PA manifest names; null without one." },
        ),
      ),
    }),
    { description: "What the file says of itself. Metadata can be removed or forged." },
  ),
});
export type Provenance = Static<typeof Provenance>;

export const Analysis = Shape({
  analysis_id: Id("ana"),
  id: Nullable(Type.String({ description: "Your own id." })),
  type: Choice(["text", "image"], "What was judged."),
  verdict: Verdict,
  score: Nullable(Number01("Calibrated probability that it is AI-made; null where it abstains.")),
  confidence: Nullable(Choice(["low", "medium", "high"], "How far the score is from turning over.")),
  interval: Nullable(
    Type.Array(Number01(""), {
      minItems: 2,
      maxItems: 2,
      description: "Where nine in ten passages of that length by the same hand would score.",
    }),
  ),
  abstained_because: Nullable(
    Choice(
      [
        "too_short",
        "unsupported_language",
        "code",
        "markup",
        "table",
        "list",
        "log",
        "verse",
        "quotation",
        "no_metadata",
      ],
      "Why nothing was judged: style says nothing about who made code, tables, lists, logs or verse.",
    ),
  ),
  operating_point: Nullable(
    Shape({
      sensitivity: Choice(SENSITIVITIES, "The point asked for."),
      threshold: Number01("The score from which a text of this length is called likely_ai."),
      measured_false_positive_rate: Number01(
        "Share of human texts, of sources the model never saw, that it flags at this point.",
      ),
      measured_true_positive_rate: Number01("Share of AI texts, of sources or makers it never saw, that it finds."),
      measured_on: Type.Integer({ description: "How many human texts that is measured on." }),
    }),
  ),
  signals: Type.Array(Signal),
  segments: Type.Array(Segment),
  language: Nullable(Type.String({ description: "ISO 639-1." })),
  words: Type.Integer(),
  source_url: Nullable(Type.String({ description: "The address the text was read from." })),
  model: Shape({
    name: Type.String(),
    version: Type.String(),
    trained_on: Type.String(),
    known_limits: Type.Array(Type.String()),
  }),
  provenance: Provenance,
});
export type Analysis = Static<typeof Analysis>;

export const ItemError = Shape({
  id: Nullable(Type.String()),
  error: Shape({ code: Type.String(), detail: Type.String(), hint: Type.String() }),
});
export type ItemError = Static<typeof ItemError>;

export const StoredAnalysis = Shape({
  ...Analysis.properties,
  content: Nullable(Type.String({ description: "The text as judged, or the image in base64." })),
  created_at: Time("When it was judged."),
});
export type StoredAnalysis = Static<typeof StoredAnalysis>;

export const analyze = route({
  id: "detector.analyze",
  method: "POST",
  path: "/detector/analyze",
  summary: "Check content for AI-generation signals",
  description: "One of content, url, media, or items. The answer is one analysis, or results in the order of items.",
  scope: "detector:use",
  body: AnalyzeRequest,
  answer: Type.Union([Analysis, Shape({ results: Type.Array(Type.Union([Analysis, ItemError])) })]),
  errors: ["media_not_readable", "target_not_allowed", "upstream_error", "upstream_timeout", "overloaded"],
  maxBodyBytes: 9 * 1024 * 1024,
});

const params = Shape({ id: Id("ana") });

export const read = route({
  id: "detector.get",
  method: "GET",
  path: "/detector/analyses/{id}",
  summary: "Read an analysis that was kept with its content",
  scope: "detector:use",
  params,
  answer: StoredAnalysis,
  errors: ["not_found"],
});

export const remove = route({
  id: "detector.delete",
  method: "DELETE",
  path: "/detector/analyses/{id}",
  summary: "Delete a kept analysis and its content",
  scope: "detector:use",
  params,
  answer: Shape({ analysis_id: Id("ana"), deleted: Type.Literal(true) }),
  errors: ["not_found"],
});

export const routes = [analyze, read, remove];

export const events = [
  {
    type: "detector.flagged",
    summary: "An analysis reached the score that was asked for.",
    data: Shape({
      analysis_id: Id("ana"),
      id: Nullable(Type.String()),
      type: Choice(["text", "image"], "What was judged."),
      verdict: Verdict,
      score: Nullable(Number01("Calibrated probability; null for an image.")),
      threshold: Number01("What was asked."),
      words: Type.Integer(),
      source_url: Nullable(Type.String()),
    }),
  },
];
