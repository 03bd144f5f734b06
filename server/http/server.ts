// The HTTP driver: Hono finds the route, the gate does the rest. Both mounts share one handler.
import type { Server } from "bun";
import { Hono } from "hono";
import type { Handler } from "../contract/define.ts";
import { Failure } from "../contract/errors.ts";
import { createRootRoutes, type RootDeps } from "./root.ts";
import type { Gate } from "./gate.ts";

export interface ServerOptions {
  gate: Gate;
  handlers: Handler[];
  root: RootDeps;
  corsOrigins: string[];
}

const mounts = ["/api/v1", "/v1"];

/** Everything the service serves, as one function from request to response. */
export function createApp({
  gate,
  handlers,
  root,
  corsOrigins,
}: ServerOptions): (request: Request) => Response | Promise<Response> {
  const app = new Hono({ strict: true });
  const paths = new Map<string, Set<string>>();
  const remember = (path: string, method: string) => {
    if (!paths.has(path)) paths.set(path, new Set());
    paths.get(path)!.add(method);
  };
  for (const handler of [...handlers, ...createRootRoutes(root)]) {
    const { route } = handler;
    const serve = gate.serve(handler);
    for (const mount of route.mount === "root" ? [""] : mounts) {
      const path = mount + route.path.replace(/\{(\w+)\}/g, ":$1");
      remember(path, route.method);
      app.on(route.method, path, (c) => serve(c.req.raw, c.req.param() as Record<string, string>));
    }
  }
  const known = new Hono();
  for (const [path, methods] of paths) {
    known.all(
      path,
      () =>
        new Response(null, {
          headers: { Allow: [...methods, ...(methods.has("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ") },
        }),
    );
  }
  app.notFound(async (c) => {
    const { pathname } = new URL(c.req.url);
    const found = await known.request(pathname.length > 8_192 ? "/" : pathname);
    const allow = found.headers.get("Allow");
    if (!allow)
      return gate.decline(
        c.req.raw,
        new Failure("not_found", "There is nothing at this address.", { mend: "Compare it with /openapi.json." }),
      );
    if (c.req.method === "OPTIONS") return new Response(null, { status: 204, headers: { Allow: allow } });
    return gate.decline(
      c.req.raw,
      new Failure("method_not_allowed", `${c.req.method} is not possible here.`, {
        mend: `Use ${allow}.`,
        headers: { Allow: allow },
      }),
    );
  });
  app.onError((error) => {
    throw error;
  });
  return corsOrigins.length > 0 ? withCors(app.fetch, corsOrigins) : app.fetch;
}

/** Pages of the listed origins may call the API; others get no CORS headers and the browser refuses them. */
function withCors(fetch: (request: Request) => Response | Promise<Response>, origins: string[]) {
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
  mostBodyBytes: number;
  fetch(request: Request): Response | Promise<Response>;
  onServer(server: Server<undefined>): void;
}) {
  const server = Bun.serve({
    hostname: options.host,
    port: options.port,
    maxRequestBodySize: options.mostBodyBytes,
    // Streams write a comment every 15 s; anything quieter than this is a dead connection.
    idleTimeout: 60,
    fetch: options.fetch,
    error: () => new Response(null, { status: 500 }),
  });
  options.onServer(server as Server<undefined>);
  return server;
}
