// Every contract of the service, in the order documents show them.
import type { EventType, Route } from "./contract/define.ts";
import * as alerts from "./actions/alerts/contract/index.ts";
import * as delivery from "./actions/delivery/contract/index.ts";
import * as detector from "./actions/detector/contract.ts";
import * as shopping from "./actions/shopping/contract/index.ts";
import * as stock from "./actions/stock/contract/index.ts";
import * as accounts from "./platform/accounts/contract.ts";
import * as audit from "./platform/audit/contract.ts";
import * as eventLog from "./platform/events/contract.ts";
import * as inbox from "./platform/inbox/contract.ts";
import * as jobs from "./platform/jobs/contract.ts";
import * as keys from "./platform/keys/contract.ts";
import * as limits from "./platform/limits/contract.ts";
import * as usage from "./platform/usage/contract.ts";
import * as webhooks from "./platform/webhooks/contract.ts";
import { routes as rootRoutes } from "./http/root.ts";

const contracts: { routes: Route<any, any, any, any>[]; events?: EventType[] }[] = [
  delivery,
  shopping,
  stock,
  alerts,
  detector,
  eventLog,
  webhooks,
  inbox,
  accounts,
  keys,
  usage,
  limits,
  audit,
  jobs,
];

export const routes: Route[] = [...contracts.flatMap((c) => c.routes), ...rootRoutes];
export const events: EventType[] = contracts.flatMap((c) => c.events ?? []);
