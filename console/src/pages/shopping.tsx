// Shopping: add a product page and see it read; its price over time with bands of availability.
import { useState } from "preact/hooks";
import type { ShoppingHistory, Tracker } from "../../../sdks/typescript/src/index.ts";
import { type Band, TimeChart } from "../chart.tsx";
import { useAction, useLoad } from "../hooks.ts";
import { client, go, mode } from "../state.ts";
import { Badge, Card, Empty, Field, Problem, Show, Table, Time } from "../ui.tsx";

const HISTORY_DAYS = 90;
const DEMO = "/demo-shop/kettle";

const priceOf = (t: Tracker) => (t.price ? `${t.price.amount} ${t.price.currency ?? ""}` : "—");

function Add() {
  const [url, setUrl] = useState("");
  const add = useAction(async () => {
    const tracker = await client.value.shopping.track({ url, wait: 10 });
    if (tracker.id) go("shopping", tracker.id);
  });
  return (
    <Card title="Track a product page" wide>
      <form
        class="inline"
        onSubmit={(e) => {
          e.preventDefault();
          void add.act();
        }}
      >
        <Field label="Address of the page">
          <input name="url" type="url" required value={url} onInput={(e) => setUrl(e.currentTarget.value)} />
        </Field>
        <button type="submit" class="primary" disabled={add.busy}>
          {add.busy ? "Reading the page…" : "Track"}
        </button>
        {mode.value === "test" && (
          <button type="button" onClick={() => setUrl(location.origin + DEMO)}>
            Use the demo shop
          </button>
        )}
      </form>
      <Problem error={add.error} />
    </Card>
  );
}

function List() {
  const trackers = useLoad((api) => api.shopping.list({ limit: 100 }));
  return (
    <div class="grid">
      <Add />
      <Card title="Tracked products" wide>
        <Show of={trackers}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title="No product is tracked yet">
                Paste the address of a product page above. The service reads it now and then, and raises an event when
                the price or the availability changes. A test key reads the demo shop of this service.
              </Empty>
            ) : (
              <Table
                label="Tracked products"
                rows={items}
                onOpen={(t) => t.id && go("shopping", t.id)}
                columns={[
                  { title: "Product", cell: (t) => t.product?.name ?? t.url, grow: 3 },
                  { title: "Price", cell: priceOf },
                  { title: "Availability", cell: (t) => <Badge of={t.availability.status} />, minor: true },
                  { title: "State", cell: (t) => <Badge of={t.status} /> },
                  { title: "Checked", cell: (t) => <Time at={t.check.last_checked_at} />, grow: 1.4, minor: true },
                ]}
              />
            )
          }
        </Show>
      </Card>
    </div>
  );
}

/** A band for each stretch of one availability, up to now. */
function bandsOf(history: ShoppingHistory[]): Band[] {
  return history.map((h, i) => ({
    fromMs: Date.parse(h.at),
    toMs: i + 1 < history.length ? Date.parse(history[i + 1].at) : Date.now(),
    good: !/out_of_stock|discontinued|unknown/.test(h.availability),
  }));
}

function Prices({ history }: { history: ShoppingHistory[] }) {
  const rows = [...history].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  if (rows.length === 0) return <p class="quiet">The first check has not been made yet.</p>;
  const last = rows.at(-1)!;
  const times = [...rows.map((h) => Date.parse(h.at)), Math.max(Date.now(), Date.parse(last.at) + 60_000)];
  const values = [...rows, last].map((h) => (h.amount === null ? null : Number(h.amount)));
  return (
    <TimeChart
      label="Price over time, with availability behind it"
      times={times}
      values={values}
      bands={bandsOf(rows)}
    />
  );
}

function One({ id }: { id: string }) {
  const tracker = useLoad(
    (api) => api.shopping.track({ id, include: ["candidates"], history_days: HISTORY_DAYS } as never),
    [id],
  );
  const history = useLoad((api) => api.shopping.history(id, { days: HISTORY_DAYS }), [id]);
  const remove = useAction(async () => {
    await client.value.shopping.delete(id);
    go("shopping");
  });
  return (
    <Show of={tracker}>
      {(t) => (
        <div class="grid">
          <Card title={t.product?.name ?? t.url}>
            <p class="big">{priceOf(t)}</p>
            <p>
              <Badge of={t.availability.status} /> <Badge of={t.status} /> {t.simulated && <Badge of="simulated" />}
            </p>
            <ul class="pairs">
              <li>
                <span>Lowest seen</span>
                <span>{t.stats?.min?.amount ?? "—"}</span>
              </li>
              <li>
                <span>Highest seen</span>
                <span>{t.stats?.max?.amount ?? "—"}</span>
              </li>
              <li>
                <span>Checks</span>
                <span>{t.stats?.checks ?? 0}</span>
              </li>
              <li>
                <span>Next check</span>
                <Time at={t.check.next_check_at} />
              </li>
            </ul>
            {t.warnings.map((w) => (
              <p class="hint" key={w.code}>
                {w.detail} {w.hint}
              </p>
            ))}
            <Problem error={remove.error} />
            <div class="buttons">
              <button type="button" onClick={() => void remove.act()}>
                Stop tracking
              </button>
              <button type="button" onClick={() => go("shopping")}>
                All products
              </button>
            </div>
          </Card>
          <Card title="Where this price was found">
            <p>
              Found by <strong>{t.check.method ?? "—"}</strong>
              {t.check.confidence !== null && `, confidence ${Math.round(t.check.confidence * 100)} %`}.
            </p>
            {t.price?.raw && (
              <p>
                On the page it reads <mark>{t.price.raw}</mark>
              </p>
            )}
            <ul class="pairs">
              {(t.check.candidates ?? []).map((c) => (
                <li key={c.method + c.amount}>
                  <span>
                    {c.amount} {c.currency} <span class="quiet">{c.method}</span>
                  </span>
                  <span>{c.score.toFixed(2)}</span>
                </li>
              ))}
            </ul>
          </Card>
          <Card
            title={`Price, last ${HISTORY_DAYS} days`}
            wide
            side={<span class="quiet">green: available, red: not</span>}
          >
            <Show of={history}>{(h) => <Prices history={h.items} />}</Show>
          </Card>
        </div>
      )}
    </Show>
  );
}

export default function Shopping({ id }: { id: string | null }) {
  return (
    <>
      <h1>Shopping</h1>
      {id ? <One id={id} key={id} /> : <List />}
    </>
  );
}
