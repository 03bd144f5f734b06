// POST /mcp: streamable HTTP for the revisions of 2026 (stateless) and of 2025 (sessions). Keys are checked here; every
// effect and its quota go through the REST routes.
import {
  createMcpHandler,
  InMemoryServerEventBus,
  isInitializeRequest,
  isLegacyRequest,
  type McpHttpHandler,
  McpServer,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Call, Route } from "../contract/define.ts";
import { Failure } from "../contract/errors.ts";
import type { Clock } from "../lib/clock.ts";
import { MINUTE_MS } from "../lib/time.ts";
import type { KeyPrincipal } from "../platform/keys/index.ts";
import type { Send } from "./actions.ts";
import { createProtocol, type Session } from "./protocol.ts";
import { resourcesOf } from "./resources.ts";

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
  openServer?(session: Session): Server | McpServer;
}

const MAX_BODY_BYTES = 4 << 20;
const MAX_SESSIONS_PER_ACCOUNT = 100;
const MAX_TENANTS = 10_000;
const SESSION_IDLE_MS = 30 * MINUTE_MS;
/** Calls that turn into REST requests of their own are counted there. */
const COUNTED_BY_REST = new Set(["tools/call", "resources/read", "resources/list"]);

interface LegacySession {
  server: Server;
  transport: WebStandardStreamableHTTPServerTransport;
  principal: KeyPrincipal;
  subscriptions: Set<string>;
  usedMs: number;
  close(): void;
}

export function createMcp(deps: McpDeps) {
  const openServer = deps.openServer ?? createProtocol(deps.routes, deps.version).openServer;
  const sessions = new Map<string, LegacySession>();
  /** One handler a tenant, so that nobody can listen to another's resources. */
  const tenants = new Map<number, { handler: McpHttpHandler; stop(): void }>();
  const stopExpiring = deps.clock.every(MINUTE_MS, expireSessions);

  async function fetch(call: Call): Promise<Response> {
    const { request } = call;
    refuseForeign(request, deps);
    const principal = await identified(request);
    const body = request.method === "POST" ? await readJson(request) : undefined;
    const method = (body as any)?.method;
    if (typeof method === "string" && !COUNTED_BY_REST.has(method) && !method.startsWith("notifications/")) {
      await deps.count(principal);
    }
    const session = sessionOf(principal, request, call.clientAddress);
    if (await isLegacyRequest(request, body)) return serveLegacy(request, body, principal, session, call.clientAddress);
    return serveModern(request, body, principal, session, call.clientAddress);
  }

  /** A 401 says where the metadata of this resource lies (RFC 9728). */
  async function identified(request: Request): Promise<KeyPrincipal> {
    try {
      return await deps.identify(request);
    } catch (error) {
      if (!(error instanceof Failure) || error.status !== 401) throw error;
      const challenge = error.options.headers?.["WWW-Authenticate"] ?? "Bearer";
      const metadata = `${deps.publicUrl()}/.well-known/oauth-protected-resource/mcp`;
      error.options.headers = {
        ...error.options.headers,
        "WWW-Authenticate": `${challenge}, resource_metadata="${metadata}"`,
      };
      throw error;
    }
  }

  function sessionOf(principal: KeyPrincipal, request: Request, address: string): Session {
    const authorization = request.headers.get("authorization")!;
    return {
      send: sender(deps, authorization, address),
      allowed: (route) => route.scope === null || principal.caller.scopes.has(route.scope),
    };
  }

  /** Stateless: a server for this request alone. A stream ends when its key does. */
  function serveModern(request: Request, body: unknown, principal: KeyPrincipal, session: Session, address: string) {
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
    const answer = handlerOf(principal.caller.tenantId).fetch(bounded, { parsedBody: body });
    return answer.then((response) => {
      if (!/event-stream/.test(response.headers.get("content-type") ?? "")) unwatch();
      return response;
    });
  }

  const callers = new WeakMap<Request, Session>();

  function handlerOf(tenantId: number): McpHttpHandler {
    const known = tenants.get(tenantId);
    if (known) return known.handler;
    if (tenants.size >= MAX_TENANTS) closeTenants();
    const bus = new InMemoryServerEventBus();
    let stopFollowing: (() => void) | null = null;
    const handler = createMcpHandler((ctx) => openServer(callers.get(ctx.requestInfo as Request)!), {
      legacy: "reject",
      maxRequestBodySize: MAX_BODY_BYTES,
      bus: {
        publish: (event) => bus.publish(event),
        // The log is followed only while somebody listens.
        subscribe(listener) {
          const leave = bus.subscribe(listener);
          stopFollowing ??= deps.follow(tenantId, (json) => {
            for (const uri of resourcesOf(json)) bus.publish({ kind: "resource_updated", uri });
          });
          return () => {
            leave();
            if (bus.listenerCount === 0) {
              stopFollowing?.();
              stopFollowing = null;
            }
          };
        },
      },
    });
    tenants.set(tenantId, { handler, stop: () => stopFollowing?.() });
    return handler;
  }

  async function serveLegacy(
    request: Request,
    body: unknown,
    principal: KeyPrincipal,
    session: Session,
    address: string,
  ): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id !== null) {
      const known = sessions.get(id);
      if (!known || known.principal.caller.keyId !== principal.caller.keyId)
        return rpcError(404, -32001, "Session not found");
      known.usedMs = deps.clock.monotonic();
      return known.transport.handleRequest(request, { parsedBody: body });
    }
    if (isInitializeRequest(body)) return openSession(request, body, principal, session, address);
    if (request.method !== "POST") return rpcError(405, -32000, "Method not allowed.", { Allow: "POST" });
    const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    await openServer(session).connect(transport);
    return transport.handleRequest(request, { parsedBody: body });
  }

  async function openSession(
    request: Request,
    body: unknown,
    principal: KeyPrincipal,
    session: Session,
    address: string,
  ): Promise<Response> {
    refuseTooMany(principal);
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

  function refuseTooMany({ caller }: KeyPrincipal): void {
    const mine = [...sessions.values()].filter((s) => s.principal.caller.accountId === caller.accountId);
    if (mine.length < MAX_SESSIONS_PER_ACCOUNT) return;
    mine.toSorted((a, b) => a.usedMs - b.usedMs)[0].close();
  }

  function expireSessions(): void {
    const oldest = deps.clock.monotonic() - SESSION_IDLE_MS;
    for (const session of sessions.values()) if (session.usedMs < oldest) session.close();
  }

  function closeTenants(): void {
    for (const { handler, stop } of tenants.values()) {
      stop();
      void handler.close();
    }
    tenants.clear();
  }

  return {
    fetch,
    /** RFC 9728: what a hosted client reads to learn how to be let in. */
    metadata(authorizationServers: string[], scopes: readonly string[]) {
      return {
        resource: `${deps.publicUrl()}/mcp`,
        ...(authorizationServers.length > 0 ? { authorization_servers: authorizationServers } : {}),
        bearer_methods_supported: ["header"],
        scopes_supported: [...scopes],
        resource_name: "Action Connector",
        resource_documentation: `${deps.publicUrl()}/docs/mcp`,
      };
    },
    sessionCount: () => sessions.size,
    /** Ends every session and stream. */
    close(): void {
      stopExpiring();
      for (const session of sessions.values()) session.close();
      closeTenants();
    },
  };
}

function sender(deps: McpDeps, authorization: string, address: string): Send {
  return async (method, path, { body, idempotencyKey }) => {
    const headers: Record<string, string> = { Authorization: authorization, "User-Agent": "mcp" };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (idempotencyKey) headers["Idempotency-Key"] = idempotencyKey;
    const request = new Request(`${deps.publicUrl()}/api/v1${path}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const response = await deps.serve(request, address);
    const answer: any = await response.json();
    const replayed = response.headers.get("idempotent-replayed") === "true";
    return { status: response.status, data: answer.data ?? null, error: answer.error ?? null, replayed };
  };
}

/** Pages of other origins and other names for this machine are refused: a browser must not be talked into calling us. */
function refuseForeign(request: Request, { publicUrl, origins, loopbackOnly }: McpDeps): void {
  const own = new URL(publicUrl());
  const origin = request.headers.get("origin");
  if (origin !== null && !origins.includes("*") && !origins.includes(origin) && !isOwn(hostOf(origin), own)) {
    throw new Failure("origin_not_allowed", `Pages of ${origin.slice(0, 100)} may not call this endpoint.`);
  }
  const host = request.headers.get("host");
  if (loopbackOnly && host !== null && !isOwn(hostOf(`http://${host}`), own)) {
    throw new Failure("origin_not_allowed", `This endpoint is not reached as ${host.slice(0, 100)}.`);
  }
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : "");
const isOwn = (hostname: string, own: URL): boolean =>
  hostname === own.hostname || ["127.0.0.1", "localhost", "[::1]"].includes(hostname);

async function readJson(request: Request): Promise<unknown> {
  const length = Number(request.headers.get("content-length") ?? 0);
  if (length > MAX_BODY_BYTES)
    throw new Failure("payload_too_large", `The body is larger than ${MAX_BODY_BYTES} bytes.`);
  const text = await request.text();
  if (text.length > MAX_BODY_BYTES)
    throw new Failure("payload_too_large", `The body is larger than ${MAX_BODY_BYTES} bytes.`);
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure("invalid_json", "The body is not JSON.");
  }
}

function rpcError(status: number, code: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status, headers });
}
