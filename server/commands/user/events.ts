// `connector events tail`: the events of the account as they happen, a line each.
import type { Event } from "../../../sdks/typescript/src/index.ts";
import { type Command, UsageError } from "../command.ts";
import { usageOf } from "../help.mjs";
import { connect } from "./connection.ts";
import { follow, readLimit } from "./follow.ts";
import { clockTime, paint, plain, printJson } from "./terminal.ts";

export const events: Command = async (input) => {
  const { words, flags } = input;
  if (words[0] !== "tail" || words.length > 1) throw new UsageError(usageOf("events"));
  const limit = readLimit(flags.limit);
  const onReady = () => console.error("Listening. Ctrl+C ends it.");
  const stream = connect(input).events.stream(
    { type: flags.type },
    { lastEventId: flags.after, onReady: once(onReady) },
  );
  await follow(stream, ({ data }) => (flags.json ? printJson(data) : showEvent(data)), limit);
};

export function showEvent(event: Event): void {
  console.log(
    `${paint("dim", clockTime(event.created_at))}  ${paint("cyan", event.type)}  ${plain(subjectOf(event))}  ${paint("dim", event.id)}`,
  );
}

/** A stream opens again after every cut; people need to know only once. */
export function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}

/** The thing it happened to: the first id in its data. */
function subjectOf({ data }: Event): string {
  const values = Object.values((data ?? {}) as Record<string, unknown>);
  return (values.find((value) => typeof value === "string" && /^[a-z]{2,4}_\w{10,}$/.test(value)) as string) ?? "";
}
