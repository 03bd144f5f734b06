// `connector try detect FILE` and JSON lines: the engine as it serves, without the service.
import { extname } from "node:path";
import { readTextOrFile, type Try } from "../../contract/try.ts";
import { POINTS } from "./engine/score.ts";
import { perform } from "./background/tasks.ts";

const DETAILS = ["basic", "full", "deep"];
const IMAGES = new Set([".png", ".jpg", ".jpeg", ".webp"]);

async function judge(row: {
  content?: string;
  text?: string;
  media?: string;
  detail?: string;
  sensitivity?: string;
  language?: string;
}) {
  if (row.media) return perform({ kind: "image", base64: row.media });
  const text = row.content ?? row.text;
  if (typeof text !== "string") throw new Error("a row needs content (or text), or media in base64");
  const point = POINTS.find((known) => known === (row.sensitivity ?? "0.01"));
  if (!point) throw new Error(`sensitivity is one of ${POINTS.join(", ")}`);
  const { detail = "full", language } = row;
  if (!DETAILS.includes(detail)) throw new Error(`detail is one of ${DETAILS.join(", ")}`);
  const tier = detail === "deep" ? "deep" : "light";
  return perform({ kind: "text", text, options: { tier, point, segments: detail !== "basic", language } });
}

const answer = async (row: Parameters<typeof judge>[0]) => {
  const outcome = await judge(row);
  return outcome.ok ? outcome.result : { error: outcome.detail };
};

export const tries: Record<string, Try> = {
  detect: {
    usage:
      "detect TEXT | FILE [--detail basic|full|deep] [--sensitivity 0.002|0.005|0.01|0.05] (or - for JSON lines with content or media)",
    async ask(words, flags) {
      if (words.length === 1 && IMAGES.has(extname(words[0]).toLowerCase())) {
        return answer({ media: Buffer.from(await Bun.file(words[0]).bytes()).toString("base64") });
      }
      return answer({
        content: readTextOrFile(words),
        detail: flags.detail,
        sensitivity: flags.sensitivity,
        language: flags.language,
      });
    },
    askRow: async (row) => ({ ...(row.id === undefined ? {} : { id: row.id }), ...(await answer(row)) }),
  },
};
