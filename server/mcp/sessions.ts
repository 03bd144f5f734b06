// Requests of the revisions of 2025: sessions that a client opens, keeps using and closes; idle ones expire.
import {
  isInitializeRequest,
  McpServer,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { MINUTE_MS } from "../lib/time.ts";
import type { KeyPrincipal } from "../platform/keys/index.ts";
import type { Arrival, McpDeps, OpenServer } from "./deps.ts";
import { rpcError } from "./json-rpc.ts";
import { resourcesOf } from "./resources.ts";

const MAX_SESSIONS_PER_ACCOUNT = 100;
const SESSION_IDLE_MS = 30 * MINUTE_MS;

interface OpenSession {
  server: Server;
  transport: WebStandardStreamableHTTPServerTransport;
  principal: KeyPrincipal;
  subscriptions: Set<string>;
  usedMs: number;
  close(): void;
}

export function createSessions(deps: McpDeps, openServer: OpenServer) {
  const sessions = new Map<string, OpenSession>();
  const stopExpiring = deps.clock.every(MINUTE_MS, expireIdle);

  async function serve(arrival: Arrival): Promise<Response> {
    const { request, body, principal, session } = arrival;
    const id = request.headers.get("mcp-session-id");
    if (id !== null) {
      const known = sessions.get(id);
      if (!known || known.principal.caller.keyId !== principal.caller.keyId)
        return rpcError(404, -32001, "Session not found");
      known.usedMs = deps.clock.monotonic();
      return known.transport.handleRequest(request, { parsedBody: body });
    }
    if (isInitializeRequest(body)) return open(arrival);
    if (request.method !== "POST") return rpcError(405, -32000, "Method not allowed.", { Allow: "POST" });
    const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    await openServer(session).connect(transport);
    return transport.handleRequest(request, { parsedBody: body });
  }

  async function open({ request, body, principal, session, address }: Arrival): Promise<Response> {
    makeRoom(principal);
    const subscriptions = new Set<string>();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: deps.makeSessionId,
      onsessioninitialized(id) {
        const stopFollowing = deps.follow(principal.caller.tenantId, (json) => {
          for (const uri of resourcesOf(json)) if (subscriptions.has(uri)) void server.sendResourceUpdated({ uri });
        });
        const stopWatching = deps.watch(principal, address, () => close());
        function close(): void {
          if (!sessions.delete(id)) return;
          stopFollowing();
          stopWatching();
          void transport.close();
        }
        sessions.set(id, { server, transport, principal, subscriptions, usedMs: deps.clock.monotonic(), close });
      },
      onsessionclosed: (id) => sessions.get(id)?.close(),
    });
    const opened = openServer({ ...session, subscriptions });
    const server = opened instanceof McpServer ? opened.server : opened;
    await opened.connect(transport);
    return transport.handleRequest(request, { parsedBody: body });
  }

  /** An account at its limit loses the session it has not used for the longest time. */
  function makeRoom({ caller }: KeyPrincipal): void {
    const mine = [...sessions.values()].filter((s) => s.principal.caller.accountId === caller.accountId);
    if (mine.length < MAX_SESSIONS_PER_ACCOUNT) return;
    mine.toSorted((a, b) => a.usedMs - b.usedMs)[0].close();
  }

  function expireIdle(): void {
    const oldest = deps.clock.monotonic() - SESSION_IDLE_MS;
    for (const session of sessions.values()) if (session.usedMs < oldest) session.close();
  }

  return {
    serve,
    count: () => sessions.size,
    close(): void {
      stopExpiring();
      for (const session of sessions.values()) session.close();
    },
  };
}
