// `connector logs tail`: the request log of the account, a line each, asked for again every other second.
import { NotFoundError } from "../../../sdks/typescript/src/errors.ts";
import { sleep, systemClock } from "../../lib/clock.ts";
import { type Command, UsageError } from "../command.ts";
import { usageOf } from "../help.mjs";
import { type Client, connect } from "./connection.ts";
import { readLimit } from "./follow.ts";
import { clockTime, paint, plain, printJson } from "./terminal.ts";

/** What of GET /usage/requests is shown. */
interface LoggedRequest {
  id: string;
  at: string;
  method: string;
  path: string;
  route: string;
  status: number;
  error_code: string | null;
  duration_ms: number;
}

/** Its own questions would fill the log it shows. */
const OWN_ROUTE = "usage.requests";
const POLL_MS = 2_000;
const PAGE = 100;
const SHOWN_AT_FIRST = 10;
const MAX_REMEMBERED = 2_000;

export const logs: Command = async (input) => {
  const { words, flags } = input;
  if (words[0] !== "tail" || words.length > 1) throw new UsageError(usageOf("logs"));
  const wants = readStatus(flags.status);
  const limit = readLimit(flags.limit);
  const client = connect(input);
  const ending = new AbortController();
  const end = () => ending.abort();
  process.once("SIGINT", end);
  process.once("SIGTERM", end);
  const seen = new Set<string>();
  let shown = 0;
  for (let first = true; !ending.signal.aborted; first = false) {
    const fresh = (await readNewest(client)).filter((one) => !seen.has(one.id) && one.route !== OWN_ROUTE);
    for (const one of fresh) seen.add(one.id);
    forgetOldest(seen);
    const wanted = fresh.reverse().filter(wants);
    for (const one of first ? wanted.slice(-Math.min(SHOWN_AT_FIRST, limit)) : wanted) {
      if (flags.json) printJson(one);
      else show(one);
      if (++shown >= limit) return;
    }
    if (first) console.error("Listening. Ctrl+C ends it.");
    await sleep(systemClock, POLL_MS, ending.signal).catch(() => {});
  }
};

/** `422`, or `4xx` for a class. */
function readStatus(text: string | undefined): (one: LoggedRequest) => boolean {
  if (text === undefined) return () => true;
  if (!/^[1-5](\d\d|xx)$/.test(text))
    throw new UsageError("--status must be a status or a class, e.g. --status 422 or --status 4xx.");
  return text.endsWith("xx")
    ? (one) => Math.floor(one.status / 100) === Number(text[0])
    : (one) => one.status === Number(text);
}

async function readNewest(client: Client): Promise<LoggedRequest[]> {
  try {
    const answer = await client.request({ method: "GET", path: "/usage/requests", query: { limit: PAGE } });
    const { data } = (await answer.json()) as { data: { items: LoggedRequest[] } };
    return data.items;
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw new UsageError("This server keeps no request log. Hint: it is older than this command; update it.");
  }
}

/** A set keeps the order of adding, so the first are the oldest. */
function forgetOldest(seen: Set<string>): void {
  for (const id of seen) {
    if (seen.size <= MAX_REMEMBERED) return;
    seen.delete(id);
  }
}

function show(one: LoggedRequest): void {
  const colour = one.status < 400 ? "green" : one.status < 500 ? "yellow" : "red";
  const code = one.error_code ? `  ${paint(colour, one.error_code)}` : "";
  console.log(
    `${paint("dim", clockTime(one.at))}  ${paint(colour, String(one.status))}  ${plain(one.method)} ${plain(one.path)}  ${Math.round(one.duration_ms)} ms${code}  ${paint("dim", one.id)}`,
  );
}
