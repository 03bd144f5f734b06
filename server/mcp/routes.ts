// The routes of the MCP endpoint. They take a key but answer in JSON-RPC, so they stand outside the envelope.
import { handle, type Handler, type Route, route, SCOPES } from "../contract/define.ts";
import type { createMcp } from "./http.ts";

const METADATA_PATH = "/.well-known/oauth-protected-resource";
const JSON_TYPE = "application/json";

const post = route({
  id: "mcp.post",
  method: "POST",
  path: "/mcp",
  mount: "root",
  scope: null,
  summary: "The MCP endpoint: tools, resources and prompts for agents",
  description: "Streamable HTTP, revisions 2025-11-25 and 2026-07-28. Send the key as Authorization: Bearer.",
  produces: JSON_TYPE,
});
const listen = route({
  id: "mcp.listen",
  method: "GET",
  path: "/mcp",
  mount: "root",
  scope: null,
  summary: "Messages of an MCP session, for clients of the revision 2025-11-25",
  produces: "text/event-stream",
});
const end = route({
  id: "mcp.end",
  method: "DELETE",
  path: "/mcp",
  mount: "root",
  scope: null,
  summary: "End an MCP session",
  produces: JSON_TYPE,
});
const metadata = route({
  id: "mcp.metadata",
  method: "GET",
  path: METADATA_PATH,
  mount: "root",
  scope: null,
  summary: "Protected-resource metadata of the MCP endpoint (RFC 9728)",
  produces: JSON_TYPE,
});
const metadataOfMcp = route({
  id: "mcp.metadata_of_mcp",
  method: "GET",
  path: `${METADATA_PATH}/mcp`,
  mount: "root",
  scope: null,
  summary: "The same under the path of the endpoint, where clients look first",
  produces: JSON_TYPE,
});

export const routes: Route[] = [post, listen, end, metadata, metadataOfMcp];

export function createMcpRoutes(mcp: ReturnType<typeof createMcp>, authorizationServers: string[]): Handler[] {
  const showMetadata = () => Response.json(mcp.metadata(authorizationServers, SCOPES));
  return [
    handle(post, mcp.fetch),
    handle(listen, mcp.fetch),
    handle(end, mcp.fetch),
    handle(metadata, showMetadata),
    handle(metadataOfMcp, showMetadata),
  ];
}
