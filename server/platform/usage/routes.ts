// GET /usage.
import { type Call, handle } from "../../contract/define.ts";
import { invalid } from "../../contract/errors.ts";
import { DAY_MS, parseTime } from "../../lib/time.ts";
import { toIso } from "../../store/db.ts";
import type { Module, Platform } from "../platform.ts";
import { getUsage } from "./contract.ts";
import type { Usage } from "./index.ts";
import { readUsage } from "./store.ts";

/** Keeps an answer to a size a person can page through by asking again. */
const MAX_RANGE_MS = { minute: DAY_MS, hour: 31 * DAY_MS, day: 400 * DAY_MS };

export function createUsageRoutes({ db }: Platform, usage: Usage): Module {
  async function read(call: Call) {
    const { tenantId, mode } = call.caller;
    const { by = "hour", key_id: keyId = null, by_key: byKey = false } = call.query;
    const toMs = call.query.to ? parseTime(call.query.to)! : call.now;
    const fromMs = call.query.from ? parseTime(call.query.from)! : toMs - DAY_MS;
    refuseRange(fromMs, toMs, by);
    await usage.flush();
    const rows = await readUsage(db, { tenantId, by, fromMs, toMs, keyId, byKey });
    return {
      from: toIso(fromMs),
      to: toIso(toMs),
      by,
      mode,
      requests: rows.reduce((sum, row) => sum + row.requests, 0),
      failures: rows.reduce((sum, row) => sum + row.failures, 0),
      rows: rows.map(({ atMs, route, keyId: key_id, requests, failures }) => ({
        at: toIso(atMs),
        route,
        key_id,
        requests,
        failures,
      })),
    };
  }
  return { handlers: [handle(getUsage, read)] };
}

function refuseRange(fromMs: number, toMs: number, by: keyof typeof MAX_RANGE_MS): void {
  if (fromMs >= toMs) throw invalid("/from", "from must be before to", "Swap them, or leave them out", "range");
  if (toMs - fromMs <= MAX_RANGE_MS[by]) return;
  const detail = `a range by ${by} must not be longer than ${MAX_RANGE_MS[by] / DAY_MS} days`;
  throw invalid("/from", detail, "Ask for a shorter range, or a longer interval", "range");
}
