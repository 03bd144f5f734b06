// Places in feeds (GeoRSS, GML, W3C geo) as GeoJSON writes them: longitude first.
import type { FeedPlace } from "./model.ts";
import { textOf, type Element } from "./xml.ts";

/** A place, {} for one that cannot be read, or null when the element is none. */
export function placeFrom(element: Element): FeedPlace | null {
  switch (element.name) {
    case "georss:point":
    case "gml:pos":
      return point(pairs(element));
    case "georss:line":
    case "gml:linestring":
      return shape("LineString", pairs(element), 2, (p) => p);
    case "georss:polygon":
    case "gml:polygon":
      return shape("Polygon", closed(pairs(element)), 4, (p) => [p]);
    case "georss:box":
    case "gml:envelope":
      return shape("Box", pairs(element), 2, (p) => p);
    case "gml:point":
      return point(pairs(element));
    case "georss:where":
    case "geo:point": {
      const inner = element.children.find((c) => typeof c !== "string");
      return inner ? (placeFrom(inner) ?? {}) : {};
    }
    default:
      return null;
  }
}

type Pair = [number, number];

function pairs(element: Element): Pair[] {
  const numbers = textOf(element)
    .trim()
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(Number);
  if (numbers.some((n) => !Number.isFinite(n))) return [];
  return Array.from({ length: numbers.length >> 1 }, (_, i): Pair => [numbers[2 * i + 1], numbers[2 * i]]);
}

function closed(ring: Pair[]): Pair[] {
  const last = ring.at(-1);
  return last && ring[0][0] === last[0] && ring[0][1] === last[1] ? ring : [];
}

function point(found: Pair[]): FeedPlace {
  return found.length > 0 ? { type: "Point", coordinates: found[0] } : {};
}

function shape(type: string, found: Pair[], least: number, make: (pairs: Pair[]) => unknown): FeedPlace {
  return found.length >= least ? { type, coordinates: make(found) } : {};
}
