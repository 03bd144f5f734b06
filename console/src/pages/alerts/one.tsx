// One alert: what it does, the health of its channels, its digest, snooze, what it matched and what it sent.
import { useState } from "preact/hooks";
import type { Alert } from "../../../../sdks/typescript/src/index.ts";
import { useAction, useLoad, usePages, useStream } from "../../hooks.ts";
import { client, go } from "../../state.ts";
import { Badge, Card, Empty, Field, Problem, Show, StreamSign, Table, Time } from "../../ui.tsx";
import { Marked } from "./marked.tsx";

const HOUR_S = 3_600;
const SNOOZES: Record<string, number> = { "1 hour": HOUR_S, "8 hours": 8 * HOUR_S, "1 week": 168 * HOUR_S };

/** When messages are sent, in words. */
function rhythmOf({ delivery }: Alert): string {
  const { mode, digest } = delivery as { mode?: string; digest?: { every: string; at?: string; weekday?: string } };
  if (mode !== "digest" || !digest) return "Messages are sent at once.";
  const at = digest.at ? ` at ${digest.at}` : "";
  return `Messages are collected in a digest every ${digest.every}${digest.weekday ? ` on ${digest.weekday}` : ""}${at}.`;
}

function Try({ alert, onPushed }: { alert: Alert; onPushed(): void }) {
  const [title, setTitle] = useState("");
  const push = useAction(async () => {
    await client.value.alerts.content({ title });
    onPushed();
  });
  return (
    <Card title="Push content" size="third">
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

/** Channels and feeds with what went wrong last. */
function Health({ alert }: { alert: Alert }) {
  const held = Object.entries(alert.stats.suppressed).filter(([, count]) => count > 0);
  const rows = [
    ...alert.channels.map((c) => ({ name: `${c.type} ${c.target ?? ""}`, ...c })),
    ...alert.sources.map((s) => ({ ...s, id: s.id ?? s.type, name: s.url ?? s.type })),
  ];
  return (
    <>
      <h3>Channels and sources</h3>
      <ul class="pairs">
        {rows.map((row) => (
          <li key={row.id}>
            <span>
              {row.name} {row.last_error && <span class="bad-text">{row.last_error}</span>}
            </span>
            <Badge of={row.status} />
          </li>
        ))}
        <li>
          <span>Matches</span>
          <span>
            {alert.stats.matched} in all, {alert.stats.notified} sent, {alert.stats.held} waiting
          </span>
        </li>
        {held.map(([reason, count]) => (
          <li key={reason}>
            <span>Not sent because of {reason}</span>
            <span>{count}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Moves({ alert, onChange }: { alert: Alert; onChange(): void }) {
  const move = useAction(async (change: (id: string) => PromiseLike<unknown>) => {
    await change(alert.id);
    onChange();
  });
  const api = client.value.alerts;
  const isActive = alert.status === "active";
  return (
    <>
      <Problem error={move.error} />
      <div class="buttons">
        <select
          aria-label="Snooze"
          class="small"
          value=""
          onChange={(e) => void move.act((id) => api.snooze(id, { for_s: SNOOZES[e.currentTarget.value] }))}
        >
          <option value="">Snooze for…</option>
          {Object.keys(SNOOZES).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <button type="button" onClick={() => void move.act((id) => (isActive ? api.pause(id) : api.resume(id)))}>
          {isActive ? "Pause" : "Resume"}
        </button>
        <button type="button" onClick={() => void move.act((id) => api.test(id))}>
          Send a test
        </button>
        <button type="button" onClick={() => void move.act((id) => api.delete(id)).then(() => go("alerts"))}>
          Delete
        </button>
        <button type="button" onClick={() => go("alerts")}>
          All alerts
        </button>
      </div>
    </>
  );
}

function About({ alert, onChange }: { alert: Alert; onChange(): void }) {
  return (
    <Card title={alert.name} size="two-thirds" side={<Badge of={alert.status} />}>
      <p class="sentence">
        Watches for <code>{alert.query.canonical}</code>. {rhythmOf(alert)}
      </p>
      {alert.snoozed_until && (
        <p class="hint">
          Snoozed until {alert.snoozed_until === "clear" ? "it clears" : <Time at={alert.snoozed_until} />}. What
          matches meanwhile is counted.
        </p>
      )}
      {alert.warnings.map((w) => (
        <p class="hint" key={w.code}>
          {w.detail}
        </p>
      ))}
      <Health alert={alert} />
      <Moves alert={alert} onChange={onChange} />
    </Card>
  );
}

export function One({ id }: { id: string }) {
  const alert = useLoad((api) => api.alerts.get(id), [id]);
  const matches = usePages(
    (api, page) => api.alerts.matches(id, page),
    (m) => m.id,
    [id],
  );
  const messages = usePages(
    (api, page) => api.alerts.deliveries(id, page),
    (m) => m.id,
    [id],
  );
  const reload = () => {
    alert.reload();
    matches.reload();
    messages.reload();
  };
  const state = useStream((api, options) => api.alerts.stream({}, options), reload, [id]);
  return (
    <Show of={alert}>
      {(a) => (
        <div class="grid">
          <About alert={a} onChange={reload} />
          <Try alert={a} onPushed={reload} />
          <Card title="Matches" wide side={<StreamSign state={state} />}>
            <Show of={matches}>
              {({ items }) =>
                items.length === 0 ? (
                  <Empty title="Nothing matched yet">Push an item above, or wait for a feed to bring one.</Empty>
                ) : (
                  <Table
                    label="Matches"
                    onEnd={matches.more}
                    rows={items}
                    columns={[
                      {
                        title: "Item",
                        cell: (m) => <Marked text={m.item.title ?? "Untitled"} highlights={m.highlights} />,
                        grow: 3,
                      },
                      { title: "State", cell: (m) => <Badge of={m.state} /> },
                      { title: "Why", cell: (m) => m.reason?.replaceAll("_", " ") ?? "", minor: true },
                      { title: "When", cell: (m) => <Time at={m.created_at} />, grow: 1.2 },
                    ]}
                  />
                )
              }
            </Show>
          </Card>
          <Card title="Messages" wide>
            <Show of={messages}>
              {({ items }) =>
                items.length === 0 ? (
                  <Empty title="No message yet">Each message to a channel is listed here, with what came of it.</Empty>
                ) : (
                  <Table
                    label="Messages"
                    onEnd={messages.more}
                    rows={items}
                    columns={[
                      { title: "Channel", cell: (m) => <code>{m.channel_id}</code>, grow: 2 },
                      { title: "State", cell: (m) => <Badge of={m.status} /> },
                      { title: "When", cell: (m) => <Time at={m.created_at} />, grow: 1.2 },
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
