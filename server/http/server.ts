// The HTTP driver: Hono finds the route, the gate does the rest. Both MOUNTS share one handler.
import type { Server } from "bun";
import { Hono } from "hono";
import type { Handler } from "../contract/define.ts";
import { Failure } from "../contract/errors.ts";
import { createRootRoutes, type RootDeps } from "./root.ts";
import type { Gate, Serve } from "./gate.ts";

export interface ServerOptions {
  gate: Gate;
  handlers: Handler[];
  root: RootDeps;
  corsOrigins: string[];
}

const MOUNTS = ["/api/v1", "/v1"];

type Fetch = (request: Request) => Response | Promise<Response>;

/** Everything the service serves, as one function from request to response. */
export function createApp({ gate, handlers, root, corsOrigins }: ServerOptions): Fetch {
  const app = new Hono({ strict: true });
  /** Paths without parameters need no router: most requests are found here. */
  const literal = new Map<string, Map<string, Serve>>();
  const methods = new Map<string, Set<string>>();
  for (const handler of [...handlers, ...createRootRoutes(root)]) {
    const { route } = handler;
    const serve = gate.serve(handler);
    for (const mount of route.mount === "root" ? [""] : MOUNTS) {
      const path = mount + route.path.replace(/\{(\w+)\}/g, ":$1");
      methods.set(path, (methods.get(path) ?? new Set()).add(route.method));
      if (!path.includes(":")) servesOf(route.method).set(path, serve);
      app.on(route.method, path, (c) => serve(c.req.raw, c.req.param() as Record<string, string>));
    }
  }
  function servesOf(method: string): Map<string, Serve> {
    let serves = literal.get(method);
    if (!serves) literal.set(method, (serves = new Map()));
    return serves;
  }
  app.notFound((c) => decline(gate, methods, c.req.raw));
  app.onError((error) => {
    throw error;
  });
  const fetch: Fetch = (request) => {
    const serve = literal.get(request.method)?.get(pathOf(request.url));
    return serve ? serve(request, {}) : app.fetch(request);
  };
  return corsOrigins.length > 0 ? withCors(fetch, corsOrigins) : fetch;
}

function pathOf(url: string): string {
  const start = url.indexOf("/", 8);
  const end = url.indexOf("?", start);
  return end < 0 ? url.slice(start) : url.slice(start, end);
}

/** What no route serves: another method's path is told which methods it has, the rest is not there. */
function decline(gate: Gate, methods: Map<string, Set<string>>, request: Request): Response | Promise<Response> {
  const parts = pathOf(request.url).slice(0, 8_192).split("/");
  const known = [...methods].find(([path]) => {
    const names = path.split("/");
    return names.length === parts.length && names.every((name, i) => name === parts[i] || name.startsWith(":"));
  });
  if (!known) {
    const hint = "Compare it with /openapi.json.";
    return gate.decline(request, new Failure("not_found", "There is nothing at this address.", { hint }));
  }
  const Allow = [...known[1], ...(known[1].has("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
  if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: { Allow } });
  const detail = `${request.method} is not possible here.`;
  return gate.decline(
    request,
    new Failure("method_not_allowed", detail, { hint: `Use ${Allow}.`, headers: { Allow } }),
  );
}

/** Pages of the listed origins may call the API; others get no CORS headers and the browser refuses them. */
function withCors(fetch: Fetch, origins: string[]) {
  const exposed = "X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, Idempotent-Replayed";
  return async (request: Request): Promise<Response> => {
    const origin = request.headers.get("origin");
    const response = await fetch(request);
    if (!origin || !(origins.includes("*") || origins.includes(origin))) return response;
    response.headers.set("Access-Control-Allow-Origin", origins.includes("*") ? "*" : origin);
    response.headers.set("Access-Control-Expose-Headers", exposed);
    response.headers.append("Vary", "Origin");
    if (request.method === "OPTIONS") {
      response.headers.set("Access-Control-Allow-Methods", response.headers.get("Allow") ?? "GET");
      response.headers.set(
        "Access-Control-Allow-Headers",
        "Authorization, Content-Type, Idempotency-Key, Last-Event-ID",
      );
      response.headers.set("Access-Control-Max-Age", "600");
    }
    return response;
  };
}

/** Bun's server, with an address for every request and a stop that lets requests in flight finish. */
export function listen(options: {
  host: string;
  port: number;
  maxBodyBytes: number;
  fetch(request: Request): Response | Promise<Response>;
  onServer(server: Server<undefined>): void;
}) {
  const server = Bun.serve({
    hostname: options.host,
    port: options.port,
    maxRequestBodySize: options.maxBodyBytes,
    // Streams write a comment every 15 s; anything quieter than this is a dead connection.
    idleTimeout: 60,
    fetch: options.fetch,
    error: () => new Response(null, { status: 500 }),
  });
  options.onServer(server as Server<undefined>);
  return server;
}
