// The three plans and their exact quotas.
import type { Plan } from "../../contract/define.ts";

export const windowSeconds = 60;

/** Requests a minute, per tenant. */
export const quotas: Record<Plan, number> = { free: 100, plus: 500, max: 2000 };

export const plans = Object.keys(quotas) as Plan[];
