// Every contract of the service, in the order documents show them.
import type { EventType, Route } from "./contract/define.ts";
import type { Tag } from "./contract/openapi.ts";
import * as alerts from "./actions/alerts/contract/index.ts";
import * as delivery from "./actions/delivery/contract/index.ts";
import * as detector from "./actions/detector/contract/index.ts";
import * as shopping from "./actions/shopping/contract/index.ts";
import * as stock from "./actions/stock/contract/index.ts";
import * as accounts from "./platform/accounts/contract.ts";
import * as audit from "./platform/audit/contract.ts";
import * as eventLog from "./platform/events/contract.ts";
import * as inbox from "./platform/inbox/contract.ts";
import * as jobs from "./platform/jobs/contract.ts";
import * as keys from "./platform/keys/contract.ts";
import * as limits from "./platform/limits/contract.ts";
import * as operator from "./platform/accounts/operator/contract.ts";
import * as providers from "./platform/accounts/operator/providers/contract.ts";
import * as requests from "./platform/usage/requests/contract.ts";
import * as usage from "./platform/usage/contract.ts";
import * as webhooks from "./platform/webhooks/contract.ts";
import { routes as consoleRoutes } from "./http/console/routes.ts";
import { routes as rootRoutes } from "./http/routes.ts";
import { routes as docsRoutes } from "./docs/routes.ts";
import { routes as mcpRoutes } from "./mcp/routes.ts";

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
  requests,
  providers,
  limits,
  audit,
  operator,
  jobs,
];

const drivers = [...rootRoutes, ...mcpRoutes, ...docsRoutes, ...consoleRoutes];
export const routes: Route[] = [...contracts.flatMap((c) => c.routes), ...drivers];
export const events: EventType[] = contracts.flatMap((c) => c.events ?? []);

/** The areas of the API, one per first word of a route's id. */
const tags: Tag[] = [
  { name: "delivery", description: "Pickups and deliveries: schedule, follow, change; your own couriers." },
  { name: "shopping", description: "Prices and availability of product pages, over time." },
  {
    name: "stock",
    description: "Quotes that say what they are, markets and their hours, price levels, your own feed.",
  },
  { name: "alerts", description: "Watch content and events for tags, words and queries, and be notified." },
  { name: "detector", description: "Signs of AI generation in texts and images, with measured error rates." },
  { name: "events", description: "Everything that happened: as a list, as a log, as a stream." },
  { name: "webhooks", description: "Events sent to your own address, signed after Standard Webhooks." },
  { name: "sandbox", description: "What test keys would have sent into the world." },
  { name: "user", description: "The account behind a key." },
  { name: "keys", description: "API keys: make, limit, replace, revoke." },
  { name: "usage", description: "What was called, how often, with what result." },
  { name: "providers", description: "Who the service asks outside, and how they are doing." },
  { name: "audit", description: "Who changed what in an account." },
  { name: "admin", description: "For operators: accounts, plans, settings, health and background jobs." },
];

export const contract = { routes, events, tags };
