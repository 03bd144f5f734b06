// The fleet board: a lane for each courier. A delivery is assigned by dragging its card, or by the choice on the card.
import { useState } from "preact/hooks";
import type { Courier, Delivery } from "../../../../sdks/typescript/src/index.ts";
import { useAction, useLoad, useStream } from "../../hooks.ts";
import { client, go } from "../../state.ts";
import { Badge, Card, Empty, Field, Problem, Show, StreamSign, Time } from "../../ui.tsx";

const MAX_JOBS = 100;
/** The lane of what no courier has. */
const NOBODY = "";
const DRAG_TYPE = "text/plain";
/** Before the pickup a delivery may change hands. */
const MOVABLE = new Set(["scheduled", "assigned", "en_route_to_pickup", "at_pickup"]);
const UNFINISHED = new Set([...MOVABLE, "picked_up", "en_route_to_dropoff", "at_dropoff", "returning"]);

const laneOf = ({ courier, status }: Delivery) => (status === "scheduled" ? NOBODY : (courier?.id ?? null));

interface LaneProps {
  courier: Courier | null;
  jobs: Delivery[];
  couriers: Courier[];
  assign(deliveryId: string, courierId: string): void;
  toggleDuty(courier: Courier): void;
}

function Job({ job, couriers, assign }: { job: Delivery } & Pick<LaneProps, "couriers" | "assign">) {
  const [held, setHeld] = useState(false);
  const movable = MOVABLE.has(job.status);
  return (
    <li
      class={held ? "job held" : "job"}
      draggable={movable}
      onDragStart={(e) => {
        e.dataTransfer?.setData(DRAG_TYPE, job.delivery_id);
        setHeld(true);
      }}
      onDragEnd={() => setHeld(false)}
    >
      <span>
        <Badge of={job.status} /> <Time at={job.pickup.scheduled_time} />
      </span>
      <button type="button" class="plain" onClick={() => go("delivery", job.delivery_id)}>
        {job.dropoff.address}
      </button>
      <small class="quiet">from {job.pickup.address}</small>
      {movable && (
        <select
          class="small"
          aria-label={`Who takes the delivery to ${job.dropoff.address}`}
          value={laneOf(job) ?? NOBODY}
          onChange={(e) => assign(job.delivery_id, e.currentTarget.value)}
        >
          <option value={NOBODY}>nobody yet</option>
          {couriers.map((c) => (
            <option key={c.id} value={c.id}>
              {c.name}
            </option>
          ))}
        </select>
      )}
    </li>
  );
}

function Lane({ courier, jobs, couriers, assign, toggleDuty }: LaneProps) {
  const [over, setOver] = useState(false);
  const name = courier?.name ?? "Not assigned";
  return (
    <section
      class={over ? "lane over" : "lane"}
      aria-label={name}
      onDragOver={(e) => {
        e.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(e) => {
        e.preventDefault();
        setOver(false);
        assign(e.dataTransfer?.getData(DRAG_TYPE) ?? "", courier?.id ?? NOBODY);
      }}
    >
      <header>
        <h2>{name}</h2>
        {courier ? (
          <button type="button" class="small" onClick={() => toggleDuty(courier)}>
            {courier.on_duty ? "on duty" : "off duty"}
          </button>
        ) : (
          <span class="quiet">{jobs.length}</span>
        )}
      </header>
      {courier && (
        <p class="quiet">
          {courier.vehicle} · {jobs.length} of {courier.capacity}
        </p>
      )}
      <ul>
        {jobs.map((job) => (
          <Job key={job.delivery_id} job={job} couriers={couriers} assign={assign} />
        ))}
      </ul>
      {jobs.length === 0 && <p class="quiet">{courier ? "Drop a delivery here." : "Everything has a courier."}</p>}
    </section>
  );
}

function AddCourier({ onAdded }: { onAdded(): void }) {
  const [name, setName] = useState("");
  const add = useAction(async () => {
    await client.value.delivery.couriers.create({ name });
    setName("");
    onAdded();
  });
  return (
    <Card title="Add a courier" wide>
      <form
        class="inline"
        onSubmit={(e) => {
          e.preventDefault();
          void add.act();
        }}
      >
        <Field label="Name" note="Gets a page of its own for the phone: see courier_url.">
          <input name="courier" required value={name} onInput={(e) => setName(e.currentTarget.value)} />
        </Field>
        <button type="submit" class="primary" disabled={add.busy}>
          Add
        </button>
      </form>
      <Problem error={add.error} />
    </Card>
  );
}

export function Board() {
  const couriers = useLoad((api) => api.delivery.couriers.list({ limit: 100 }));
  const jobs = useLoad((api) => api.delivery.list({ limit: MAX_JOBS }));
  const reload = () => {
    couriers.reload();
    jobs.reload();
  };
  const stream = useStream((api, options) => api.events.stream({ type: "delivery.*" }, options), jobs.reload);
  const move = useAction(async (id: string, courierId: string) => {
    if (!id) return;
    const to = courierId === NOBODY ? { to: "scheduled" } : { to: "assigned", courier_id: courierId };
    await client.value.delivery.advance(id, to as never);
    jobs.reload();
  });
  const duty = useAction(async (courier: Courier) => {
    await client.value.delivery.couriers.update(courier.id, { on_duty: !courier.on_duty });
    reload();
  });
  const open = (jobs.data?.items ?? []).filter(
    (d) => (d.provider ?? d.requested_provider) === "fleet" && UNFINISHED.has(d.status),
  );
  const assign = (id: string, courierId: string) => void move.act(id, courierId);
  const toggleDuty = (courier: Courier) => void duty.act(courier);
  return (
    <div class="grid">
      <Card title="Fleet board" wide side={<StreamSign state={stream} />}>
        <p class="quiet">
          Drag a delivery to a courier, or choose the courier on its card. Only deliveries of your own couriers are
          here.
        </p>
        <Problem error={move.error ?? duty.error} />
      </Card>
      <Show of={couriers}>
        {({ items }) => (
          <>
            {items.length === 0 && (
              <Card title="No couriers yet" wide>
                <Empty title="Your own fleet begins with one courier">
                  Add one below. Then schedule a delivery that is carried by your own couriers: it is assigned by itself
                  when its time comes, or by you.
                </Empty>
              </Card>
            )}
            <div class="board">
              {[null, ...items].map((courier) => (
                <Lane
                  key={courier?.id ?? NOBODY}
                  courier={courier}
                  couriers={items}
                  jobs={open.filter((d) => laneOf(d) === (courier?.id ?? NOBODY))}
                  assign={assign}
                  toggleDuty={toggleDuty}
                />
              ))}
            </div>
          </>
        )}
      </Show>
      <AddCourier onAdded={reload} />
    </div>
  );
}
