// The OpenAPI 3.1 document, written from the registry. TypeBox schemas are JSON Schema, so nothing is translated.
import type { EventType, Route } from "./define.ts";
import { type ErrorCode, type ErrorEntry, errors } from "./errors.ts";

/** What may go wrong on a route; what nobody foresaw is the `default` response. */
export function errorsOf(route: Route): ErrorCode[] {
  const codes: ErrorCode[] = [...(route.errors ?? [])];
  if (route.mount === "root") return codes;
  codes.push("not_acceptable", "uri_too_long", "headers_too_large", "overloaded");
  if (route.scope !== null) {
    codes.push(
      "missing_api_key",
      "invalid_api_key",
      "expired_api_key",
      "revoked_api_key",
      "insufficient_scope",
      "ip_not_allowed",
      "rate_limit_exceeded",
      "auth_attempts_exceeded",
    );
  }
  codes.push("validation_failed");
  if (JSON.stringify(route.query ?? {}).includes('"cursor"')) codes.push("invalid_cursor");
  if (route.method !== "GET" && route.scope !== null) {
    codes.push(
      "invalid_json",
      "payload_too_large",
      "unsupported_media_type",
      "idempotency_key_invalid",
      "idempotency_key_reused",
      "idempotency_in_progress",
    );
  }
  return [...new Set(codes)].sort();
}

/** The statuses a route declares: success and every error's. */
export function statusesOf(route: Route): number[] {
  const statuses = new Set<number>([route.status ?? 200, ...errorsOf(route).map((code) => errors[code].status)]);
  return [...statuses].sort((a, b) => a - b);
}

export function renderOpenapi(routes: Route[], events: EventType[]): string {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes.filter((r) => r.mount !== "root")) {
    (paths[`/api/v1${route.path}`] ??= {})[route.method.toLowerCase()] = operation(route);
  }
  const document = {
    openapi: "3.1.0",
    info: {
      title: "Action Connector",
      version: "1.0.0",
      description:
        "A self-hosted REST API that lets a product act in the world with one key. Every path also answers under /v1.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    security: [{ key: [] }],
    paths,
    webhooks: Object.fromEntries(events.map((event) => [event.type, webhook(event)])),
    components: {
      securitySchemes: { key: { type: "http", scheme: "bearer", description: "An API key: acn_live_… or acn_test_…" } },
      schemas: { Error: errorSchema },
    },
  };
  return JSON.stringify(document, null, 1);
}

function operation(route: Route): Record<string, unknown> {
  const body = {
    "application/json": { schema: plain(route.body) },
    ...Object.fromEntries((route.consumes ?? []).map((type) => [type, {}])),
  };
  return {
    operationId: route.id,
    tags: [route.id.split(".")[0]],
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    ...(route.scope === null ? { security: [] } : { "x-scope": route.scope }),
    parameters: [...parameters(route.params, "path"), ...parameters(route.query, "query"), ...headerParameters(route)],
    ...(route.body || route.consumes ? { requestBody: { required: !route.bodyOptional, content: body } } : {}),
    responses: { [route.status ?? 200]: success(route), ...failures(route) },
  };
}

function parameters(schema: any, where: "path" | "query"): unknown[] {
  return Object.entries<any>(schema?.properties ?? {}).map(([name, property]) => ({
    name,
    in: where,
    required: where === "path" || (schema.required ?? []).includes(name),
    ...(property.description ? { description: property.description } : {}),
    ...(property.type === "array" ? { style: "form", explode: false } : {}),
    schema: plain(property),
  }));
}

function headerParameters(route: Route): unknown[] {
  if (route.method === "GET" || route.scope === null) return [];
  const description = "Makes a retry safe: the same key and body give the same answer for 24 hours.";
  return [
    {
      name: "Idempotency-Key",
      in: "header",
      required: false,
      description,
      schema: { type: "string", minLength: 1, maxLength: 255 },
    },
  ];
}

function success(route: Route): unknown {
  const headers = route.scope === null ? {} : { headers: quotaHeaders };
  if (!route.answer)
    return { description: route.summary, ...headers, content: { [route.produces ?? "text/plain"]: {} } };
  const schema = {
    type: "object",
    required: ["success", "data"],
    properties: { success: { const: true }, data: plain(route.answer) },
  };
  return { description: route.summary, ...headers, content: { "application/json": { schema } } };
}

const quotaHeaders = {
  RateLimit: { description: 'What is left, e.g. "free";r=97;t=42', schema: { type: "string" } },
  "RateLimit-Policy": { description: 'The quota, e.g. "free";q=100;w=60', schema: { type: "string" } },
  "X-Request-Id": { description: "The id of this request.", schema: { type: "string" } },
};

function failures(route: Route): Record<string, unknown> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(route))
    byStatus.set(errors[code].status, [...(byStatus.get(errors[code].status) ?? []), code]);
  const content = {
    "application/json": {
      schema: {
        type: "object",
        required: ["success", "error"],
        properties: { success: { const: false }, error: { $ref: "#/components/schemas/Error" } },
      },
    },
    "application/problem+json": { schema: { $ref: "#/components/schemas/Error" } },
  };
  const declared = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => [status, { description: codes.join(", "), content }]);
  return {
    ...Object.fromEntries(declared),
    default: { description: "Any other failure, e.g. internal_error", content },
  };
}

const errorSchema = {
  type: "object",
  required: ["type", "title", "status", "code", "detail", "hint", "retryable", "request_id"],
  properties: {
    type: { type: "string", description: "Address of the error's documentation." },
    title: { type: "string" },
    status: { type: "integer" },
    code: {
      type: "string",
      enum: Object.keys(errors),
      description: Object.entries<ErrorEntry>(errors)
        .map(([code, e]) => `${code} (${e.status})`)
        .join(", "),
    },
    detail: { type: "string", description: "What is wrong with this request." },
    hint: { type: "string", description: "What to do about it." },
    retryable: { type: "boolean" },
    request_id: { type: "string" },
    errors: {
      type: "array",
      items: {
        type: "object",
        required: ["pointer", "code", "detail", "hint"],
        properties: {
          pointer: { type: "string", description: "JSON pointer of the field." },
          code: { type: "string" },
          detail: { type: "string" },
          hint: { type: "string" },
        },
      },
    },
  },
};

function webhook(event: EventType): unknown {
  const schema = {
    type: "object",
    required: ["id", "type", "created_at", "mode", "tags", "data"],
    properties: {
      id: { type: "string" },
      type: { const: event.type },
      created_at: { type: "string", format: "date-time" },
      mode: { enum: ["live", "test"] },
      tags: { type: "array", items: { type: "string" } },
      data: plain(event.data),
    },
  };
  return {
    post: {
      summary: event.summary,
      requestBody: { content: { "application/json": { schema } } },
      responses: { "200": { description: "Received" } },
    },
  };
}

/** A copy without TypeBox's hidden marks; our string formats that JSON Schema does not know stay as hints. */
const plain = (schema: unknown) => (schema === undefined ? {} : JSON.parse(JSON.stringify(schema)));
