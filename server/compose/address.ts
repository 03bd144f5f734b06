// Where a request really comes from.

/** The client behind `proxies` trusted proxies, or the other end of the connection. */
function addressOf(request: Request, proxies: number, direct: string | undefined): string {
  if (proxies > 0) {
    const forwarded =
      request.headers
        .get("x-forwarded-for")
        ?.split(",")
        .map((part) => part.trim()) ?? [];
    const client = forwarded.at(-proxies);
    if (client) return client;
  }
  return direct ?? "unknown";
}

/** The addresses of clients; a request that a driver of our own sends carries the address of whom it serves. */
export function createClients(proxies: number, connectionOf: (request: Request) => string | undefined) {
  const served = new WeakMap<Request, string>();
  return {
    addressOf: (request: Request): string => served.get(request) ?? addressOf(request, proxies, connectionOf(request)),
    comesFrom(request: Request, address: string): Request {
      served.set(request, address);
      return request;
    },
  };
}
