// Requests of the revision of 2026: no session, a server for each request. Streams end when their key does.
import {
  createMcpHandler,
  InMemoryServerEventBus,
  type McpHttpHandler,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import type { Arrival, McpDeps, OpenServer } from "./deps.ts";
import { MAX_BODY_BYTES } from "./json-rpc.ts";
import type { Session } from "./protocol.ts";
import { resourcesOf } from "./resources.ts";

const MAX_TENANTS = 10_000;

export function createStateless(deps: McpDeps, openServer: OpenServer) {
  /** One handler a tenant, so that nobody can listen to another's resources. */
  const tenants = new Map<number, { handler: McpHttpHandler; stop(): void }>();
  const callers = new WeakMap<Request, Session>();

  async function serve({ request, body, principal, session, address }: Arrival): Promise<Response> {
    const ended = new AbortController();
    const unwatch = deps.watch(principal, address, () => ended.abort());
    request.signal.addEventListener(
      "abort",
      () => {
        unwatch();
        ended.abort();
      },
      { once: true },
    );
    const bounded = new Request(request.url, {
      method: request.method,
      headers: request.headers,
      signal: ended.signal,
    });
    callers.set(bounded, session);
    const response = await handlerOf(principal.caller.tenantId).fetch(bounded, { parsedBody: body });
    if (!/event-stream/.test(response.headers.get("content-type") ?? "")) unwatch();
    return response;
  }

  function handlerOf(tenantId: number): McpHttpHandler {
    const known = tenants.get(tenantId);
    if (known) return known.handler;
    if (tenants.size >= MAX_TENANTS) close();
    const { bus, stop } = openBus(deps, tenantId);
    const handler = createMcpHandler((ctx) => openServer(callers.get(ctx.requestInfo as Request)!), {
      legacy: "reject",
      maxRequestBodySize: MAX_BODY_BYTES,
      bus,
    });
    tenants.set(tenantId, { handler, stop });
    return handler;
  }

  function close(): void {
    for (const { handler, stop } of tenants.values()) {
      stop();
      void handler.close();
    }
    tenants.clear();
  }

  return { serve, close };
}

/** The changes of one tenant's resources. The event log is followed only while somebody listens. */
function openBus(deps: McpDeps, tenantId: number): { bus: ServerEventBus; stop(): void } {
  const local = new InMemoryServerEventBus();
  let stopFollowing: (() => void) | null = null;
  const bus: ServerEventBus = {
    publish: (event) => local.publish(event),
    subscribe(listener) {
      const leave = local.subscribe(listener);
      stopFollowing ??= deps.follow(tenantId, (json) => {
        for (const uri of resourcesOf(json)) local.publish({ kind: "resource_updated", uri });
      });
      return () => {
        leave();
        if (local.listenerCount > 0) return;
        stopFollowing?.();
        stopFollowing = null;
      };
    },
  };
  return { bus, stop: () => stopFollowing?.() };
}
