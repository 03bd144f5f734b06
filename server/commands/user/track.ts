// `connector track`: the price of a product page, or a delivery by its id; without a word, what is tracked.
import type { Tracker } from "../../../sdks/typescript/src/index.ts";
import { type Command, type CommandInput, UsageError } from "../command.ts";
import { usageOf } from "../help.mjs";
import { type Client, connect } from "./connection.ts";
import { follow, readLimit } from "./follow.ts";
import { followDelivery, showDelivery } from "./schedule.ts";
import { clockTime, paint, plain, printFacts, printJson, printTable, startProgress } from "./terminal.ts";

const MAX_LISTED = 100;

export const track: Command = async (input) => {
  const { words, flags } = input;
  const [what] = words;
  if (words.length > 1) throw new UsageError(`One address or delivery at a time.\n${usageOf("track")}`);
  const limit = readLimit(flags.limit);
  if (what === undefined) return list(connect(input), flags, Math.min(limit, MAX_LISTED));
  if (/^dlv_/.test(what)) return trackDelivery(connect(input), what, flags);
  if (!/^https?:\/\//.test(what))
    throw new UsageError(
      `"${what}" is neither the address of a product page nor the id of a delivery. Hint: connector track https://shop.example/kettle`,
    );
  return trackPage(connect(input), what, flags, limit);
};

async function trackDelivery(client: Client, id: string, flags: CommandInput["flags"]): Promise<void> {
  showDelivery(await client.delivery.get(id), flags);
  if (flags.follow) await followDelivery(client, id, flags);
}

async function trackPage(client: Client, url: string, flags: CommandInput["flags"], limit: number): Promise<void> {
  if (flags.drop !== undefined && !/^\d+(\.\d+)?$/.test(flags.drop))
    throw new UsageError("--drop must be a number of percent, e.g. --drop 10.");
  const progress = startProgress(`reading ${url}`);
  const query = {
    url,
    track: flags.once ? false : undefined,
    target_price: flags.target,
    drop_percent: flags.drop === undefined ? undefined : Number(flags.drop),
  };
  const tracker = await client.shopping.track(query).finally(progress.end);
  showTracker(tracker, flags);
  if (!flags.follow) return;
  await follow(
    client.events.stream({ type: "shopping.*" }),
    ({ data }) => {
      const change = data.data as Record<string, unknown>;
      if (change.tracker_id !== tracker.id) return;
      if (flags.json) printJson(data);
      else
        console.log(
          `${paint("dim", clockTime(data.created_at))}  ${paint("cyan", data.type)}  ${plain(change.previous)} → ${plain(change.amount)} ${plain(change.currency)}`,
        );
    },
    limit,
  );
}

function showTracker(tracker: Tracker, flags: CommandInput["flags"]): void {
  if (flags.json) return printJson(tracker);
  const { price, stats } = tracker;
  printFacts({
    tracker: tracker.id,
    product: tracker.product?.name ?? tracker.url,
    status: tracker.status,
    price: price ? `${price.amount} ${price.currency ?? ""}` : null,
    "list price": price?.list_amount,
    availability: tracker.availability.status,
    lowest: stats?.min?.amount,
    target: tracker.alerts.target_price,
    "next check": tracker.check.next_check_at,
    warnings: tracker.warnings.map((warning) => warning.detail).join(" "),
    note: tracker.simulated ? "simulated: the demo shop" : null,
  });
}

async function list(client: Client, flags: CommandInput["flags"], count: number): Promise<void> {
  const { items } = await client.shopping.list({ limit: count });
  if (flags.json) for (const item of items) printJson(item);
  else
    printTable(
      ["TRACKER", "PRODUCT", "PRICE", "STOCK", "STATUS"],
      items.map((t) => [
        t.id,
        t.product?.name ?? t.url,
        t.price ? `${t.price.amount} ${t.price.currency ?? ""}` : "",
        t.availability.status,
        t.status,
      ]),
      "Nothing is tracked yet. Hint: connector track https://shop.example/kettle",
    );
}
