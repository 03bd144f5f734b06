// GET /: what this is, the first call with the real address in it, and where to go on.
import firstCall from "../../docs/guides/first-call.md" with { type: "text" };
import { codeBlock, fillIn, renderMarkdown } from "./markdown.ts";
import { renderPage } from "./layout.ts";

const ACTIONS = [
  ["delivery", "Deliver", "Schedule a pickup and delivery, with an arrival window that holds and proof at the door."],
  ["shopping", "Track prices", "Watch any product page; hear of every real fall, and of stock that returns."],
  ["stock", "Quote shares", "Quotes that say what they are: real-time, delayed, stale or simulated."],
  ["alerts", "Watch topics", "Words, tags and queries over feeds, content and events, to mail, chat or webhook."],
  ["detector", "Judge text", "Signs of AI generation with a measured error rate, and honest abstention."],
];

export function renderLanding(url: string): string {
  const cards = ACTIONS.map(
    ([slug, title, text]) => `<a class="card" href="/docs/${slug}"><h3>${title}</h3><p>${text}</p></a>`,
  ).join("");
  const main = `<section class="hero">
<h1>One key to act in the world</h1>
<p>Action Connector is a REST API that runs on your own machine: deliveries, prices, quotes, alerts and AI-text checks, with exact quotas,
idempotent writes, events and signed webhooks. A test key works on simulated parties and says so.</p>
<p class="actions"><a class="button" href="/docs/start">Start here</a><a class="button quiet" href="/console">Open the console</a></p>
</section>
<section><h2>The first call</h2>
<p>The key was printed when the service started first, and <code>connector keys create</code> makes another. Put it into your shell:</p>
${codeBlock("bash", "export CONNECTOR_API_KEY=acn_test_…")}
${renderMarkdown(firstCall, url).html}
<p>It answers with a <code>delivery_id</code>. See it again: send <a href="/docs/reference#delivery.get">Read a delivery</a> from the reference, or open the <a href="/console">console</a>.</p></section>
<section><h2>Five actions</h2><div class="cards">${cards}</div></section>
<section><h2>For programs</h2><ul>
<li><a href="/openapi.json">OpenAPI 3.1</a> (also <a href="/openapi.yaml">YAML</a>) for generators and clients</li>
<li><a href="/docs/mcp">MCP</a> at <code>${fillIn("{{url}}/mcp", url)}</code> for agents</li>
<li><a href="/llms.txt">llms.txt</a> and <a href="/llms-full.txt">llms-full.txt</a>: these documents as plain text</li>
<li><a href="/health/ready">Health</a></li>
</ul></section>`;
  return renderPage({
    title: "One key to act in the world",
    description: "A self-hosted REST API for deliveries, prices, quotes, alerts and AI-text checks.",
    main,
  });
}
