// GET /usage.
import { handle } from "../../contract/define.ts";
import { invalid } from "../../contract/errors.ts";
import { formatTime, parseTime } from "../../lib/time.ts";
import type { Module, Platform } from "../platform.ts";
import { getUsage } from "./contract.ts";
import type { Usage } from "./index.ts";

const dayMs = 86_400_000;
/** Keeps an answer to a size a person can page through by asking again. */
const longestMs = { minute: dayMs, hour: 31 * dayMs, day: 400 * dayMs };

export function createUsageRoutes({ db }: Platform, usage: Usage): Module {
  return {
    handlers: [
      handle(getUsage, async (call) => {
        const by = call.query.by ?? "hour";
        const to = call.query.to ? parseTime(call.query.to)! : call.now;
        const from = call.query.from ? parseTime(call.query.from)! : to - dayMs;
        refuseRange(from, to, by);
        await usage.flush();
        const rows = await db.sql`
          select date_trunc(${by}, minute, 'UTC') as at, route, sum(requests)::int as requests, sum(failures)::int as failures
          from usage where tenant_id = ${call.caller.tenantId} and minute >= ${new Date(from)} and minute < ${new Date(to)}
          group by 1, 2 order by 1, 2`;
        const sum = (name: string) => rows.reduce((total: number, row: any) => total + row[name], 0);
        return {
          from: formatTime(from),
          to: formatTime(to),
          by,
          requests: sum("requests"),
          failures: sum("failures"),
          rows: rows.map((row: any) => ({ ...row, at: formatTime(row.at.getTime()) })),
        };
      }),
    ],
  };
}

function refuseRange(from: number, to: number, by: keyof typeof longestMs): void {
  const fault =
    from >= to
      ? { detail: "from must be before to", hint: "Swap them, or leave them out" }
      : to - from > longestMs[by]
        ? {
            detail: `a range by ${by} must not be longer than ${longestMs[by] / dayMs} days`,
            hint: "Ask for a shorter range, or a longer interval",
          }
        : null;
  if (!fault) return;
  throw invalid("/from", fault.detail, fault.hint, "range");
}
