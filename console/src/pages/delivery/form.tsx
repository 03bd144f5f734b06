// The form that schedules a delivery and estimates while it is typed.
import { useState } from "preact/hooks";
import type { ActionConnector } from "../../../../sdks/typescript/src/index.ts";
import { useAction, useLoad, useSettled } from "../../hooks.ts";
import { WorldMap } from "../../map.tsx";
import { Span } from "../../pictures.tsx";
import { client, go } from "../../state.ts";
import { Card, Field, Problem, Show } from "../../ui.tsx";
import { localTime, placesOf } from "./places.ts";

const HOUR_MS = 3_600_000;

type Order = Parameters<ActionConnector["delivery"]["schedule"]>[0];

interface Draft {
  from: string;
  to: string;
  time: string;
  notes: string;
  by: string;
}

const orderOf = ({ from, to, time, notes, by }: Draft): Order =>
  ({
    pickup: { address: from, time: new Date(time) },
    dropoff: { address: to },
    ...(notes ? { notes } : {}),
    ...(by ? { provider: by } : {}),
  }) as Order;

function Estimate({ draft }: { draft: Draft }) {
  const { from, to, time } = useSettled(draft);
  const ready = from.length > 4 && to.length > 4 && time !== "";
  const estimate = useLoad(
    async (api) =>
      ready
        ? api.delivery.estimate({ pickup: { address: from, time: new Date(time) }, dropoff: { address: to } })
        : null,
    [from, to, time],
  );
  return (
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
  );
}

export function Form() {
  const start = localTime(Date.now() + HOUR_MS);
  const [draft, setDraft] = useState<Draft>({ from: "", to: "", time: start, notes: "", by: "" });
  const set = (name: keyof Draft) => (e: { currentTarget: { value: string } }) =>
    setDraft({ ...draft, [name]: e.currentTarget.value });
  const schedule = useAction(async () =>
    go("delivery", (await client.value.delivery.schedule(orderOf(draft))).delivery_id),
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
              placeholder="Alexanderplatz 1, 10178 Berlin"
            />
          </Field>
          <Field label="Deliver to">
            <input
              name="to"
              required
              value={draft.to}
              onInput={set("to")}
              placeholder="Kurfürstendamm 21, 10719 Berlin"
            />
          </Field>
          <Field label="Pickup time" note="In the time zone of this browser.">
            <input name="time" type="datetime-local" required value={draft.time} onInput={set("time")} />
          </Field>
          <Field label="Carried by">
            <select name="by" value={draft.by} onChange={set("by")}>
              <option value="">whoever is set up</option>
              <option value="fleet">my own couriers</option>
            </select>
          </Field>
          <Field label="Notes for the courier">
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
      <Estimate draft={draft} />
    </div>
  );
}
