// `connector try detect FILE|TEXT` and JSON lines: the engine as it serves, without the service.
import { extname } from "node:path";
import { readTextOrFile, type Try } from "../../contract/try.ts";
import { POINTS } from "./engine/score.ts";
import { perform } from "./background/tasks.ts";

const DETAILS = ["basic", "full"];
const IMAGES = new Set([".png", ".jpg", ".jpeg", ".webp"]);
const DOCUMENTS = new Set([".pdf", ".docx", ".rtf", ".html", ".htm"]);

async function judge(row: {
  content?: string;
  text?: string;
  media?: string;
  file?: string;
  detail?: string;
  sensitivity?: string;
  language?: string;
}) {
  if (row.media) return perform({ kind: "image", base64: row.media });
  const text = row.content ?? row.text;
  if (typeof text !== "string" && !row.file)
    throw new Error("a row needs content (or text), or media or file in base64");
  const point = POINTS.find((known) => known === (row.sensitivity ?? "0.01"));
  if (!point) throw new Error(`sensitivity is one of ${POINTS.join(", ")}`);
  const { detail = "full", language } = row;
  if (!DETAILS.includes(detail)) throw new Error(`detail is one of ${DETAILS.join(", ")}`);
  const options = { point, segments: detail !== "basic", language };
  return row.file
    ? perform({ kind: "file", base64: row.file, options })
    : perform({ kind: "text", text: text!, options });
}

const answer = async (row: Parameters<typeof judge>[0]) => {
  const outcome = await judge(row);
  return outcome.ok ? outcome.result : { error: outcome.detail };
};

export const tries: Record<string, Try> = {
  detect: {
    usage:
      "detect TEXT | FILE [--detail basic|full] [--sensitivity 0.002|0.005|0.01|0.05] (or - for JSON lines with content, media or file)",
    async ask(words, flags) {
      const { detail, sensitivity, language } = flags;
      const kind = words.length === 1 ? extname(words[0]).toLowerCase() : "";
      if (!IMAGES.has(kind) && !DOCUMENTS.has(kind))
        return answer({ content: readTextOrFile(words), detail, sensitivity, language });
      const base64 = Buffer.from(await Bun.file(words[0]).bytes()).toString("base64");
      return answer(IMAGES.has(kind) ? { media: base64 } : { file: base64, detail, sensitivity, language });
    },
    askRow: async (row) => ({ ...(row.id === undefined ? {} : { id: row.id }), ...(await answer(row)) }),
  },
};
