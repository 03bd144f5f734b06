// What the courier's app is made of: its work as data, its manifest, its icon.
import type { Courier } from "../../contract/courier.ts";
import type { Delivery } from "../../contract/delivery.ts";
import type { DeliveryRow } from "../../store/index.ts";
import { localText } from "./html.ts";

export interface WorkEnd {
  address: string;
  when: string;
  lat: number | null;
  lon: number | null;
  contact: Delivery["pickup"]["contact"];
  instructions: string | null;
}

export interface WorkItem {
  id: string;
  status: Delivery["status"];
  /** Nobody has accepted it yet. */
  offered: boolean;
  pickup: WorkEnd;
  dropoff: WorkEnd;
  items: string[];
  notes: string | null;
  proof: { required: Delivery["proof"]["required"]; pinTriesLeft: number | null };
}

export interface Work {
  courier: { name: string; onDuty: boolean };
  deliveries: WorkItem[];
}

export function courierWork(courier: Courier, rows: DeliveryRow[]): Work {
  return { courier: { name: courier.name, onDuty: courier.on_duty }, deliveries: rows.map(workItem) };
}

function workItem({ id, view, details }: DeliveryRow): WorkItem {
  const end = (which: "pickup" | "dropoff", when: string): WorkEnd => {
    const { address, contact, instructions } = view[which];
    const { lat, lon, time_zone } = view.locations[which];
    return { address, when: localText(when, time_zone), lat, lon, contact, instructions };
  };
  return {
    id,
    status: view.status,
    offered: view.status === "assigned" && details.offer?.acceptedMs === null,
    pickup: end("pickup", view.pickup.scheduled_time),
    dropoff: end("dropoff", view.eta.window.to),
    items: view.items.map((item) => `${item.quantity ?? 1} × ${item.name}`),
    notes: view.notes,
    proof: { required: view.proof.required, pinTriesLeft: view.proof.pin_tries_left },
  };
}

export const manifestOf = (token: string, courier: Courier) => ({
  name: `Deliveries of ${courier.name}`,
  short_name: "Deliveries",
  start_url: `/courier/${token}`,
  scope: `/courier/${token}`,
  display: "standalone",
  background_color: "#ffffff",
  theme_color: "#0b6b4f",
  icons: [{ src: `/courier/${token}/icon.svg`, sizes: "any", type: "image/svg+xml", purpose: "any" }],
});

export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#0b6b4f"/>
<path d="M14 24 32 15l18 9v18l-18 9-18-9z" fill="none" stroke="#fff" stroke-width="3.5" stroke-linejoin="round"/>
<path d="M14 24l18 9 18-9M32 33v18" fill="none" stroke="#fff" stroke-width="3.5"/></svg>`;
