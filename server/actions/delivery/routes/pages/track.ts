// The public page of one delivery, for whoever waits for it. The part between the live marks is drawn again when it changes.
import type { Delivery } from "../../contract/delivery.ts";
import { textsOf } from "../../engine/notices/texts.ts";
import { TERMINAL } from "../../machine.ts";
import type { DeliveryRow } from "../../store/index.ts";
import { type Html, html, page } from "./html.ts";
import { directionOf, LANGUAGES, timeText, type Words, wordsOf } from "./languages.ts";
import { drawMap, marksOf, type TownsIn } from "./map.ts";

export interface Reader {
  language: string;
  now: number;
  /** Towns to name on the map. */
  townsIn?: TownsIn;
}

export interface Brand {
  name: string | null;
  colour: string | null;
}

const STARS = [1, 2, 3, 4, 5];

export function trackingPage(row: DeliveryRow, reader: Reader, brand: Brand | null): Response {
  const { view } = row;
  const words = wordsOf(reader.language);
  const body = html`${brand?.name ? html`<p class="brand">${brand.name}</p>` : ""}
    <div id="live">${liveParts(row, reader)}</div>
    <div id="forms">${forms(view, words)}${stopForm(view, reader.language)}</div>${languageLinks(reader.language)}`;
  return page(words[view.status], body, {
    language: reader.language,
    direction: directionOf(reader.language),
    refreshSeconds: TERMINAL.has(view.status) ? undefined : 30,
    script: `/track/${row.track}/app.js`,
    accent: brand?.colour,
  });
}

export function missingPage(language: string): Response {
  const words = wordsOf(language);
  const body = html`<h1>${words.not_found}</h1><p>${words.not_found_hint}</p>`;
  return page(words.not_found, body, { status: 404, language, direction: directionOf(language) });
}

/** What changes while the page is open. */
export function liveParts(row: DeliveryRow, { language, now, townsIn }: Reader): Html {
  const { view } = row;
  const words = wordsOf(language);
  const zone = view.locations.dropoff.time_zone ?? view.locations.pickup.time_zone;
  const at = (iso: string) => timeText(iso, zone, language, now);
  return html`<p class="soft">${view.simulated ? words.simulated : words.delivery} ${view.delivery_id.slice(-6)}</p>
    <h1>${words[view.status]}</h1>
    ${arrivalText(view, words, at)}
    ${view.proof.pin && !TERMINAL.has(view.status) ? html`<p>${words.pin} <strong class="pin">${view.proof.pin}</strong></p>` : ""}
    ${view.reason && view.reason !== "delivered" ? html`<p class="warn">${view.reason.replaceAll("_", " ")}</p>` : ""}
    ${view.proof.given?.photo_url ? html`<img class="photo" src="/track/${row.track}/photo" alt="${words.photo}">` : ""}
    ${drawMap(marksOf(row, { pickup: words.from, dropoff: words.to }), townsIn) ?? html`<p class="soft">${words.no_map}</p>`}
    <h2>${words.from}</h2>
    <p dir="auto">${view.pickup.address}</p>
    <h2>${words.to}</h2>
    <p dir="auto">${view.dropoff.address}</p>
    ${view.courier?.name ? html`<h2>${words.courier}</h2><p>${view.courier.name}</p>` : ""}
    <h2>${words.history}</h2>
    <ol>
      ${view.timeline.map((t) => html`<li><strong>${words[t.status as Delivery["status"]] ?? t.status}</strong> <span class="soft">${at(t.at)}</span></li>`)}
    </ol>`;
}

function arrivalText(view: Delivery, words: Words, at: (iso: string) => string): Html {
  const { estimated_arrival, actual_arrival } = view.dropoff;
  if (actual_arrival) return html`<p>${words.arrived.replace("{a}", at(actual_arrival))}</p>`;
  if (TERMINAL.has(view.status)) return html``;
  const { from, to } = view.eta.window;
  const between = words.between.replace("{a}", at(from)).replace("{b}", at(to));
  return html`<p>${words.expected} <strong>${at(estimated_arrival)}</strong></p><p class="soft">${between}</p>`;
}

/** What a recipient can say: how to get in and where the door is before, how it was after. */
function forms(view: Delivery, words: Words): Html {
  if (view.status === "delivered") {
    if (view.rating) return html`<p class="soft">${words.thanks}</p>`;
    return html`<form method="post" class="wide"><h2>${words.rate}</h2><input type="hidden" name="do" value="rating">
<p class="stars">${STARS.map((n) => html`<label><input type="radio" name="stars" value="${n}" required>${"★".repeat(n)}</label>`)}</p>
<label>${words.comment} <input name="comment" maxlength="500"></label><button class="main">${words.send}</button></form>`;
  }
  if (TERMINAL.has(view.status)) return html``;
  return html`<form method="post" class="wide"><input type="hidden" name="do" value="instructions">
<label>${words.instructions} <input name="instructions" maxlength="500" value="${view.dropoff.instructions ?? ""}"></label>
<button>${words.save}</button></form>
<button type="button" id="move-pin" data-hint="${words.tap_map}" hidden>${words.move_pin}</button>`;
}

/** Every message links here. */
const stopForm = (view: Delivery, language: string): Html =>
  view.dropoff.notify
    ? html`<form method="post" class="wide" id="messages"><input type="hidden" name="do" value="stop">
<button>${textsOf(language).stop}</button></form>`
    : html``;

const languageLinks = (current: string): Html =>
  html`<p class="languages">${LANGUAGES.map((code) => (code === current ? html`<b>${code}</b> ` : html`<a href="?lang=${code}" hreflang="${code}">${code}</a> `))}</p>`;
