// A map drawn from bundled shapes: no tiles, no other host. Fits itself to the points it shows; close ones get a grid, a
// scale and a small map of where in the world they are.
import { type GeoProjection, geoGraticule, geoMercator, geoPath } from "d3-geo";
import { useEffect, useState } from "preact/hooks";
import { feature } from "topojson-client";

export interface Point {
  lat: number;
  lon: number;
  kind: "pickup" | "dropoff" | "courier";
  name: string;
}

const WIDTH = 640;
const HEIGHT = 280;
const MARGIN = 56;
/** The least that is shown around a point, in degrees. */
const MIN_DEGREES = 0.01;
/** Below this width the shapes of the countries say nothing, so a small map says where it is. */
const CLOSE_DEGREES = 6;
const INSET = { width: 128, height: 84, degrees: 14 };
const KM_PER_DEGREE = 111.32;
const GRID_STEPS = [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15];
const SCALE_STEPS_KM = [0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000];
const MAX_SCALE_PX = 130;
const MAX_NAMED = 4;

let shapes: Promise<any> | null = null;

function loadShapes(): Promise<any> {
  shapes ??= fetch("/console/assets/world.json")
    .then((response) => response.json())
    .then((atlas) => feature(atlas, atlas.objects.countries));
  return shapes;
}

type Corner = [lon: number, lat: number];

/** The corners of what must be seen. */
function cornersOf(points: Point[], degrees: number): Corner[] {
  if (points.length === 0)
    return [
      [-120, -40],
      [150, 65],
    ];
  return points.flatMap(({ lon, lat }): Corner[] => [
    [lon - degrees, Math.max(-80, lat - degrees)],
    [lon + degrees, Math.min(80, lat + degrees)],
  ]);
}

function fit(corners: Corner[], width: number, height: number, margin: number): GeoProjection {
  const extent: [Corner, Corner] = [
    [margin, margin],
    [width - margin, height - margin],
  ];
  return geoMercator()
    .fitExtent(extent, { type: "MultiPoint", coordinates: corners })
    .clipExtent([
      [0, 0],
      [width, height],
    ]);
}

/** Pixels of a kilometre in the middle of the map. */
function pixelsPerKm(projection: GeoProjection): number {
  const [lon, lat] = projection.invert!([WIDTH / 2, HEIGHT / 2])!;
  const [, y] = projection([lon, lat])!;
  const [, up] = projection([lon, lat + 0.001])!;
  return (y - up) / (0.001 * KM_PER_DEGREE);
}

function Scale({ projection }: { projection: GeoProjection }) {
  const perKm = pixelsPerKm(projection);
  const km = SCALE_STEPS_KM.filter((step) => step * perKm <= MAX_SCALE_PX).at(-1);
  if (!km) return null;
  return (
    <g>
      <path class="scale" d={`M16 ${HEIGHT - 20}v6h${km * perKm}v-6`} />
      <text x="20" y={HEIGHT - 22}>
        {km < 1 ? `${km * 1000} m` : `${km} km`}
      </text>
    </g>
  );
}

/** Where in the world a close map lies. */
function Inset({ land, at }: { land: any; at: Point }) {
  const corners = cornersOf([at], INSET.degrees);
  const projection = fit(corners, INSET.width, INSET.height, 0);
  const [x, y] = projection([at.lon, at.lat])!;
  return (
    <g transform={`translate(${WIDTH - INSET.width - 10}, 10)`}>
      <rect class="inset" width={INSET.width} height={INSET.height} rx="6" />
      <path class="land" d={geoPath(projection)(land) ?? ""} />
      <circle class="dropoff" cx={x} cy={y} r="4" />
    </g>
  );
}

function Dots({ points, projection }: { points: Point[]; projection: GeoProjection }) {
  return (
    <>
      {points.map((p) => {
        const [x, y] = projection([p.lon, p.lat]) ?? [0, 0];
        return (
          <g key={p.kind + p.name + p.lon}>
            <title>{`${p.kind}: ${p.name}`}</title>
            <circle class={p.kind} cx={x} cy={y} r={points.length > 20 ? 4 : 7} />
            {points.length <= MAX_NAMED && (
              <text x={x > WIDTH * 0.7 ? x - 12 : x + 12} y={y + 4} text-anchor={x > WIDTH * 0.7 ? "end" : "start"}>
                {p.name.split(",")[0]}
              </text>
            )}
          </g>
        );
      })}
    </>
  );
}

export function WorldMap({ points, joined }: { points: Point[]; joined?: boolean }) {
  const [land, setLand] = useState<any>(null);
  useEffect(() => void loadShapes().then(setLand), []);
  const projection = fit(cornersOf(points, MIN_DEGREES), WIDTH, HEIGHT, MARGIN);
  const draw = geoPath(projection);
  const shown = projection.invert!([WIDTH, 0])![0] - projection.invert!([0, 0])![0];
  const isClose = points.length > 0 && shown < CLOSE_DEGREES;
  const step = GRID_STEPS.find((degrees) => shown / degrees <= 12) ?? 30;
  const [left, bottom] = projection.invert!([0, HEIGHT])!;
  const [right, top] = projection.invert!([WIDTH, 0])!;
  const grid = geoGraticule()
    .extent([
      [Math.floor(left / step) * step, Math.floor(bottom / step) * step],
      [Math.ceil(right / step) * step, Math.ceil(top / step) * step],
    ])
    .step([step, step])
    .precision(step);
  const line = { type: "LineString" as const, coordinates: points.map((p): Corner => [p.lon, p.lat]) };
  return (
    <svg class="map" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Map with ${points.length} places`}>
      {land && <path class="land" d={draw(land) ?? ""} />}
      {isClose && <path class="grid-line" d={draw(grid()) ?? ""} />}
      {joined && points.length > 1 && <path class="way" d={draw(line) ?? ""} />}
      <Dots points={points} projection={projection} />
      {points.length > 0 && <Scale projection={projection} />}
      {isClose && land && <Inset land={land} at={points[0]} />}
    </svg>
  );
}
