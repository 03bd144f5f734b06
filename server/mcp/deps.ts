// What the MCP endpoint needs of the service, and a request as its two ways of serving see it.
import type { McpServer, Server } from "@modelcontextprotocol/server";
import type { Route } from "../contract/define.ts";
import type { Clock } from "../lib/clock.ts";
import type { KeyPrincipal } from "../platform/keys/index.ts";
import type { Session } from "./protocol.ts";

export interface McpDeps {
  routes: Route[];
  version: string;
  clock: Clock;
  /** Who sends this request; throws a Failure. Counts nothing. */
  identify(request: Request): Promise<KeyPrincipal>;
  /** Counts one request of the key; throws a Failure over the quota. */
  count(principal: KeyPrincipal): Promise<void>;
  /** Serves a REST request as if it came from this address. */
  serve(request: Request, address: string): Promise<Response>;
  /** Follows the events of a tenant. */
  follow(tenantId: number, onEvent: (json: string) => void): () => void;
  /** Calls back when the key would no longer be admitted. */
  watch(principal: KeyPrincipal, address: string, onLost: () => void): () => void;
  publicUrl(): string;
  /** Pages that may call, beside our own. */
  origins: string[];
  /** Only this machine can reach us: other names in the Host header mean DNS rebinding. */
  loopbackOnly: boolean;
  makeSessionId(): string;
  /** Another protocol in place of ours: the conformance runner brings its own tools. */
  openServer?: OpenServer;
}

export type OpenServer = (session: Session) => Server | McpServer;

/** A request whose key is known. */
export interface Arrival {
  request: Request;
  body: unknown;
  principal: KeyPrincipal;
  session: Session;
  address: string;
}
