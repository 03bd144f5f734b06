// Adds the packed postcodes and villages of the world to the base layer.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { kind } from "../../engine/geocoder/layer.ts";
import type { LayerPacker } from "../../engine/geocoder/pack.ts";
import { foldName } from "../../engine/geocoder/text.ts";
import { canonName } from "../../engine/geocoder/words.ts";
import { decodePostal } from "./postal-format.ts";

export const POSTAL_FILE = join(import.meta.dir, "postal.bin");
const POSTCODE_RANK = 40;

/** `peopleOf` a country says how likely a code is its own where several countries use it. */
export function addPostal(packer: LayerPacker, peopleOf: (country: string) => number): void {
  const folded = new Map<string, string>();
  const fold = (name: string): string => {
    let known = folded.get(name);
    if (known === undefined) folded.set(name, (known = canonName(foldName(name))));
    return known;
  };
  decodePostal(readFileSync(POSTAL_FILE), {
    postcode: ({ country, code, place, lat, lon, admin }) => {
      const name = place === "" ? code : `${code} ${place}`;
      packer.add(
        {
          kind: kind.postcode,
          name,
          lat,
          lon,
          country,
          admin: "",
          adminCode: admin,
          population: 0,
          rank: POSTCODE_RANK + 3 * Math.log10(1 + peopleOf(country)),
          place: place === "" ? undefined : fold(place),
        },
        [foldName(code)],
      );
    },
    village: ({ country, place, lat, lon, admin, codes }) => {
      packer.add(
        {
          kind: kind.locality,
          name: place,
          lat,
          lon,
          country,
          admin: "",
          adminCode: admin,
          population: 0,
          rank: villageRank(codes),
        },
        [fold(place)],
      );
    },
  });
}

/** Known from the post alone: a village, and a larger one the more postcodes it has. */
const villageRank = (codes: number): number => 11 + Math.min(9, 2 * Math.log2(codes));
