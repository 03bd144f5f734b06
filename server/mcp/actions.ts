// A tool call becomes a REST request to this very service: one code path for keys, quotas, scopes, idempotency and usage.
import type { Route } from "../contract/define.ts";
import { takesIdempotencyKey } from "./schema.ts";
import type { ToolSpec } from "./tools/spec.ts";

export interface RestAnswer {
  status: number;
  /** `data` of a success. */
  data: any;
  /** `error` of a refusal. */
  error: any;
  replayed: boolean;
}

/** Sends a request as the caller of the MCP request. */
export type Send = (
  method: string,
  path: string,
  options: { body?: unknown; idempotencyKey?: string },
) => Promise<RestAnswer>;

export interface RestRequest {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: Record<string, unknown> | undefined;
}

/** The parts of the REST request that the arguments of a tool stand for. */
export function requestOf(tool: ToolSpec, args: Record<string, unknown>): RestRequest {
  const parts: any = { params: {}, query: {}, body: undefined };
  for (const [path, value] of Object.entries(tool.fixed ?? {})) put(parts, path, value);
  for (const [name, { to }] of Object.entries(tool.arguments)) {
    if (args[name] !== undefined && args[name] !== null) put(parts, to, args[name]);
  }
  return parts;
}

function put(parts: any, path: string, value: unknown): void {
  const names = path.split(".");
  let at = parts;
  for (const name of names.slice(0, -1)) at = at[name] ??= {};
  at[names.at(-1)!] = value;
}

export function callRoute(
  send: Send,
  route: Route,
  request: RestRequest,
  idempotencyKey?: string,
): Promise<RestAnswer> {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(request.params[name] ?? "")),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query)) {
    if (value !== undefined) query.set(name, Array.isArray(value) ? value.join(",") : String(value));
  }
  const search = query.size > 0 ? `?${query}` : "";
  const body = route.method === "GET" || (!route.body && !request.body) ? undefined : (request.body ?? {});
  return send(route.method, path + search, {
    body,
    idempotencyKey: takesIdempotencyKey(route) ? idempotencyKey : undefined,
  });
}
