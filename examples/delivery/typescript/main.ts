// Ask how long a delivery takes, schedule it, find it again, call it off.
import { ActionConnector } from "action-connector";

const client = new ActionConnector();
const tomorrow = `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 13)}:00:00Z`;
const pickup = { address: "350 5th Ave, New York, NY 10118", time: tomorrow };
const dropoff = { address: "Downtown Brooklyn" };

const estimate = await client.delivery.estimate({ pickup, dropoff });
console.log(`between ${estimate.eta.window.from} and ${estimate.eta.window.to}`);

const order = { pickup, dropoff, items: [{ name: "Cake", quantity: 1 }], tags: ["bakery"] };
const delivery = await client.delivery.schedule(order);
console.log(`${delivery.delivery_id} is ${delivery.status}, expected at ${delivery.dropoff.estimated_arrival}`);

const { timeline, tags } = await client.delivery.get(delivery.delivery_id);
console.log(`${tags.join(", ")}: ${timeline[0].status} since ${timeline[0].at}`);

const canceled = await client.delivery.cancel(delivery.delivery_id, { reason: "The party is off." });
console.log(`${canceled.status}: ${canceled.reason}`);
