// The courier's app: what is in hand, one large button for what comes next, and an outbox that survives dead spots.
import type { Work, WorkEnd, WorkItem } from "../courier-app.ts";
import { element, timeOf } from "./dom.ts";
import { addEntry, countEntries, type Entry, keep, kept, type Result, sendAll } from "./outbox.ts";
import { type ProofFields, proofFields } from "./proof-fields.ts";

const NEXT: Record<string, { to: string; say: string }> = {
  assigned: { to: "en_route_to_pickup", say: "Set out for the pickup" },
  en_route_to_pickup: { to: "at_pickup", say: "I am at the pickup" },
  at_pickup: { to: "picked_up", say: "Picked up" },
  picked_up: { to: "at_dropoff", say: "I am at the door" },
  en_route_to_dropoff: { to: "at_dropoff", say: "I am at the door" },
  at_dropoff: { to: "delivered", say: "Delivered" },
  returning: { to: "returned", say: "Brought back" },
};
const HEADINGS: Record<string, string> = {
  assigned: "Next: the pickup",
  en_route_to_pickup: "On the way to the pickup",
  at_pickup: "At the pickup",
  picked_up: "On the way to the drop-off",
  en_route_to_dropoff: "On the way to the drop-off",
  at_dropoff: "At the door",
  returning: "Bring it back",
};
const OVER = ["delivered", "returned", "failed", "scheduled"];
const REFRESH_MS = 30_000;
const RETRY_MS = 5_000;

const root = document.querySelector("main")!;
/** Null until the phone or the service has said what there is to do: the page as it came stays until then. */
let work: Work | null = null;
let fresh = false;
let position: { lat: number; lon: number } | null = null;
let waiting = 0;
let message = "";
let sending = false;
/** What was entered so far lives on while the page around it is drawn again. */
const proofs = new Map<string, ProofFields>();

/** Written down first, shown at once, sent when there is a network. */
async function act(event: Event, move: Omit<Entry, "id" | "at">): Promise<void> {
  const entry: Entry = { id: crypto.randomUUID(), at: timeOf(event), ...move, ...(position ?? {}) };
  await addEntry(entry);
  applyLocally(move);
  await keep("work", work);
  await render();
  void send();
}

function applyLocally({ do: action, delivery }: Omit<Entry, "id" | "at">): void {
  message = "";
  if (!work) return;
  if (action === "on_duty" || action === "off_duty") work.courier.onDuty = action === "on_duty";
  const item = work.deliveries.find((one) => one.id === delivery);
  if (!item) return;
  if (action === "accept") item.offered = false;
  else item.status = (action === "decline" ? "scheduled" : action) as WorkItem["status"];
  work.deliveries = work.deliveries.filter((one) => !OVER.includes(one.status));
}

async function send(): Promise<void> {
  if (sending) return;
  sending = true;
  try {
    await sendAll(showResult);
    await load();
  } catch {
    fresh = false;
    setTimeout(send, RETRY_MS);
  } finally {
    sending = false;
    await render();
  }
}

function showResult({ status, detail }: Result): void {
  if (status === "refused") message = detail ?? "That was refused.";
  void render();
}

/** What the service says counts only when it has heard everything from here. */
async function load(): Promise<void> {
  const answer = await fetch(`${location.pathname}/work.json`);
  if (!answer.ok || (await countEntries()) > 0) return;
  work = await answer.json();
  fresh = true;
  await keep("work", work);
}

async function render(): Promise<void> {
  waiting = await countEntries();
  if (!work) return;
  const { courier, deliveries } = work;
  const duty = courier.onDuty ? "off_duty" : "on_duty";
  const state = waiting > 0 ? `${waiting} to send` : fresh && navigator.onLine ? "Up to date" : "Offline";
  const focused = document.activeElement;
  root.replaceChildren(
    element("h1", {}, courier.name),
    element("p", { className: "soft", id: "state" }, `${courier.onDuty ? "On duty" : "Off duty"} · ${state}`),
    message ? element("p", { className: "warn", role: "alert" }, message) : "",
    ...deliveries.map(card),
    deliveries.length === 0 ? element("p", {}, "Nothing to do now.") : "",
    element("button", { onclick: (e: Event) => act(e, { do: duty }) }, courier.onDuty ? "Go off duty" : "Go on duty"),
    position ? "" : element("button", { onclick: sharePosition }, "Share my position"),
  );
  if (focused instanceof HTMLElement && focused.isConnected) focused.focus();
}

function card(item: WorkItem): HTMLElement {
  const buttons = item.offered ? offerButtons(item) : stepButtons(item);
  return element(
    "article",
    { id: item.id },
    element("h2", {}, item.offered ? "New delivery" : (HEADINGS[item.status] ?? item.status)),
    endText("From", "at", item.pickup),
    endText("To", "by", item.dropoff),
    item.items.length > 0 && element("ul", {}, ...item.items.map((text) => element("li", {}, text))),
    item.notes !== null && element("p", { className: "soft" }, item.notes),
    ...buttons,
  );
}

function endText(label: string, when: string, end: WorkEnd): HTMLElement {
  const { contact, lat, lon } = end;
  return element(
    "p",
    {},
    element("strong", {}, label),
    ` ${end.address} `,
    element("span", { className: "soft" }, `${when} ${end.when} `),
    contact?.phone
      ? element("a", { href: `tel:${contact.phone}` }, contact.name ?? contact.phone)
      : (contact?.name ?? ""),
    lat === null ? "" : element("a", { href: `geo:${lat},${lon}?q=${lat},${lon}`, className: "way" }, "Navigate"),
    end.instructions ? element("span", { className: "soft block" }, end.instructions) : "",
  );
}

const button = (say: string, onclick: (event: Event) => void, main = false): HTMLButtonElement =>
  element("button", { onclick, className: main ? "main" : "" }, say);

const offerButtons = ({ id }: WorkItem): HTMLElement[] => [
  button("Accept", (e) => act(e, { do: "accept", delivery: id }), true),
  button("Decline", (e) => act(e, { do: "decline", delivery: id })),
];

function stepButtons(item: WorkItem): HTMLElement[] {
  const { id, status } = item;
  const next = NEXT[status];
  const parts: HTMLElement[] = [];
  const go = button(next.say, (e) => finish(e, item, next.to), true);
  if (next.to === "delivered" && item.proof.required.length > 0) {
    const fields = proofs.get(id) ?? proofFields(item.proof.required);
    proofs.set(id, fields);
    fields.onChange = () => void (go.disabled = !fields.isComplete());
    fields.onChange();
    parts.push(fields.node);
  }
  parts.push(go);
  if (["picked_up", "en_route_to_dropoff", "at_dropoff"].includes(status))
    parts.push(
      button("Nobody there: bring it back", (e) =>
        act(e, { do: "returning", delivery: id, reason: "recipient_absent" }),
      ),
    );
  if (["assigned", "en_route_to_pickup", "at_pickup"].includes(status))
    parts.push(button("Give it back", (e) => act(e, { do: "decline", delivery: id })));
  return parts;
}

async function finish(event: Event, { id }: WorkItem, to: string): Promise<void> {
  const proof = to === "delivered" ? await proofs.get(id)?.read() : undefined;
  await act(event, { do: to, delivery: id, ...(proof ?? {}) });
}

function sharePosition(): void {
  navigator.geolocation.watchPosition(
    ({ coords }) => {
      position = { lat: coords.latitude, lon: coords.longitude };
      void render();
    },
    () => {
      message = "The position is not allowed.";
      void render();
    },
    { enableHighAccuracy: true },
  );
}

async function start(): Promise<void> {
  work = (await kept("work")) ?? null;
  await render();
  await send();
  addEventListener("online", () => void send());
  setInterval(() => document.visibilityState === "visible" && void send(), REFRESH_MS);
  await navigator.serviceWorker?.register(`${location.pathname}/sw.js`, { scope: location.pathname });
  await navigator.storage?.persist?.();
}

void start();
