// POST /mcp: streamable HTTP for the revisions of 2026 (stateless) and of 2025 (sessions). Keys are checked here; every
// effect and its quota go through the REST routes.
import { isLegacyRequest } from "@modelcontextprotocol/server";
import type { Call } from "../contract/define.ts";
import { Failure } from "../contract/errors.ts";
import type { KeyPrincipal } from "../platform/keys/index.ts";
import type { Send } from "./actions.ts";
import type { McpDeps } from "./deps.ts";
import { readJson } from "./json-rpc.ts";
import { createProtocol, type Session } from "./protocol.ts";
import { createSessions } from "./sessions.ts";
import { createStateless } from "./stateless.ts";

/** Calls that turn into REST requests of their own are counted there. */
const COUNTED_BY_REST = new Set(["tools/call", "resources/read", "resources/list"]);

export function createMcp(deps: McpDeps) {
  const openServer = deps.openServer ?? createProtocol(deps.routes, deps.version).openServer;
  const sessions = createSessions(deps, openServer);
  const stateless = createStateless(deps, openServer);

  async function fetch(call: Call): Promise<Response> {
    const { request, clientAddress: address } = call;
    refuseForeign(request, deps);
    const principal = await identified(deps, request);
    const body = request.method === "POST" ? await readJson(request) : undefined;
    const method = (body as any)?.method;
    if (typeof method === "string" && !COUNTED_BY_REST.has(method) && !method.startsWith("notifications/")) {
      await deps.count(principal);
    }
    const arrival = { request, body, principal, session: sessionOf(deps, principal, request, address), address };
    return (await isLegacyRequest(request, body)) ? sessions.serve(arrival) : stateless.serve(arrival);
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
    sessionCount: sessions.count,
    /** Ends every session and stream. */
    close(): void {
      sessions.close();
      stateless.close();
    },
  };
}

/** A 401 says where the metadata of this resource lies (RFC 9728). */
async function identified(deps: McpDeps, request: Request): Promise<KeyPrincipal> {
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

function sessionOf(deps: McpDeps, principal: KeyPrincipal, request: Request, address: string): Session {
  const authorization = request.headers.get("authorization")!;
  return {
    send: sender(deps, authorization, address),
    allowed: (route) => route.scope === null || principal.caller.scopes.has(route.scope),
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
