// Nominatim and Photon: OpenStreetMap geocoders an operator may run or rent.
import tzlookup from "@photostructure/tz-lookup";
import type { Place } from "../../engine/geocoder/index.ts";
import { ask, refuseUnless, type Way } from "../ask.ts";
import { ProviderFailure } from "../port.ts";
import type { OutsideGeocoder } from "./port.ts";

const radius: Record<Place["precision"], number> = {
  rooftop: 0.05,
  street: 0.5,
  postcode: 2.3,
  locality: 4,
  region: 120,
  country: 400,
};

function place(
  lat: number,
  lon: number,
  precision: Place["precision"],
  label: string,
  country: string,
  confidence: number,
): Place {
  if (!Number.isFinite(lat) || !Number.isFinite(lon) || Math.abs(lat) > 90)
    throw new ProviderFailure("garbled", "it answered no coordinates");
  return {
    lat,
    lon,
    precision,
    confidence,
    radius_km: radius[precision],
    label,
    country: country.toUpperCase(),
    time_zone: tzlookup(lat, lon),
  };
}

export function createNominatim(url: string, way: Way): OutsideGeocoder {
  return {
    name: "nominatim",
    async geocode(text) {
      const query = new URLSearchParams({ q: text, format: "jsonv2", addressdetails: "1", limit: "5" });
      const found = refuseUnless(await ask(way, { url: `${url}/search?${query}`, timeoutMs: 3000 }), 200);
      if (!Array.isArray(found)) throw new ProviderFailure("garbled", "it answered no list");
      const best = found[0];
      if (!best) return null;
      const { address = {}, addresstype = "" } = best;
      const sure = Math.min(0.95, 0.6 + 0.4 * Number(best.importance ?? 0.5));
      return place(
        Number(best.lat),
        Number(best.lon),
        nominatimPrecision(address, addresstype, Number(best.place_rank)),
        String(best.display_name),
        String(address.country_code ?? ""),
        sure,
      );
    },
  };
}

function nominatimPrecision(address: any, type: string, rank: number): Place["precision"] {
  if (address.house_number) return "rooftop";
  if (type === "road" || rank >= 26) return "street";
  if (type === "postcode") return "postcode";
  if (type === "country" || rank <= 4) return "country";
  return rank <= 12 ? "region" : "locality";
}

const photonPrecision: Record<string, Place["precision"]> = {
  house: "rooftop",
  street: "street",
  locality: "locality",
  district: "locality",
  city: "locality",
  county: "region",
  state: "region",
  country: "country",
};

export function createPhoton(url: string, way: Way): OutsideGeocoder {
  return {
    name: "photon",
    async geocode(text, near) {
      const query = new URLSearchParams({
        q: text,
        limit: "3",
        ...(near ? { lat: String(near.lat), lon: String(near.lon) } : {}),
      });
      const found = refuseUnless(await ask(way, { url: `${url}/api?${query}`, timeoutMs: 3000 }), 200);
      if (!Array.isArray(found?.features)) throw new ProviderFailure("garbled", "it answered no features");
      const best = found.features[0];
      if (!best) return null;
      const p = best.properties ?? {};
      const [lon, lat] = best.geometry?.coordinates ?? [];
      const line = [
        p.name,
        [p.housenumber, p.street].filter(Boolean).join(" "),
        p.postcode,
        p.city,
        p.state,
        p.country,
      ];
      return place(
        lat,
        lon,
        photonPrecision[p.type] ?? "locality",
        line.filter(Boolean).join(", "),
        String(p.countrycode ?? ""),
        0.8,
      );
    },
  };
}
