// Follows a stream until enough has come or the reader presses Ctrl+C, which is the usual end and no failure.
import type { EventStream, ServerEvent } from "../../../sdks/typescript/src/stream.ts";
import { UsageError } from "../command.ts";

/** `onEvent` ends it by returning true. */
export async function follow<T>(
  stream: EventStream<T>,
  onEvent: (event: ServerEvent<T>) => boolean | void | Promise<boolean | void>,
  limit = Number.POSITIVE_INFINITY,
): Promise<void> {
  const end = () => stream.close();
  process.once("SIGINT", end);
  process.once("SIGTERM", end);
  let seen = 0;
  try {
    for await (const event of stream) {
      if (event.event === "reset") {
        console.error("Some events are no longer kept and were skipped.");
        continue;
      }
      if ((await onEvent(event)) === true || ++seen >= limit) break;
    }
  } finally {
    process.off("SIGINT", end);
    process.off("SIGTERM", end);
    stream.close();
  }
}

/** The number of `--limit`; without it there is no end. */
export function readLimit(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new UsageError("--limit must be a whole number, e.g. --limit 10.");
  return Number(text);
}
