// The public tracking page of one delivery: shown, kept up to date, and what a recipient says on it. The address is the credential.
import { type CallOf, handle, type Handler } from "../../../contract/define.ts";
import { Failure } from "../../../contract/errors.ts";
import { formatTime } from "../../../lib/time.ts";
import { findOr404, notFound } from "../../../platform/pages.ts";
import type { Tx } from "../../../store/db.ts";
import * as contract from "../contract/index.ts";
import { haversineKm } from "../engine/geo.ts";
import { TERMINAL } from "../machine.ts";
import type { DeliveryRow } from "../store/index.ts";
import { movePin } from "./changes.ts";
import { pictureResponse } from "./deliveries.ts";
import type { RouteDeps } from "./deps.ts";
import { clientScript } from "./pages/client-scripts.ts";
import { chooseLanguage } from "./pages/languages.ts";
import { liveParts, missingPage, trackingPage } from "./pages/track.ts";

/** A recipient corrects a pin; another town is another order. */
const MAX_PIN_KM = 10;

type Track = CallOf<typeof contract.trackPage>;

const languageOf = (call: Pick<Track, "query" | "request">): string =>
  chooseLanguage(call.query.lang ?? call.request.headers.get("accept-language"));

/** A person with an old link gets a page, a program gets the error. */
async function showTracking(deps: RouteDeps, call: Track): Promise<Response> {
  const row = await deps.store.findByTrack(call.params.token);
  if (!row && call.request.headers.get("accept")?.includes("text/html")) return missingPage(languageOf(call));
  if (!row) throw notFound("delivery");
  const { brand } = (await deps.store.facts.get(row.tenantId)).settings;
  const shown = brand && { name: brand.name ?? null, colour: brand.colour ?? null };
  return trackingPage(row, { language: languageOf(call), now: call.now, townsIn: await deps.townsIn() }, shown);
}

async function openLive(deps: RouteDeps, call: CallOf<typeof contract.trackLive>): Promise<Response> {
  const row = await findOr404("delivery", deps.store.findByTrack(call.params.token));
  const language = languageOf(call);
  const { clock } = deps.platform;
  const townsIn = await deps.townsIn();
  const render = (fresh: DeliveryRow) => liveParts(fresh, { language, now: clock.now(), townsIn }).text;
  const response = deps.trackingStreams.open(row, call.request.signal, render);
  if (!response) throw new Failure("overloaded", "Too many pages are open.", { headers: { "Retry-After": "30" } });
  return response;
}

async function sendFile(deps: RouteDeps, call: CallOf<typeof contract.trackFile>): Promise<Response> {
  const row = await findOr404("delivery", deps.store.findByTrack(call.params.token));
  if (call.params.file === "photo")
    return pictureResponse(await findOr404("picture", deps.store.pictures.find(row.tenantId, row.id, "photo")));
  const headers = { "Content-Type": "text/javascript", "Cache-Control": "no-cache" };
  return new Response(await clientScript("tracking"), { headers });
}

async function submitForm(deps: RouteDeps, call: CallOf<typeof contract.trackForm>): Promise<Response> {
  const form = new URLSearchParams(new TextDecoder().decode(call.raw.bytes));
  const { id, tenantId } = await findOr404("delivery", deps.store.findByTrack(call.params.token));
  await deps.platform.db.sql.begin(async (tx) => {
    const row = await findOr404("delivery", deps.store.lock(tx, tenantId, id));
    await applyForm(deps, tx, row, form, call.now);
  });
  return new Response(null, { status: 303, headers: { Location: `/track/${call.params.token}` } });
}

async function applyForm(deps: RouteDeps, tx: Tx, row: DeliveryRow, form: URLSearchParams, now: number): Promise<void> {
  const { view } = row;
  const action = form.get("do");
  if (action === "rating") {
    const stars = Number(form.get("stars"));
    if (view.status !== "delivered" || view.rating || !(stars >= 1 && stars <= 5 && Number.isInteger(stars)))
      throw new Failure("wrong_state", "It cannot be rated now.");
    view.rating = { stars, comment: textOf(form, "comment"), at: formatTime(now) };
    await deps.store.save(tx, row);
    return deps.lifecycle.emit(tx, row, "rated", now);
  }
  if (action === "stop" || form.get("List-Unsubscribe") === "One-Click") return stopNotices(deps, tx, row, now);
  if (TERMINAL.has(view.status)) throw new Failure("wrong_state", `The delivery is ${view.status}.`);
  if (action === "instructions") view.dropoff.instructions = textOf(form, "instructions");
  else if (action === "pin") await movePin(deps, tx, row, "dropoff", pinOf(row, form), now);
  else throw new Failure("wrong_state", "That cannot be done.");
  await deps.store.save(tx, row);
  await deps.lifecycle.emit(tx, row, "updated", now);
}

/** The recipient wants no more messages of this account, about any delivery. */
async function stopNotices(deps: RouteDeps, tx: Tx, { tenantId, view }: DeliveryRow, now: number): Promise<void> {
  const { email, phone } = view.dropoff.notify ?? { email: null, phone: null };
  for (const address of [email, phone]) if (address) await deps.store.notices.stop(tx, tenantId, address, now);
}

/** Null when it is empty; what cannot be shown is refused. */
function textOf(form: URLSearchParams, name: string): string | null {
  const text = form.get(name)?.trim().slice(0, 500) ?? "";
  if (/\p{Cc}/u.test(text) || !text.isWellFormed()) throw new Failure("wrong_state", `${name} cannot be read.`);
  return text || null;
}

function pinOf({ details }: DeliveryRow, form: URLSearchParams): { lat: number; lon: number } {
  const [lat, lon] = ["lat", "lon"].map((name) => Number(form.get(name) || Number.NaN));
  const near = details.to && haversineKm(lat, lon, details.to.lat, details.to.lon);
  if (!(Math.abs(lat) <= 90) || !(Math.abs(lon) <= 180)) throw new Failure("wrong_state", "That is not a place.");
  if (near !== null && near > Math.max(MAX_PIN_KM, 2 * (details.to?.radius_km ?? 0)))
    throw new Failure("wrong_state", "That is too far away. Ask the sender to change the address.");
  return { lat, lon };
}

export const trackingRoutes = (deps: RouteDeps): Handler[] => [
  handle(contract.trackPage, (call) => showTracking(deps, call)),
  handle(contract.trackLive, (call) => openLive(deps, call)),
  handle(contract.trackForm, (call) => submitForm(deps, call)),
  handle(contract.trackFile, (call) => sendFile(deps, call)),
];
