// The store of delivery: all its SQL, one file per table.
import type { Platform } from "../../../platform/platform.ts";
import { createAreaStore } from "./areas.ts";
import { createCourierMoveStore } from "./courier-moves.ts";
import { createCourierStore } from "./couriers.ts";
import { createDeliveryStore } from "./deliveries.ts";
import { createNoticeStore } from "./notices.ts";
import { createPictureStore } from "./pictures.ts";
import { createPlaceStore } from "./places.ts";
import { createSettingsStore } from "./settings.ts";
import { createStatsStore } from "./stats.ts";
import { createTemplateStore } from "./templates.ts";
import { createTenantFacts } from "./tenant-facts.ts";

export type { Picture } from "./pictures.ts";
export type { PlaceRow } from "./places.ts";
export type { TenantFacts } from "./tenant-facts.ts";
export type { CourierRow, DeliveryRow, Details } from "./rows.ts";
export type DeliveryStore = ReturnType<typeof createStore>;

export function createStore({ db, makeId, leases, seal, clock }: Platform) {
  return {
    ...createDeliveryStore(db, makeId, leases),
    couriers: createCourierStore(db),
    areas: createAreaStore(),
    places: createPlaceStore(db),
    stats: createStatsStore(db),
    settings: createSettingsStore(db),
    templates: createTemplateStore(db),
    courierMoves: createCourierMoveStore(db),
    pictures: createPictureStore(db, seal),
    notices: createNoticeStore(db),
    facts: createTenantFacts(db, clock),
  };
}
