// The same tools over standard input and output, against any server: each call is a REST request over HTTP.
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Route } from "../contract/define.ts";
import type { Send } from "./actions.ts";
import { createProtocol } from "./protocol.ts";

export interface StdioDeps {
  /** Where the service answers, e.g. https://connector.example.com. */
  url: string;
  key: string;
  routes: Route[];
  version: string;
}

/** Serves until standard input ends. Throws when the server cannot be reached or refuses the key. */
export async function serveOverStdio({ url, key, routes, version }: StdioDeps): Promise<void> {
  const send = httpSender(url, key);
  const profile = await send("GET", "/user/profile", {});
  if (profile.status === 401) throw new Error(profile.error.detail);
  // A key that may not read its profile is still served: the server refuses what it may not do.
  const scopes: string[] | undefined = profile.data?.scopes;
  const allowed = (route: Route) => route.scope === null || !scopes || scopes.includes(route.scope);
  const protocol = createProtocol(routes, version);
  const ended = Promise.withResolvers<void>();
  process.stdin.once("end", ended.resolve);
  const serving = serveStdio(() => protocol.openServer({ send, allowed, subscribable: false }));
  await ended.promise;
  await serving.close();
}

function httpSender(url: string, key: string): Send {
  return async (method, path, { body, idempotencyKey }) => {
    const headers: Record<string, string> = { Authorization: `Bearer ${key}`, "User-Agent": "connector-mcp" };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (idempotencyKey) headers["Idempotency-Key"] = idempotencyKey;
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const answer: any = await response.json();
    const replayed = response.headers.get("idempotent-replayed") === "true";
    return { status: response.status, data: answer.data ?? null, error: answer.error ?? null, replayed };
  };
}
