// Many readers of one stream, as raw sockets in a process of their own: bun stream-readers.ts '<json>'.
// Prints `ready 0` when all are open; then, for every line `<frames>` on standard input, waits until every reader has
// received that many events (counted by their `data:` lines) and prints when the last one had.
import { connect } from "node:net";

const {
  port,
  path,
  key,
  readers,
  begins = 'data: {"id"',
} = JSON.parse(process.argv[2]) as {
  port: number;
  path: string;
  key: string;
  readers: number;
  /** How the line of an event begins. */
  begins?: string;
};
const counts = new Uint32Array(readers);
let opened = 0;
let wanted = 0;
let short = 0;
let told = () => {};
const marker = Buffer.from(`\n${begins}`);
const open = Promise.withResolvers<void>();

function openOne(i: number): void {
  const socket = connect(port, "127.0.0.1");
  let tail: Buffer = Buffer.alloc(0);
  let answered = false;
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nAccept: text/event-stream\r\n\r\n`,
  );
  socket.on("error", (error) => console.error(String(error)));
  socket.on("data", (chunk: Buffer) => {
    if (!answered) {
      answered = true;
      if (!chunk.toString("latin1").startsWith("HTTP/1.1 200")) throw new Error(chunk.toString("latin1").slice(0, 300));
      if (++opened === readers) open.resolve();
    }
    // A marker may lie across two chunks, so its possible beginning is kept.
    const bytes = tail.length > 0 ? Buffer.concat([tail, chunk]) : chunk;
    let at = 0;
    const before = counts[i];
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
  console.log(`done ${Date.now()}`);
}
