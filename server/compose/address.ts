// Where a request really comes from.

/** The client behind `proxies` trusted proxies, or the other end of the connection. */
export function addressOf(request: Request, proxies: number, direct: string | undefined): string {
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
