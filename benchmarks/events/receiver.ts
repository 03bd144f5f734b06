// What all senders post to: counts, remembers when the last one came, answers 204. A process of its own.
let count = 0;
let lastMs = 0;
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    if (request.method === "GET") return Response.json({ count, lastMs });
    await request.arrayBuffer();
    count += 1;
    lastMs = Date.now();
    return new Response(null, { status: 204 });
  },
});
console.log(`ready ${server.port}`);

export {};
