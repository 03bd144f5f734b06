// One prompt per action: what a person can pick from a menu instead of writing it.
import type { Prompt, PromptMessage } from "@modelcontextprotocol/server";

interface PromptSpec {
  name: string;
  title: string;
  description: string;
  arguments: { name: string; description: string; required?: boolean }[];
  text(args: Record<string, string>): string;
}

const PROMPTS: PromptSpec[] = [
  {
    name: "send_something",
    title: "Send something by courier",
    description: "Schedule a pickup and delivery, with the price of waiting said first.",
    arguments: [
      { name: "from", description: "Pickup address", required: true },
      { name: "to", description: "Drop-off address", required: true },
      { name: "when", description: "Pickup time" },
    ],
    text: ({ from, to, when }) =>
      `Send something from ${from} to ${to}${when ? ` at ${when}` : ""}. First call estimate_delivery and tell me when it would arrive. If anything is under attention, ask me. Then call schedule_delivery once, with an idempotency key of your own.`,
  },
  {
    name: "watch_price",
    title: "Watch a product's price",
    description: "Track a product page until it is cheap enough.",
    arguments: [
      { name: "url", description: "Product page", required: true },
      { name: "price", description: "Buy at or under" },
    ],
    text: ({ url, price }) =>
      `Look at ${url} with check_product_price and tell me the price and whether it is in stock. Then watch it with track_product${price ? `, target_price "${price}"` : ""}.`,
  },
  {
    name: "market_brief",
    title: "How are my shares",
    description: "Quotes of some shares, saying what each number is.",
    arguments: [{ name: "symbols", description: "Tickers, comma-separated", required: true }],
    text: ({ symbols }) =>
      `Quote ${symbols} with get_stock_quote. Say for each whether it is real-time, delayed, stale or simulated, and whether its market is open (get_market_hours).`,
  },
  {
    name: "watch_topic",
    title: "Be notified of a topic",
    description: "Write a query for a topic, try it, then make it an alert.",
    arguments: [
      { name: "topic", description: "What to watch for", required: true },
      { name: "feed", description: "Feed to read" },
    ],
    text: ({ topic, feed }) =>
      `Write an alert query for: ${topic}. Try it with preview_alert on three short texts, one of which must not match. Then create it with create_alert${feed ? `, reading ${feed}` : ""}.`,
  },
  {
    name: "judge_text",
    title: "Was this written by AI",
    description: "Judge a text and explain the judgement with its error rate.",
    arguments: [{ name: "text", description: "The text", required: true }],
    text: ({ text }) =>
      `Check this with check_ai_content and explain the verdict in plain words, with the error rate. If it abstains, say why and do not guess.\n\n${text}`,
  },
];

export const listPrompts = (): Prompt[] => PROMPTS.map(({ text: _, ...prompt }) => prompt);

/** Null when there is no such prompt, or the name of an argument that is missing. */
export function getPrompt(name: string, args: Record<string, string>): { messages: PromptMessage[] } | string | null {
  const prompt = PROMPTS.find((p) => p.name === name);
  if (!prompt) return null;
  const missing = prompt.arguments.find((a) => a.required && !args[a.name]);
  if (missing) return missing.name;
  return { messages: [{ role: "user", content: { type: "text", text: prompt.text(args) } }] };
}
