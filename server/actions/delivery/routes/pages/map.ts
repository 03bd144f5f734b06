// A small map drawn from the points alone: pickup, drop-off, courier, and a scale. No tiles, nothing from outside.
import { haversineKm } from "../../engine/geo.ts";
import { TERMINAL } from "../../machine.ts";
import type { DeliveryRow } from "../../store/index.ts";
import { type Html, html } from "./html.ts";

export interface Mark {
  lat: number;
  lon: number;
  label: string;
  kind: "pickup" | "dropoff" | "courier";
  /** Drawn as a disc: the place lies somewhere inside. */
  radiusKm?: number;
}

const WIDTH = 640;
const HEIGHT = 360;
const MARGIN = 60;

/** Null when there is nothing to draw. */
export function drawMap(marks: Mark[]): Html | null {
  if (marks.length === 0) return null;
  const lats = marks.map((m) => m.lat);
  const lons = marks.map((m) => m.lon);
  const [south, north] = [Math.min(...lats), Math.max(...lats)];
  const [west, east] = [Math.min(...lons), Math.max(...lons)];
  const squeeze = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const span = Math.max(
    (east - west) * squeeze,
    ((north - south) * (WIDTH - 2 * MARGIN)) / (HEIGHT - 2 * MARGIN),
    0.01,
  );
  const scale = (WIDTH - 2 * MARGIN) / span;
  const x = (lon: number) => round(WIDTH / 2 + (lon - (west + east) / 2) * squeeze * scale);
  const y = (lat: number) => round(HEIGHT / 2 - (lat - (south + north) / 2) * scale);
  const find = (kind: Mark["kind"]) => marks.find((m) => m.kind === kind);
  const [from, to] = [find("pickup"), find("dropoff")];
  const kmPerPixel = 111.2 / scale;
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Map of pickup, drop-off and courier"
      data-west="${(west + east) / 2 - WIDTH / 2 / scale / squeeze}" data-north="${(south + north) / 2 + HEIGHT / 2 / scale}"
      data-width="${WIDTH / scale / squeeze}" data-height="${HEIGHT / scale}">
      ${grid()}${from && to ? html`<line x1="${x(from.lon)}" y1="${y(from.lat)}" x2="${x(to.lon)}" y2="${y(to.lat)}" stroke="currentColor" stroke-width="2" stroke-dasharray="6 6" opacity=".5" />` : ""}
      ${marks.map((m) => drawMark(m, x(m.lon), y(m.lat), kmPerPixel))}${ruler(kmPerPixel)}</svg
    >${from && to && !isSamePlace(from, to) ? html`<p class="soft"><bdi>${distance(from, to)}</bdi></p>` : ""}`;
}

function drawMark(mark: Mark, x: number, y: number, kmPerPixel: number): Html {
  const colour = { pickup: "#2563eb", dropoff: "#0b8a5f", courier: "#d97706" }[mark.kind];
  const blur = mark.radiusKm ? Math.min(160, round(mark.radiusKm / kmPerPixel)) : 0;
  const end = x > WIDTH - 140;
  return html`${blur > 9 ? html`<circle cx="${x}" cy="${y}" r="${blur}" fill="${colour}" opacity=".15" />` : ""}<circle
      cx="${x}"
      cy="${y}"
      r="8"
      fill="${colour}"
      stroke="#fff"
      stroke-width="2"
    />
    <text x="${end ? x - 12 : x + 12}" y="${y + 5}" font-size="16" fill="currentColor" text-anchor="${end ? "end" : "start"}"
      >${mark.label}</text
    >`;
}

function grid(): Html {
  const lines: Html[] = [];
  for (let i = 1; i < 8; i++)
    lines.push(html`<line x1="${i * 80}" y1="0" x2="${i * 80}" y2="${HEIGHT}" stroke="currentColor" opacity=".08" />`);
  for (let i = 1; i < 5; i++)
    lines.push(html`<line x1="0" y1="${i * 72}" x2="${WIDTH}" y2="${i * 72}" stroke="currentColor" opacity=".08" />`);
  return html`${lines}`;
}

function ruler(kmPerPixel: number): Html {
  const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500];
  const km = steps.findLast((s) => s / kmPerPixel <= 160) ?? 0.1;
  const end = round(20 + km / kmPerPixel);
  return html`<path d="M20 ${HEIGHT - 18}v-6h${end - 20}v6" fill="none" stroke="currentColor" /><text
      x="20"
      y="${HEIGHT - 30}"
      font-size="13"
      fill="currentColor"
      >${km} km</text
    >`;
}

const isSamePlace = (a: Mark, b: Mark): boolean => haversineKm(a.lat, a.lon, b.lat, b.lon) < 0.05;
const distance = (a: Mark, b: Mark): string => `${haversineKm(a.lat, a.lon, b.lat, b.lon).toFixed(1)} km`;
const round = (v: number): number => Math.round(v * 10) / 10;

/** Both ends, and the courier while it is under way. */
export function marksOf(row: DeliveryRow, labels = { pickup: "Pickup", dropoff: "Drop-off" }): Mark[] {
  const { view, details } = row;
  const marks: Mark[] = [];
  if (details.from)
    marks.push({ ...details.from, label: labels.pickup, kind: "pickup", radiusKm: details.from.radius_km });
  if (details.to) marks.push({ ...details.to, label: labels.dropoff, kind: "dropoff", radiusKm: details.to.radius_km });
  const at = view.courier?.position;
  if (at && marks.length > 0 && !TERMINAL.has(view.status))
    marks.push({ lat: at.lat, lon: at.lon, label: view.courier?.name ?? "Courier", kind: "courier" });
  return marks;
}
