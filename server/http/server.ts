// The HTTP driver: Hono finds the route, the gate does the rest. Both mounts share one handler.
import { Hono } from "hono";
import type { Handler } from "../contract/define.ts";
import { Failure } from "../contract/errors.ts";
import { createRootRoutes, type RootDeps } from "./routes.ts";
import type { Gate, Serve } from "./gate.ts";

export interface ServerOptions {
  gate: Gate;
  handlers: Handler[];
  root: RootDeps;
  corsOrigins: string[];
}

const MOUNTS = ["/api/v1", "/v1"];
const MAX_PATH_LENGTH = 8_192;

type Fetch = (request: Request) => Response | Promise<Response>;

/** Everything the service serves, as one function from request to response. */
export function createApp({ gate, handlers, root, corsOrigins }: ServerOptions): Fetch {
  const app = new Hono({ strict: true });
  /** Paths without parameters need no router: most requests are found here. By path, then by method. */
  const literal = new Map<string, Map<string, Serve>>();
  const methods = new Map<string, Set<string>>();
  /** The whole answers to HEAD requests, of which the router would drop the body and with it the length. */
  const wholeAnswers = new WeakMap<Request, Response>();
  const routed = async (request: Request, answer: Response | Promise<Response>) => {
    const response = await answer;
    wholeAnswers.set(request, response);
    return response;
  };
  const answered = (request: Request, answer: Response | Promise<Response>) =>
    request.method === "HEAD" ? routed(request, answer) : answer;
  for (const handler of [...handlers, ...createRootRoutes(root)]) {
    const { route } = handler;
    const serve = gate.serve(handler);
    for (const mount of route.mount === "root" ? [""] : MOUNTS) {
      const path = mount + route.path.replace(/\{(\w+)\}/g, ":$1");
      methods.set(path, (methods.get(path) ?? new Set()).add(route.method));
      if (!path.includes(":")) literal.set(path, (literal.get(path) ?? new Map()).set(route.method, serve));
      app.on(route.method, path, (c) => answered(c.req.raw, serve(c.req.raw, c.req.param() as Record<string, string>)));
    }
  }
  app.notFound((c) => answered(c.req.raw, decline(gate, methods, c.req.raw)));
  app.onError((error) => {
    throw error;
  });

  const get: Fetch = (request) => {
    const path = pathOf(request.url);
    const found = literal.get(path);
    if (!found) return app.fetch(request);
    const serve = found.get(request.method === "HEAD" ? "GET" : request.method);
    // A path that is known by its very name is no id: another method of it is not allowed, rather than not found.
    return serve ? serve(request, {}) : decline(gate, methods, request, path);
  };
  const fetch: Fetch = (request) =>
    request.method === "HEAD" ? headOf(get(request), () => wholeAnswers.get(request)) : get(request);
  return corsOrigins.length > 0 ? withCors(fetch, corsOrigins) : fetch;
}

/** The headers that GET would have: the server itself leaves the body out and keeps its length. */
async function headOf(answer: Response | Promise<Response>, whole: () => Response | undefined): Promise<Response> {
  const routed = await answer;
  const response = whole() ?? routed;
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) return response;
  await response.body?.cancel();
  return new Response(null, { status: response.status, headers: response.headers });
}

function pathOf(url: string): string {
  const start = url.indexOf("/", 8);
  const end = url.indexOf("?", start);
  return end < 0 ? url.slice(start) : url.slice(start, end);
}

/** The answer where no route serves: 405 with the methods of the path if it has others, else 404. */
function decline(
  gate: Gate,
  methods: Map<string, Set<string>>,
  request: Request,
  path = pathOf(request.url).slice(0, MAX_PATH_LENGTH),
): Response | Promise<Response> {
  const known = methods.get(path) ?? methodsOfPattern(methods, path);
  if (!known) {
    const hint = "Compare it with /openapi.json.";
    return gate.decline(request, new Failure("not_found", "There is nothing at this address.", { hint }));
  }
  const Allow = [...known, ...(known.has("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
  if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: { Allow } });
  const detail = `${request.method} is not possible here.`;
  return gate.decline(
    request,
    new Failure("method_not_allowed", detail, { hint: `Use ${Allow}.`, headers: { Allow } }),
  );
}

function methodsOfPattern(methods: Map<string, Set<string>>, path: string): Set<string> | undefined {
  const parts = path.split("/");
  const fits = (pattern: string) => {
    const names = pattern.split("/");
    return names.length === parts.length && names.every((name, i) => name === parts[i] || name.startsWith(":"));
  };
  return [...methods].find(([pattern]) => fits(pattern))?.[1];
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

/** Streams write a comment every 15 s; anything quieter than this is a dead connection. */
const IDLE_SECONDS = 60;
/** Beyond what any route takes: each has its own limit, checked as the body comes in. */
const MAX_BODY_BYTES = 2 ** 30;

/** Bun's server, with a stop that lets requests in flight finish. While it drains, every answer asks its client to go elsewhere. */
export function listen(options: {
  host: string;
  port: number;
  /** Other processes of this machine listen on the same port. */
  shared?: boolean;
  fetch: Fetch;
  isDraining(): boolean;
}) {
  const leaving = (response: Response) => {
    response.headers.set("Connection", "close");
    return response;
  };
  return Bun.serve({
    hostname: options.host,
    port: options.port,
    reusePort: options.shared ?? false,
    maxRequestBodySize: MAX_BODY_BYTES,
    idleTimeout: IDLE_SECONDS,
    fetch: (request) => {
      const response = options.fetch(request);
      return options.isDraining() ? Promise.resolve(response).then(leaving) : response;
    },
    error: () => new Response(null, { status: 500 }),
  });
}
