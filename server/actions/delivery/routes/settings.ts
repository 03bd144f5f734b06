// What an account decides about its deliveries, and quotes that follow from it.
import { type CallOf, handle, type Handler } from "../../../contract/define.ts";
import { refuseTarget } from "../../../contract/targets.ts";
import { formatTime, MINUTE_MS } from "../../../lib/time.ts";
import { transact } from "../../../platform/idempotency/index.ts";
import * as contract from "../contract/index.ts";
import type { Settings } from "../contract/settings.ts";
import { checkCoordinates } from "../planner.ts";
import { journeyView } from "../view.ts";
import type { RouteDeps } from "./deps.ts";
import { checkHours, keepWindow, obstaclesOf, pickupTimeOf } from "./terms/feasibility.ts";
import { priceFor, writeQuote } from "./terms/prices.ts";

const QUOTE_MS = 30 * MINUTE_MS;

async function changeSettings(deps: RouteDeps, call: CallOf<typeof contract.updateSettings>): Promise<Settings> {
  checkHours(call.body.hours ?? null);
  const { tenantId, mode } = call.caller;
  const { sms_url } = call.body;
  if (sms_url) await refuseTarget(deps.platform.guard, mode, "/sms_url", sms_url);
  return transact(deps.platform.db, call, async (tx) => {
    const settings = await deps.store.settings.change(tx, tenantId, call.body, call.now);
    deps.store.facts.forget(tenantId);
    return settings;
  });
}

async function quoteDelivery(deps: RouteDeps, { body, caller, now }: CallOf<typeof contract.quote>) {
  checkCoordinates(body);
  const { settings } = await deps.store.facts.get(caller.tenantId);
  const pickupMs = pickupTimeOf(settings, body.pickup.time, now);
  const journey = keepWindow(body, await deps.plan(caller, body, pickupMs));
  const reasons = obstaclesOf(settings, body, journey, pickupMs);
  const price = priceFor(settings, journey);
  const expiresMs = now + QUOTE_MS;
  const { eta, locations, attention } = journeyView(journey);
  return {
    quote: price && reasons.length === 0 ? writeQuote(deps, caller.tenantId, body, price, expiresMs) : null,
    price,
    feasible: reasons.length === 0,
    reasons,
    expires_at: formatTime(expiresMs),
    estimate: {
      pickup: { address: body.pickup.address, scheduled_time: formatTime(pickupMs) },
      dropoff: { address: body.dropoff.address, estimated_arrival: formatTime(journey.eta.arrivalMs) },
      eta,
      distance_km: journey.km === null ? null : Math.round(journey.km * 100) / 100,
      locations,
      attention,
    },
  };
}

export const settingsHandlers = (deps: RouteDeps): Handler[] => [
  handle(contract.getSettings, (call) => deps.store.settings.get(call.caller.tenantId)),
  handle(contract.updateSettings, (call) => changeSettings(deps, call)),
  handle(contract.quote, (call) => quoteDelivery(deps, call)),
];
