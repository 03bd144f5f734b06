// DoorDash Drive v2: one delivery under our own id, a short-lived token per call, webhooks with a shared secret.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "../../../../lib/clock.ts";
import type { State } from "../../contract/states.ts";
import { ask, refuseUnless, type Way } from "../ask.ts";
import { type CourierJob, type CourierProvider, type End, ProviderFailure, type Report } from "../port.ts";

export interface DoordashSettings {
  url: string;
  developerId: string;
  keyId: string;
  /** Base64url, as the developer portal shows it. */
  signingSecret: string;
  /** The Authorization header DoorDash sends to our webhook; without it webhooks are refused. */
  webhookAuthorization: string | null;
}

const states: Record<string, State> = {
  quote: "scheduled",
  created: "scheduled",
  confirmed: "assigned",
  enroute_to_pickup: "en_route_to_pickup",
  arrived_at_pickup: "at_pickup",
  picked_up: "picked_up",
  enroute_to_dropoff: "en_route_to_dropoff",
  arrived_at_dropoff: "at_dropoff",
  delivered: "delivered",
  enroute_to_return: "returning",
  arrived_at_return: "returning",
  returned: "returned",
};

const events: Record<string, State> = {
  DASHER_CONFIRMED: "assigned",
  DASHER_ENROUTE_TO_PICKUP: "en_route_to_pickup",
  DASHER_CONFIRMED_PICKUP_ARRIVAL: "at_pickup",
  DASHER_PICKED_UP: "picked_up",
  DASHER_ENROUTE_TO_DROPOFF: "en_route_to_dropoff",
  DASHER_CONFIRMED_DROPOFF_ARRIVAL: "at_dropoff",
  DASHER_DROPPED_OFF: "delivered",
  DELIVERY_RETURN_INITIALIZED: "returning",
  DASHER_CONFIRMED_RETURN_ARRIVAL: "returning",
  DELIVERY_RETURNED: "returned",
};

export function createDoordash(settings: DoordashSettings, way: Way, clock: Clock): CourierProvider {
  const call = (method: string, path: string, json?: unknown) =>
    ask(way, {
      method,
      url: `${settings.url}/drive/v2${path}`,
      headers: { Authorization: `Bearer ${token(settings, clock.now())}` },
      json,
    });

  return {
    name: "doordash",
    async create(job) {
      const reply = await call("POST", "/deliveries", orderOf(job));
      // The same id again is the same delivery: our retry after a lost answer.
      if (reply.status !== 409) refuseUnless(reply, 200, 201);
      return { ref: job.id };
    },
    async cancel(ref) {
      const reply = await call("PUT", `/deliveries/${encodeURIComponent(ref)}/cancel`);
      if (reply.status === 422 || reply.status === 409)
        throw new ProviderFailure(
          "not_cancelable",
          String(reply.body?.reason ?? reply.body?.message ?? reply.body?.code),
        );
      refuseUnless(reply, 200);
    },
    async read(ref) {
      return reportOf(refuseUnless(await call("GET", `/deliveries/${encodeURIComponent(ref)}`), 200));
    },
    receive(headers, body) {
      const given = Buffer.from(headers.get("authorization") ?? "");
      const wanted = Buffer.from(settings.webhookAuthorization ?? "");
      if (wanted.length === 0 || given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null;
      const event = JSON.parse(new TextDecoder().decode(body));
      const name = String(event.event_name ?? "");
      const ref = String(event.external_delivery_id ?? "");
      const eventId = `doordash:${name}:${event.created_at ?? ""}`;
      if (name === "DELIVERY_CANCELLED") return [{ ...ended(event), ref, eventId }];
      return events[name] ? [{ ref, state: events[name], eventId, courier: courierOf(event) }] : [];
    },
  };
}

function orderOf(job: CourierJob) {
  return {
    external_delivery_id: job.id,
    ...end("pickup", job.pickup),
    ...end("dropoff", job.dropoff),
    pickup_time: new Date(job.pickupMs).toISOString(),
    dropoff_instructions: job.notes ?? undefined,
    action_if_undeliverable: "return_to_pickup",
    items: job.items.map((i) => ({ name: i.name, quantity: i.quantity })),
    dropoff_options: {
      signature: job.proof.includes("signature") ? "required" : "none",
      proof_of_delivery: job.proof.includes("photo") ? "photo_required" : "none",
    },
  };
}

function end(which: string, { address, phone, name }: End) {
  if (!phone) throw new ProviderFailure("refused", `DoorDash needs a telephone number for the ${which}`);
  return {
    [`${which}_address`]: address,
    [`${which}_phone_number`]: phone.replace(/[^+\d]/g, ""),
    ...(name ? { [`${which}_contact_given_name`]: name } : {}),
  };
}

function reportOf(body: any): Report {
  const status = String(body?.delivery_status ?? "");
  const ref = String(body?.external_delivery_id ?? "");
  if (status === "cancelled") return { ...ended(body), ref };
  const state = states[status];
  if (!state) throw new ProviderFailure("garbled", `it reports a state we do not know: ${status.slice(0, 40)}`);
  const arrive = Date.parse(body.dropoff_time_estimated ?? "");
  const { lat, lng } = body.dasher_location ?? {};
  return {
    ref,
    state,
    handBack: status === "created",
    courier: courierOf(body),
    ...(Number.isFinite(arrive) ? { arriveMs: arrive } : {}),
    ...(typeof lat === "number" ? { position: { lat, lon: lng } } : {}),
  };
}

/** Canceled by whoever ordered, or failed for any other reason. */
function ended(body: any): Pick<Report, "state" | "reason"> {
  const reason = String(body.cancellation_reason ?? "cancelled");
  return { state: reason === "cancelled_by_creator" ? "canceled" : "failed", reason };
}

const courierOf = (body: any): Report["courier"] =>
  body.dasher_name || body.dasher_id
    ? { name: body.dasher_name ?? null, vehicle: body.dasher_vehicle_make ?? null }
    : undefined;

function token({ developerId, keyId, signingSecret }: DoordashSettings, now: number): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const iat = Math.floor(now / 1000);
  const head = part({ alg: "HS256", typ: "JWT", "dd-ver": "DD-JWT-V1" });
  const body = part({ aud: "doordash", iss: developerId, kid: keyId, exp: iat + 60, iat });
  const signature = createHmac("sha256", Buffer.from(signingSecret, "base64url"))
    .update(`${head}.${body}`)
    .digest("base64url");
  return `${head}.${body}.${signature}`;
}
