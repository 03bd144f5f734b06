// Watch for a tag, push some content, see what matched.
import { ActionConnector } from "action-connector";

const client = new ActionConnector();

const alert = await client.alerts.create({ query: '#launch AND "acme rocket" -hiring', name: "Rocket launches" });
console.log(`${alert.name} is ${alert.status}, watching ${alert.query.canonical}`);

const preview = await client.alerts.preview({ tag: "#launch", content: [{ text: "Two days to the #launch!" }] });
console.log(`a preview matches ${preview.preview.matched}`);

await client.alerts.content({
  title: "The Acme rocket is ready",
  text: "Join the #launch on Friday.",
  url: "https://example.com/1",
});
await client.alerts.content({
  title: "Acme rocket is hiring",
  text: "#launch your career",
  url: "https://example.com/2",
});

for await (const match of client.alerts.matches(alert.id)) {
  console.log(`matched ${match.item.title} by ${match.matched_terms.join(", ")}`);
}

const { deleted } = await client.alerts.delete(alert.id);
console.log(`deleted: ${deleted}`);
