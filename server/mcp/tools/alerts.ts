// Tools of alerts.
import { idOf, PAGE, type ToolSpec } from "./spec.ts";

const ALERT_FACTS = ["id", "name", "status", "query", "sources", "channels"];

export const ALERTS_TOOLS: ToolSpec[] = [
  {
    name: "create_alert",
    title: "Be notified of a topic",
    route: "alerts.create",
    description:
      "Notify by mail, chat or webhook when a word, hashtag or query appears in feeds, pushed content or events. Try preview_alert first if the query is complex.",
    arguments: {
      query: { to: "body.query", text: 'Words with AND, OR, NOT, "phrases", tag:, price<30.', required: true },
      name: { to: "body.name", text: "What to call it." },
      sources: { to: "body.sources", text: 'Feeds to read: ["https://example.com/feed.xml"].' },
      channels: { to: "body.channels", text: 'Whom to notify: ["mailto:ada@example.com"].' },
    },
    show: ALERT_FACTS,
    resource: { kind: "alerts", id: "id" },
    readOnly: false,
    idempotent: true,
    openWorld: true,
  },
  {
    name: "preview_alert",
    title: "Try a query",
    route: "alerts.preview",
    description: "What would a query match? Creates nothing and notifies nobody.",
    arguments: {
      query: { to: "body.query", text: "As in create_alert.", required: true },
      content: { to: "body.content", text: 'Texts to try it on: [{"text":"…"}].' },
    },
    readOnly: true,
    idempotent: true,
  },
  {
    name: "list_alerts",
    title: "List alerts",
    route: "alerts.list",
    description: "Alerts and whether they are active, paused or degraded.",
    arguments: {
      status: { to: "query.status", text: "Only these." },
      ...PAGE,
    },
    show: ["id", "name", "status", "query", "stats"],
    readOnly: true,
    idempotent: true,
  },
  {
    name: "get_alert_matches",
    title: "What an alert found",
    route: "alerts.matches",
    description: "Items that matched an alert, newest first.",
    arguments: {
      alert_id: idOf("alert (alt_…)"),
      ...PAGE,
    },
    outside: ["*"],
    readOnly: true,
    idempotent: true,
  },
  {
    name: "pause_alert",
    title: "Pause an alert",
    route: "alerts.pause",
    description: "Stop an alert's messages until it is resumed (alerts.resume through call_action).",
    arguments: { alert_id: idOf("alert (alt_…)") },
    show: ["id", "name", "status"],
    readOnly: false,
    idempotent: true,
  },
];
