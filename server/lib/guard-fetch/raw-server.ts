// For tests alone: a TCP listener that answers each request path with bytes of the test's choosing, however rude.
import { createServer } from "node:net";
import type { Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";

export interface Call {
  path: string;
  head: string;
  body: string;
  socket: Socket;
}

export interface RawServer {
  port: number;
  host: string;
  connections(): number;
  calls: Call[];
  stop(): Promise<void>;
}

/** Requests with Content-Length are read whole before the handler runs. */
export async function rawServer(handle: (call: Call) => void, tls?: { key: string; cert: string }): Promise<RawServer> {
  const open = new Set<Socket>();
  const calls: Call[] = [];
  let connections = 0;
  const onSocket = (socket: Socket) => {
    connections += 1;
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => {});
    let buffered = "";
    socket.on("data", (data) => {
      buffered += data.toString("latin1");
      for (;;) {
        const end = buffered.indexOf("\r\n\r\n");
        if (end < 0) return;
        const head = buffered.slice(0, end);
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        if (buffered.length < end + 4 + length) return;
        const body = buffered.slice(end + 4, end + 4 + length);
        buffered = buffered.slice(end + 4 + length);
        const call = { path: head.split(" ")[1], head, body, socket };
        calls.push(call);
        handle(call);
      }
    });
  };
  const server = tls ? createTlsServer(tls, onSocket) : createServer(onSocket);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const port = (server.address() as { port: number }).port;
  return {
    port,
    host: `127.0.0.1:${port}`,
    connections: () => connections,
    calls,
    stop: () => {
      for (const socket of open) socket.destroy();
      return new Promise((done) => server.close(() => done()));
    },
  };
}

export function plain(
  socket: Socket,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
  status = 200,
): void {
  const bytes = Buffer.from(body as string);
  const lines = Object.entries({ "Content-Length": String(bytes.length), ...headers }).map(
    ([k, v]) => `${k}: ${v}\r\n`,
  );
  socket.write(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} X\r\n${lines.join("")}\r\n`), bytes]));
}

/** Writes pieces until the peer goes away or `most` is reached; resolves with how many were taken. */
export async function pour(socket: Socket, piece: (i: number) => string | Uint8Array, most: number): Promise<number> {
  let i = 0;
  for (; i < most && !socket.destroyed; i++) {
    if (socket.write(piece(i))) continue;
    await new Promise<void>((go) => {
      socket.once("drain", go);
      socket.once("close", () => go());
    });
  }
  return i;
}
