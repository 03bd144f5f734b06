// `connector try NAME …`: single questions to the engines; with `-` JSON lines in, JSON lines out.
import { join } from "node:path";
import type { Try } from "../../contract/try.ts";
import { nearest } from "../../lib/nearest.ts";
import { type OperatorCommand, UsageError } from "../command.ts";

/** Loaded only when asked: an engine may bring a gazetteer or a model along. */
const SOURCES: Record<string, () => Promise<{ tries: Record<string, Try> }>> = {
  stock: () => import("../../actions/stock/try.ts"),
  delivery: () => import("../../actions/delivery/try.ts"),
  shopping: () => import("../../actions/shopping/try.ts"),
  alerts: () => import("../../actions/alerts/try.ts"),
  detector: () => import("../../actions/detector/try.ts"),
};

/** Which action answers which question. */
const OWNERS: Record<string, string> = {
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

export const tryCommand: OperatorCommand = async ({ words, flags: given, config }) => {
  const name = words.shift() ?? "";
  if (!OWNERS[name]) {
    const near = nearest(name, Object.keys(OWNERS));
    throw new UsageError(
      `There is nothing to try called "${name}".${near ? ` Did you mean ${near}?` : ""} Names: ${Object.keys(OWNERS).join(", ")}`,
    );
  }
  const { tries } = await SOURCES[OWNERS[name]]();
  // An operator who imported places expects to see them here, as in the running service.
  const flags = OWNERS[name] === "delivery" ? { geodata: join(config().DATA_DIR, "geodata"), ...given } : given;
  if (words[0] === "-") return answerLines(tries[name], flags);
  if (words.length < (tries[name].minWords ?? 1)) throw new UsageError(`Usage: connector try ${tries[name].usage}`);
  const answer = await Promise.try(() => tries[name].ask(words, flags)).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(error.code === "ENOENT" ? `${error.path ?? words.at(-1)} does not exist.` : error.message);
  });
  console.log(JSON.stringify(answer, null, 2));
};

async function answerLines(engine: Try, flags: Record<string, string>): Promise<void> {
  for await (const line of console) {
    if (line.trim() === "") continue;
    let answer: unknown;
    let id: unknown;
    try {
      const row = JSON.parse(line);
      id = row?.id;
      answer = await engine.askRow(row, flags);
    } catch (error) {
      answer = { id, error: (error as Error).message };
    }
    console.log(JSON.stringify(answer));
  }
}
