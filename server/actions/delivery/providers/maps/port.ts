// What a geocoder or a router outside must be able to do. Both only sharpen what the embedded engines already answered.
import type { Place } from "../../engine/geocoder/index.ts";
import type { Vehicle } from "../../engine/eta/index.ts";

export interface OutsideGeocoder {
  name: string;
  /** The best place, or null when it knows none. Throws ProviderFailure when it fails. */
  geocode(text: string, near: { lat: number; lon: number } | null): Promise<Place | null>;
}

export interface OutsideRouter {
  name: string;
  /** Null when there is no way. Throws ProviderFailure when it fails. */
  route(
    from: { lat: number; lon: number },
    to: { lat: number; lon: number },
    vehicle: Vehicle,
  ): Promise<{ seconds: number; km: number } | null>;
}
