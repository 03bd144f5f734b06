// The three plans and their exact quotas.
import type { Plan } from "../../contract/define.ts";

export const WINDOW_SECONDS = 60;

/** Requests a minute, per tenant. */
export const QUOTAS: Record<Plan, number> = { free: 100, plus: 500, max: 2000 };

export const PLANS = Object.keys(QUOTAS) as Plan[];
