// The schemas of tool arguments: each takes its type from the contract and its text from the tools' table.
import type { Route } from "../contract/define.ts";
import type { ToolSpec } from "./tools/spec.ts";

/** JSON Schema, as far as tools use it. */
export interface JsonSchema {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean;
}

const IDEMPOTENCY_KEY: JsonSchema = {
  type: "string",
  description: "Any text of your own. The same key again does not act twice; it returns what happened.",
};

export function inputSchema(tool: ToolSpec, route: Route): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const [name, argument] of Object.entries(tool.arguments)) {
    properties[name] = { ...shortSchema(schemaAt(route, argument.to)), description: argument.text };
    if (argument.required) required.push(name);
  }
  if (!tool.readOnly) {
    properties.idempotency_key = IDEMPOTENCY_KEY;
    if (takesIdempotencyKey(route) && !tool.destructive) required.push("idempotency_key");
  }
  return { type: "object", properties, required, additionalProperties: false };
}

/** Writes keep their answer under the key; a read needs none. */
export const takesIdempotencyKey = (route: Route): boolean => route.method !== "GET" && !isReading(route);

/** POST routes that only ask. */
const isReading = (route: Route): boolean => /:(read|use)$/.test(route.scope ?? "");

/** The contract's schema behind a path such as "body.pickup.address". Throws when there is none: a table that drifted. */
export function schemaAt(route: Route, path: string): any {
  const [part, ...names] = path.split(".");
  let schema: any = route[part as "body" | "query" | "params"];
  for (const name of names) {
    schema = propertyOf(schema, name);
    if (!schema) throw new Error(`${route.id} has no ${path}`);
  }
  return schema;
}

function propertyOf(schema: any, name: string): any {
  if (schema?.properties?.[name]) return schema.properties[name];
  for (const branch of schema?.anyOf ?? schema?.oneOf ?? schema?.allOf ?? []) {
    const found = propertyOf(branch, name);
    if (found) return found;
  }
  return undefined;
}

/** Type and choices only: lengths and patterns are checked by the route itself, whose hints say them better. */
function shortSchema(schema: any): JsonSchema {
  const choices = choicesOf(schema);
  if (choices) return { type: "string", enum: choices };
  const branches: any[] = schema.anyOf ?? schema.oneOf ?? [];
  const branch = branches.find((b) => b.type && b.type !== "null") ?? schema;
  if (branch.type === "array") return { type: "array", items: itemSchema(branch.items ?? {}) };
  if (branch.type === "object" || branch.properties) return { type: "object" };
  return { type: branch.type ?? "string" };
}

function itemSchema(items: any): JsonSchema {
  const choices = choicesOf(items);
  if (choices) return { type: "string", enum: choices };
  if (items.anyOf ?? items.oneOf) return {};
  return items.type ? { type: items.type } : {};
}

function choicesOf(schema: any): string[] | null {
  if (Array.isArray(schema.enum)) return schema.enum;
  const branches: any[] = (schema.anyOf ?? []).filter((b: any) => b.type !== "null");
  return branches.length > 1 && branches.every((b) => typeof b.const === "string")
    ? branches.map((b) => b.const)
    : null;
}
