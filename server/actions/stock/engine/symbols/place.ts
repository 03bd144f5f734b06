// The market that a symbol names: "NYSE:BRK.B", "BRK.B:XNYS", "AAPL:US", "AAPL.US", "VOD LN", "AAPL US Equity".
import { venueOfBloomberg, venueOfName, venuesIn, type Venue } from "./venues.ts";

/** One market, or any market of a country. */
export type Place = { venue: Venue; country?: undefined } | { country: string; venue?: undefined };

export interface PlacedCode {
  code: string;
  /** null when the text names a market that is not known. */
  place: Place | null;
}

/** The code and the market in a text, or null when it names none. */
export function readPlace(text: string): PlacedCode | null {
  if (text.includes(":")) return readColon(text);
  const american = /^(.+)[.-]US$/i.exec(text);
  if (american) return { code: american[1], place: { country: "US" } };
  const [, code, letters, word] = /^(\S+) ([A-Z]{2})( EQUITY)?$/i.exec(text) ?? [];
  if (!code) return null;
  const place = letters.toUpperCase() === "US" ? { country: "US" } : placeOfVenue(venueOfBloomberg(letters));
  return place || word ? { code, place } : null;
}

function readColon(text: string): PlacedCode {
  const [left, right, more] = text.split(":");
  if (more !== undefined || !left || !right) return { code: text, place: null };
  const behind = placeOf(right);
  return behind ? { code: left, place: behind } : { code: right, place: placeOf(left) };
}

const placeOfVenue = (venue: Venue | null): Place | null => venue && { venue };

/** A market by its MIC or usual name, or a country by its ISO 3166 code; in any case of letters. */
export function placeOf(name: string): Place | null {
  const venue = venueOfName(name);
  if (venue) return { venue };
  return venuesIn(name).length > 0 ? { country: name.toUpperCase() } : null;
}

export const isIn = (place: Place, venue: Venue | null): boolean =>
  place.venue ? venue?.mic === place.venue.mic : venue?.country === place.country;
