// For operators: accounts, plans, dead jobs, health and settings.
import { useState } from "preact/hooks";
import { type Account, accounts, changeAccount, health, plans, settings } from "../api.ts";
import { useAction, useLoad, usePages, useSettled } from "../hooks.ts";
import { client, place } from "../state.ts";
import { Badge, Card, Empty, Field, Problem, Show, Stat, Table, Tabs, Time } from "../ui.tsx";
import { ProviderHealth } from "./home.tsx";

const PLAN_NAMES = ["free", "plus", "max"];

function AccountRow({ account, change }: { account: Account; change(body: object): void }) {
  return (
    <span class="inline">
      <select
        class="small"
        aria-label={`Plan of ${account.name}`}
        value={account.plan}
        onChange={(e) => change({ plan: e.currentTarget.value })}
      >
        {PLAN_NAMES.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <button type="button" class="small" onClick={() => change({ suspended: !account.suspended_at })}>
        {account.suspended_at ? "Resume" : "Suspend"}
      </button>
    </span>
  );
}

function Accounts() {
  const [search, setSearch] = useState("");
  const settled = useSettled(search.trim());
  const list = usePages(
    (api, page) => accounts(api, { ...page, ...(settled ? { search: settled } : {}) }),
    (a) => a.user_id,
    [settled],
  );
  const change = useAction(async (id: string, body: object) => {
    await changeAccount(client.value, id, body);
    list.reload();
  });
  return (
    <Card title="Accounts" wide>
      <Field label="Search by name, e-mail or id">
        <input name="search" value={search} onInput={(e) => setSearch(e.currentTarget.value)} />
      </Field>
      <Problem error={change.error} />
      <Show of={list}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No such account">
              Make one with <code>connector accounts create</code> or <code>POST /admin/accounts</code>.
            </Empty>
          ) : (
            <Table
              label="Accounts"
              onEnd={list.more}
              rows={items}
              columns={[
                { title: "Name", cell: (a) => a.name },
                { title: "State", cell: (a) => <Badge of={a.suspended_at ? "suspended" : "active"} />, grow: 1.15 },
                { title: "Today", cell: (a) => `${a.requests_today} requests`, minor: true },
                { title: "Keys", cell: (a) => a.keys, grow: 0.5, minor: true },
                { title: "Since", cell: (a) => <Time at={a.created_at} />, minor: true },
                {
                  title: "Plan",
                  grow: 2.9,
                  cell: (a) => <AccountRow account={a} change={(body) => void change.act(a.user_id, body)} />,
                },
              ]}
            />
          )
        }
      </Show>
    </Card>
  );
}

function Plans() {
  const list = useLoad(plans);
  return (
    <Show of={list}>
      {({ items }) => (
        <>
          {items.map((plan) => (
            <Card title={plan.name} size="third" key={plan.name}>
              <p class="big">{plan.requests_per_minute.toLocaleString()}</p>
              <p class="quiet">
                requests in any 60 seconds · {plan.accounts} {plan.accounts === 1 ? "account" : "accounts"}
              </p>
              <ul class="pairs">
                {plan.limits.map((limit) => (
                  <li key={limit.kind}>
                    <span>{limit.kind.replaceAll("_", " ")}</span>
                    <span>
                      {limit.rows.toLocaleString()} · {limit.megabytes.toLocaleString()} MB
                    </span>
                  </li>
                ))}
              </ul>
            </Card>
          ))}
        </>
      )}
    </Show>
  );
}

function Jobs() {
  const jobs = usePages(
    (api, page) => api.admin.jobs.list(page),
    (j) => j.id,
  );
  const requeue = useAction(async (ids: string[]) => {
    await client.value.admin.jobs.requeue({ ids });
    jobs.reload();
  });
  return (
    <Card title="Dead jobs" wide>
      <Problem error={requeue.error} />
      <Show of={jobs}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No dead jobs">
              All background work is done or on its way. A job that failed as often as it may is listed here.
            </Empty>
          ) : (
            <Table
              label="Dead jobs"
              onEnd={jobs.more}
              rows={items}
              columns={[
                { title: "Job", cell: (j) => <code>{j.name}</code>, grow: 1.2 },
                { title: "Error", cell: (j) => <span class="bad-text">{j.error}</span>, grow: 2 },
                { title: "Failed", cell: (j) => <Time at={j.failed_at} />, minor: true },
                {
                  title: "",
                  cell: (j) => (
                    <button type="button" class="small" onClick={() => void requeue.act([j.id])}>
                      Try again
                    </button>
                  ),
                },
              ]}
            />
          )
        }
      </Show>
    </Card>
  );
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1_048_576).toLocaleString()} MB`;

function Health() {
  const state = useLoad(health);
  return (
    <>
      <Show of={state}>
        {(h) => (
          <div class="stats">
            <Stat
              label="Service"
              value={h.ready ? "ready" : "not ready"}
              tone={h.ready ? "good-text" : "bad-text"}
              note={h.missing.join(", ") || `version ${h.version}`}
            />
            <Stat label="Dead jobs" value={h.jobs_dead} tone={h.jobs_dead > 0 ? "bad-text" : ""} />
            <Stat label="Webhooks waiting" value={h.webhook_retries} note="for another attempt" />
            <Stat label="Memory" value={megabytes(h.memory_bytes)} note="of this process" />
            <Stat
              label="Free disk"
              value={h.disk_free_bytes === null ? "—" : megabytes(h.disk_free_bytes)}
              note={h.disk_free_bytes === null ? "the store lies elsewhere" : "of the embedded store"}
            />
            <Stat label="Running since" value={<Time at={h.started_at} />} />
          </div>
        )}
      </Show>
      <ProviderHealth />
    </>
  );
}

function Settings() {
  const list = useLoad(settings);
  const [changed, setChanged] = useState(false);
  return (
    <Card
      title="Settings"
      wide
      side={
        <label>
          <input type="checkbox" checked={changed} onChange={(e) => setChanged(e.currentTarget.checked)} /> only changed
        </label>
      }
    >
      <p class="quiet">Read only: set them in the environment or in connector.toml. Secrets are never shown.</p>
      <Show of={list}>
        {({ items }) => (
          <Table
            label="Settings"
            rows={items.filter((s) => !changed || s.changed)}
            columns={[
              { title: "Name", cell: (s) => <code title={s.description}>{s.name}</code>, grow: 1.7 },
              {
                title: "Value",
                cell: (s) =>
                  s.secret ? <span class="quiet">{s.changed ? "•••• set" : "not set"}</span> : (s.value ?? "—"),
              },
              {
                title: "What it does",
                cell: (s) => <span class="quiet">{s.description}</span>,
                grow: 2.4,
                minor: true,
              },
            ]}
          />
        )}
      </Show>
    </Card>
  );
}

const PARTS = { accounts: "Accounts", plans: "Plans", jobs: "Dead jobs", health: "Health", settings: "Settings" };

function Part({ name }: { name: string }) {
  if (name === "plans") return <Plans />;
  if (name === "jobs") return <Jobs />;
  if (name === "health") return <Health />;
  return name === "settings" ? <Settings /> : <Accounts />;
}

export default function Operator() {
  const { id } = place.value;
  const part = id && Object.hasOwn(PARTS, id) ? id : "accounts";
  return (
    <>
      <h1>Operator</h1>
      <Tabs label="Parts for operators" page="operator" parts={PARTS} current={part} />
      <div class="grid">
        <Part name={part} />
      </div>
    </>
  );
}
