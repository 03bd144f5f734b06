// Tools of the platform: the event log and the account.
import { PAGE, type ToolSpec } from "./spec.ts";

export const PLATFORM_TOOLS: ToolSpec[] = [
  {
    name: "list_events",
    title: "What happened lately",
    route: "events.list",
    description: "The log of everything that happened: price falls, deliveries, crossed levels, alert matches.",
    arguments: {
      type: { to: "query.type", text: "e.g. shopping.price_changed." },
      ...PAGE,
    },
    outside: ["data"],
    readOnly: true,
    idempotent: true,
  },
  {
    name: "get_account",
    title: "Account and quota",
    route: "user.profile",
    description: "Whose key this is, its plan, what it may do, and what is left of the quota.",
    arguments: {},
    readOnly: true,
    idempotent: true,
  },
];
