// The bare fan-out: a server that writes one prebuilt buffer to every open reader, as often as it is told.
const readers = new Set<ReadableStreamDefaultController<Uint8Array>>();
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 0,
  async fetch(request) {
    const url = new URL(request.url);
    if (request.method === "POST") {
      const frame = new Uint8Array(await request.arrayBuffer());
      const times = Number(url.searchParams.get("times"));
      for (let n = 0; n < times; n++) {
        for (const reader of readers) reader.enqueue(frame);
        if (n % 16 === 15) await new Promise((go) => setImmediate(go));
      }
      return Response.json({});
    }
    if (url.pathname === "/count") return Response.json({ readers: readers.size });
    let own: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        own = controller;
        readers.add(own);
      },
      cancel: () => void readers.delete(own),
    });
    return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
  },
});
console.log(`ready ${server.port}`);

export {};
