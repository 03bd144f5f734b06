// What test keys get instead of the outside world: requests kept in the sandbox inbox, and a simulated feed.
import { seededRandom } from "../../../lib/random.ts";
import { requestsOf } from "./http-channels.ts";
import { mailOf } from "./mail.ts";
import type { Outgoing, Target } from "./port.ts";

/** What is kept in the sandbox inbox instead of being sent. */
export function inboxContent(
  target: Target,
  outgoing: Outgoing,
  publicUrl: string,
): { recipient: string; content: unknown } {
  if (target.type === "email")
    return {
      recipient: String(target.target.to),
      content: { ...mailOf(target, outgoing, publicUrl), simulated: true },
    };
  const [first, ...more] = requestsOf(target, outgoing);
  // A signing secret is never in a request; the others are, and stay hidden, but for the host of a secret address.
  const hidden = Object.entries(target.secrets).filter(([name, secret]) => name !== "secret" && secret !== "");
  const hide = (text: string) =>
    hidden.reduce(
      (t, [name, secret]) => t.replaceAll(secret, name === "url" ? `https://${target.target.host}/***` : "***"),
      text,
    );
  const shown = [first, ...more].map((r) => ({
    method: r.method,
    url: hide(r.url),
    headers: mapValues(r.headers, hide),
    body: hide(r.body),
  }));
  return {
    recipient: shown[0].url,
    content: { ...shown[0], ...(more.length > 0 ? { further: shown.slice(1) } : {}), simulated: true },
  };
}

function mapValues(record: Record<string, string>, change: (value: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([k, v]) => [k, change(v)]));
}

/** The only feeds that test keys read. */
export const DEMO_FEEDS = /^https:\/\/feeds\.demo\.test\/[a-z0-9-]{1,40}\.xml$/;
const STEP_MS = 600_000;
const SUBJECTS = [
  "Acme",
  "Kettle",
  "Solar panel",
  "Bicycle",
  "Espresso machine",
  "Rail strike",
  "Harvest",
  "Chip shortage",
];
const VERBS = ["launch", "recall", "price drop", "review", "shortage", "award", "hiring", "update"];

/** Twenty items, a new one every ten minutes, the same for everyone who asks at the same time. */
export function demoFeed(url: string, now: number): string {
  const latest = Math.floor(now / STEP_MS);
  const items = Array.from({ length: 20 }, (_, i) => {
    const step = latest - i;
    const random = seededRandom(`${url} ${step}`);
    const subject = SUBJECTS[Math.floor(random.unit() * SUBJECTS.length)];
    const verb = VERBS[Math.floor(random.unit() * VERBS.length)];
    const price = (10 + random.unit() * 90).toFixed(2);
    return (
      `<item><guid isPermaLink="false">demo-${step}</guid><title>${subject} ${verb} #${step}</title><link>https://feeds.demo.test/items/${step}</link>` +
      `<category>${subject.toLowerCase()}</category><category>${verb}</category><pubDate>${new Date(step * STEP_MS).toUTCString()}</pubDate>` +
      `<description>Simulated: ${subject} ${verb} at ${price}.</description></item>`
    );
  });
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>Demo news</title><link>https://feeds.demo.test/</link><ttl>10</ttl>${items.join("")}</channel></rss>`;
}
