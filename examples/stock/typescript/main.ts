// Ask for several quotes at once, see when the market opens, listen to a price.
import { ActionConnector } from "action-connector";

const client = new ActionConnector();

const { results } = await client.stock.quote({ symbols: ["AAPL", "VOD.L", "NOPE"] });
for (const result of results) {
  if (result.ok)
    console.log(
      `${result.quote.id} ${result.quote.last?.price} ${result.quote.currency}, ${result.quote.data.delivery}`,
    );
  else console.log(`${result.requested}: ${result.error.code}`);
}

const { name, market } = await client.stock.market("XNYS");
console.log(`${name} opens next at ${market.next_open_at}`);

for await (const { event, data } of client.stock.stream({ symbols: "AAPL" })) {
  console.log(`${event}: ${data.symbol} ${data.last?.price}`);
  break;
}
