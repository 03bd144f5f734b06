// A map drawn from bundled shapes: no tiles, no other host. Fits itself to the points it shows.
import { geoMercator, geoPath } from "d3-geo";
import { feature } from "topojson-client";
import { useEffect, useState } from "preact/hooks";

export interface Point {
  lat: number;
  lon: number;
  kind: "pickup" | "dropoff" | "courier";
  name: string;
}

const WIDTH = 640;
const HEIGHT = 320;
const MARGIN = 50;
/** Closer than this the shapes of the countries show nothing. */
const MIN_DEGREES = 3;

let shapes: Promise<any> | null = null;

function loadShapes(): Promise<any> {
  shapes ??= fetch("/console/assets/world.json")
    .then((response) => response.json())
    .then((atlas) => feature(atlas, atlas.objects.countries));
  return shapes;
}

/** The corners of what must be seen. */
function corners(points: Point[]) {
  if (points.length === 0)
    return {
      type: "MultiPoint" as const,
      coordinates: [
        [-120, -40],
        [150, 65],
      ] as [number, number][],
    };
  const coordinates = points.flatMap(({ lon, lat }): [number, number][] => [
    [lon - MIN_DEGREES, Math.max(-80, lat - MIN_DEGREES)],
    [lon + MIN_DEGREES, Math.min(80, lat + MIN_DEGREES)],
  ]);
  return { type: "MultiPoint" as const, coordinates };
}

export function WorldMap({ points, joined }: { points: Point[]; joined?: boolean }) {
  const [land, setLand] = useState<any>(null);
  useEffect(() => void loadShapes().then(setLand), []);
  const projection = geoMercator().fitExtent(
    [
      [MARGIN, MARGIN],
      [WIDTH - MARGIN, HEIGHT - MARGIN],
    ],
    corners(points),
  );
  projection.clipExtent([
    [0, 0],
    [WIDTH, HEIGHT],
  ]);
  const draw = geoPath(projection);
  const line = { type: "LineString" as const, coordinates: points.map((p): [number, number] => [p.lon, p.lat]) };
  return (
    <svg class="map" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Map with ${points.length} places`}>
      {land && <path class="land" d={draw(land) ?? ""} />}
      {joined && points.length > 1 && <path class="way" d={draw(line) ?? ""} />}
      {points.map((p) => {
        const [x, y] = projection([p.lon, p.lat]) ?? [0, 0];
        return (
          <g key={p.kind + p.name + p.lon}>
            <title>{`${p.kind}: ${p.name}`}</title>
            <circle class={p.kind} cx={x} cy={y} r={points.length > 20 ? 3 : 6} />
            {points.length <= 3 && (
              <text x={x + 9} y={y + 4}>
                {p.name.split(",")[0]}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}
