// Coastlines for the map of the tracking page: Natural Earth's land (public domain, by way of the package world-atlas), cut to a rectangle.
import { readFileSync } from "node:fs";
import { feature } from "topojson-client";
import type { Box } from "../../engine/geocoder/towns.ts";
import type { GeometryCollection, Topology } from "topojson-specification";

interface Ring extends Box {
  /** Longitude and latitude in turn. */
  points: Float32Array;
}

let rings: Ring[] | null = null;

/** Read when the first map is drawn: a service without recipients does not pay for it. */
function allRings(): Ring[] {
  if (rings) return rings;
  const world: Topology = JSON.parse(
    readFileSync(Bun.resolveSync("world-atlas/land-10m.json", import.meta.dir), "utf8"),
  );
  const land = feature(world, world.objects.land as GeometryCollection);
  const shapes = land.features.flatMap(({ geometry }) =>
    geometry.type === "MultiPolygon" ? geometry.coordinates : geometry.type === "Polygon" ? [geometry.coordinates] : [],
  );
  rings = shapes.flat().map(ringOf);
  return rings;
}

function ringOf(positions: number[][]): Ring {
  const ring = { west: 180, south: 90, east: -180, north: -90, points: new Float32Array(positions.length * 2) };
  positions.forEach(([lon, lat], i) => {
    ring.points[2 * i] = lon;
    ring.points[2 * i + 1] = lat;
    ring.west = Math.min(ring.west, lon);
    ring.east = Math.max(ring.east, lon);
    ring.south = Math.min(ring.south, lat);
    ring.north = Math.max(ring.north, lat);
  });
  return ring;
}

/** The outlines of the land inside the box; holes among them, to be filled by the even-odd rule. */
export function landIn(box: Box): [lon: number, lat: number][][] {
  const out: [number, number][][] = [];
  for (const ring of allRings()) {
    if (ring.west > box.east || ring.east < box.west || ring.south > box.north || ring.north < box.south) continue;
    const cut = clip(ring.points, box);
    if (cut.length > 2) out.push(cut);
  }
  return out;
}

type Point = [lon: number, lat: number];

/** Sutherland and Hodgman: the outline is cut at one side of the box after the other. */
function clip(points: Float32Array, { west, south, east, north }: Box): Point[] {
  let shape: Point[] = [];
  for (let i = 0; i < points.length; i += 2) shape.push([points[i], points[i + 1]]);
  shape = cutAt(shape, 0, west, 1);
  shape = cutAt(shape, 0, east, -1);
  shape = cutAt(shape, 1, south, 1);
  return cutAt(shape, 1, north, -1);
}

function cutAt(shape: Point[], axis: 0 | 1, edge: number, side: 1 | -1): Point[] {
  const out: Point[] = [];
  const isInside = (p: Point) => side * (p[axis] - edge) >= 0;
  for (let i = 0; i < shape.length; i++) {
    const [a, b] = [shape[(i + shape.length - 1) % shape.length], shape[i]];
    if (isInside(a) !== isInside(b)) {
      const share = (edge - a[axis]) / (b[axis] - a[axis]);
      const other = a[1 - axis] + share * (b[1 - axis] - a[1 - axis]);
      out.push(axis === 0 ? [edge, other] : [other, edge]);
    }
    if (isInside(b)) out.push(b);
  }
  return out;
}
