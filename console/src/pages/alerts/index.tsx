// Alerts: the builder, the live feed of all alerts, and the list.
import { useState } from "preact/hooks";
import { usePages, useStream } from "../../hooks.ts";
import { go } from "../../state.ts";
import { Badge, Card, Empty, Show, StreamSign, Table, Time } from "../../ui.tsx";
import { Builder } from "./builder.tsx";
import { One } from "./one.tsx";

const MAX_SHOWN = 50;

interface Notice {
  id: string;
  at: string;
  text: string;
}

/** What matches any alert, as it happens. */
function Feed({ onMatch }: { onMatch(): void }) {
  const [notices, setNotices] = useState<Notice[]>([]);
  const state = useStream<any>(
    (api, options) => api.alerts.stream({}, options),
    ({ id, data }) => {
      const text = data?.item?.title ?? data?.items?.[0]?.title ?? data?.alert?.name ?? "A match";
      setNotices((known) => [{ id, at: new Date().toISOString(), text }, ...known].slice(0, MAX_SHOWN));
      onMatch();
    },
  );
  return (
    <Card title="Live feed" side={<StreamSign state={state} />}>
      {notices.length === 0 ? (
        <Empty title="Waiting for a match">
          Push an item with <code>POST /alerts/content</code>: what an alert with the stream matches appears here.
        </Empty>
      ) : (
        <ul class="pairs">
          {notices.map((n) => (
            <li key={n.id}>
              <span>{n.text}</span>
              <Time at={n.at} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function List() {
  const alerts = usePages(
    (api, page) => api.alerts.list(page),
    (a) => a.id,
  );
  return (
    <div class="grid">
      <Builder />
      <Card title="Alerts">
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
                onEnd={alerts.more}
                columns={[
                  { title: "Name", cell: (a) => a.name, grow: 2 },
                  { title: "State", cell: (a) => <Badge of={a.status} /> },
                  { title: "Matched", cell: (a) => a.stats.matched, grow: 0.8 },
                  { title: "Sent", cell: (a) => a.stats.notified, grow: 0.6, minor: true },
                ]}
              />
            )
          }
        </Show>
      </Card>
      <Feed onMatch={alerts.reload} />
    </div>
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
