// One delivery: its state, the window of arrival, the timeline and the map.
import { useAction, useLoad, useStream } from "../../hooks.ts";
import { WorldMap } from "../../map.tsx";
import { Span } from "../../pictures.tsx";
import { client, go } from "../../state.ts";
import { Badge, Card, Problem, Show, StreamSign, Time } from "../../ui.tsx";
import { placesOf } from "./places.ts";

export function One({ id }: { id: string }) {
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
