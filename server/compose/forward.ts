// What only the first process of a group can answer: sessions of MCP live in its memory. The others hand such requests on.

const CLIENT_HEADER = "x-connector-client";

export const isKeptByFirst = ({ url }: Request): boolean => url.startsWith("/mcp", url.indexOf("/", 8));

/** Asks the first process over its socket; the answer may be a stream. */
export function forward(socket: string, request: Request, address: string): Promise<Response> {
  const headers = new Headers(request.headers);
  headers.set(CLIENT_HEADER, address);
  const { method, body, signal } = request;
  return fetch(request.url, { unix: socket, method, headers, body, signal, redirect: "manual", decompress: false });
}

/** Answers the others. The folder of the socket is its owner's alone, so that the header can be believed. */
export function listenForOthers(socket: string, serve: (request: Request, address: string) => Promise<Response>) {
  return Bun.serve({
    unix: socket,
    fetch: (request) => serve(request, request.headers.get(CLIENT_HEADER) ?? "unknown"),
  });
}
