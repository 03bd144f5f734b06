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
  const shown = requestsOf({ ...target, secrets: maskSecrets(target) }, outgoing).map(
    ({ method, url, headers, body }) => {
      return { method, url, headers, body };
    },
  );
  return {
    recipient: shown[0].url,
    content: { ...shown[0], ...(shown.length > 1 ? { further: shown.slice(1) } : {}), simulated: true },
  };
}

/**
 * Secrets are masked before the request is made, so that only their own places change. A signing secret stays: it is
 * never in a request. Of a secret address the host stays, so that its owner recognises it.
 */
function maskSecrets({ target, secrets }: Target): Record<string, string> {
  const mask = (name: string, secret: string) =>
    name === "secret" || secret === "" ? secret : name === "url" ? `https://${target.host}/***` : "***";
  return Object.fromEntries(Object.entries(secrets).map(([name, secret]) => [name, mask(name, secret)]));
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
