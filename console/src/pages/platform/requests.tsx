// The request log of this mode: filters, one request in full, and the same request for a shell and each SDK.
import { useState } from "preact/hooks";
import { type LoggedRequest, requestLog } from "../../api.ts";
import { useLoad, usePages } from "../../hooks.ts";
import { LANGUAGES, type Written } from "../../snippets.ts";
import { go, sent } from "../../state.ts";
import { Badge, Card, Copy, Empty, Field, Show, Table, Time } from "../../ui.tsx";

const ACTIONS = ["delivery", "shopping", "stock", "alerts", "detector", "events", "webhooks", "keys", "usage", "user"];

interface Filter {
  outcome: string;
  action: string;
  error_code: string;
}

const NO_FILTER: Filter = { outcome: "", action: "", error_code: "" };
const given = (filter: object) => Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ""));

/** The tab knows the bodies of its own requests; the log keeps none. */
function writtenOf({ id, method, path }: LoggedRequest): Written {
  const own = sent.value.find((s) => s.id === id);
  return { method, path: path.replace(/^\/(api\/)?v1/, ""), body: own?.body ?? null };
}

function Snippets({ request }: { request: Written }) {
  const [language, setLanguage] = useState("curl");
  const text = LANGUAGES.find(([name]) => name === language)![1](request);
  return (
    <>
      <div class="buttons">
        {LANGUAGES.map(([name]) => (
          <button
            type="button"
            class="small"
            key={name}
            aria-pressed={name === language}
            onClick={() => setLanguage(name)}
          >
            {name}
          </button>
        ))}
        <Copy text={text} label={`Copy as ${language}`} />
      </div>
      <pre tabIndex={0}>{text}</pre>
    </>
  );
}

function One({ id }: { id: string }) {
  const found = useLoad((api) => requestLog(api, { request_id: id, limit: 1 }), [id]);
  return (
    <Card
      title="One request"
      wide
      side={
        <button type="button" class="small" onClick={() => go("platform", "requests")}>
          Close
        </button>
      }
    >
      <Show of={found}>
        {({ items: [r] }) =>
          r === undefined ? (
            <Empty title="Not in the log">The newest 10,000 requests of this mode are kept, for a week.</Empty>
          ) : (
            <>
              <p>
                <code>
                  {r.method} {r.path}
                </code>
              </p>
              <p>
                <Badge of={r.status < 400 ? "ok" : "failed"} /> {r.status} {r.error_code} · {r.duration_ms} ms ·{" "}
                <Time at={r.at} /> · <code>{r.id}</code>
              </p>
              <p class="quiet">
                Route {r.route}, key <code>{r.key_id}</code>
                {r.error_code && (
                  <>
                    {" · "}
                    <a href={`/docs/errors#${r.error_code}`}>what this error means</a>
                  </>
                )}
              </p>
              <Snippets request={writtenOf(r)} />
            </>
          )
        }
      </Show>
    </Card>
  );
}

function Filters({ filter, onChange }: { filter: Filter; onChange(to: Filter): void }) {
  const set = (name: keyof Filter) => (e: { currentTarget: { value: string } }) =>
    onChange({ ...filter, [name]: e.currentTarget.value.trim() });
  return (
    <div class="inline">
      <Field label="Outcome">
        <select value={filter.outcome} onChange={set("outcome")}>
          <option value="">all</option>
          <option value="succeeded">succeeded</option>
          <option value="failed">failed</option>
        </select>
      </Field>
      <Field label="Action">
        <select value={filter.action} onChange={set("action")}>
          <option value="">all</option>
          {ACTIONS.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <Field label="Error code">
        <input value={filter.error_code} placeholder="for instance validation_failed" onChange={set("error_code")} />
      </Field>
    </div>
  );
}

export function Requests({ item }: { item: string | null }) {
  const [filter, setFilter] = useState(NO_FILTER);
  const requests = usePages<LoggedRequest>(
    (api, page) => requestLog(api, { ...page, ...given(filter) }),
    (r) => r.id,
    [filter],
  );
  return (
    <>
      {item && <One id={item} key={item} />}
      <Card
        title="Request log"
        wide
        side={
          <button type="button" class="small" onClick={requests.reload}>
            Refresh
          </button>
        }
      >
        <Filters filter={filter} onChange={setFilter} />
        <Show of={requests}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title="No such request">
                Every request of your keys in this mode is listed here, without its body: the newest 10,000, for a week.
              </Empty>
            ) : (
              <Table
                label="Request log"
                rows={items}
                onOpen={(r) => go("platform/requests", r.id)}
                onEnd={requests.more}
                columns={[
                  { title: "Request", cell: (r) => <code>{`${r.method} ${r.path}`}</code>, grow: 3 },
                  {
                    title: "Status",
                    cell: (r) => (
                      <span
                        class={r.status < 400 ? "good-text" : "bad-text"}
                      >{`${r.status} ${r.error_code ?? ""}`}</span>
                    ),
                    grow: 1.2,
                  },
                  { title: "Took", cell: (r) => `${r.duration_ms} ms`, grow: 0.6, minor: true },
                  { title: "When", cell: (r) => <Time at={r.at} />, minor: true },
                ]}
              />
            )
          }
        </Show>
      </Card>
    </>
  );
}
