// The courier's own page: what is in hand, and one large button for what comes next. It works without scripts; with them the
// app of client/courier-app.ts takes over.
import type { Courier } from "../../contract/courier.ts";
import type { Delivery } from "../../contract/delivery.ts";
import type { DeliveryRow } from "../../store/index.ts";
import { type Html, html, localText, page } from "./html.ts";
import { drawMap, marksOf } from "./map.ts";

const NEXT_STEPS: Partial<Record<Delivery["status"], { to: string; say: string }>> = {
  assigned: { to: "en_route_to_pickup", say: "Set out for the pickup" },
  en_route_to_pickup: { to: "at_pickup", say: "I am at the pickup" },
  at_pickup: { to: "picked_up", say: "Picked up" },
  picked_up: { to: "en_route_to_dropoff", say: "Set out for the drop-off" },
  en_route_to_dropoff: { to: "at_dropoff", say: "I am at the door" },
  at_dropoff: { to: "delivered", say: "Delivered" },
  returning: { to: "returned", say: "Brought back" },
};

export function courierPage(token: string, courier: Courier, inHand: DeliveryRow[], message: string | null): Response {
  const body = html`<h1>${courier.name}</h1>${message ? html`<p class="warn" role="alert">${message}</p>` : ""}
<p class="soft">${courier.on_duty ? "On duty" : "Off duty"}, ${inHand.length} in hand</p>
${form({ do: courier.on_duty ? "off_duty" : "on_duty" }, courier.on_duty ? "Go off duty" : "Go on duty")}
${inHand.length === 0 ? html`<p>Nothing to do now. This page looks again every 30 seconds.</p>` : inHand.map(card)}`;
  return page(`Courier ${courier.name}`, body, {
    refreshSeconds: inHand.some((row) => row.view.status === "at_dropoff") ? undefined : 30,
    app: `/courier/${token}`,
  });
}

/** What the courier reads at the top of each card. */
const HEADINGS: Partial<Record<Delivery["status"], string>> = {
  assigned: "Next: the pickup",
  en_route_to_pickup: "On the way to the pickup",
  at_pickup: "At the pickup",
  picked_up: "Picked up",
  en_route_to_dropoff: "On the way to the drop-off",
  at_dropoff: "At the door",
  returning: "Bring it back",
};

function card(row: DeliveryRow): Html {
  const { id, view, details } = row;
  const offered = view.status === "assigned" && details.offer?.acceptedMs === null;
  return html`<article><h2>${offered ? "New delivery" : (HEADINGS[view.status] ?? view.status)}</h2>
${end("From", "at", view.pickup, view.pickup.scheduled_time, view.locations.pickup)}
${end("To", "by", view.dropoff, view.eta.window.to, view.locations.dropoff)}
${view.items.length > 0 ? html`<ul>${view.items.map((item) => html`<li>${item.quantity ?? 1} × ${item.name}</li>`)}</ul>` : ""}
${view.notes ? html`<p class="soft">${view.notes}</p>` : ""}${drawMap(marksOf(row)) ?? ""}
${offered ? html`${form({ do: "accept", delivery: id }, "Accept", true)}${form({ do: "decline", delivery: id }, "Decline")}` : steps(view, id)}</article>`;
}

function end(
  label: string,
  when: string,
  { address, contact, instructions }: Delivery["pickup"] | Delivery["dropoff"],
  time: string,
  { lat, lon, time_zone }: Delivery["locations"]["pickup"],
): Html {
  const way = lat === null ? "" : html` <a href="geo:${lat},${lon}?q=${lat},${lon}">Navigate</a>`;
  return html`<p><strong>${label}</strong> ${address} <span class="soft">${when} ${localText(time, time_zone)}</span>
${who(contact)}${way}${instructions ? html`<br><span class="soft">${instructions}</span>` : ""}</p>`;
}

function steps(view: Delivery, id: string): Html {
  const step = NEXT_STEPS[view.status];
  const proof = view.status === "at_dropoff" || view.status === "en_route_to_dropoff" ? view.proof.required : [];
  const carrying = ["picked_up", "en_route_to_dropoff", "at_dropoff"].includes(view.status);
  return html`${step ? form({ do: step.to, delivery: id }, step.say, true, proof.map(proofField)) : ""}
${carrying ? form({ do: "returning", delivery: id, reason: "recipient_absent" }, "Nobody there: bring it back") : ""}
${["assigned", "en_route_to_pickup", "at_pickup"].includes(view.status) ? form({ do: "decline", delivery: id }, "Give it back") : ""}`;
}

const proofField = (kind: string): Html =>
  kind === "pin"
    ? html`<label>Pin of the recipient <input name="pin" inputmode="numeric" pattern="[0-9]{4}" required></label>`
    : kind === "photo"
      ? html`<label>Photograph <input name="photo" type="file" accept="image/*" capture="environment" required></label>`
      : kind === "barcode"
        ? html`<label>Barcode <input name="barcode" maxlength="100" required></label>`
        : html`<label>Who signed <input name="signature" maxlength="100" required></label>`;

const who = (contact: Delivery["pickup"]["contact"]): Html =>
  contact?.phone
    ? html`<a href="tel:${contact.phone.replace(/[^+\d]/g, "")}">${contact.name ?? contact.phone}</a>`
    : html`${contact?.name ?? ""}`;

function form(fields: Record<string, string>, say: string, main = false, inputs: Html[] = []): Html {
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form method="post"${inputs.length > 0 ? html` enctype="multipart/form-data"` : ""}>${hidden}${inputs}<button${main ? html` class="main"` : ""}>${say}</button></form>`;
}
