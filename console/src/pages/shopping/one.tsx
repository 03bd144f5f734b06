// One tracked product: its price over time, where the price was found on the page, and how to correct that.
import type { Event, ShoppingHistory, Tracker } from "../../../../sdks/typescript/src/index.ts";
import { type Band, type EventMark, type PointMark, TimeChart } from "../../chart.tsx";
import { useAction, useLoad, useStream } from "../../hooks.ts";
import { client, go } from "../../state.ts";
import { Badge, Card, Problem, Show, StreamSign, Time } from "../../ui.tsx";
import { type Found, Where } from "./where.tsx";

const HISTORY_DAYS = 90;
const MINUTE_MS = 60_000;
const UNAVAILABLE = /out_of_stock|discontinued|unknown/;

export const priceOf = (t: Tracker) => (t.price ? `${t.price.amount} ${t.price.currency ?? ""}` : "—");

/** A band for each stretch of one availability, up to now. */
function bandsOf(history: ShoppingHistory[]): Band[] {
  return history.map((h, i) => ({
    fromMs: Date.parse(h.at),
    toMs: i + 1 < history.length ? Date.parse(history[i + 1].at) : Date.now(),
    good: !UNAVAILABLE.test(h.availability),
  }));
}

/** The lowest and the highest price of the line, each where it first stood. */
function extremesOf(history: ShoppingHistory[]): PointMark[] {
  const priced = history
    .filter((h) => h.amount !== null)
    .map((h) => ({ atMs: Date.parse(h.at), value: Number(h.amount) }));
  if (new Set(priced.map((p) => p.value)).size < 2) return [];
  const low = priced.reduce((best, p) => (p.value < best.value ? p : best));
  const high = priced.reduce((best, p) => (p.value > best.value ? p : best));
  return [
    { ...low, name: `low ${low.value}` },
    { ...high, name: `high ${high.value}` },
  ];
}

function Prices({ history, events }: { history: ShoppingHistory[]; events: EventMark[] }) {
  const rows = [...history].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  if (rows.length === 0) return <p class="quiet">The first check has not been made yet.</p>;
  const last = rows.at(-1)!;
  const times = [...rows.map((h) => Date.parse(h.at)), Math.max(Date.now(), Date.parse(last.at) + MINUTE_MS)];
  const values = [...rows, last].map((h) => (h.amount === null ? null : Number(h.amount)));
  return (
    <TimeChart
      label="Price over time, with availability behind it"
      times={times}
      values={values}
      bands={bandsOf(rows)}
      marks={extremesOf(rows)}
      events={events}
    />
  );
}

/** The alerts that this product has raised. */
const alertsOf = (events: Event[], id: string): EventMark[] =>
  events
    .filter((e) => JSON.stringify(e.data).includes(id))
    .map((e) => ({ atMs: Date.parse(e.created_at), name: e.type }));

function Facts({ t, onRemove }: { t: Tracker; onRemove(): void }) {
  const rows: [name: string, value: preact.ComponentChildren][] = [
    ["Lowest seen", t.stats?.min?.amount ?? "—"],
    ["Highest seen", t.stats?.max?.amount ?? "—"],
    ["Against its history", t.stats?.deal ?? "too early to say"],
    ["Checks", t.stats?.checks ?? 0],
    ["Last check", <Time key="last" at={t.check.last_checked_at} />],
    ["Next check", <Time key="next" at={t.check.next_check_at} />],
  ];
  return (
    <Card title={t.product?.name ?? t.url}>
      <p class="big">{priceOf(t)}</p>
      <p>
        <Badge of={t.availability.status} /> <Badge of={t.status} /> {t.simulated && <Badge of="simulated" />}
      </p>
      <ul class="pairs">
        {rows.map(([name, value]) => (
          <li key={name}>
            <span>{name}</span>
            <span>{value}</span>
          </li>
        ))}
      </ul>
      {t.warnings.map((w) => (
        <p class="hint" key={w.code}>
          {w.detail} {w.hint}
        </p>
      ))}
      {t.check.error && <p class="hint">{t.check.error}</p>}
      <div class="buttons">
        <button type="button" onClick={onRemove}>
          Stop tracking
        </button>
        <button type="button" onClick={() => go("shopping")}>
          All products
        </button>
      </div>
    </Card>
  );
}

export function One({ id }: { id: string }) {
  const tracker = useLoad(
    (api) => api.shopping.track({ id, include: ["candidates"], history_days: HISTORY_DAYS } as never),
    [id],
  );
  const history = useLoad((api) => api.shopping.history(id, { days: HISTORY_DAYS }), [id]);
  const alerts = useLoad((api) => api.events.list({ limit: 100, type: "shopping.alert" }), [id]);
  const reload = () => {
    tracker.reload();
    history.reload();
    alerts.reload();
  };
  const stream = useStream<Event>(
    (api, options) => api.events.stream({ type: "shopping.*" }, options),
    ({ data }) => JSON.stringify(data).includes(id) && reload(),
    [id],
  );
  const remove = useAction(async () => {
    await client.value.shopping.delete(id);
    go("shopping");
  });
  const correct = useAction(async (selector: string | null) => {
    await client.value.shopping.update(id, { selector });
    await client.value.shopping.track({ id, max_age: "0s" } as never);
    reload();
  });
  return (
    <Show of={tracker}>
      {(t) => (
        <div class="grid">
          <Facts t={t} onRemove={() => void remove.act()} />
          <Where
            found={t as unknown as Found}
            busy={correct.busy}
            error={correct.error ?? remove.error}
            onCorrect={(selector) => void correct.act(selector)}
          />
          <Card
            title={`Price, last ${HISTORY_DAYS} days`}
            wide
            side={
              <span class="key">
                <span class="good">available</span>
                <span class="bad">not available</span>
                <span class="s1">alert</span>
                <StreamSign state={stream} />
              </span>
            }
          >
            <Show of={history}>
              {(h) => <Prices history={h.items} events={alertsOf(alerts.data?.items ?? [], id)} />}
            </Show>
            <Problem error={alerts.error} />
          </Card>
        </div>
      )}
    </Show>
  );
}
