// The store of delivery: all its SQL, one file per table.
import { MINUTE_MS, SECOND_MS } from "../../../lib/time.ts";
import type { Platform } from "../../../platform/platform.ts";
import { createAreaStore } from "./areas.ts";
import { createCourierMoveStore } from "./courier-moves.ts";
import { createCourierStore } from "./couriers.ts";
import { createDeliveryStore } from "./deliveries.ts";
import { createPictureStore } from "./pictures.ts";
import { createPlaceStore } from "./places.ts";
import { createSettingsStore } from "./settings.ts";
import { createStatsStore } from "./stats.ts";
import { createTemplateStore } from "./templates.ts";
import { cachePerTenant } from "./tenant-cache.ts";

export type { Picture } from "./pictures.ts";
export type { PlaceRow } from "./places.ts";
export type { CourierRow, DeliveryRow, Details } from "./rows.ts";
export type DeliveryStore = ReturnType<typeof createStore>;

/** How late another replica may see that a tenant hired its first courier, or learned its first place. */
const EXISTS_MS = 10 * SECOND_MS;

export function createStore({ db, makeId, seal, clock }: Platform) {
  const areas = createAreaStore(db);
  const couriers = createCourierStore(db);
  const places = createPlaceStore(db);
  const settings = createSettingsStore(db);
  return {
    ...createDeliveryStore(db, makeId),
    couriers,
    areas,
    places,
    stats: createStatsStore(db),
    settings,
    templates: createTemplateStore(db),
    courierMoves: createCourierMoveStore(db),
    pictures: createPictureStore(db, seal),
    /** Small answers that every order asks for. */
    cached: {
      areas: cachePerTenant(clock, MINUTE_MS, areas.all),
      settings: cachePerTenant(clock, EXISTS_MS, settings.get),
      hasFleet: cachePerTenant(clock, EXISTS_MS, couriers.exists),
      hasPlaces: cachePerTenant(clock, EXISTS_MS, places.exists),
    },
  };
}
