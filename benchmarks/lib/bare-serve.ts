// The bare limit for reading: Bun.serve that answers the same bytes, headers included, and does nothing else.
const { body, headers } = JSON.parse(process.env.SAME_BYTES!);
const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(body, { headers }) });
console.log(`ready ${server.port}`);
