// The two tools that reach every action: find one, then call it.
import type { Tool } from "@modelcontextprotocol/server";

export const SEARCH_TOOL: Tool = {
  name: "search_actions",
  title: "Find an action",
  description:
    "Find any of the service's actions by what it does: couriers, webhooks, keys, usage, audit and more. Then use call_action.",
  inputSchema: {
    type: "object",
    properties: { question: { type: "string", description: 'e.g. "add a courier".' } },
    required: ["question"],
    additionalProperties: false,
  },
  annotations: {
    title: "Find an action",
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
};

export const CALL_TOOL: Tool = {
  name: "call_action",
  title: "Call an action",
  description: "Call an action that search_actions found. Prefer the named tools where one fits.",
  inputSchema: {
    type: "object",
    properties: {
      action: { type: "string", description: "e.g. delivery.couriers.create." },
      params: { type: "object", description: "Parameters of the path." },
      query: { type: "object", description: "Query parameters." },
      body: { type: "object", description: "JSON body." },
      idempotency_key: { type: "string", description: "For writes: the same key again does not act twice." },
    },
    required: ["action"],
    additionalProperties: false,
  },
  annotations: {
    title: "Call an action",
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
};
