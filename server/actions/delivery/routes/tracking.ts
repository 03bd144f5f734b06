// The public tracking page of one delivery. The address is the credential.
import { type CallOf, handle, type Handler } from "../../../contract/define.ts";
import { findOr404 } from "../../../platform/pages.ts";
import * as contract from "../contract/index.ts";
import type { RouteDeps } from "./deps.ts";
import { trackingPage } from "./pages/track.ts";

async function showTracking({ store }: RouteDeps, call: CallOf<typeof contract.trackPage>): Promise<Response> {
  return trackingPage(await findOr404("delivery", store.findByTrack(call.params.token)));
}

export const trackingRoutes = (deps: RouteDeps): Handler[] => [
  handle(contract.trackPage, (call) => showTracking(deps, call)),
];
