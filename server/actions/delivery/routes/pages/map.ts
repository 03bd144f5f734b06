// A small map from shapes the service carries: land and water, towns around, pickup, drop-off, courier, and a scale. No tiles.
import { haversineKm } from "../../engine/geo.ts";
import type { Box, Town } from "../../engine/geocoder/towns.ts";
import { TERMINAL } from "../../machine.ts";
import type { DeliveryRow } from "../../store/index.ts";
import { type Html, html } from "./html.ts";
import { landIn } from "./land.ts";

export interface Mark {
  lat: number;
  lon: number;
  label: string;
  kind: "pickup" | "dropoff" | "courier";
  /** Drawn as a disc: the place lies somewhere inside. */
  radiusKm?: number;
}

const WIDTH = 480;
const HEIGHT = 320;
const MARGIN = 56;
/** Degrees: a map shows a kilometre at least. */
const LEAST_SPAN = 0.01;

export type TownsIn = (box: Box) => Town[];

/** Null when there is nothing to draw. */
export function drawMap(marks: Mark[], townsIn: TownsIn = () => []): Html | null {
  if (marks.length === 0) return null;
  const lats = marks.map((m) => m.lat);
  const lons = marks.map((m) => m.lon);
  const middle = { lat: (Math.min(...lats) + Math.max(...lats)) / 2, lon: (Math.min(...lons) + Math.max(...lons)) / 2 };
  const squeeze = Math.cos((middle.lat * Math.PI) / 180);
  const tall = ((Math.max(...lats) - Math.min(...lats)) * (WIDTH - 2 * MARGIN)) / (HEIGHT - 2 * MARGIN);
  const span = Math.max((Math.max(...lons) - Math.min(...lons)) * squeeze, tall, LEAST_SPAN);
  const scale = (WIDTH - 2 * MARGIN) / span;
  const x = (lon: number) => round(WIDTH / 2 + (lon - middle.lon) * squeeze * scale);
  const y = (lat: number) => round(HEIGHT / 2 - (lat - middle.lat) * scale);
  const [wide, high] = [WIDTH / scale / squeeze, HEIGHT / scale];
  const box = {
    west: middle.lon - wide / 2,
    east: middle.lon + wide / 2,
    south: middle.lat - high / 2,
    north: middle.lat + high / 2,
  };
  const find = (kind: Mark["kind"]) => marks.find((m) => m.kind === kind);
  const [from, to] = [find("pickup"), find("dropoff")];
  const kmPerPixel = 111.2 / scale;
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${marks.map((m) => m.label).join(", ")}"
      data-west="${box.west}" data-north="${box.north}" data-width="${wide}" data-height="${high}">
      ${drawLand(box, x, y)}${drawTowns(townsIn(box), marks, x, y)}${drawWay(from, find("courier"), to, x, y)}
      ${marks.map((m) => drawMark(m, x(m.lon), y(m.lat), kmPerPixel))}${ruler(kmPerPixel)}</svg
    >${from && to && !isSamePlace(from, to) ? html`<p class="soft"><bdi>${distance(from, to)}</bdi></p>` : ""}`;
}

type Across = (degrees: number) => number;

/** Land over the colour of water; where the shapes know no land at all, the ground is land. */
function drawLand(box: Box, x: Across, y: Across): Html {
  const land = landIn(box);
  if (land.length === 0) return html`<rect class="land" width="${WIDTH}" height="${HEIGHT}" />`;
  const outline = (ring: [number, number][]) => `M${ring.map(([lon, lat]) => `${x(lon)} ${y(lat)}`).join("L")}Z`;
  return html`<path class="land" fill-rule="evenodd" d="${land.map(outline).join("")}" />`;
}

/** Names that would cover a mark or another name are left out. */
function drawTowns(towns: Town[], marks: Mark[], x: Across, y: Across): Html {
  const taken = marks.map((m) => ({ x: x(m.lon), y: y(m.lat), right: x(m.lon) + 20 + 9 * m.label.length }));
  const drawn: Html[] = [];
  for (const town of towns) {
    const at = { x: x(town.lon), y: y(town.lat), right: x(town.lon) + 14 + 7.5 * town.name.length };
    if (at.x < 6 || at.right > WIDTH || at.y < 14 || at.y > HEIGHT - 48) continue;
    if (taken.some((t) => Math.abs(t.y - at.y) < 20 && t.x - 12 < at.right && at.x - 12 < t.right)) continue;
    taken.push(at);
    drawn.push(
      html`<circle class="town" cx="${at.x}" cy="${at.y}" r="3" /><text class="town" x="${at.x + 7}" y="${at.y + 4}" font-size="13">${town.name}</text>`,
    );
  }
  return html`${drawn}`;
}

/** What is done is a line, what is left is dashed. */
function drawWay(from: Mark | undefined, courier: Mark | undefined, to: Mark | undefined, x: Across, y: Across): Html {
  if (!from || !to) return html``;
  const line = (a: Mark, b: Mark, isDone: boolean) =>
    html`<path class="way${isDone ? " done" : ""}" d="M${x(a.lon)} ${y(a.lat)}L${x(b.lon)} ${y(b.lat)}" />`;
  return courier ? html`${line(from, courier, true)}${line(courier, to, false)}` : line(from, to, false);
}

function drawMark(mark: Mark, x: number, y: number, kmPerPixel: number): Html {
  const colour = { pickup: "#2563eb", dropoff: "var(--go)", courier: "#d97706" }[mark.kind];
  const blur = mark.radiusKm ? Math.min(160, round(mark.radiusKm / kmPerPixel)) : 0;
  const end = x > WIDTH - 140;
  // Two ends at one point: the names stand above and below.
  const below = { pickup: -8, dropoff: 18, courier: 5 }[mark.kind];
  return html`${blur > 9 ? html`<circle cx="${x}" cy="${y}" r="${blur}" fill="${colour}" opacity=".15" />` : ""}<circle
      cx="${x}"
      cy="${y}"
      r="8"
      fill="${colour}"
      stroke="#fff"
      stroke-width="2"
    />
    <text x="${end ? x - 12 : x + 12}" y="${y + below}" font-size="16" fill="currentColor" text-anchor="${end ? "end" : "start"}"
      >${mark.label}</text
    >`;
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
