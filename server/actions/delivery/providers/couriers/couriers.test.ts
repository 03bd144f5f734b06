import { createHmac } from "node:crypto";
import { courierConformance, serveFake } from "../conformance.suite.ts";
import { createDoordash } from "./doordash.ts";
import { createOnfleet } from "./onfleet.ts";
import { createUberDirect } from "./uber-direct.ts";

const secret = Buffer.from("a doordash secret").toString("base64url");

function isDoordashToken(headers: Headers): boolean {
  const [head, body, signature] = (headers.get("authorization") ?? "").replace("Bearer ", "").split(".");
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
  const wanted = createHmac("sha256", Buffer.from(secret, "base64url")).update(`${head}.${body}`).digest("base64url");
  return (
    signature === wanted &&
    read(head)["dd-ver"] === "DD-JWT-V1" &&
    read(body).aud === "doordash" &&
    read(body).iss === "dev"
  );
}

courierConformance({
  name: "doordash",
  start() {
    const known = new Set<string>();
    return serveFake(({ method, path, body }, failing, state) => {
      if (method === "PUT" && path.endsWith("/cancel")) {
        if (failing === "no_cancel")
          return Response.json({ code: "cancel_not_allowed", reason: "delivery_picked_up" }, { status: 422 });
        return { external_delivery_id: "x", delivery_status: "cancelled" };
      }
      if (method === "POST") {
        if (known.has(body.external_delivery_id))
          return Response.json({ code: "duplicate_delivery_id" }, { status: 409 });
        known.add(body.external_delivery_id);
        return {
          external_delivery_id: body.external_delivery_id,
          delivery_status: "created",
          tracking_url: "https://example.com",
        };
      }
      const [status, cancellation_reason] = state.split("/");
      return {
        external_delivery_id: "x",
        delivery_status: status,
        cancellation_reason,
        dasher_name: "Dee",
        dropoff_time_estimated: "2026-11-01T15:40:00Z",
      };
    });
  },
  make: (url, way, clock) =>
    createDoordash(
      { url, developerId: "dev", keyId: "key", signingSecret: secret, webhookAuthorization: "Basic abc" },
      way,
      clock,
    ),
  states: [
    ["confirmed", "assigned"],
    ["picked_up", "picked_up"],
    ["delivered", "delivered"],
    ["created", "scheduled"],
    ["enroute_to_pickup", "en_route_to_pickup"],
    ["arrived_at_pickup", "at_pickup"],
    ["enroute_to_dropoff", "en_route_to_dropoff"],
    ["arrived_at_dropoff", "at_dropoff"],
    ["enroute_to_return", "returning"],
    ["arrived_at_return", "returning"],
    ["returned", "returned"],
    ["cancelled/cancelled_by_creator", "canceled"],
    ["cancelled/failed_to_deliver", "failed"],
  ],
  hook(state, ref) {
    const names: Record<string, [string, any]> = {
      confirmed: ["DASHER_CONFIRMED", "assigned"],
      picked_up: ["DASHER_PICKED_UP", "picked_up"],
      delivered: ["DASHER_DROPPED_OFF", "delivered"],
    };
    const [event_name, ours] = names[state];
    return {
      headers: { authorization: "Basic abc" },
      body: JSON.stringify({ event_name, external_delivery_id: ref, created_at: "2026-11-01T15:00:00Z" }),
      ours,
    };
  },
  authorised: isDoordashToken,
});

courierConformance({
  name: "uber_direct",
  start() {
    const made = new Map<string, string>();
    return serveFake(({ method, path, body }, failing, state) => {
      if (path === "/oauth/v2/token") return { access_token: "uber-token", expires_in: 2_592_000 };
      if (path.endsWith("/cancel")) {
        return failing === "no_cancel"
          ? Response.json({ code: "noncancelable_delivery", message: "picked up" }, { status: 409 })
          : { id: "del_1", status: "canceled" };
      }
      if (method === "POST") {
        const twin = made.get(body.idempotency_key);
        if (twin)
          return Response.json({ code: "duplicate_delivery", metadata: { delivery_id: twin } }, { status: 409 });
        made.set(body.idempotency_key, "del_1");
        return { id: "del_1", status: "pending", external_id: body.external_id };
      }
      const [status, more] = state.split("/");
      return {
        id: "del_1",
        status,
        courier: more === "courier" ? { name: "Umi", location: { lat: 40.7, lng: -74 } } : null,
        courier_imminent: more === "imminent",
        undeliverable_reason: more === "undeliverable" ? "customer_unavailable" : "",
        dropoff_eta: "2026-11-01T15:40:00Z",
      };
    });
  },
  make: (url, way, clock) =>
    createUberDirect(
      { url, loginUrl: url, customerId: "cus", clientId: "id", clientSecret: "s", webhookKey: "hook-key" },
      way,
      clock,
    ),
  states: [
    ["pickup", "en_route_to_pickup"],
    ["dropoff", "en_route_to_dropoff"],
    ["delivered", "delivered"],
    ["pending", "scheduled"],
    ["pending/courier", "assigned"],
    ["pickup/imminent", "at_pickup"],
    ["pickup_complete", "picked_up"],
    ["dropoff/imminent", "at_dropoff"],
    ["canceled", "canceled"],
    ["canceled/undeliverable", "failed"],
    ["returned", "returned"],
  ],
  hook(state, ref) {
    const ours: Record<string, any> = {
      pickup: "en_route_to_pickup",
      dropoff: "en_route_to_dropoff",
      delivered: "delivered",
    };
    const body = JSON.stringify({
      id: `evt_${state}`,
      kind: "event.delivery_status",
      delivery_id: ref,
      status: state,
      data: {},
    });
    return {
      headers: { "x-uber-signature": createHmac("sha256", "hook-key").update(body).digest("hex") },
      body,
      ours: ours[state],
    };
  },
  authorised: (headers) => headers.get("authorization") === "Bearer uber-token",
});

courierConformance({
  name: "onfleet",
  start() {
    let made = 0;
    return serveFake(({ method, path, body }, failing, state) => {
      if (method === "DELETE")
        return failing === "no_cancel"
          ? Response.json({ code: "InvalidContent", message: { message: "Task is completed" } }, { status: 400 })
          : {};
      if (method === "POST")
        return { id: `task${++made}`, state: 0, pickupTask: body.pickupTask, dependencies: body.dependencies ?? [] };
      const odd = Number(path.match(/task(\d+)/)![1]) % 2 === 1;
      const [pickup, dropoff] = state.split("/").map((part) => part.split(":"));
      const [number, outcome] = odd ? pickup : dropoff;
      return {
        id: "t",
        state: Number(number),
        pickupTask: odd,
        completionDetails: { success: outcome !== "failed", failureReason: "NOBODY" },
      };
    });
  },
  make: (url, way) => createOnfleet({ url, apiKey: "fleet-key", webhookSecret: "00ff" }, way),
  states: [
    ["2/0", "en_route_to_pickup"],
    ["3/2", "en_route_to_dropoff"],
    ["3/3", "delivered"],
    ["0/0", "scheduled"],
    ["1/1", "assigned"],
    ["3/1", "picked_up"],
    ["3/3:failed", "failed"],
    ["3:failed/0", "failed"],
  ],
  hook(state, ref) {
    const sent: Record<string, [number, boolean, any]> = {
      "2/0": [0, true, "en_route_to_pickup"],
      "3/2": [0, false, "en_route_to_dropoff"],
      "3/3": [3, false, "delivered"],
    };
    const [triggerId, pickupTask, ours] = sent[state];
    const body = JSON.stringify({
      taskId: ref,
      triggerId,
      time: 1_793_545_200_000,
      data: { task: { id: ref, pickupTask } },
    });
    return {
      headers: { "x-onfleet-signature": createHmac("sha512", Buffer.from("00ff", "hex")).update(body).digest("hex") },
      body,
      ours,
    };
  },
  authorised: (headers) => headers.get("authorization") === `Basic ${Buffer.from("fleet-key:").toString("base64")}`,
});
