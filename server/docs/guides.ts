// The guides, in the order the menu shows them. Their text lies in docs/guides as Markdown; it is imported so that a
// single executable carries it.
import alerts from "../../docs/guides/alerts.md" with { type: "text" };
import commandLine from "../../docs/guides/command-line.md" with { type: "text" };
import delivery from "../../docs/guides/delivery.md" with { type: "text" };
import detector from "../../docs/guides/detector.md" with { type: "text" };
import errors from "../../docs/guides/error-handling.md" with { type: "text" };
import events from "../../docs/guides/events.md" with { type: "text" };
import idempotency from "../../docs/guides/idempotency.md" with { type: "text" };
import keys from "../../docs/guides/keys.md" with { type: "text" };
import mcp from "../../docs/guides/mcp.md" with { type: "text" };
import quotas from "../../docs/guides/quotas.md" with { type: "text" };
import sdks from "../../docs/guides/sdks.md" with { type: "text" };
import security from "../../docs/guides/security.md" with { type: "text" };
import selfHosting from "../../docs/guides/self-hosting.md" with { type: "text" };
import shopping from "../../docs/guides/shopping.md" with { type: "text" };
import start from "../../docs/guides/start.md" with { type: "text" };
import stock from "../../docs/guides/stock.md" with { type: "text" };
import versioning from "../../docs/guides/versioning.md" with { type: "text" };
import webhooks from "../../docs/guides/webhooks.md" with { type: "text" };

export interface Guide {
  /** Its address: /docs/delivery. */
  slug: string;
  group: string;
  title: string;
  markdown: string;
}

const GROUPS: Record<string, Record<string, string>> = {
  Start: { start, mcp, "command-line": commandLine, sdks },
  Actions: { delivery, shopping, stock, alerts, detector },
  Platform: { keys, quotas, idempotency, "error-handling": errors, events, webhooks, versioning },
  Operate: { "self-hosting": selfHosting, security },
};

export const GUIDES: Guide[] = Object.entries(GROUPS).flatMap(([group, guides]) =>
  Object.entries(guides).map(([slug, text]) => {
    const markdown = text;
    return { slug, group, title: /^# (.+)$/m.exec(markdown)?.[1] ?? slug, markdown };
  }),
);
