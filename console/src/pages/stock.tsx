// Stock: a live watch list that says what each number is, the clocks of the markets, and price levels.
import { useEffect, useState } from "preact/hooks";
import type { StockQuote } from "../../../sdks/typescript/src/index.ts";
import { useAction, useLoad, usePages, useStream } from "../hooks.ts";
import { Sparkline } from "../pictures.tsx";
import { client } from "../state.ts";
import { Badge, Card, Empty, Field, Problem, Show, StreamSign, Table, Time } from "../ui.tsx";

const MAX_POINTS = 60;
const DEFAULT_LIST = "AAPL, MSFT, SAP.DE";

type Watched = { quote: StockQuote; prices: number[] };

function kindOf({ data }: StockQuote): string {
  if (data.simulated) return "simulated";
  return data.stale ? "stale" : data.delivery;
}

function WatchList() {
  const [text, setText] = useState(localStorage.getItem("symbols") ?? DEFAULT_LIST);
  const [typed, setTyped] = useState(text);
  const [watched, setWatched] = useState<Map<string, Watched>>(new Map());
  const symbols = text.split(/[\s,]+/).filter(Boolean);
  const quotes = useLoad(async (api) => (symbols.length > 0 ? api.stock.quote({ symbols }) : null), [text]);
  const put = (quote: StockQuote) =>
    setWatched((known) => {
      const prices = known.get(quote.symbol)?.prices ?? [];
      const price = Number(quote.last?.price);
      const added = Number.isFinite(price) ? [...prices, price].slice(-MAX_POINTS) : prices;
      return new Map(known).set(quote.symbol, { quote, prices: added });
    });
  useEffect(() => {
    for (const entry of quotes.data?.results ?? []) if (entry.ok) put(entry.quote);
  }, [quotes.data]);
  const found = (quotes.data?.results ?? []).flatMap((r) => (r.ok ? [r.requested] : []));
  const missing = (quotes.data?.results ?? []).flatMap((r) => (r.ok ? [] : [r]));
  const state = useStream<StockQuote>(
    (api, options) => api.stock.stream({ symbols: found.join(",") }, options),
    (e) => e.event === "quote" && put(e.data),
    [found.join(",")],
    found.length > 0,
  );
  const rows = (quotes.data?.results ?? []).flatMap((r) => (r.ok && watched.get(r.quote.symbol)) || []);
  return (
    <Card title="Watch list" wide side={found.length > 0 && <StreamSign state={state} />}>
      <form
        class="inline"
        onSubmit={(e) => {
          e.preventDefault();
          localStorage.setItem("symbols", typed);
          setText(typed);
        }}
      >
        <Field label="Symbols">
          <input name="symbols" value={typed} onInput={(e) => setTyped(e.currentTarget.value)} />
        </Field>
        <button type="submit" class="primary">
          Watch
        </button>
      </form>
      <Problem error={quotes.error} />
      {missing.map((m) => (
        <p class="hint" key={m.requested}>
          {m.requested}: {m.error.message}
        </p>
      ))}
      {rows.length === 0 && !quotes.loading && (
        <Empty title="Nothing to watch">Type symbols, for instance AAPL, SAP.DE or XNAS:MSFT.</Empty>
      )}
      {rows.length > 0 && (
        <Table
          label="Watch list"
          rows={rows}
          columns={[
            { title: "Symbol", cell: (w) => <strong>{w.quote.symbol}</strong> },
            { title: "Last", cell: (w) => `${w.quote.last?.price ?? "—"} ${w.quote.currency ?? ""}` },
            { title: "Change", cell: (w) => <Change of={w.quote} /> },
            { title: "Data", cell: (w) => <Badge of={kindOf(w.quote)} />, grow: 1.3 },
            { title: "Market", cell: (w) => <Badge of={w.quote.market?.state ?? "unknown"} />, minor: true },
            {
              title: "Since opened",
              cell: (w) => <Sparkline values={w.prices} label="Price" />,
              grow: 1.5,
              minor: true,
            },
          ]}
        />
      )}
    </Card>
  );
}

function Change({ of }: { of: StockQuote }) {
  if (!of.change) return <span class="quiet">—</span>;
  const { percent } = of.change;
  return <span class={percent.startsWith("-") ? "bad-text" : "good-text"}>{Number(percent).toFixed(2)} %</span>;
}

function Markets() {
  const markets = useLoad((api) => api.stock.markets({ limit: 100 } as object));
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((n) => n + 1), 30_000);
    return () => clearInterval(timer);
  }, []);
  const clock = (timeZone: string) => new Date().toLocaleTimeString(undefined, { timeStyle: "short", timeZone });
  return (
    <Card title="Market clock" wide>
      <Show of={markets}>
        {({ items }) => (
          <Table
            label="Markets"
            rows={items}
            columns={[
              { title: "Market", cell: (m) => `${m.name}`, grow: 2 },
              { title: "There it is", cell: (m) => clock(m.timezone) },
              { title: "State", cell: (m) => <Badge of={m.market.state} /> },
              {
                title: "Next",
                cell: (m) =>
                  m.market.state === "regular" ? <Time at={m.market.close_at} /> : <Time at={m.market.next_open_at} />,
                grow: 1.5,
                minor: true,
              },
            ]}
          />
        )}
      </Show>
    </Card>
  );
}

function Levels() {
  const levels = usePages(
    (api, page) => api.stock.levels.list(page),
    (l) => l.id,
  );
  const [draft, setDraft] = useState({ symbol: "", side: "above", price: "" });
  const add = useAction(async () => {
    const { symbol, side, price } = draft;
    await client.value.stock.levels.create({ symbol, [side]: price } as never);
    levels.reload();
  });
  const remove = useAction(async (id: string) => {
    await client.value.stock.levels.delete(id);
    levels.reload();
  });
  return (
    <Card title="Price levels" wide>
      <form
        class="inline"
        onSubmit={(e) => {
          e.preventDefault();
          void add.act();
        }}
      >
        <Field label="Symbol">
          <input required value={draft.symbol} onInput={(e) => setDraft({ ...draft, symbol: e.currentTarget.value })} />
        </Field>
        <Field label="Crosses">
          <select value={draft.side} onChange={(e) => setDraft({ ...draft, side: e.currentTarget.value })}>
            <option value="above">above</option>
            <option value="below">below</option>
          </select>
        </Field>
        <Field label="Price">
          <input required value={draft.price} onInput={(e) => setDraft({ ...draft, price: e.currentTarget.value })} />
        </Field>
        <button type="submit" class="primary" disabled={add.busy}>
          Set level
        </button>
      </form>
      <Problem error={add.error ?? remove.error} />
      <Show of={levels}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No levels">
              Set one above. When the price crosses it, the event stock.level_crossed goes to your streams and webhooks.
            </Empty>
          ) : (
            <Table
              label="Price levels"
              onEnd={levels.more}
              rows={items}
              columns={[
                { title: "Symbol", cell: (l) => l.symbol },
                {
                  title: "Level",
                  cell: (l) => (l.above ? `above ${l.above}` : l.below ? `below ${l.below}` : `${l.percent} %`),
                },
                { title: "State", cell: (l) => <Badge of={l.state} /> },
                { title: "Crossed", cell: (l) => <Time at={l.crossed_at} />, minor: true },
                {
                  title: "",
                  cell: (l) => (
                    <button type="button" class="small" onClick={() => void remove.act(l.id)}>
                      Remove
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

export default function Stock() {
  return (
    <>
      <h1>Stock</h1>
      <div class="grid">
        <WatchList />
        <Levels />
        <Markets />
      </div>
    </>
  );
}
