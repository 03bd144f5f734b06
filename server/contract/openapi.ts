// The OpenAPI 3.1 document, written from the registry. TypeBox schemas are JSON Schema, so nothing is translated.
import type { EventType, Route } from "./define.ts";
import { nameChoices } from "./openapi/choices.ts";
import { answered, createComponents } from "./openapi/components.ts";
import { extendSchemas } from "./openapi/extend.ts";
import { errorExamples, errorSchemas } from "./openapi/failures.ts";
import { createNaming } from "./openapi/names.ts";
import { createOperations, headers, plain, webhook } from "./openapi/operations.ts";
import { version } from "./version.ts";

export { errorsOf, statusesOf } from "./openapi/failures.ts";

export interface Tag {
  name: string;
  description: string;
}

export interface Contract {
  routes: Route[];
  events: EventType[];
  tags: Tag[];
}

export function buildOpenapi({ routes, events, tags }: Contract): any {
  const api = routes.filter((route) => route.mount !== "root");
  const answerOf = (route: Route) => itemOf(answered(plain(route.answer)));
  const named = api.map((route) => ({ id: route.id, body: plain(route.body), answer: answerOf(route) }));
  const naming = createNaming(
    named,
    events.map((event) => answered(plain(event.data))),
  );
  const components = createComponents(naming, nameChoices(api));
  const operations = createOperations(api, components);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of api)
    (paths[`/api/v1${route.path}`] ??= {})[route.method.toLowerCase()] = operations.operation(route);
  const webhooks = Object.fromEntries(events.map((event) => [event.type, webhook(event, components)]));
  return {
    openapi: "3.1.0",
    info: {
      title: "Action Connector",
      version,
      description:
        "A self-hosted REST API that lets a product act in the world with one key. Every path also answers under /v1. Every answer carries `X-Request-Id`, and with a key `RateLimit` and `RateLimit-Policy`. An operation's `x-scope` is the scope that the key needs; its `x-error-codes` are what may go wrong beyond the `default` response.",
      contact: { name: "The operator of this service" },
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "This service" }],
    security: [{ key: [] }],
    tags,
    paths,
    webhooks,
    components: {
      schemas: { ...errorSchemas, ...extendSchemas(components.schemas()) },
      responses: operations.responses(),
      parameters: operations.parameters(),
      examples: errorExamples(api),
      headers,
      securitySchemes: { key: { type: "http", scheme: "bearer", description: "An API key: acn_live_… or acn_test_…" } },
    },
  };
}

/** The document as it is committed: a line for each path's operation and for each component, so that diffs stay small. */
export function renderOpenapi(contract: Contract): string {
  return lines(buildOpenapi(contract), 0);
}

const DEPTH_OF_LINES = 3;

function lines(value: any, depth: number): string {
  const flat = value === null || typeof value !== "object" || Array.isArray(value);
  if (flat || depth >= DEPTH_OF_LINES) return JSON.stringify(value);
  const indent = " ".repeat(depth + 1);
  const members = Object.entries<any>(value).map(
    ([key, member]) => `${indent}${JSON.stringify(key)}: ${lines(member, depth + 1)}`,
  );
  return members.length === 0 ? "{}" : `{\n${members.join(",\n")}\n${" ".repeat(depth)}}`;
}

/** The item of a list answer, which is what the list is named after. */
function itemOf(answer: any): any {
  const { items, has_more, next_cursor } = answer?.properties ?? {};
  return items?.items && has_more && next_cursor ? items.items : answer;
}
