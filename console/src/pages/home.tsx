// Home: the quota of this minute, usage by day, action and key, errors with their hints, providers, events as they happen.
import { useState } from "preact/hooks";
import type { Event, Usage, UsageRow } from "../../../sdks/typescript/src/index.ts";
import { errorsByCode, type Provider, providers, requestLog } from "../api.ts";
import { type Loaded, useLoad, useStream } from "../hooks.ts";
import { type Bar, Bars, Gauge, Shares } from "../pictures.tsx";
import { go, session } from "../state.ts";
import { Badge, Card, Copy, Empty, Show, Stat, StreamSign, Table, Time } from "../ui.tsx";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const DAYS = 14;
const MAX_EVENTS = 500;

/** Sums of usage rows by one of their members. */
function sumBy(rows: UsageRow[], nameOf: (row: UsageRow) => string): Bar[] {
  const sums = new Map<string, Required<Bar>>();
  for (const row of rows) {
    const name = nameOf(row);
    const sum = sums.get(name) ?? { name, value: 0, bad: 0 };
    sum.value += row.requests;
    sum.bad += row.failures;
    sums.set(name, sum);
  }
  return [...sums.values()].sort((a, b) => b.value - a.value);
}

/** One bar a day, also for the days without a request. */
function byDay({ rows }: Usage): Bar[] {
  const sums = new Map(sumBy(rows, (row) => row.at.slice(0, 10)).map((bar) => [bar.name, bar]));
  return Array.from({ length: DAYS }, (_, i) => {
    const name = new Date(Date.now() - (DAYS - 1 - i) * DAY_MS).toISOString().slice(0, 10);
    return sums.get(name) ?? { name, value: 0 };
  });
}

/** One bar for each of the last 60 seconds. */
function bySecond(times: string[]): Bar[] {
  const start = Math.floor((Date.now() - MINUTE_MS) / SECOND_MS) + 1;
  const bars = Array.from({ length: 60 }, (_, i): Bar => ({ name: `${59 - i} s ago`, value: 0 }));
  for (const at of times) {
    const bar = bars[Math.min(59, Math.floor(Date.parse(at) / SECOND_MS) - start)];
    if (bar) bar.value++;
  }
  return bars;
}

function Quota() {
  const profile = useLoad((api) => api.user.profile());
  const minute = useLoad((api) => requestLog(api, { limit: 100, since: new Date(Date.now() - MINUTE_MS) }));
  const reload = () => {
    profile.reload();
    minute.reload();
  };
  return (
    <Card
      title="Quota"
      size="third"
      side={
        <button type="button" class="small" onClick={reload}>
          Refresh
        </button>
      }
    >
      <Show of={profile}>
        {({ quota }) => (
          <Gauge value={quota.limit - quota.remaining} max={quota.limit} label="requests in this minute" />
        )}
      </Show>
      <Show of={minute}>
        {({ items }) => (
          <Bars
            label="Requests by second in this minute"
            ends={["60 s ago", "now"]}
            values={bySecond(items.map((r) => r.at))}
          />
        )}
      </Show>
      <p class="quiet">
        The console asks with your key: its requests are in these numbers.{" "}
        <a href="/docs/quotas">How requests are counted</a>
      </p>
    </Card>
  );
}

type Errors = Awaited<ReturnType<typeof errorsByCode>>;

function Numbers({ usage, errors }: { usage: Loaded<Usage>; errors: Loaded<Errors> }) {
  const today = new Date().toISOString().slice(0, 10);
  const rows = (usage.data?.rows ?? []).filter((row) => row.at.startsWith(today));
  const requests = rows.reduce((sum, row) => sum + row.requests, 0);
  const failures = rows.reduce((sum, row) => sum + row.failures, 0);
  const share = requests > 0 ? `${((1 - failures / requests) * 100).toFixed(1)} %` : "—";
  return (
    <div class="stats">
      <Stat label="Requests today" value={requests.toLocaleString()} note="UTC day, all keys" />
      <Stat label="Answered well" value={share} note={`${failures} refused or failed`} />
      <Stat label={`Requests, ${DAYS} days`} value={(usage.data?.requests ?? 0).toLocaleString()} />
      <Stat
        label="Errors, 24 hours"
        value={(errors.data?.requests ?? 0).toLocaleString()}
        tone={errors.data?.requests ? "bad-text" : ""}
        note={errors.data?.items[0]?.code ?? "none"}
      />
    </div>
  );
}

function UsageCards({ usage }: { usage: Loaded<Usage> }) {
  // A key without keys:write sees ids instead of names.
  const keys = useLoad(async (api) =>
    session.value?.scopes.includes("keys:write") ? (await api.keys.list({ limit: 100 })).items : [],
  );
  const names = new Map((keys.data ?? []).map((key) => [key.id, key.name]));
  const nameOf = ({ key_id }: UsageRow) => names.get(key_id ?? "") ?? key_id ?? "—";
  const first = new Date(Date.now() - (DAYS - 1) * DAY_MS).toISOString().slice(5, 10);
  return (
    <>
      <Card title={`Usage, last ${DAYS} days`} size="two-thirds">
        <Show of={usage}>
          {(u) => (
            <>
              <Bars label="Requests by day, failures in red" ends={[first, "today"]} values={byDay(u)} />
              <div class="grid">
                <section class="card-part">
                  <h3>By action</h3>
                  <Shares rows={sumBy(u.rows, (row) => row.route.split(".")[0]).slice(0, 6)} />
                </section>
                <section class="card-part">
                  <h3>By key</h3>
                  <Shares rows={sumBy(u.rows, nameOf).slice(0, 6)} />
                </section>
              </div>
            </>
          )}
        </Show>
      </Card>
    </>
  );
}

function ErrorList({ errors }: { errors: Loaded<Errors> }) {
  return (
    <Card title="Errors by code, last 24 hours">
      <Show of={errors}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No errors">What is refused is counted here by its code, with what to do about it.</Empty>
          ) : (
            <ul class="pairs">
              {items.slice(0, 6).map((e) => (
                <li key={e.code}>
                  <span>
                    <a href={`/docs/errors#${e.code}`}>
                      <code>{e.code}</code>
                    </a>{" "}
                    <Badge of={String(e.status)} />
                    <br />
                    <span class="hint">{e.hint}</span>
                    <br />
                    <small class="quiet">
                      {e.routes.slice(0, 3).join(", ")} ·{" "}
                      <button type="button" class="plain" onClick={() => go("platform/requests", e.last_request_id)}>
                        last one
                      </button>
                    </small>
                  </span>
                  <strong>{e.requests}</strong>
                </li>
              ))}
            </ul>
          )
        }
      </Show>
    </Card>
  );
}

const isConfigured = (p: Provider) => p.state !== "not_configured";

export function ProviderHealth() {
  const board = useLoad(providers);
  return (
    <Card title="Provider health">
      <Show of={board}>
        {({ items }) => (
          <>
            {!items.some(isConfigured) && (
              <Empty title="No outside provider is set up">
                Test keys need none: couriers, markets and mail are simulated. For live keys the operator sets up one of
                these.
              </Empty>
            )}
            <ul class="pairs">
              {items.filter(isConfigured).map((p) => (
                <li key={p.name}>
                  <span>
                    <strong>{p.name}</strong> <span class="quiet">{p.action}</span>
                    <br />
                    <small class="quiet">
                      {p.calls} calls, {p.failures} failed · last success <Time at={p.last_success_at} />
                    </small>
                    {p.last_error && p.state !== "working" && <div class="bad-text">{p.last_error}</div>}
                  </span>
                  <Badge of={p.state === "paused" ? "failing" : p.state} />
                </li>
              ))}
            </ul>
            <details>
              <summary class="quiet">{items.filter((p) => !isConfigured(p)).length} more could be set up</summary>
              <ul class="pairs">
                {items
                  .filter((p) => !isConfigured(p))
                  .map((p) => (
                    <li key={p.name} title={p.hint ?? ""}>
                      <span>
                        {p.name} <span class="quiet">{p.action}</span>
                      </span>
                      <span class="quiet">{p.kind}</span>
                    </li>
                  ))}
              </ul>
            </details>
          </>
        )}
      </Show>
    </Card>
  );
}

function FirstCall() {
  const call = `curl ${location.origin}/api/v1/user/profile \\\n  -H "Authorization: Bearer $ACTION_CONNECTOR_API_KEY"`;
  return (
    <Card title="Make the first call" wide side={<Copy text={call} />}>
      <p>Paste this into a shell, with your key in the variable. It appears in the numbers above within seconds.</p>
      <pre tabIndex={0}>{call}</pre>
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
                { title: "When", cell: (e) => <Time at={e.created_at} />, grow: 1.3 },
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
  const from = new Date(Date.now() - DAYS * DAY_MS);
  const usage = useLoad((api) => api.usage.get({ by: "day", from, by_key: true }));
  const errors = useLoad((api) => errorsByCode(api, new Date(Date.now() - DAY_MS)));
  return (
    <>
      <h1>Home</h1>
      <div class="grid">
        <Numbers usage={usage} errors={errors} />
        <Quota />
        <UsageCards usage={usage} />
        {usage.data?.requests === 0 && <FirstCall />}
        <ErrorList errors={errors} />
        <ProviderHealth />
        <LiveEvents />
      </div>
    </>
  );
}
