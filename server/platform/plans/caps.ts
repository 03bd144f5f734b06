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
  // No more than are read at once after a restart.
  own_securities: { free: [1_000, 20], plus: [5_000, 100], max: [20_000, 400] },
  alerts: { free: [1_000, 50], plus: [100_000, 1_000], max: [5_000_000, 20_000] },
  alert_channels: { free: [10_000, 50], plus: [1_000_000, 1_000], max: [50_000_000, 20_000] },
  content: { free: [10_000, 50], plus: [100_000, 500], max: [1_000_000, 5_000] },
  analyses: { free: [2_000, 50], plus: [50_000, 1_000], max: [1_000_000, 20_000] },
  feeds: { free: [200, 1], plus: [5_000, 10], max: [200_000, 200] },
  batches: { free: [200, 50], plus: [5_000, 1_000], max: [100_000, 20_000] },
  delivery_templates: { free: [100, 1], plus: [2_000, 20], max: [50_000, 500] },
  // As many as the quota lets through in the day that a record lives, and the events of a month.
  idempotency_records: { free: [200_000, 200], plus: [2_000_000, 2_000], max: [20_000_000, 20_000] },
  events: { free: [500_000, 500], plus: [10_000_000, 10_000], max: [200_000_000, 200_000] },
  inbox_messages: { free: [20_000, 100], plus: [100_000, 500], max: [1_000_000, 5_000] },
} satisfies Record<string, Cap>;

/** Rows and megabytes by kind and plan. */
export type Caps = Record<CapKind, Cap>;

/** The caps with the operator's own: each `plan.kind=rows/megabytes`; throws with what is wrong. */
export function readCaps(given: string[]): Caps {
  const caps: Caps = structuredClone(CAPS);
  for (const entry of given) {
    const [, plan, kind, rows, megabytes] = /^(\w+)\.(\w+)=(\d+)\/(\d+)$/.exec(entry.trim()) ?? [];
    if (!plan) throw new Error(`"${entry}" is not like free.alerts=500/20 (rows/megabytes).`);
    if (!Object.hasOwn(caps, kind)) throw new Error(`"${kind}" is not stored here; known: ${CAP_KINDS.join(", ")}.`);
    const cap = caps[kind as CapKind];
    if (!Object.hasOwn(cap, plan)) throw new Error(`"${plan}" is not a plan; known: ${Object.keys(cap).join(", ")}.`);
    cap[plan as Plan] = [Number(rows), Number(megabytes)];
  }
  return caps;
}

export type CapKind = keyof typeof CAPS;

export const CAP_KINDS = Object.keys(CAPS) as CapKind[];
