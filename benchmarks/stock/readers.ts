// Many readers of one stream as raw sockets in a process of their own: bun readers.ts '<json>'. Prints `ready 0` when all
// are open; for every line `<frames>` on standard input waits until every reader has that many more events.
import { connect } from "node:net";

const { port, path, key, readers } = JSON.parse(process.argv[2]) as Record<string, string> & { readers: number };
const counts = new Uint32Array(readers);
const marker = Buffer.from("\ndata: {");
const open = Promise.withResolvers<void>();
let opened = 0;
let wanted = Infinity;
let short = 0;
let told = () => {};

function openOne(i: number): void {
  const socket = connect(Number(port), "127.0.0.1");
  let tail: Buffer = Buffer.alloc(0);
  let answered = false;
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  socket.on("data", (chunk: Buffer) => {
    if (!answered) {
      answered = true;
      if (!chunk.toString("latin1").startsWith("HTTP/1.1 200")) throw new Error(chunk.toString("latin1").slice(0, 300));
      if (++opened === readers) open.resolve();
    }
    const bytes = tail.length > 0 ? Buffer.concat([tail, chunk]) : chunk;
    const before = counts[i];
    let at = 0;
    for (let found = bytes.indexOf(marker); found >= 0; found = bytes.indexOf(marker, at)) {
      counts[i] += 1;
      at = found + marker.length;
    }
    tail = Buffer.from(bytes.subarray(Math.max(at, bytes.length - marker.length + 1)));
    if (before < wanted && counts[i] >= wanted && --short === 0) told();
  });
}

for (let i = 0; i < readers; i++) {
  openOne(i);
  if (i % 50 === 49) await new Promise((go) => setTimeout(go, 10));
}
await open.promise;
console.log("ready 0");
for await (const line of console) {
  counts.fill(0);
  wanted = Number(line);
  short = readers;
  const all = new Promise<void>((go) => (told = go));
  console.log("counting");
  await all;
  console.log("done");
}
