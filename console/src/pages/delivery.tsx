// Delivery: the list, a map, one delivery with its timeline and arrival window, and the form that estimates while typing.
import { useEffect, useState } from "preact/hooks";
import type { ActionConnector, Delivery } from "../../../sdks/typescript/src/index.ts";
import { useAction, useLoad, useSettled, useStream } from "../hooks.ts";
import { type Point, WorldMap } from "../map.tsx";
import { Span } from "../pictures.tsx";
import { client, go } from "../state.ts";
import { Badge, Card, Empty, Field, Problem, Show, StreamSign, Table, Time } from "../ui.tsx";

const PAGE_SIZE = 100;
const HOUR_MS = 3_600_000;

type Order = Parameters<ActionConnector["delivery"]["schedule"]>[0];

/** The places of a delivery that are known. */
function placesOf({ locations, courier }: Pick<Delivery, "locations"> & { courier?: Delivery["courier"] }): Point[] {
  const ends = (["pickup", "dropoff"] as const).flatMap((kind): Point[] => {
    const { lat, lon, label } = locations[kind];
    return lat === null || lon === null ? [] : [{ lat, lon, kind, name: label ?? kind }];
  });
  const at = courier?.position;
  return at ? [...ends, { lat: at.lat, lon: at.lon, kind: "courier", name: courier?.name ?? "courier" }] : ends;
}

/** The list, page after page as it is scrolled, fresh after every event. */
function useDeliveries() {
  const [items, setItems] = useState<Delivery[]>([]);
  const [cursor, setCursor] = useState<string | null>(null);
  const first = useLoad((api) => api.delivery.list({ limit: PAGE_SIZE }));
  useEffect(() => {
    if (!first.data) return;
    setItems(first.data.items);
    setCursor(first.data.next_cursor);
  }, [first.data]);
  const more = useAction(async () => {
    if (!cursor) return;
    const page = await client.value.delivery.list({ limit: PAGE_SIZE, cursor });
    setItems((known) => [...known, ...page.items]);
    setCursor(page.next_cursor);
  });
  return { first, items, more };
}

function List() {
  const { first, items, more } = useDeliveries();
  const stream = useStream(
    (api, options) => api.events.stream({ type: "delivery.*" }, options),
    () => first.reload(),
  );
  const points = items.slice(0, 300).flatMap((d) => placesOf(d).filter((p) => p.kind === "dropoff"));
  return (
    <div class="grid">
      <Card
        title="Deliveries"
        wide
        side={
          <span class="inline">
            <StreamSign state={stream} />
            <button type="button" class="primary" onClick={() => go("delivery", "new")}>
              Schedule
            </button>
          </span>
        }
      >
        <Problem error={more.error} />
        <Show of={first}>
          {() =>
            items.length === 0 ? (
              <Empty title="No deliveries yet">
                Press Schedule and type two addresses. With a test key a simulated courier drives it, so you can watch
                every step without anything leaving a house.
              </Empty>
            ) : (
              <Table
                label="Deliveries"
                rows={items}
                onOpen={(d) => go("delivery", d.delivery_id)}
                onEnd={() => void more.act()}
                columns={[
                  { title: "Status", cell: (d) => <Badge of={d.status} />, grow: 1.3 },
                  { title: "To", cell: (d) => d.dropoff.address, grow: 2.4 },
                  { title: "From", cell: (d) => d.pickup.address, grow: 2, minor: true },
                  { title: "Arrival", cell: (d) => <Time at={d.dropoff.estimated_arrival} />, grow: 1.5 },
                ]}
              />
            )
          }
        </Show>
      </Card>
      <Card title="Where they go" wide>
        <WorldMap points={points} />
      </Card>
    </div>
  );
}

function Form() {
  const [draft, setDraft] = useState({ from: "", to: "", time: localTime(Date.now() + HOUR_MS), notes: "" });
  const set = (name: keyof typeof draft) => (e: { currentTarget: { value: string } }) =>
    setDraft({ ...draft, [name]: e.currentTarget.value });
  const settled = useSettled(draft);
  const ready = settled.from.length > 4 && settled.to.length > 4 && settled.time !== "";
  const order = (d: typeof draft): Order => ({
    pickup: { address: d.from, time: new Date(d.time) },
    dropoff: { address: d.to },
    ...(d.notes ? { notes: d.notes } : {}),
  });
  const estimate = useLoad(
    async (api) =>
      ready ? api.delivery.estimate({ pickup: order(settled).pickup, dropoff: { address: settled.to } }) : null,
    [JSON.stringify(settled)],
  );
  const schedule = useAction(async () =>
    go("delivery", (await client.value.delivery.schedule(order(draft))).delivery_id),
  );
  return (
    <div class="grid">
      <Card title="Schedule a delivery">
        <form
          onSubmit={(e) => {
            e.preventDefault();
            void schedule.act();
          }}
        >
          <Field label="Pick up at">
            <input
              name="from"
              required
              value={draft.from}
              onInput={set("from")}
              placeholder="Alexanderplatz 1, Berlin"
            />
          </Field>
          <Field label="Deliver to">
            <input name="to" required value={draft.to} onInput={set("to")} placeholder="Kurfürstendamm 21, Berlin" />
          </Field>
          <Field label="Pickup time" note="In the time zone of this browser.">
            <input name="time" type="datetime-local" required value={draft.time} onInput={set("time")} />
          </Field>
          <Field label="Notes">
            <input name="notes" value={draft.notes} onInput={set("notes")} />
          </Field>
          <Problem error={schedule.error} />
          <div class="buttons">
            <button type="submit" class="primary" disabled={schedule.busy}>
              Schedule
            </button>
            <button type="button" onClick={() => go("delivery")}>
              Back
            </button>
          </div>
        </form>
      </Card>
      <Card title="Estimate">
        {!ready && <p class="quiet">Appears while you type both addresses. Nothing is scheduled by it.</p>}
        {ready && (
          <Show of={estimate}>
            {(e) =>
              e && (
                <>
                  <Span
                    label="Estimated window of arrival"
                    from={e.eta.window.from}
                    to={e.eta.window.to}
                    marks={[{ at: e.pickup.scheduled_time, name: "pickup" }]}
                  />
                  <p>
                    {e.distance_km === null ? "Distance unknown" : `${e.distance_km} km`} · located by {e.eta.precision}
                  </p>
                  {e.attention.map((text) => (
                    <p class="hint" key={text}>
                      {text}
                    </p>
                  ))}
                  <WorldMap points={placesOf(e)} joined />
                </>
              )
            }
          </Show>
        )}
      </Card>
    </div>
  );
}

/** For an input of type datetime-local. */
function localTime(ms: number): string {
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function One({ id }: { id: string }) {
  const delivery = useLoad((api) => api.delivery.get(id), [id]);
  const stream = useStream(
    (api, options) => api.events.stream({ type: "delivery.*" }, options),
    ({ data }) => JSON.stringify(data).includes(id) && delivery.reload(),
    [id],
  );
  const cancel = useAction(async () => {
    await client.value.delivery.cancel(id);
    delivery.reload();
  });
  return (
    <Show of={delivery}>
      {(d) => (
        <div class="grid">
          <Card title={d.delivery_id} side={<StreamSign state={stream} />}>
            <p>
              <Badge of={d.status} /> {d.simulated && <Badge of="simulated" />} {d.provider}
            </p>
            <p>
              <strong>From</strong> {d.pickup.address}
              <br />
              <strong>To</strong> {d.dropoff.address}
            </p>
            <Span
              label="Window of arrival"
              from={d.eta.window.from}
              to={d.eta.window.to}
              marks={[
                { at: d.pickup.scheduled_time, name: "pickup" },
                { at: d.dropoff.estimated_arrival, name: "expected" },
                ...(d.dropoff.actual_arrival ? [{ at: d.dropoff.actual_arrival, name: "arrived" }] : []),
              ]}
            />
            {d.attention.map((text) => (
              <p class="hint" key={text}>
                {text}
              </p>
            ))}
            <Problem error={cancel.error} />
            <div class="buttons">
              <button type="button" disabled={cancel.busy} onClick={() => void cancel.act()}>
                Cancel delivery
              </button>
              <button type="button" onClick={() => go("delivery")}>
                All deliveries
              </button>
            </div>
          </Card>
          <Card title="Timeline">
            <ol class="timeline">
              {d.timeline.map((step) => (
                <li key={step.status + step.at}>
                  <Badge of={step.status} /> <Time at={step.at} /> <span class="quiet">by {step.by}</span> {step.note}
                </li>
              ))}
            </ol>
          </Card>
          <Card title="Map" wide>
            <WorldMap points={placesOf(d)} joined />
          </Card>
        </div>
      )}
    </Show>
  );
}

export default function DeliveryPage({ id }: { id: string | null }) {
  return (
    <>
      <h1>Delivery</h1>
      {id === "new" ? <Form /> : id ? <One id={id} key={id} /> : <List />}
    </>
  );
}
