// Platform: keys, webhooks, events, the audit log, the request log, and MCP.
import { useState } from "preact/hooks";
import { usePages } from "../../hooks.ts";
import { place } from "../../state.ts";
import { Card, Empty, Field, Show, Table, Tabs, Time } from "../../ui.tsx";
import { LiveEvents } from "../home.tsx";
import { Keys } from "./keys.tsx";
import { Mcp } from "./mcp.tsx";
import { Requests } from "./requests.tsx";
import { Webhooks } from "./webhooks.tsx";

function Audit() {
  const [action, setAction] = useState("");
  const audit = usePages(
    (api, page) => api.audit.list({ ...page, ...(action ? { action } : {}) }),
    (a) => a.id,
    [action],
  );
  return (
    <Card title="Audit log" wide>
      <Field label="Action">
        <input
          placeholder="for instance key.created"
          value={action}
          onChange={(e) => setAction(e.currentTarget.value.trim())}
        />
      </Field>
      <Show of={audit}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No entries">
              Whatever is changed with a key or by an operator is kept here and can be proved.
            </Empty>
          ) : (
            <Table
              label="Audit log"
              onEnd={audit.more}
              rows={items}
              columns={[
                { title: "Action", cell: (a) => <code>{a.action}</code>, grow: 1.5 },
                { title: "When", cell: (a) => <Time at={a.at} />, grow: 1.3 },
                { title: "Who", cell: (a) => <code>{a.actor}</code>, grow: 1.5, minor: true },
                { title: "Target", cell: (a) => <code>{a.target}</code>, grow: 1.5, minor: true },
              ]}
            />
          )
        }
      </Show>
    </Card>
  );
}

const PARTS = {
  keys: "Keys",
  webhooks: "Webhooks",
  requests: "Requests",
  events: "Events",
  audit: "Audit log",
  mcp: "MCP",
};

function Part({ name }: { name: string }) {
  const { item } = place.value;
  if (name === "webhooks") return <Webhooks />;
  if (name === "requests") return <Requests item={item} />;
  if (name === "events") return <LiveEvents />;
  if (name === "audit") return <Audit />;
  return name === "mcp" ? <Mcp /> : <Keys />;
}

export default function Platform() {
  const { id } = place.value;
  const part = id && Object.hasOwn(PARTS, id) ? id : "keys";
  return (
    <>
      <h1>Platform</h1>
      <Tabs label="Parts of the platform" page="platform" parts={PARTS} current={part} />
      <div class="grid">
        <Part name={part} />
      </div>
    </>
  );
}
