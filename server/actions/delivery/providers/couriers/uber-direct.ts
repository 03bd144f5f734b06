// Uber Direct: client credentials, deliveries under a customer, webhooks signed with HMAC-SHA-256.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "../../../../lib/clock.ts";
import type { State } from "../../contract/states.ts";
import { ask, refuseUnless, type Way } from "../ask.ts";
import { type CourierJob, type CourierProvider, type End, ProviderFailure, type Report } from "../port.ts";

export interface UberSettings {
  url: string;
  loginUrl: string;
  customerId: string;
  clientId: string;
  clientSecret: string;
  webhookKey: string | null;
}

const states: Record<string, State> = {
  pending: "scheduled",
  pickup: "en_route_to_pickup",
  pickup_complete: "picked_up",
  dropoff: "en_route_to_dropoff",
  delivered: "delivered",
  returned: "returned",
};
const imminent: Partial<Record<State, State>> = { en_route_to_pickup: "at_pickup", en_route_to_dropoff: "at_dropoff" };

export function createUberDirect(settings: UberSettings, way: Way, clock: Clock): CourierProvider {
  let kept: { token: string; untilMs: number } | null = null;

  async function token(): Promise<string> {
    if (kept && kept.untilMs > clock.now()) return kept.token;
    const { clientId: client_id, clientSecret: client_secret } = settings;
    const form = { client_id, client_secret, grant_type: "client_credentials", scope: "eats.deliveries" };
    const body = refuseUnless(
      await ask(way, { method: "POST", url: `${settings.loginUrl}/oauth/v2/token`, form }),
      200,
    );
    // A minute early, so that a call under way does not outlive its token.
    kept = { token: String(body.access_token), untilMs: clock.now() + (Number(body.expires_in ?? 600) - 60) * 1000 };
    return kept.token;
  }

  async function call(method: string, path: string, json?: unknown) {
    const url = `${settings.url}/v1/customers/${encodeURIComponent(settings.customerId)}${path}`;
    const reply = await ask(way, { method, url, headers: { Authorization: `Bearer ${await token()}` }, json });
    if (reply.status === 401) kept = null;
    return reply;
  }

  return {
    name: "uber_direct",
    async create(job) {
      const reply = await call("POST", "/deliveries", orderOf(job));
      const twin = reply.status === 409 ? reply.body?.metadata?.delivery_id : undefined;
      if (twin) return { ref: String(twin) };
      return { ref: String(refuseUnless(reply, 200, 201).id) };
    },
    async cancel(ref) {
      const reply = await call("POST", `/deliveries/${encodeURIComponent(ref)}/cancel`, {});
      if (reply.body?.code === "noncancelable_delivery")
        throw new ProviderFailure("not_cancelable", String(reply.body.message ?? reply.body.code));
      refuseUnless(reply, 200);
    },
    async read(ref) {
      return reportOf(refuseUnless(await call("GET", `/deliveries/${encodeURIComponent(ref)}`), 200));
    },
    receive(headers, body) {
      if (!settings.webhookKey) return null;
      const wanted = createHmac("sha256", settings.webhookKey).update(body).digest();
      const given = Buffer.from(headers.get("x-uber-signature") ?? headers.get("x-postmates-signature") ?? "", "hex");
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null;
      const event = JSON.parse(new TextDecoder().decode(body));
      if (event.kind !== "event.delivery_status") return [];
      const delivery = {
        ...event.data,
        id: event.delivery_id ?? event.data?.id,
        status: event.status ?? event.data?.status,
      };
      return [
        { ...reportOf(delivery), eventId: `uber:${event.id ?? `${delivery.id}:${delivery.status}:${event.created}`}` },
      ];
    },
  };
}

function orderOf(job: CourierJob) {
  const iso = (ms: number) => new Date(ms).toISOString();
  return {
    ...end("pickup", job.pickup),
    ...end("dropoff", job.dropoff),
    manifest_items: job.items.length > 0 ? job.items : [{ name: "Parcel", quantity: 1 }],
    pickup_ready_dt: iso(job.pickupMs),
    pickup_deadline_dt: iso(job.pickupMs + 20 * 60_000),
    dropoff_ready_dt: iso(job.pickupMs),
    dropoff_deadline_dt: iso(Math.max(job.arriveMs, job.pickupMs + 40 * 60_000)),
    external_id: job.id,
    idempotency_key: job.id,
    undeliverable_action: "return",
    dropoff_notes: job.notes?.slice(0, 280),
    dropoff_verification: {
      ...(job.proof.includes("photo") ? { picture: true } : {}),
      ...(job.proof.includes("pin") ? { pincode: { enabled: true } } : {}),
      ...(job.proof.includes("signature") ? { signature: true } : {}),
    },
  };
}

function end(which: string, { address, phone, name, lat, lon }: End) {
  if (!phone) throw new ProviderFailure("refused", `Uber Direct needs a telephone number for the ${which}`);
  return {
    [`${which}_name`]: name ?? "Reception",
    [`${which}_address`]: address,
    [`${which}_phone_number`]: phone.replace(/[^+\d]/g, ""),
    ...(lat === null ? {} : { [`${which}_latitude`]: lat, [`${which}_longitude`]: lon }),
  };
}

function reportOf(body: any): Report {
  const ref = String(body?.id ?? "");
  const status = String(body?.status ?? "");
  const courier = body?.courier
    ? { name: body.courier.name ?? null, vehicle: body.courier.vehicle_type ?? null }
    : undefined;
  if (status === "canceled") {
    const reason = body.undeliverable_reason || body.cancelation_reason?.primary_reason;
    return {
      ref,
      state: body.undeliverable_reason ? "failed" : "canceled",
      reason: String(reason || "canceled_by_provider"),
    };
  }
  let state = states[status];
  if (!state) throw new ProviderFailure("garbled", `it reports a state we do not know: ${status.slice(0, 40)}`);
  if (status === "pending" && courier) state = "assigned";
  if (body.courier_imminent && imminent[state]) state = imminent[state]!;
  const arrive = Date.parse(body.dropoff_eta ?? "");
  const { lat, lng } = body.courier?.location ?? {};
  return {
    ref,
    state,
    handBack: status === "pending" && !courier,
    courier,
    ...(Number.isFinite(arrive) ? { arriveMs: arrive } : {}),
    ...(typeof lat === "number" ? { position: { lat, lon: lng } } : {}),
  };
}
