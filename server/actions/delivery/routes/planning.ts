// Many orders at once: batches, optimised routes, and statistics of what came true.
import { createHash } from "node:crypto";
import { type CallOf, handle, type Handler, type IdempotencyClaim, JsonText } from "../../../contract/define.ts";
import { errorBody, Failure, invalid } from "../../../contract/errors.ts";
import { DAY_MS, formatTime, MINUTE_MS, parseTime } from "../../../lib/time.ts";
import { createIdempotency, LostRace } from "../../../platform/idempotency/index.ts";
import * as contract from "../contract/index.ts";
import type { OptimizedRoutes, OptimizeOrder } from "../contract/planning.ts";
import type { Window } from "../contract/shapes.ts";
import type { PlanVisit } from "../engine/routing/plan.ts";
import { drawStats } from "../engine/stats-picture.ts";
import { punctuality } from "../engine/punctuality.ts";
import type { RouteDeps } from "./deps.ts";
import { planDelivery } from "./new-delivery.ts";

const SERVICE_MINUTES = 3;
const DEFAULT_DAYS = 30;
/** Orders that are planned at a time: the geocoder is quick, the store is shared. */
const BATCH_LANES = 50;

type BatchCall = CallOf<typeof contract.batch>;
type BatchResult = { index: number; delivery: JsonText | null; error: object | null };

/** Each order is a delivery of its own; a refused one does not hold up the others. */
async function scheduleBatch(deps: RouteDeps, call: BatchCall): Promise<JsonText> {
  const { orders } = call.body;
  const results: BatchResult[] = [];
  for (let from = 0; from < orders.length; from += BATCH_LANES) {
    const lane = orders.slice(from, from + BATCH_LANES);
    results.push(...(await Promise.all(lane.map((order, i) => scheduleOne(deps, call, order, from + i)))));
  }
  const refused = results.filter((result) => result.error !== null).length;
  const texts = results.map(
    ({ index, delivery, error }) =>
      `{"index":${index},"delivery":${delivery?.text ?? "null"},"error":${JSON.stringify(error)}}`,
  );
  return new JsonText(`{"scheduled":${results.length - refused},"refused":${refused},"results":[${texts.join(",")}]}`);
}

async function scheduleOne(
  deps: RouteDeps,
  call: BatchCall,
  order: BatchCall["body"]["orders"][number],
  index: number,
): Promise<BatchResult> {
  const claim = claimOf(call.idempotency, index);
  try {
    const row = await planDelivery(deps, call, order, null);
    return { index, delivery: await deps.store.insert({ ...call, idempotency: claim }, row), error: null };
  } catch (error) {
    if (error instanceof LostRace && claim) {
      const kept = await createIdempotency(deps.platform.db).find(claim.digest, call.now);
      if (kept) return { index, delivery: new JsonText(kept.body), error: null };
    }
    if (!(error instanceof Failure) || error.status >= 500) throw error;
    const { code, status, detail, hint } = errorBody(error, "", "") as Record<string, string | number>;
    return { index, delivery: null, error: { code, status, detail, hint: hint ?? null } };
  }
}

/** Each order has its own record, so that a batch that was cut short schedules nothing twice when it is sent again. */
function claimOf(claim: IdempotencyClaim | null, index: number): IdempotencyClaim | null {
  if (!claim) return null;
  const digest = createHash("sha256").update(`${claim.digest} ${index}`).digest("hex");
  return { ...claim, digest, render: (data) => ({ status: 200, body: (data as JsonText).text }), written: false };
}

async function optimizeRoutes(deps: RouteDeps, { body }: CallOf<typeof contract.optimize>): Promise<OptimizedRoutes> {
  const { vehicles, depot } = body;
  const [fromMs, toMs] = [parseTime(vehicles.from)!, parseTime(vehicles.to)!];
  if (toMs <= fromMs) throw invalid("/vehicles/to", "vehicles.to must be after vehicles.from", "Send a later time");
  refuseRepeated(body);
  const visit = (given: { lat: number; lon: number; window?: Window; service_minutes?: number }): PlanVisit => ({
    lat: given.lat,
    lon: given.lon,
    readyMs: given.window?.from ? parseTime(given.window.from)! : fromMs,
    dueMs: given.window?.to ? parseTime(given.window.to)! : toMs,
    serviceMs: (given.service_minutes ?? SERVICE_MINUTES) * MINUTE_MS,
  });
  const atDepot: PlanVisit = { ...depot, readyMs: fromMs, dueMs: toMs, serviceMs: 0 };
  const plan = await deps.planRoutes({
    depot,
    fromMs,
    toMs,
    vehicles: vehicles.count,
    capacity: vehicles.capacity,
    vehicle: vehicles.vehicle ?? "car",
    fewestVehicles: body.prefer !== "shortest",
    requests: body.requests.map(({ id, pickup, dropoff, load = 1 }) => ({
      id,
      pickup: pickup ? visit(pickup) : atDepot,
      dropoff: visit(dropoff),
      load,
    })),
  });
  const km = (value: number) => Math.round(value * 100) / 100;
  return {
    vehicles_used: plan.routes.length,
    distance_km: km(plan.routes.reduce((sum, route) => sum + route.km, 0)),
    routes: plan.routes.map((route) => ({
      start: formatTime(route.startMs),
      end: formatTime(route.endMs),
      distance_km: km(route.km),
      stops: route.stops.map(({ arriveMs, leaveMs, ...stop }) => ({
        ...stop,
        arrive: formatTime(arriveMs),
        leave: formatTime(leaveMs),
      })),
    })),
    unassigned: plan.unassigned,
  };
}

function refuseRepeated({ requests }: OptimizeOrder): void {
  const seen = new Set<string>();
  for (const [i, { id }] of requests.entries()) {
    if (seen.has(id))
      throw invalid(`/requests/${i}/id`, `${id} is used twice`, "Give each request its own id", "duplicate");
    seen.add(id);
  }
}

async function readStats(
  deps: RouteDeps,
  { query, caller, now }: Pick<CallOf<typeof contract.stats>, "query" | "caller" | "now">,
) {
  const toMs = query.to ? parseTime(query.to)! : now;
  const fromMs = query.from ? parseTime(query.from)! : toMs - DEFAULT_DAYS * DAY_MS;
  if (fromMs >= toMs) throw invalid("/from", "from must be before to", "Send an earlier time");
  const { arrivals, failed, rating } = await deps.store.stats.read(caller.tenantId, fromMs, toMs);
  return {
    from: formatTime(fromMs),
    to: formatTime(toMs),
    delivered: arrivals.length,
    failed,
    ...punctuality(arrivals),
    rating,
  };
}

export const planningHandlers = (deps: RouteDeps): Handler[] => [
  handle(contract.batch, (call) => scheduleBatch(deps, call)),
  handle(contract.optimize, (call) => optimizeRoutes(deps, call)),
  handle(contract.stats, (call) => readStats(deps, call)),
  handle(contract.statsPicture, async (call) => {
    const headers = { "Content-Type": "image/svg+xml", "Cache-Control": "no-store" };
    return new Response(drawStats(await readStats(deps, call)), { headers });
  }),
];
