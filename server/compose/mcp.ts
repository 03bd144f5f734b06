// Wires the MCP endpoint to the gate, the REST routes and the event log.
import type { Config } from "../config.ts";
import { version } from "../contract/version.ts";
import { routes } from "../contracts.ts";
import type { Gate } from "../http/gate.ts";
import { createMcp } from "../mcp/http.ts";
import { createMcpRoutes } from "../mcp/routes.ts";
import type { EventStreams } from "../platform/events/index.ts";
import type { Authenticator } from "../platform/keys/index.ts";
import type { Module, Platform } from "../platform/platform.ts";

export interface McpParts {
  config: Config;
  platform: Platform;
  gate: Gate;
  authenticator: Authenticator;
  streams: EventStreams;
  /** Serves a REST request as if it came from this address. */
  serve(request: Request, address: string): Promise<Response>;
}

export function createMcpModule({ config, platform, gate, authenticator, streams, serve }: McpParts): Module {
  const mcp = createMcp({
    routes,
    version,
    clock: platform.clock,
    identify: gate.identify,
    count: gate.count,
    serve,
    follow: (tenantId, onEvent) => streams.follow(tenantId, (event) => onEvent(event.json)),
    watch: (principal, address, onLost) => authenticator.watch(principal, { scope: null, address, onLost }),
    publicUrl: platform.publicUrl,
    origins: config.CORS_ORIGINS,
    loopbackOnly: config.HOST === "127.0.0.1" && config.PUBLIC_URL === null,
    makeSessionId: () => platform.makeId("ses"),
  });
  return {
    handlers: createMcpRoutes(mcp, config.MCP_AUTHORIZATION_SERVERS),
    drain: mcp.close,
  };
}
