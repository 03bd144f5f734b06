// The public page of one delivery, for whoever waits for it.
import type { Delivery } from "../../contract/delivery.ts";
import type { DeliveryRow } from "../../store/index.ts";
import { TERMINAL } from "../../machine.ts";
import { html, localText, page } from "./html.ts";
import { drawMap, marksOf } from "./map.ts";

const STATE_TEXT: Record<Delivery["status"], string> = {
  scheduled: "Scheduled",
  assigned: "A courier has it",
  en_route_to_pickup: "On the way to the pickup",
  at_pickup: "At the pickup",
  picked_up: "Picked up",
  en_route_to_dropoff: "On the way to you",
  at_dropoff: "At the door",
  delivered: "Delivered",
  returning: "On the way back",
  returned: "Back at the sender",
  failed: "Could not be delivered",
  canceled: "Canceled",
};

export function trackingPage(row: DeliveryRow): Response {
  const { view } = row;
  const zone = view.locations.dropoff.time_zone ?? view.locations.pickup.time_zone;
  const at = (iso: string) => localText(iso, zone);
  const over = TERMINAL.has(view.status);
  const body = html`<p class="soft">${view.simulated ? "Simulated delivery" : "Delivery"} ${view.delivery_id.slice(-6)}</p>
    <h1>${STATE_TEXT[view.status]}</h1>
    ${
      over
        ? ""
        : html`<p>Expected <strong>${at(view.dropoff.estimated_arrival)}</strong></p>
            <p class="soft">Eight times in ten between ${at(view.eta.window.from)} and ${at(view.eta.window.to)}.</p>`
    }
    ${view.proof.pin && !over ? html`<p>Give the courier this pin: <strong>${view.proof.pin}</strong></p>` : ""}
    ${view.reason ? html`<p class="warn">${view.reason.replaceAll("_", " ")}</p>` : ""}
    ${drawMap(marksOf(row)) ?? html`<p class="soft">No map: the addresses could not be placed.</p>`}
    <h2>From</h2>
    <p>${view.pickup.address}</p>
    <h2>To</h2>
    <p>${view.dropoff.address}</p>
    ${
      view.courier?.name
        ? html`<h2>Courier</h2>
            <p>${view.courier.name}${view.courier.vehicle ? html`, by ${view.courier.vehicle}` : ""}</p>`
        : ""
    }
    <h2>So far</h2>
    <ol>
      ${view.timeline.map((t) => html`<li><strong>${STATE_TEXT[t.status as Delivery["status"]] ?? t.status}</strong> <span class="soft">${at(t.at)}</span></li>`)}
    </ol>`;
  return page(STATE_TEXT[view.status], body, over ? {} : { refreshSeconds: 30 });
}
