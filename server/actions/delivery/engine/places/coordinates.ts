// Coordinates written as text: decimal degrees, degrees and minutes, geo: addresses and plus codes. Pure.
import { decodePlusCode, findPlusCode, recoverPlusCode } from "./plus-code.ts";

export interface Exact {
  lat: number;
  lon: number;
  /** Half of what the text leaves open. */
  radius_km: number;
}

/** A short plus code, which needs the place that stands beside it. */
export interface ShortCode {
  code: string;
  near: string;
}

const SIGNED = String.raw`[+-]?\d{1,3}(?:\.\d+)?`;
const GEO_URI = new RegExp(String.raw`^geo:(${SIGNED}),(${SIGNED})(?:,${SIGNED})?(?:;.*|\?.*)?$`, "i");
const DECIMAL = new RegExp(
  String.raw`^\(?\s*(${SIGNED})\s*°?\s*([NS])?\s*[,;\s]\s*(${SIGNED})\s*°?\s*([EWO])?\s*\)?$`,
  "i",
);
const DEGREES = String.raw`(\d{1,3})\s*°\s*(?:(\d{1,2}(?:\.\d+)?)\s*['′’]\s*)?(?:(\d{1,2}(?:\.\d+)?)\s*(?:"|″|”|'')\s*)?`;
const SEXAGESIMAL = new RegExp(String.raw`^${DEGREES}([NS])[,;\s]*${DEGREES}([EWO])$`, "i");
/** Fewer decimals than this are a house number and a flat, not a place: "12, 4". */
const MIN_DECIMALS = 2;
const KM_PER_DEGREE = 111.2;

/** Coordinates in the text, or null when it is an address in words. */
export function readCoordinates(text: string): Exact | null {
  const trimmed = text.trim();
  return readGeoUri(trimmed) ?? readDecimal(trimmed) ?? readSexagesimal(trimmed) ?? readFullCode(trimmed);
}

/** A short plus code with a place name, e.g. "GC22+22 Berlin". */
export function readShortCode(text: string): ShortCode | null {
  const found = findPlusCode(text);
  return found && !found.full && found.rest !== "" ? { code: found.code, near: found.rest } : null;
}

/** The point a short code means near a place. */
export function placeShortCode(code: string, near: { lat: number; lon: number }): Exact | null {
  const full = recoverPlusCode(code, near);
  return full === null ? null : decodePlusCode(full);
}

function readGeoUri(text: string): Exact | null {
  const match = GEO_URI.exec(text);
  return match === null ? null : inRange(Number(match[1]), Number(match[2]), decimalsOf(match[1], match[2]));
}

function readDecimal(text: string): Exact | null {
  const match = DECIMAL.exec(text);
  if (!match) return null;
  const [, lat, northSouth, lon, eastWest] = match;
  const decimals = decimalsOf(lat, lon);
  if (decimals < MIN_DECIMALS && !northSouth && !eastWest) return null;
  return inRange(signed(lat, northSouth), signed(lon, eastWest), decimals);
}

function readSexagesimal(text: string): Exact | null {
  const match = SEXAGESIMAL.exec(text);
  if (!match) return null;
  const degrees = (at: number) =>
    Number(match[at]) + Number(match[at + 1] ?? 0) / 60 + Number(match[at + 2] ?? 0) / 3600;
  const sign = (letter: string) => (/[SW]/i.test(letter) ? -1 : 1);
  return inRange(sign(match[4]) * degrees(1), sign(match[8]) * degrees(5), match[3] ? 4 : match[2] ? 2 : 0);
}

function readFullCode(text: string): Exact | null {
  const found = findPlusCode(text);
  return found?.full ? decodePlusCode(found.code) : null;
}

function signed(text: string, letter: string | undefined): number {
  const value = Number(text);
  return letter && /[SW]/i.test(letter) ? -Math.abs(value) : value;
}

const decimalsOf = (...texts: string[]): number => Math.min(...texts.map((t) => (t.split(".")[1] ?? "").length));

function inRange(lat: number, lon: number, decimals: number): Exact | null {
  if (!(Math.abs(lat) <= 90) || !(Math.abs(lon) <= 180)) return null;
  return { lat, lon, radius_km: Math.min(5, (KM_PER_DEGREE / 2) * 10 ** -decimals) };
}
