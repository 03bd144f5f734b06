// Delivery, as the rest of the house may see it.
import type { Module, Platform } from "../../platform/platform.ts";
import { loadGeocoder } from "./geodata/load.ts";
import type { Geocoder } from "./engine/geocoder/index.ts";
import { createService } from "./service.ts";
import { createStore } from "./store.ts";

export function createDelivery(platform: Platform): Module {
  let geocoder: Geocoder | null = null;
  return createService(platform, createStore(platform.db, platform.makeId), () => (geocoder ??= loadGeocoder()));
}
