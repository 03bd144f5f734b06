// Onfleet: a delivery is two linked tasks, pickup before drop-off; webhooks signed with HMAC-SHA-512.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { State } from "../../contract/states.ts";
import { ask, refuseUnless, type ProviderReply, type Way } from "../ask.ts";
import { type CourierJob, type CourierProvider, type End, ProviderFailure, type Report } from "../port.ts";

export interface OnfleetSettings {
  url: string;
  apiKey: string;
  /** Hex, as the dashboard shows it. */
  webhookSecret: string | null;
}

/** Triggers we follow: 0 started, 2 arrival, 3 completed, 4 failed, 8 deleted, 9 assigned, 10 unassigned. */
const triggers: Record<number, { pickup: State; dropoff: State }> = {
  0: { pickup: "en_route_to_pickup", dropoff: "en_route_to_dropoff" },
  2: { pickup: "at_pickup", dropoff: "at_dropoff" },
  3: { pickup: "picked_up", dropoff: "delivered" },
  4: { pickup: "failed", dropoff: "failed" },
  8: { pickup: "canceled", dropoff: "canceled" },
  9: { pickup: "assigned", dropoff: "assigned" },
  10: { pickup: "scheduled", dropoff: "scheduled" },
};

export function createOnfleet(settings: OnfleetSettings, way: Way): CourierProvider {
  const authorization = `Basic ${Buffer.from(`${settings.apiKey}:`).toString("base64")}`;
  const call = (method: string, path: string, json?: unknown) =>
    ask(way, { method, url: `${settings.url}/api/v2${path}`, headers: { Authorization: authorization }, json });
  const taskPath = (id: string) => `/tasks/${encodeURIComponent(id)}`;

  return {
    name: "onfleet",
    async create(job) {
      const pickup = refuseUnless(await call("POST", "/tasks", taskOf(job, "pickup")), 200, 201);
      try {
        const dropoff = refuseUnless(
          await call("POST", "/tasks", { ...taskOf(job, "dropoff"), dependencies: [pickup.id] }),
          200,
          201,
        );
        return { ref: String(pickup.id), dropoffRef: String(dropoff.id) };
      } catch (error) {
        // Half a delivery is worse than none.
        await call("DELETE", taskPath(pickup.id)).catch(() => {});
        throw error;
      }
    },
    async cancel(ref, dropoffRef) {
      for (const id of dropoffRef ? [dropoffRef, ref] : [ref]) {
        const reply = await call("DELETE", taskPath(id));
        if (reply.status === 400 || reply.status === 409) throw new ProviderFailure("not_cancelable", whyNot(reply));
        refuseUnless(reply, 200);
      }
    },
    async read(ref, dropoffRef) {
      const pickup = refuseUnless(await call("GET", taskPath(ref)), 200);
      const dropoff = dropoffRef ? refuseUnless(await call("GET", taskPath(dropoffRef)), 200) : null;
      return { ref, ...stateOf(pickup, dropoff), ...arrivalOf(dropoff) };
    },
    receive(headers, body) {
      if (!settings.webhookSecret) return null;
      const wanted = createHmac("sha512", Buffer.from(settings.webhookSecret, "hex")).update(body).digest();
      const given = Buffer.from(headers.get("x-onfleet-signature") ?? "", "hex");
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null;
      const event = JSON.parse(new TextDecoder().decode(body));
      const task = event.data?.task;
      const states = triggers[event.triggerId];
      if (!task || !states) return [];
      const state = task.pickupTask ? states.pickup : states.dropoff;
      const eventId = `onfleet:${event.taskId}:${event.triggerId}:${event.time}`;
      const reason = event.triggerId === 4 ? String(task.completionDetails?.failureReason ?? "failed") : undefined;
      return [{ ref: String(event.taskId), state, eventId, reason, handBack: event.triggerId === 10 }];
    },
  };
}

function taskOf(job: CourierJob, which: "pickup" | "dropoff") {
  const end = job[which];
  return {
    pickupTask: which === "pickup",
    destination: { address: { unparsed: end.address }, ...(end.lat === null ? {} : { location: [end.lon, end.lat] }) },
    recipients: recipientsOf(end),
    ...(which === "pickup"
      ? { completeAfter: job.pickupMs }
      : { completeBefore: Math.max(job.arriveMs, job.pickupMs + 60_000) }),
    quantity: job.items.reduce((sum, i) => sum + i.quantity, 0) || 1,
    notes: job.notes ?? "",
    autoAssign: { mode: "distance" },
    metadata: [{ name: "delivery_id", type: "string", value: job.id }],
    requirements: { photo: job.proof.includes("photo"), signature: job.proof.includes("signature") },
  };
}

const recipientsOf = ({ name, phone }: End) => (phone ? [{ name: name ?? "Recipient", phone }] : []);

const OURS: State[] = ["scheduled", "assigned", "en_route_to_pickup", "picked_up"];

/** Two tasks with states 0 unassigned, 1 assigned, 2 active, 3 completed become one of ours. */
function stateOf(pickup: any, dropoff: any): Pick<Report, "state" | "reason" | "handBack"> {
  for (const task of [pickup, dropoff]) {
    if (task?.state === 3 && task.completionDetails?.success === false) {
      return { state: "failed", reason: String(task.completionDetails.failureReason ?? "failed") };
    }
  }
  if (dropoff?.state === 3) return { state: "delivered" };
  if (dropoff?.state === 2) return { state: "en_route_to_dropoff" };
  const state = OURS[Number(pickup.state)];
  if (!state)
    throw new ProviderFailure("garbled", `it reports a state we do not know: ${String(pickup.state).slice(0, 40)}`);
  return { state, handBack: state === "scheduled" };
}

const arrivalOf = (dropoff: any) =>
  typeof dropoff?.estimatedArrivalTime === "number" ? { arriveMs: dropoff.estimatedArrivalTime } : {};
const whyNot = (reply: ProviderReply): string =>
  String(reply.body?.message?.message ?? reply.body?.message ?? "the task cannot be deleted");
