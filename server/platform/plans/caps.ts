// What a plan holds of everything that is stored, in each of the two worlds of an account. Data alone.
import type { Plan } from "../../contract/define.ts";

export type Cap = Record<Plan, [rows: number, megabytes: number]>;

/** Rows, and megabytes, that a plan holds of each kind. */
export const CAPS = {
  keys: { free: [100, 1], plus: [500, 5], max: [5_000, 50] },
  webhooks: { free: [5, 1], plus: [20, 1], max: [100, 5] },
  deliveries: { free: [20_000, 200], plus: [500_000, 5_000], max: [10_000_000, 100_000] },
  couriers: { free: [100, 5], plus: [2_000, 100], max: [50_000, 1_000] },
  delivery_places: { free: [1_000, 5], plus: [20_000, 100], max: [500_000, 1_000] },
  delivery_pictures: { free: [2_000, 100], plus: [50_000, 5_000], max: [1_000_000, 100_000] },
  trackers: { free: [50, 5], plus: [1_000, 100], max: [20_000, 1_000] },
  levels: { free: [1_000, 5], plus: [1_000, 5], max: [1_000, 5] },
  own_securities: { free: [1_000, 20], plus: [20_000, 200], max: [200_000, 2_000] },
  alerts: { free: [1_000, 50], plus: [100_000, 1_000], max: [5_000_000, 20_000] },
  alert_channels: { free: [10_000, 50], plus: [1_000_000, 1_000], max: [50_000_000, 20_000] },
  content: { free: [10_000, 50], plus: [100_000, 500], max: [1_000_000, 5_000] },
  analyses: { free: [2_000, 50], plus: [50_000, 1_000], max: [1_000_000, 20_000] },
  inbox_messages: { free: [20_000, 100], plus: [100_000, 500], max: [1_000_000, 5_000] },
} satisfies Record<string, Cap>;

export type CapKind = keyof typeof CAPS;

export const CAP_KINDS = Object.keys(CAPS) as CapKind[];
