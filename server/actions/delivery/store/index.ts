// The store of delivery: all its SQL, one file per table.
import type { MakeId } from "../../../lib/id.ts";
import type { Db } from "../../../store/db.ts";
import { createAreaStore } from "./areas.ts";
import { createCourierStore } from "./couriers.ts";
import { createDeliveryStore } from "./deliveries.ts";

export type { CourierRow, DeliveryRow, Details } from "./rows.ts";
export type DeliveryStore = ReturnType<typeof createStore>;

export function createStore(db: Db, makeId: MakeId) {
  return { ...createDeliveryStore(db, makeId), couriers: createCourierStore(db), areas: createAreaStore(db) };
}
