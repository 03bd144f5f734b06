// `connector trigger EVENT`: does with a test key what leads to the event, so that receivers meet a real one.
import { systemClock } from "../../lib/clock.ts";
import { nearest } from "../../lib/nearest.ts";
import { type Command, EXIT, UsageError } from "../command.ts";
import { type Client, connect } from "./connection.ts";
import { printFacts, printJson, printTable } from "./terminal.ts";

interface Trigger {
  /** What is done, for `trigger --list`. */
  does: string;
  act(client: Client): Promise<unknown>;
}

const TAG = "trigger";
const PLACES = { pickup: { address: "Alexanderplatz 1, Berlin", time: "asap" }, dropoff: { address: "Potsdam" } };
/** The moves of a courier, in order. Who has picked up is at once on the way. */
const MOVES = ["assigned", "en_route_to_pickup", "at_pickup", "picked_up", "at_dropoff", "delivered"] as const;
const COURIER = "Courier of connector trigger";

const order = (client: Client) => client.delivery.schedule({ ...PLACES, tags: [TAG] });

/** A delivery of your own fleet, moved on step by step; each step is an event of its own. */
async function deliverUpTo(client: Client, last: (typeof MOVES)[number], then?: "failed" | "returning"): Promise<void> {
  const courierId = await findCourier(client);
  const { delivery_id: id } = await client.delivery.schedule({ ...PLACES, tags: [TAG], provider: "fleet" });
  for (const to of MOVES.slice(0, MOVES.indexOf(last) + 1))
    await client.delivery.advance(id, { to, courier_id: to === "assigned" ? courierId : undefined });
  if (then) await client.delivery.advance(id, { to: then, reason: "made by connector trigger" });
}

/** One courier serves all triggers. It is off duty, so that no other delivery is given to it. */
async function findCourier(client: Client): Promise<string> {
  for await (const courier of client.delivery.couriers.list()) if (courier.name === COURIER) return courier.id;
  return (await client.delivery.couriers.create({ name: COURIER, on_duty: false })).id;
}

/** The kettle of the demo shop falls from 49.90 to 39.90 within a minute. */
const trackKettle = (client: Client) =>
  client.shopping.track({
    url: `${client.baseUrl.replace(/\/api\/v1$/, "")}/demo-shop/kettle`,
    target_price: "45.00",
    tags: [TAG],
  });

/** A word that nothing else holds, so that only this alert matches. */
const uniqueWord = () => `trigger${crypto.randomUUID().slice(0, 8).replaceAll("-", "")}`;

const TRIGGERS: Record<string, Trigger> = {
  "delivery.scheduled": { does: "schedules a delivery", act: order },
  "delivery.updated": {
    does: "schedules a delivery and changes its notes",
    act: async (client) => client.delivery.update((await order(client)).delivery_id, { notes: "Ring twice." }),
  },
  "delivery.rescheduled": {
    does: "schedules a delivery and moves it to another address",
    act: async (client) =>
      client.delivery.reschedule((await order(client)).delivery_id, { dropoff: { address: "Spandau, Berlin" } }),
  },
  "delivery.canceled": {
    does: "schedules a delivery and cancels it",
    act: async (client) => client.delivery.cancel((await order(client)).delivery_id),
  },
  ...Object.fromEntries(
    MOVES.map((move): [string, Trigger] => [
      `delivery.${move}`,
      { does: `moves a delivery of your own fleet to ${move}`, act: (client) => deliverUpTo(client, move) },
    ]),
  ),
  "delivery.en_route_to_dropoff": {
    does: "moves a delivery of your own fleet to picked_up, which sets out at once",
    act: (client) => deliverUpTo(client, "picked_up"),
  },
  "delivery.failed": {
    does: "lets a delivery of your own fleet fail at the door",
    act: (client) => deliverUpTo(client, "at_dropoff", "failed"),
  },
  "delivery.returning": {
    does: "sends a delivery of your own fleet back",
    act: (client) => deliverUpTo(client, "at_dropoff", "returning"),
  },
  ...Object.fromEntries(
    ["price_changed", "target_reached", "alert"].map((event): [string, Trigger] => [
      `shopping.${event}`,
      { does: "tracks the demo shop's kettle, whose price falls within a minute", act: trackKettle },
    ]),
  ),
  "stock.level_crossed": {
    does: "sets a level on a symbol of your own feed and pushes two prices around it",
    act: async (client) => {
      const symbol = uniqueWord().slice(-8).toUpperCase();
      const push = (seq: number, price: string) => {
        const at = new Date(systemClock.now()).toISOString();
        return client.stock.ticks({ source: TAG, currency: "USD", ticks: [{ symbol, seq, at, price }] });
      };
      await push(1, "99.00");
      await client.stock.levels.create({ symbol, above: "100", tags: [TAG] });
      await push(2, "101.00");
    },
  },
  "alert.matched": {
    does: "makes an alert on a word and pushes a text that holds it",
    act: async (client) => {
      const word = uniqueWord();
      const made = await client.alerts.create({ query: word, name: TAG, channels: [{ type: "sse" }] });
      await client.alerts.content({ title: `A text about ${word}`, tags: [TAG] });
      return made;
    },
  },
  "detector.flagged": {
    does: "judges a text with a threshold that every text reaches",
    act: (client) => client.detector.analyze({ content: PROSE, threshold: 0, tags: [TAG] }),
  },
  "detector.batch_completed": {
    does: "judges a text in the background",
    act: (client) => client.detector.batch({ items: [{ content: PROSE }], tags: [TAG] }),
  },
  "key.rolled": {
    does: "makes a key, replaces it and revokes it",
    act: async (client) => {
      const made = await client.keys.create({ name: TAG, mode: "test", scopes: ["profile:read"] });
      const rolled = await client.keys.roll(made.id, { grace_seconds: 0 });
      await client.keys.revoke(rolled.id);
    },
  },
};

const PROSE =
  "The ferry left the harbour late that morning, and nobody on the upper deck seemed to care. A man in a green coat fed the gulls while his daughter counted boats. " +
  "We had packed sandwiches, far too many of them, and a thermos that leaked into the bag. By noon the fog had lifted. The island looked smaller than I remembered it, " +
  "its white houses scattered like sugar cubes along the slope, and my aunt was already waving from the pier with the dog at her feet.";

export const trigger: Command = async (input) => {
  const { words, flags } = input;
  if (flags.list) return list(flags.json !== undefined);
  const [name] = words;
  if (words.length !== 1)
    throw new UsageError("Which event? Hint: connector trigger delivery.scheduled; all: connector trigger --list");
  if (!Object.hasOwn(TRIGGERS, name)) {
    const near = nearest(name, Object.keys(TRIGGERS));
    throw new UsageError(
      `"${name}" cannot be made.${near ? ` Did you mean ${near}?` : ""} Hint: connector trigger --list`,
    );
  }
  const client = connect(input);
  const { mode } = await client.user.profile();
  if (mode !== "test") throw new UsageError("trigger needs a test key: a live one acts in the world.", EXIT.key);
  await TRIGGERS[name].act(client);
  if (flags.json) printJson({ triggered: name });
  else printFacts({ triggered: name, see: `connector events tail --type ${name}` });
};

function list(json: boolean): void {
  const rows = Object.entries(TRIGGERS).map(([event, { does }]) => ({ event, does }));
  if (json) for (const row of rows) printJson(row);
  else
    printTable(
      ["EVENT", "WHAT IT DOES"],
      rows.map((row) => [row.event, row.does]),
      "",
    );
}
