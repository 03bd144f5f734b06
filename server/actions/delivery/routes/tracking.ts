// The public tracking page of one delivery. The address is the credential.
import { type CallOf, handle, type Handler } from "../../../contract/define.ts";
import { notFound } from "../../../platform/platform.ts";
import * as contract from "../contract/index.ts";
import type { RouteDeps } from "./deps.ts";
import { trackingPage } from "./pages/track.ts";

async function showTracking({ store }: RouteDeps, call: CallOf<typeof contract.trackPage>): Promise<Response> {
  const row = await store.findByTrack(call.params.token);
  if (!row) throw notFound("delivery");
  return trackingPage(row);
}

export const trackingRoutes = (deps: RouteDeps): Handler[] => [
  handle(contract.trackPage, (call) => showTracking(deps, call)),
];
