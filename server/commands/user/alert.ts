// `connector alert QUERY`: creates an alert, or shows what it would match; without a word, lists alerts.
import type { AlertMatchedData } from "../../../sdks/typescript/src/index.ts";
import { type Command, type CommandInput, UsageError } from "../command.ts";
import { usageOf } from "../help.mjs";
import { type Client, connect } from "./connection.ts";
import { follow, readLimit } from "./follow.ts";
import { clockTime, paint, plain, printFacts, printJson, printTable } from "./terminal.ts";

const MAX_LISTED = 100;

export const alert: Command = async (input) => {
  const { words, flags } = input;
  if (words.length > 1) throw new UsageError(`Put the query in quotes.\n${usageOf("alert")}`);
  const limit = readLimit(flags.limit);
  const [query] = words;
  const client = connect(input);
  if (query === undefined) return list(client, flags, Math.min(limit, MAX_LISTED));
  if (flags["dry-run"]) return preview(client, query, flags);
  const channels = ["sse", ...(flags.notify?.split(",") ?? [])].map((word) => channelOf(word.trim()));
  const made = await client.alerts.create({ query, name: flags.name, channels });
  if (flags.json) printJson(made);
  else
    printFacts({
      alert: made.id,
      status: made.status,
      watches: made.query.canonical,
      notifies: made.channels.map((c) => (c.target ? `${c.type} ${c.target}` : c.type)).join(", "),
      matched: made.preview ? `${made.preview.matched} of ${made.preview.scanned} recent items` : null,
      warnings: made.warnings.map((warning) => warning.detail).join(" "),
    });
  if (flags.follow) await followMatches(client, made.id, flags, limit);
};

function channelOf(word: string) {
  if (word === "sse") return { type: "sse" as const };
  if (/^https?:\/\//.test(word)) return { type: "webhook" as const, url: word };
  if (/^[^\s@]+@[^\s@]+$/.test(word)) return { type: "email" as const, to: word };
  throw new UsageError(
    `"${word}" is neither a mail address nor an https address. Hint: --notify me@example.com,https://example.com/hook`,
  );
}

async function followMatches(client: Client, id: string, flags: CommandInput["flags"], limit: number): Promise<void> {
  await follow(
    client.alerts.stream({ alert_id: id }),
    ({ data }) => {
      if (flags.json) return printJson(data);
      for (const { item } of (data.data as AlertMatchedData).matches)
        console.log(
          `${paint("dim", clockTime(data.created_at))}  ${paint("cyan", plain(item.title ?? item.summary))}  ${plain(item.url)}`,
        );
    },
    limit,
  );
}

async function preview(client: Client, query: string, flags: CommandInput["flags"]): Promise<void> {
  const answer = await client.alerts.preview({ query });
  if (flags.json) return printJson(answer);
  const { scanned, matched, samples } = answer.preview;
  printFacts({ watches: answer.query.canonical, matched: `${matched} of ${scanned} recent items` });
  if (samples.length > 0)
    printTable(
      ["AT", "TITLE", "ADDRESS"],
      samples.map((s) => [s.at, s.title, s.url]),
      "",
    );
}

async function list(client: Client, flags: CommandInput["flags"], count: number): Promise<void> {
  const { items } = await client.alerts.list({ limit: count });
  if (flags.json) for (const item of items) printJson(item);
  else
    printTable(
      ["ALERT", "STATUS", "WATCHES", "NOTIFIES"],
      items.map((a) => [a.id, a.status, a.query.canonical, a.channels.map((c) => c.type).join(", ")]),
      'No alert yet. Hint: connector alert "kettle AND price<30"',
    );
}
