// `connector try NAME …`: single questions to the engines; with `-` JSON lines in, JSON lines out.
import type { Try } from "../../contract/try.ts";
import { nearest } from "../../lib/nearest.ts";
import { type Command, UsageError } from "../command.ts";

/** Loaded only when asked: an engine may bring a gazetteer or a model along. */
const sources: Record<string, () => Promise<{ tries: Record<string, Try> }>> = {
  stock: () => import("../../actions/stock/try.ts"),
  delivery: () => import("../../actions/delivery/try.ts"),
  shopping: () => import("../../actions/shopping/try.ts"),
  alerts: () => import("../../actions/alerts/try.ts"),
  detector: () => import("../../actions/detector/try.ts"),
};

/** Which action answers which question. */
const owners: Record<string, string> = {
  quote: "stock",
  calendar: "stock",
  geocode: "delivery",
  eta: "delivery",
  price: "shopping",
  page: "shopping",
  query: "alerts",
  feed: "alerts",
  hashtags: "alerts",
  detect: "detector",
};

export const tryCommand: Command = async ({ words, flags }) => {
  const name = words.shift() ?? "";
  if (!owners[name]) {
    const near = nearest(name, Object.keys(owners));
    throw new UsageError(
      `There is nothing to try called "${name}".${near ? ` Did you mean ${near}?` : ""} Names: ${Object.keys(owners).join(", ")}`,
    );
  }
  const { tries } = await sources[owners[name]]();
  if (words[0] === "-") return answerLines(tries[name]);
  if (words.length === 0) throw new UsageError(`Usage: connector try ${tries[name].usage}`);
  const answer = await Promise.try(() => tries[name].ask(words, flags)).catch((error: Error) => {
    throw new UsageError(error.message);
  });
  console.log(JSON.stringify(answer, null, 2));
};

async function answerLines(engine: Try): Promise<void> {
  for await (const line of console) {
    if (line.trim() === "") continue;
    let answer: unknown;
    let id: unknown;
    try {
      const row = JSON.parse(line);
      id = row?.id;
      answer = await engine.askRow(row);
    } catch (error) {
      answer = { id, error: (error as Error).message };
    }
    console.log(JSON.stringify(answer));
  }
}
