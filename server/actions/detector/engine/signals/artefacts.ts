// Finds what a chatbot leaves behind in a paste: citation marks, tracking parameters, stock phrases. They prove a paste from
// a chatbot, not who wrote the rest, so they carry no weight in the style score.
import type { Signal } from "../../contract/shapes.ts";
import type { Hidden } from "../text/hidden.ts";

interface Leftover {
  name: string;
  /** One of these must be there at all: a plain search, far cheaper than the pattern. */
  needs: string[];
  pattern: RegExp;
  explanation: string;
}

const LEFTOVERS: Leftover[] = [
  {
    name: "chatbot_citation_mark",
    needs: ["oaicite", "turn", "【", "[cite", "grok", "attached_file"],
    pattern:
      /:?contentReference\[oaicite:\d+\](?:\{index=\d+\})?|[\ue200-\ue206]?(?:cite|navlist|turn0)?[\ue200-\ue206]?turn\d+(?:search|news|view|image|file|academia|fetch)\d+|【\d+(?::\d+)?†[^】]{0,80}】|\[cite(?:_start|_end)?(?:: ?\d+(?:, ?\d+)*)?\]|<grok-card|grok_render_citation_card|attached_file:\d+|oai_citation/g,
    explanation: "A citation mark that chat assistants put into their answers and that survives copying.",
  },
  {
    name: "chatbot_link_tracking",
    needs: ["utm_source=", "referrer="],
    pattern:
      /[?&](?:utm_source|referrer)=(?:chatgpt\.com|openai|copilot\.com|perplexity(?:\.ai)?|grok\.com|claude\.ai|gemini)\b/g,
    explanation: "A link carries the tracking parameter a chat assistant adds to its sources.",
  },
  {
    name: "assistant_phrase",
    needs: ["AI", "ai ", "rtificial", "anguage model", "nowledge", "training", "real-time", "browse"],
    pattern:
      /\bas an? (?:AI|artificial intelligence)(?: language)? (?:model|assistant)\b|\bas a large language model\b|\bI(?:'m| am) (?:just )?an AI(?: language model| assistant)\b|\bmy (?:last )?(?:knowledge|training) (?:cut-?off|update)\b|\bI (?:cannot|can't) (?:browse the internet|access real-time)/gi,
    explanation: "A sentence in which an assistant speaks of itself.",
  },
  {
    name: "assistant_frame",
    needs: ["Sure", "Certainly", "Of course", "Absolutely", "hope this helps", "et me know if", "Would you like me"],
    pattern:
      /^(?:Sure|Certainly|Of course|Absolutely)[,!] (?:here(?:'s| is| are)|I(?:'d| would)? (?:be happy|can help))|\bI hope this helps!?(?: Let me know|$)|\blet me know if you(?:'d like| would like| need| have) (?:me to|any (?:further|other|more)|further)|\bWould you like me to\b/gim,
    explanation: "The opening or closing an assistant wraps around what it was asked for.",
  },
  {
    name: "unfilled_placeholder",
    needs: ["[Your", "[Insert", "[Recipient", "[Company", "[Date", "[Name"],
    pattern: /\[(?:Your|Insert|Recipient(?:'s)?|Company|Date|Name of) ?[A-Z]?[A-Za-z' ]{2,30}\]/g,
    explanation: "A placeholder that was meant to be filled in.",
  },
];

/** Names that count as proof of a paste; placeholders and framing alone do not. */
const STRONG = new Set(["chatbot_citation_mark", "chatbot_link_tracking", "assistant_phrase"]);

export function findArtefacts(text: string): Signal[] {
  const found: Signal[] = [];
  const sample = text.length > 400_000 ? text.slice(0, 400_000) : text;
  for (const { name, needs, pattern, explanation } of LEFTOVERS) {
    if (!needs.some((part) => sample.includes(part))) continue;
    const hits = [...sample.matchAll(pattern)].slice(0, 200);
    if (hits.length === 0) continue;
    found.push({
      name,
      value: hits.length,
      weight: 0,
      direction: STRONG.has(name) ? "ai" : "neutral",
      explanation: `${explanation} It shows that something was pasted, not who wrote the rest.`,
      evidence: [...new Set(hits.map(([hit]) => visible(hit).slice(0, 80)))].slice(0, 5),
    });
  }
  return found;
}

/** Tricks that hide a text from detectors; the score is taken after undoing them. */
export function hiddenSignals(hidden: Hidden): Signal[] {
  const list: [string, number, string, string | null][] = [
    [
      "invisible_characters",
      hidden.invisible,
      "Characters that draw nothing were removed before scoring.",
      "invisible",
    ],
    ["soft_hyphens", hidden.softHyphens, "Soft hyphens were removed before scoring.", "softHyphens"],
    [
      "lookalike_letters",
      hidden.lookalikes,
      "Letters of another alphabet that look Latin were read as what they look like.",
      "lookalikes",
    ],
    ["odd_spaces", hidden.oddSpaces, "Unusual spaces were read as plain ones.", "oddSpaces"],
    ["mixed_case_words", hidden.mixedCase, "Words with capitals strewn in; the score does not look at case.", null],
    ["spaced_letters", hidden.spacedLetters, "Words spelt with a space between letters were put together again.", null],
  ];
  return list
    .filter(([, count]) => count > 0)
    .map(([name, value, explanation, kind]) => ({
      name,
      value,
      weight: 0,
      direction: "neutral",
      explanation,
      evidence: kind && hidden.first[kind] ? [place(hidden.first[kind])] : [],
    }));
}

function place([at, point]: [number, number]): string {
  return `U+${point.toString(16).toUpperCase().padStart(4, "0")} at ${at}`;
}

function visible(text: string): string {
  return text.replace(/[\ue200-\uf8ff]/g, "").replace(/\s+/g, " ");
}
