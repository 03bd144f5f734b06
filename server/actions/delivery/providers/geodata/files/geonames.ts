// Reads the two kinds of GeoNames files: postal codes (12 or 7 columns) and places (19 columns). Data © GeoNames, CC BY 4.0.
import type { ImportedRow } from "./imported-row.ts";

/** Null for a line that is neither. */
export function postalRow(line: string): ImportedRow | null {
  const f = line.split("\t");
  if (f.length < 7 || f[0].length !== 2 || f[1] === "") return null;
  const at = f.length >= 11 ? 9 : 5;
  if (f[at] === "" || !Number.isFinite(Number(f[at]))) return null;
  return {
    kind: "postcode",
    country: f[0].toUpperCase(),
    name: f[1],
    place: f[2],
    lat: Number(f[at]),
    lon: Number(f[at + 1]),
  };
}

export function placeRow(line: string): ImportedRow | null {
  const f = line.split("\t");
  if (f.length < 15 || f[6] !== "P" || f[8].length !== 2) return null;
  const alternates = [f[2], ...f[3].split(",")].filter((alt) => alt.length > 1 && !/^[A-Z]{3,4}$/.test(alt));
  return {
    kind: "place",
    country: f[8],
    name: f[1],
    lat: Number(f[4]),
    lon: Number(f[5]),
    population: Number(f[14]),
    alternates,
  };
}

/** Which of the two a file is, by its first line. */
export function geonamesKind(line: string): "postal" | "places" | null {
  const f = line.split("\t");
  if (f.length >= 15 && /^\d+$/.test(f[0]) && /^[A-Z]$/.test(f[6])) return "places";
  if ((f.length === 7 || f.length === 12 || f.length === 11) && /^[A-Z]{2}$/i.test(f[0])) return "postal";
  return null;
}
