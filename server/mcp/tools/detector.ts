// The tool of the detector.
import type { ToolSpec } from "./spec.ts";

export const DETECTOR_TOOLS: ToolSpec[] = [
  {
    name: "check_ai_content",
    title: "Was this written by AI",
    route: "detector.analyze",
    description:
      "Judge whether a text, web page or image shows signs of AI generation, with the measured error rate. Abstains on code and short texts.",
    arguments: {
      content: { to: "body.content", text: "The text; or give url." },
      url: { to: "body.url", text: "A page to read instead." },
      detail: { to: "body.detail", text: "How much to explain." },
    },
    show: [
      "verdict",
      "score",
      "confidence",
      "interval",
      "abstained_because",
      "operating_point",
      "signals",
      "language",
      "words",
    ],
    readOnly: true,
    idempotent: true,
    openWorld: true,
    slow: true,
  },
];
