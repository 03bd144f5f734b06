// What delivery pages share: the places of a delivery that are known, and times for inputs.
import type { Delivery } from "../../../../sdks/typescript/src/index.ts";
import type { Point } from "../../map.tsx";

/** The places of a delivery that are known. */
export function placesOf({
  locations,
  courier,
}: Pick<Delivery, "locations"> & { courier?: Delivery["courier"] }): Point[] {
  const ends = (["pickup", "dropoff"] as const).flatMap((kind): Point[] => {
    const { lat, lon, label } = locations[kind];
    return lat === null || lon === null ? [] : [{ lat, lon, kind, name: label ?? kind }];
  });
  const at = courier?.position;
  return at ? [...ends, { lat: at.lat, lon: at.lon, kind: "courier", name: courier?.name ?? "courier" }] : ends;
}

/** For an input of type datetime-local. */
export function localTime(ms: number): string {
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
