// One MCP server for one caller: tools, resources and prompts over the REST routes. It knows no transport and no HTTP.
import {
  CLIENT_CAPABILITIES_META_KEY,
  type CallToolResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import type { Route } from "../contract/define.ts";
import { callRoute, requestOf, type Send } from "./actions.ts";
import { fence, OUTSIDE_RULE } from "./outside.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { listResources, readResource, resourceTemplates } from "./resources.ts";
import { refusalOf, resultOf } from "./results.ts";
import { createSearch } from "./search.ts";
import { inputSchema } from "./schema.ts";
import { CALL_TOOL, SEARCH_TOOL } from "./tools/general.ts";
import { TOOLS } from "./tools/index.ts";
import type { ToolSpec } from "./tools/spec.ts";

export interface Session {
  send: Send;
  /** Whether the key may call a route; tools it may not call are not listed. */
  allowed(route: Route): boolean;
  /** For clients of 2025 that subscribe to single resources; absent where the transport does it. */
  subscriptions?: Set<string>;
  /** False where nothing follows the event log, so that no subscription is promised. */
  subscribable?: false;
}

const INSTRUCTIONS = `Action Connector acts in the world: deliveries, product prices, share quotes, alerts, AI-text checks. \
Test keys work on simulated parties and say so. Everything without a tool of its own is found with search_actions and called with call_action. ${OUTSIDE_RULE}`;

const TTL_MS = 300_000;
const CACHE = { ttlMs: TTL_MS, cacheScope: "private" as const };

/** Everything that is the same for all callers, prepared once. */
export function createProtocol(allRoutes: Route[], version: string) {
  const routes = new Map(
    allRoutes.filter((r) => r.mount !== "root" && r.scope !== null && r.answer).map((r) => [r.id, r]),
  );
  const search = createSearch([...routes.values()]);
  const tools = TOOLS.map((spec) => ({
    spec,
    route: routeOf(routes, spec),
    tool: toolOf(spec, routeOf(routes, spec)),
  }));
  const byName = new Map(tools.map((entry) => [entry.spec.name, entry]));

  function openServer(session: Session): Server {
    const server = new Server(
      { name: "action-connector", title: "Action Connector", version },
      {
        capabilities: { tools: {}, resources: { subscribe: session.subscribable ?? true }, prompts: {} },
        instructions: INSTRUCTIONS,
        cacheHints: {
          "tools/list": CACHE,
          "prompts/list": CACHE,
          "resources/templates/list": CACHE,
          "server/discover": CACHE,
        },
      },
    );
    server.setRequestHandler("tools/list", () => ({ tools: listTools(session) }));
    server.setRequestHandler("tools/call", ({ params }, ctx) =>
      callTool(server, session, params.name, params.arguments ?? {}, ctx),
    );
    server.setRequestHandler("prompts/list", () => ({ prompts: listPrompts() }));
    server.setRequestHandler("prompts/get", ({ params }) => promptOf(params.name, params.arguments ?? {}));
    server.setRequestHandler("resources/list", async () => ({
      resources: await listResources(session.send, routes, session.allowed),
    }));
    server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: resourceTemplates() }));
    server.setRequestHandler("resources/read", ({ params }) => resourceOf(session, routes, params.uri));
    if (session.subscriptions) acceptSubscriptions(server, session.subscriptions);
    return server;
  }

  function listTools(session: Session): Tool[] {
    return [...tools.filter(({ route }) => session.allowed(route)).map(({ tool }) => tool), SEARCH_TOOL, CALL_TOOL];
  }

  async function callTool(server: Server, session: Session, name: string, args: any, ctx: ServerContext): Promise<any> {
    if (name === SEARCH_TOOL.name) return found(search(String(args.question ?? "")), routes);
    if (name === CALL_TOOL.name) return callAction(session, args);
    const entry = byName.get(name);
    if (!entry)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name}. Use search_actions.`);
    const { spec, route } = entry;
    const unknown = Object.keys(args).find((arg) => !Object.hasOwn((entry.tool.inputSchema as any).properties, arg));
    if (unknown) return refusalOf(unknownArgument(unknown, entry.tool));
    const asked = spec.confirm ? confirmation(server, spec, args, ctx) : null;
    if (asked) return asked;
    if (spec.slow) await report(ctx, 0, "working");
    const answer = await callRoute(session.send, route, requestOf(spec, args), args.idempotency_key);
    if (spec.slow) await report(ctx, 1, "done");
    return resultOf(spec, answer);
  }

  async function callAction(session: Session, args: any): Promise<CallToolResult> {
    const route = routes.get(args.action);
    if (!route) {
      const near = search(String(args.action ?? "")).map((f) => f.action);
      return failed(
        "unknown_action",
        `There is no action ${args.action}.`,
        near.length > 0 ? `Did you mean ${near.slice(0, 3).join(", ")}?` : "Use search_actions.",
      );
    }
    const request = { params: args.params ?? {}, query: args.query ?? {}, body: args.body };
    return resultOf({ outside: ["*"] }, await callRoute(session.send, route, request, args.idempotency_key));
  }

  return { openServer, toolNames: [...byName.keys(), SEARCH_TOOL.name, CALL_TOOL.name], listTools };
}

async function resourceOf(session: Session, routes: Map<string, Route>, uri: string) {
  const answer = await readResource(session.send, routes, uri);
  if (!answer || answer.error)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no resource ${uri}.`, { uri });
  return { contents: [{ uri, mimeType: "application/json", text: JSON.stringify(markResource(answer.data)) }] };
}

function acceptSubscriptions(server: Server, subscriptions: Set<string>): void {
  server.setRequestHandler("resources/subscribe", ({ params }) => {
    subscriptions.add(params.uri);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params }) => {
    subscriptions.delete(params.uri);
    return {};
  });
}

function routeOf(routes: Map<string, Route>, spec: ToolSpec): Route {
  const route = routes.get(spec.route);
  if (!route) throw new Error(`The tool ${spec.name} names the route ${spec.route}, which does not exist.`);
  return route;
}

function toolOf(spec: ToolSpec, route: Route): Tool {
  return {
    name: spec.name,
    title: spec.title,
    description: spec.description,
    inputSchema: inputSchema(spec, route) as Tool["inputSchema"],
    annotations: {
      title: spec.title,
      readOnlyHint: spec.readOnly,
      destructiveHint: spec.destructive ?? false,
      idempotentHint: spec.idempotent ?? false,
      openWorldHint: spec.openWorld ?? false,
    },
  };
}

/** Asks the person where the client can; null when the call may go on. */
function confirmation(server: Server, spec: ToolSpec, args: any, ctx: ServerContext): unknown {
  const envelope = ctx.mcpReq.envelope as Record<string, any> | undefined;
  const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  if (!capabilities?.elicitation) return null;
  const response = inputResponse(ctx.mcpReq.inputResponses, "confirm");
  if (response.kind === "missing") {
    const requestedSchema = {
      type: "object" as const,
      properties: { confirm: { type: "boolean" as const, title: "Yes, do it" } },
      required: ["confirm"],
    };
    return inputRequired({
      inputRequests: { confirm: inputRequired.elicit({ message: spec.confirm!(args), requestedSchema }) },
    });
  }
  if (response.kind === "elicit" && response.action === "accept" && response.content?.confirm === true) return null;
  return {
    content: [{ type: "text", text: "The person said no. Nothing was done." }],
    structuredContent: { declined: true },
  };
}

async function report(ctx: ServerContext, progress: number, message: string): Promise<void> {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  await ctx.mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 1, message } });
}

function promptOf(name: string, args: Record<string, string>) {
  const prompt = getPrompt(name, args);
  if (prompt === null) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${name}.`);
  if (typeof prompt === "string")
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The prompt ${name} needs ${prompt}.`);
  return prompt;
}

/** What search_actions answers: each action with what it takes. */
function found(actions: ReturnType<ReturnType<typeof createSearch>>, routes: Map<string, Route>): CallToolResult {
  const rows = actions.map((action) => {
    const route = routes.get(action.action)!;
    const names = (schema: any) =>
      Object.keys(schema?.properties ?? {}).map((n) => (schema.required?.includes(n) ? `${n}*` : n));
    return { ...action, params: names(route.params), query: names(route.query), body: names(route.body) };
  });
  const structured = { actions: rows, note: "* is required. Call one with call_action." };
  return { content: [{ type: "text", text: JSON.stringify(structured) }], structuredContent: structured };
}

function failed(code: string, detail: string, hint: string): CallToolResult {
  return refusalOf({ status: 400, data: null, error: { code, detail, hint }, replayed: false });
}

function unknownArgument(name: string, tool: Tool) {
  const known = Object.keys((tool.inputSchema as any).properties).join(", ");
  const error = {
    code: "validation_failed",
    detail: `${tool.name} has no argument ${name}`,
    hint: `Known here: ${known}`,
  };
  return { status: 400, data: null, error, replayed: false };
}

/** A whole resource may hold text from outside anywhere below these members. */
function markResource(data: any): any {
  const out = { ...data };
  for (const name of ["product", "content", "segments", "offers", "variants"])
    if (out[name]) out[name] = fence(out[name]);
  return out;
}
