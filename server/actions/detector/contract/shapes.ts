// Detector: the shapes of requests and answers. Data, no logic.
import Type, { type Static } from "typebox";
import { about, Choice, Id, Nullable, Shape, Tags, Time } from "../../../contract/shapes.ts";

export const VERDICTS = ["likely_ai", "mixed", "unclear", "likely_human", "too_short", "unsupported_language"] as const;
export type Verdict = (typeof VERDICTS)[number];
const SENSITIVITIES = ["0.002", "0.005", "0.01", "0.05"] as const;

export const Verdict = Choice(VERDICTS, "What the signals add up to; never proof of who wrote it.");
export const Number01 = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

/** One thing to judge: exactly one of content, url, media and file. */
const ITEM = {
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
  file: Type.Optional(
    Type.String({
      minLength: 8,
      maxLength: 8_000_000,
      description:
        "A PDF, DOCX, RTF, HTML or plain text file of at most 6 MB, in base64; its text is judged, up to 400,000 characters.",
    }),
  ),
  type: Type.Optional(Choice(["text", "image"], "What it is; found out when left out.")),
  id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: "Your own id; comes back with the answer." }),
  ),
};

export const ItemInput = Shape(ITEM, { exactlyOne: ["content", "url", "media", "file"] });

/** How to judge, for all items alike. */
export const TERMS = {
  language: Type.Optional(
    Type.String({
      pattern: "^[a-z]{2,3}$",
      description: "ISO 639 code, when you know it; anything but en is not judged.",
      examples: ["en"],
    }),
  ),
  detail: Type.Optional(
    Choice(
      ["basic", "full"],
      "basic: the verdict alone; full (the default): with segments, sentences, shares and phrases.",
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
    ...ITEM,
    items: Type.Optional(
      Type.Array(ItemInput, {
        minItems: 1,
        maxItems: 50,
        description: "Up to 50 things at once, instead of one; the answer keeps their order.",
      }),
    ),
    ...TERMS,
  },
  { exactlyOne: ["content", "url", "media", "file", "items"] },
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
  end_byte: Type.Integer({ description: "The same in UTF-8 bytes." }),
  words: Type.Integer({ description: "How many words." }),
  score: Number01("Calibrated probability for the passages around these sentences."),
  verdict: Verdict,
});
export type Segment = Static<typeof Segment>;

export const Shares = Shape(
  {
    human: Number01("Share of words in passages that read like a person."),
    mixed: Number01("Share of words in passages that could be either."),
    ai: Number01("Share of words in passages called likely_ai."),
  },
  { description: "How the words divide by passage; the three add up to 1." },
);
export type Shares = Static<typeof Shares>;

export const Provenance = Shape({
  format: Nullable(Type.String({ description: "png, jpeg or webp; null for text." })),
  width: Nullable(Type.Integer({ description: "Width in pixels." })),
  height: Nullable(Type.Integer({ description: "Height in pixels." })),
  claims: Type.Array(
    Shape({
      kind: Choice(["c2pa", "iptc_digital_source_type", "generator_parameters", "software"], "Where it was found."),
      says: Choice(["ai_generated", "ai_edited", "captured", "edited", "unknown"], "What the metadata claims."),
      trust: Choice(
        ["signature_valid", "signature_invalid", "unverified"],
        "signature_valid: the claim's signature and hashes hold (the signer's identity is not judged); unverified: read, not checked.",
      ),
      detail: Type.String({ description: "What was found, in words." }),
      signer: Nullable(
        Shape(
          {
            common_name: Nullable(Type.String({ description: "Its common name." })),
            organization: Nullable(Type.String({ description: "Its organization." })),
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
    about(
      Shape({
        sensitivity: Choice(SENSITIVITIES, "The point asked for."),
        threshold: Number01("The score from which a text of this length is called likely_ai."),
        measured_false_positive_rate: Number01(
          "Share of human texts, of sources the model never saw, that it flags at this point.",
        ),
        measured_true_positive_rate: Number01("Share of AI texts, of sources or makers it never saw, that it finds."),
        false_positive_bound: Number01(
          "Conformal bound: no more human texts than this share are flagged, 19 times in 20, if your texts are like those it was calibrated on.",
        ),
        measured_on: Type.Integer({ description: "How many human texts that is measured on." }),
      }),
      "What was measured at the point asked for; null where it abstains.",
    ),
  ),
  signals: Type.Array(Signal, { description: "What moved the score, strongest first." }),
  segments: Type.Array(Segment, { description: "Passages and their scores; empty for detail=basic and short texts." }),
  sentences: Type.Array(Segment, {
    description:
      "Each sentence with the score of the passages it stands in; the first 1,000, and none with detail basic.",
  }),
  shares: Nullable(Shares),
  language: Nullable(Type.String({ description: "ISO 639-1." })),
  words: Type.Integer({ description: "How many words were judged." }),
  source_url: Nullable(Type.String({ description: "The address the text was read from." })),
  model: about(
    Shape({
      name: Type.String({ description: "Which model judged: light." }),
      version: Type.String({ description: "Which training." }),
      trained_on: Type.String({ description: "What it learned from." }),
      known_limits: Type.Array(Type.String(), { description: "Where it is weak." }),
    }),
    "Which model judged it.",
  ),
  provenance: about(Provenance, "What the file says of itself; for images."),
});
export type Analysis = Static<typeof Analysis>;

export const ItemError = Shape({
  id: Nullable(Type.String({ description: "Your own id." })),
  error: Shape(
    {
      code: Type.String({ description: "The kind of error." }),
      detail: Type.String({ description: "What is wrong with the item." }),
      hint: Type.String({ description: "What to do about it." }),
    },
    { description: "Why it was not judged." },
  ),
});
export type ItemError = Static<typeof ItemError>;

export const StoredAnalysis = Shape({
  ...Analysis.properties,
  content: Nullable(Type.String({ description: "The text as judged, or the image in base64." })),
  created_at: Time("When it was judged."),
});
export type StoredAnalysis = Static<typeof StoredAnalysis>;

export const AnalysisSummary = Shape({
  analysis_id: Id("ana"),
  id: Nullable(Type.String({ description: "Your own id." })),
  type: Choice(["text", "image"], "What was judged."),
  verdict: Verdict,
  score: Analysis.properties.score,
  confidence: Analysis.properties.confidence,
  abstained_because: Analysis.properties.abstained_because,
  words: Type.Integer({ description: "How many words were judged." }),
  source_url: Analysis.properties.source_url,
  excerpt: Type.String({ description: "The first 120 characters of the text; empty for an image." }),
  created_at: Time("When it was judged."),
});
export type AnalysisSummary = Static<typeof AnalysisSummary>;
