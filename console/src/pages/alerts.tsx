// Alerts: the list, what an alert has matched, and how its sources and channels are doing.
import { useState } from "preact/hooks";
import type { Alert } from "../../../sdks/typescript/src/index.ts";
import { useAction, useLoad, useStream } from "../hooks.ts";
import { client, go } from "../state.ts";
import { Badge, Card, Empty, Field, Problem, Show, StreamSign, Table, Time } from "../ui.tsx";
import { Builder, Marked } from "./alert-builder.tsx";

function List() {
  const alerts = useLoad((api) => api.alerts.list({ limit: 100 }));
  return (
    <div class="grid">
      <Builder onMade={alerts.reload} />
      <Card title="Alerts" wide>
        <Show of={alerts}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title="No alerts yet">
                Type what to watch for above. Then push content with <code>POST /alerts/content</code>, or give a feed.
              </Empty>
            ) : (
              <Table
                label="Alerts"
                rows={items}
                onOpen={(a) => go("alerts", a.id)}
                columns={[
                  { title: "Name", cell: (a) => a.name, grow: 2 },
                  { title: "State", cell: (a) => <Badge of={a.status} /> },
                  { title: "Matched", cell: (a) => a.stats.matched },
                  { title: "Notified", cell: (a) => a.stats.notified, minor: true },
                  { title: "Created", cell: (a) => <Time at={a.created_at} />, grow: 1.4, minor: true },
                ]}
              />
            )
          }
        </Show>
      </Card>
    </div>
  );
}

function Try({ alert, onPushed }: { alert: Alert; onPushed(): void }) {
  const [title, setTitle] = useState("");
  const push = useAction(async () => {
    await client.value.alerts.content({ title });
    onPushed();
  });
  return (
    <Card title="Push content">
      <form
        onSubmit={(e) => {
          e.preventDefault();
          void push.act();
        }}
      >
        <Field label="Title of an item" note={`Matched against every alert, also against “${alert.query.source}”.`}>
          <input name="title" required value={title} onInput={(e) => setTitle(e.currentTarget.value)} />
        </Field>
        <Problem error={push.error} />
        <button type="submit" disabled={push.busy}>
          Push
        </button>
      </form>
    </Card>
  );
}

function Health({ alert, onChange }: { alert: Alert; onChange(): void }) {
  const act = useAction(async (change: (id: string) => PromiseLike<unknown>) => {
    await change(alert.id);
    onChange();
  });
  const api = client.value.alerts;
  return (
    <Card title={alert.name} side={<Badge of={alert.status} />}>
      <p>
        <code>{alert.query.canonical}</code>
      </p>
      <ul class="pairs">
        {alert.channels.map((c) => (
          <li key={c.id}>
            <span>
              {c.type} {c.target} <span class="bad-text">{c.last_error}</span>
            </span>
            <Badge of={c.status} />
          </li>
        ))}
        {alert.sources.map((s) => (
          <li key={s.id}>
            <span>
              {s.url ?? s.type} <span class="bad-text">{s.last_error}</span>
            </span>
            <Badge of={s.status} />
          </li>
        ))}
      </ul>
      {alert.warnings.map((w) => (
        <p class="hint" key={w.code}>
          {w.detail}
        </p>
      ))}
      <Problem error={act.error} />
      <div class="buttons">
        <button type="button" onClick={() => void act.act((id) => api.snooze(id, { for_s: 3600 }))}>
          Snooze 1 hour
        </button>
        <button
          type="button"
          onClick={() => void act.act((id) => (alert.status === "active" ? api.pause(id) : api.resume(id)))}
        >
          {alert.status === "active" ? "Pause" : "Resume"}
        </button>
        <button type="button" onClick={() => void act.act((id) => api.test(id))}>
          Send a test
        </button>
        <button type="button" onClick={() => void act.act((id) => api.delete(id)).then(() => go("alerts"))}>
          Delete
        </button>
        <button type="button" onClick={() => go("alerts")}>
          All alerts
        </button>
      </div>
    </Card>
  );
}

function One({ id }: { id: string }) {
  const alert = useLoad((api) => api.alerts.get(id), [id]);
  const matches = useLoad((api) => api.alerts.matches(id, { limit: 100 }), [id]);
  const reload = () => {
    alert.reload();
    matches.reload();
  };
  const state = useStream((api, options) => api.alerts.stream({}, options), reload, [id]);
  return (
    <Show of={alert}>
      {(a) => (
        <div class="grid">
          <Health alert={a} onChange={reload} />
          <Try alert={a} onPushed={reload} />
          <Card title="Matches" wide side={<StreamSign state={state} />}>
            <Show of={matches}>
              {({ items }) =>
                items.length === 0 ? (
                  <Empty title="Nothing matched yet">Push an item above, or wait for a feed to bring one.</Empty>
                ) : (
                  <Table
                    label="Matches"
                    rows={items}
                    columns={[
                      {
                        title: "Item",
                        cell: (m) => <Marked text={m.item.title ?? "Untitled"} highlights={m.highlights} />,
                        grow: 3,
                      },
                      { title: "State", cell: (m) => <Badge of={m.state} /> },
                      { title: "When", cell: (m) => <Time at={m.created_at} />, grow: 1.4 },
                    ]}
                  />
                )
              }
            </Show>
          </Card>
        </div>
      )}
    </Show>
  );
}

export default function Alerts({ id }: { id: string | null }) {
  return (
    <>
      <h1>Alerts</h1>
      {id ? <One id={id} key={id} /> : <List />}
    </>
  );
}
