// Home: the quota of this minute, usage by day, action and key, errors with their hints, events as they happen.
import { useState } from "preact/hooks";
import type { Event, Usage, UsageRow } from "../../../sdks/typescript/src/index.ts";
import { useLoad, useStream } from "../hooks.ts";
import { Bars, Gauge } from "../pictures.tsx";
import { sent } from "../state.ts";
import { Card, Empty, Show, StreamSign, Table, Time } from "../ui.tsx";

const HOUR_MS = 3_600_000;
const DAYS = 14;
const MAX_EVENTS = 500;

/** Sums of a usage answer by one member of its rows, largest first. */
function sumBy(rows: UsageRow[], member: "route" | "key_id" | "at") {
  const sums = new Map<string, { name: string; value: number; bad: number }>();
  for (const row of rows) {
    const name = row[member] ?? "—";
    const sum = sums.get(name) ?? { name, value: 0, bad: 0 };
    sum.value += row.requests;
    sum.bad += row.failures;
    sums.set(name, sum);
  }
  return [...sums.values()];
}

const byTime = (usage: Usage) => sumBy(usage.rows, "at").sort((a, b) => (a.name < b.name ? -1 : 1));
const bySize = (rows: UsageRow[], member: "route" | "key_id") => sumBy(rows, member).sort((a, b) => b.value - a.value);

function Quota() {
  const profile = useLoad((api) => api.user.profile());
  const minutes = useLoad((api) => api.usage.get({ by: "minute", from: new Date(Date.now() - HOUR_MS) }));
  const reload = () => {
    profile.reload();
    minutes.reload();
  };
  return (
    <Card
      title="Quota"
      side={
        <button type="button" class="small" onClick={reload}>
          Refresh
        </button>
      }
    >
      <Show of={profile}>
        {(p) => (
          <>
            <Gauge value={p.quota.limit - p.quota.remaining} max={p.quota.limit} label="requests in this minute" />
            <p class="quiet">
              {p.name} · plan {p.plan} · {p.usage.today} today, {p.usage.this_month} this month
            </p>
          </>
        )}
      </Show>
      <Show of={minutes}>{(u) => <Bars label="Requests by minute in the last hour" values={byTime(u)} />}</Show>
      <p class="quiet">The console asks with your key: its requests are in these numbers.</p>
    </Card>
  );
}

function UsageCards() {
  const from = new Date(Date.now() - DAYS * 24 * HOUR_MS);
  const usage = useLoad((api) => api.usage.get({ by: "day", from, by_key: true }));
  return (
    <>
      <Card title={`Usage, last ${DAYS} days`}>
        <Show of={usage}>
          {(u) => (
            <>
              <p>
                <strong>{u.requests}</strong> requests, <strong>{u.failures}</strong> refused or failed
              </p>
              <Bars label="Requests by day" values={byTime(u)} />
            </>
          )}
        </Show>
      </Card>
      <Card title="By action and key">
        <Show of={usage}>
          {(u) => (
            <>
              <List rows={bySize(u.rows, "route").slice(0, 8)} />
              <h3>Keys</h3>
              <List rows={bySize(u.rows, "key_id").slice(0, 5)} />
            </>
          )}
        </Show>
      </Card>
    </>
  );
}

function List({ rows }: { rows: { name: string; value: number; bad: number }[] }) {
  return (
    <ul class="pairs">
      {rows.map((r) => (
        <li key={r.name}>
          <code>{r.name}</code>
          <span>
            {r.value}
            {r.bad > 0 && <span class="bad-text"> · {r.bad} failed</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Errors() {
  const failed = sent.value.filter((s) => s.code);
  const codes = [...new Set(failed.map((s) => s.code!))];
  return (
    <Card title="Errors in this tab">
      {codes.length === 0 && <p class="quiet">None. What goes wrong is listed here with what to do about it.</p>}
      <ul class="pairs">
        {codes.map((code) => (
          <li key={code}>
            <span>
              <a href={`/docs/errors#${code}`}>
                <code>{code}</code>
              </a>
              <br />
              <span class="hint">{failed.find((s) => s.code === code)?.hint}</span>
            </span>
            <span>{failed.filter((s) => s.code === code).length}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

export function LiveEvents() {
  const [events, setEvents] = useState<Event[]>([]);
  const before = useLoad((api) => api.events.list({ limit: 50 }));
  const state = useStream<Event>(
    (api, options) => api.events.stream({}, options),
    (e) => e.data?.type && setEvents((known) => [e.data, ...known].slice(0, MAX_EVENTS)),
  );
  const seen = new Set(events.map((e) => e.id));
  const rows = [...events, ...(before.data?.items ?? []).filter((e) => !seen.has(e.id))];
  return (
    <Card title="Events" wide side={<StreamSign state={state} />}>
      <Show of={before}>
        {() =>
          rows.length === 0 ? (
            <Empty title="Nothing has happened yet">
              Schedule a delivery or make an alert: every change appears here at once, and goes to your webhooks.
            </Empty>
          ) : (
            <Table
              label="Events"
              rows={rows}
              columns={[
                { title: "Type", cell: (e) => <code>{e.type}</code>, grow: 2 },
                { title: "When", cell: (e) => <Time at={e.created_at} />, grow: 1.5 },
                { title: "Id", cell: (e) => <code>{e.id}</code>, grow: 2, minor: true },
              ]}
            />
          )
        }
      </Show>
    </Card>
  );
}

export default function Home() {
  return (
    <>
      <h1>Home</h1>
      <div class="grid">
        <Quota />
        <UsageCards />
        <Errors />
        <LiveEvents />
      </div>
    </>
  );
}
