// The towns of a part of the map, for drawing: a list from south to north, searched by latitude.
import { kind, type Layer } from "./layer.ts";

export interface Box {
  west: number;
  south: number;
  east: number;
  north: number;
}

export interface Town {
  lat: number;
  lon: number;
  name: string;
}

/** Towns with fewer people are not named on a map, and not more than so many of them. */
const LEAST_PEOPLE = 1000;
const MAX_TOWNS = 12;

/** Ids of the layer's towns from south to north. */
export function townsOf(layer: Layer): Uint32Array {
  const ids: number[] = [];
  for (let id = 0; id < layer.count; id++)
    if (layer.kind[id] === kind.locality && layer.population[id] >= LEAST_PEOPLE) ids.push(id);
  return Uint32Array.from(ids).sort((a, b) => layer.lat[a] - layer.lat[b]);
}

/** The largest first. */
export function townsInside(layer: Layer, towns: Uint32Array, { west, south, east, north }: Box): Town[] {
  const found: number[] = [];
  for (let i = firstFrom(layer, towns, south * 1e6); i < towns.length; i++) {
    const id = towns[i];
    if (layer.lat[id] > north * 1e6) break;
    if (layer.lon[id] >= west * 1e6 && layer.lon[id] <= east * 1e6) found.push(id);
  }
  found.sort((a, b) => layer.population[b] - layer.population[a]);
  return found
    .slice(0, MAX_TOWNS)
    .map((id) => ({ lat: layer.lat[id] / 1e6, lon: layer.lon[id] / 1e6, name: layer.nameOf(id) }));
}

/** The first town not south of a latitude. */
function firstFrom(layer: Layer, towns: Uint32Array, lat: number): number {
  let [low, high] = [0, towns.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (layer.lat[towns[middle]] < lat) low = middle + 1;
    else high = middle;
  }
  return low;
}
