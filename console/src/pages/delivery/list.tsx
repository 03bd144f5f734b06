// The list of deliveries: page after page as it is scrolled, fresh after every event, and where they go.
import { useState } from "preact/hooks";
import type { Delivery } from "../../../../sdks/typescript/src/index.ts";
import { usePages, useStream } from "../../hooks.ts";
import { WorldMap } from "../../map.tsx";
import { go } from "../../state.ts";
import { Badge, Card, type Column, Empty, Show, StreamSign, Table, Time } from "../../ui.tsx";
import { placesOf } from "./places.ts";

const MAX_ON_MAP = 300;
const STATES = ["scheduled", "assigned", "picked_up", "en_route_to_dropoff", "delivered", "failed", "canceled"];

const COLUMNS: Column<Delivery>[] = [
  { title: "Status", cell: (d) => <Badge of={d.status} />, grow: 1.5 },
  { title: "To", cell: (d) => d.dropoff.address, grow: 2.4 },
  { title: "From", cell: (d) => d.pickup.address, grow: 2, minor: true },
  { title: "Courier", cell: (d) => d.courier?.name ?? "—", minor: true },
  { title: "Arrival", cell: (d) => <Time at={d.dropoff.estimated_arrival} />, grow: 1.2 },
];

function StateFilter({ status, onChange }: { status: string; onChange(to: string): void }) {
  return (
    <select
      class="small"
      aria-label="Only deliveries in this state"
      value={status}
      onChange={(e) => onChange(e.currentTarget.value)}
    >
      <option value="">all states</option>
      {STATES.map((name) => (
        <option key={name} value={name}>
          {name.replaceAll("_", " ")}
        </option>
      ))}
    </select>
  );
}

export function List() {
  const [status, setStatus] = useState("");
  const deliveries = usePages<Delivery>(
    (api, page) => api.delivery.list({ ...page, ...(status ? { status: status as never } : {}) }),
    (d) => d.delivery_id,
    [status],
  );
  const stream = useStream(
    (api, options) => api.events.stream({ type: "delivery.*" }, options),
    () => deliveries.reload(),
  );
  const points = (deliveries.data?.items ?? [])
    .slice(0, MAX_ON_MAP)
    .flatMap((d) => placesOf(d).filter((p) => p.kind === "dropoff"));
  return (
    <div class="grid">
      <Card
        title="Deliveries"
        wide
        side={
          <span class="inline">
            <StreamSign state={stream} />
            <StateFilter status={status} onChange={setStatus} />
            <button type="button" class="primary" onClick={() => go("delivery", "new")}>
              Schedule
            </button>
          </span>
        }
      >
        <Show of={deliveries}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title="No deliveries yet">
                Press Schedule and type two addresses. With a test key a simulated courier drives it, so you can watch
                every step without anything leaving a house.
              </Empty>
            ) : (
              <Table
                label="Deliveries"
                rows={items}
                columns={COLUMNS}
                onOpen={(d) => go("delivery", d.delivery_id)}
                onEnd={deliveries.more}
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
