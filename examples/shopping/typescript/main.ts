// Track the price of a product, read what is known of it, stop.
import { ActionConnector } from "action-connector";

const client = new ActionConnector();
// A test key tracks the service's own demo shop; a live key tracks any shop.
const url = new URL("/demo-shop/kettle", client.baseUrl).href;

const tracker = await client.shopping.track({ url, target_price: "40.00", tags: ["kitchen"] });
console.log(
  `${tracker.product?.name}: ${tracker.price?.amount} ${tracker.price?.currency}, ${tracker.availability?.status}`,
);

for await (const { id, alerts } of client.shopping.list({ tag: "kitchen" })) {
  console.log(`${id} tells when it costs ${alerts.target_price} or less`);
}

const history = await client.shopping.history(tracker.id!, { resolution: "changes" });
console.log(`prices since ${history.items[0].at}: ${history.items.length > 0}`);

const { deleted } = await client.shopping.delete(tracker.id!);
console.log(`stopped: ${deleted}`);
