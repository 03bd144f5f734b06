// What the routes of delivery work with; index.ts makes it once.
import type { Platform } from "../../../platform/platform.ts";
import type { ReceiveReport } from "../background/reports.ts";
import type { PlanRoutes } from "../background/route-planner.ts";
import type { TrackingStreams } from "../background/tracking-streams.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { Planner } from "../planner.ts";
import type { Couriers } from "../providers/port.ts";
import type { DeliveryStore } from "../store/index.ts";
import type { TownsIn } from "./pages/map.ts";

export interface RouteDeps {
  platform: Platform;
  store: DeliveryStore;
  lifecycle: Lifecycle;
  plan: Planner;
  couriers: Couriers;
  receiveReport: ReceiveReport;
  planRoutes: PlanRoutes;
  trackingStreams: TrackingStreams;
  /** How many times faster than real time simulated couriers are. */
  speed: number;
  /** The known towns of a part of the map, the largest first. */
  townsIn(): Promise<TownsIn>;
  /** Whether mail can be sent. */
  hasMail: boolean;
}
