// Platform: keys, webhooks, events, the audit log, the requests of this tab, MCP, and dead jobs for operators.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useAction, useLoad } from "../hooks.ts";
import { asCurl, client, mode, place, sent, session } from "../state.ts";
import { Badge, Card, Copy, Empty, Field, Problem, Show, Table, Time } from "../ui.tsx";
import { LiveEvents } from "./home.tsx";
import { Webhooks } from "./webhooks.tsx";

function Keys() {
  const keys = useLoad((api) => api.keys.list({ limit: 100 }));
  const [name, setName] = useState("");
  const [secret, setSecret] = useState<string | null>(null);
  const create = useAction(async () => {
    const scopes = (session.value?.scopes ?? []).filter((s) => s !== "admin");
    const made = await client.value.keys.create({ name, mode: mode.value, scopes: scopes as never });
    setSecret(made.key);
    keys.reload();
  });
  const revoke = useAction(async (id: string) => {
    await client.value.keys.revoke(id);
    keys.reload();
  });
  return (
    <Card title="Keys" wide>
      <form
        class="inline"
        onSubmit={(e) => {
          e.preventDefault();
          void create.act();
        }}
      >
        <Field label="Name of a new key" note="It gets the scopes of the key you are signed in with, without admin.">
          <input name="name" required value={name} onInput={(e) => setName(e.currentTarget.value)} />
        </Field>
        <button type="submit" class="primary" disabled={create.busy}>
          Make key
        </button>
      </form>
      {secret && (
        <div class="empty">
          <strong>Copy it now, it is shown once:</strong>
          <div>
            <code>{secret}</code> <Copy text={secret} />
          </div>
        </div>
      )}
      <Problem error={create.error ?? revoke.error} />
      <Show of={keys}>
        {({ items }) => (
          <Table
            label="Keys"
            rows={items}
            columns={[
              { title: "Name", cell: (k) => k.name, grow: 1.5 },
              { title: "Mode", cell: (k) => <Badge of={k.mode} /> },
              { title: "Key", cell: (k) => <code>{`${k.prefix}…${k.last4}`}</code>, grow: 1.5, minor: true },
              { title: "Last used", cell: (k) => <Time at={k.last_used_at} />, grow: 1.4, minor: true },
              {
                title: "",
                cell: (k) =>
                  k.revoked_at ? (
                    <Badge of="revoked" />
                  ) : (
                    <button type="button" class="small" onClick={() => void revoke.act(k.id)}>
                      Revoke
                    </button>
                  ),
              },
            ]}
          />
        )}
      </Show>
    </Card>
  );
}

function Audit() {
  const [action, setAction] = useState("");
  const audit = useLoad((api) => api.audit.list({ limit: 100, ...(action ? { action } : {}) }), [action]);
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
            <p class="quiet">No entries.</p>
          ) : (
            <Table
              label="Audit log"
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

function Requests() {
  return (
    <Card title="Requests of this tab" wide>
      <p class="quiet">
        Every one is a plain API call with your key and counts against its quota. Copy it and go on in a shell.
      </p>
      <Table
        label="Requests of this tab"
        rows={sent.value}
        columns={[
          { title: "Request", cell: (s) => <code>{`${s.method} ${s.path}`}</code>, grow: 3 },
          {
            title: "Status",
            cell: (s) => <span class={s.status < 400 ? "" : "bad-text"}>{`${s.status} ${s.code ?? ""}`}</span>,
          },
          { title: "Time", cell: (s) => `${s.ms} ms`, minor: true },
          { title: "", cell: (s) => <Copy text={asCurl(s)} label="Copy as curl" /> },
        ]}
      />
    </Card>
  );
}

function Mcp() {
  const snippet = JSON.stringify(
    {
      mcpServers: {
        "action-connector": {
          type: "http",
          url: `${location.origin}/mcp`,
          headers: { Authorization: "Bearer YOUR_KEY" },
        },
      },
    },
    null,
    2,
  );
  return (
    <Card title="MCP" wide side={<Copy text={snippet} />}>
      <p>
        Agents reach every action at {location.origin}/mcp. Put this into the settings of your agent, with a key of its
        own:
      </p>
      <pre tabIndex={0}>{snippet}</pre>
    </Card>
  );
}

function Jobs() {
  const jobs = useLoad((api) => api.admin.jobs.list({ limit: 100 }));
  if (!session.value?.scopes.includes("admin")) {
    return (
      <Card title="For operators" wide>
        <Empty title="This key has no admin scope">Sign in with an operator's key to see dead jobs.</Empty>
      </Card>
    );
  }
  return (
    <Card title="Dead jobs" wide>
      <Show of={jobs}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="quiet">None: all background work is done or on its way.</p>
          ) : (
            <pre>{JSON.stringify(items, null, 2)}</pre>
          )
        }
      </Show>
    </Card>
  );
}

const TABS: Record<string, [title: string, show: () => ComponentChildren]> = {
  keys: ["Keys", () => <Keys />],
  webhooks: ["Webhooks", () => <Webhooks />],
  events: ["Events", () => <LiveEvents />],
  audit: ["Audit log", () => <Audit />],
  requests: ["Requests", () => <Requests />],
  mcp: ["MCP", () => <Mcp />],
  operator: ["Operator", () => <Jobs />],
};

export default function Platform() {
  const tab = TABS[place.value.id ?? ""] ? place.value.id! : "keys";
  return (
    <>
      <h1>Platform</h1>
      <nav aria-label="Parts of the platform">
        {Object.entries(TABS).map(([name, [title]]) => (
          <a key={name} href={`#/platform/${name}`} aria-current={tab === name ? "page" : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <div class="grid">{TABS[tab][1]()}</div>
    </>
  );
}
