// `connector schedule FROM TO`: schedules a delivery, or estimates one; and follows a delivery to its end.
import type { Delivery } from "../../../sdks/typescript/src/index.ts";
import { type Command, type CommandInput, UsageError } from "../command.ts";
import { usageOf } from "../help.mjs";
import { type Client, connect } from "./connection.ts";
import { follow } from "./follow.ts";
import { clockTime, paint, plain, printFacts, printJson, startProgress } from "./terminal.ts";

const FINAL = new Set(["delivered", "returned", "failed", "canceled"]);

export const schedule: Command = async (input) => {
  const { words, flags } = input;
  const [from, to] = words;
  if (words.length !== 2)
    throw new UsageError(
      `An address to pick up and one to deliver to are needed, each in quotes.\n${usageOf("schedule")}`,
    );
  const client = connect(input);
  const order = {
    pickup: { address: from, time: flags.time ?? "asap" },
    dropoff: { address: to },
    notes: flags.notes,
    vehicle: flags.vehicle as "car" | undefined,
    tags: flags.tags?.split(",").map((tag) => tag.trim()),
  };
  if (flags["dry-run"]) return estimate(client, order, flags);
  const made = await client.delivery.schedule(order);
  showDelivery(made, flags);
  if (flags.follow) await followDelivery(client, made.delivery_id, flags);
};

async function estimate(
  client: Client,
  {
    pickup,
    dropoff,
    vehicle,
  }: { pickup: { address: string; time: string }; dropoff: { address: string }; vehicle?: "car" },
  flags: CommandInput["flags"],
): Promise<void> {
  const answer = await client.delivery.estimate({ pickup, dropoff, vehicle });
  if (flags.json) return printJson(answer);
  printFacts({
    from: pickup.address,
    to: dropoff.address,
    arrives: answer.dropoff.estimated_arrival,
    distance: answer.distance_km === null ? null : `${answer.distance_km} km`,
    attention: answer.attention.join(", "),
  });
}

export function showDelivery(delivery: Delivery, flags: CommandInput["flags"]): void {
  if (flags.json) return printJson(delivery);
  const { pickup, dropoff } = delivery;
  printFacts({
    delivery: delivery.delivery_id,
    status: delivery.status,
    from: pickup.address,
    "pickup at": pickup.scheduled_time,
    to: dropoff.address,
    arrives: dropoff.actual_arrival ?? dropoff.estimated_arrival,
    courier: delivery.courier?.name,
    price: delivery.price ? `${delivery.price.amount} ${delivery.price.currency}` : null,
    attention: delivery.attention.join(", "),
    track: delivery.tracking_url,
    note: delivery.simulated ? "simulated: a test key moves nobody" : null,
  });
}

/** Every step from now on, until there is no further one. */
export async function followDelivery(client: Client, id: string, flags: CommandInput["flags"]): Promise<void> {
  const progress = startProgress("waiting for the next step");
  const opened = Promise.withResolvers<void>();
  const stream = client.events.stream({ type: "delivery.*" }, { onReady: opened.resolve });
  const reading = follow(stream, ({ data }) => {
    const delivery = data.data as Delivery;
    if (delivery.delivery_id !== id) return;
    progress.end();
    if (flags.json) printJson(data);
    else
      console.log(
        `${paint("dim", clockTime(data.created_at))}  ${paint("cyan", delivery.status)}  ${plain(delivery.courier?.name)}`,
      );
    progress.update(`${delivery.status}: arrives ${delivery.dropoff.estimated_arrival}`);
    return FINAL.has(delivery.status);
  });
  // It may have ended before the stream was open.
  await Promise.race([opened.promise, reading]);
  const now = await client.delivery.get(id);
  if (FINAL.has(now.status)) stream.close();
  await reading.finally(progress.end);
}
