// A proxy that does what networks do: loses requests, loses answers, cuts bodies, resets connections, waits for ever.
// Each run has its own path prefix, list of faults and record of what came by. It judges nothing.
import { createServer, type Server, type Socket } from "node:net";

/** What happens to the n-th request of a run; nothing, when there is no n-th fault. */
export interface Fault {
  kind:
    | "drop"
    | "drop_answer"
    | "reset"
    | "reset_answer"
    | "half_body"
    | "hold"
    | "status"
    | "pass"
    | "cut_stream"
    | "silent_stream";
  /** status: what is answered without asking the service. */
  status?: number;
  body?: unknown;
  /** status, pass: headers to set (null removes). */
  headers?: Record<string, string | null>;
  /** pass: members to set in the answer's data, by path. */
  set?: Record<string, unknown>;
  /** cut_stream: events to let through. */
  after_events?: number;
}

export interface Seen {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  forwarded: boolean;
}

export interface Run {
  id: string;
  faults: (Fault | null)[];
  seen: Seen[];
  /** Resolved when a request is being held. */
  held: Promise<void>;
  onHeld(): void;
}

export interface Proxy {
  url: string;
  open(id: string, faults: (Fault | null)[]): Run;
  close(): void;
}

interface Request extends Seen {
  run: Run;
}

export async function startProxy(upstream: string): Promise<Proxy> {
  const runs = new Map<string, Run>();
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    readRequest(socket, (head, body) => {
      const request = understand(head, body, runs);
      if (!request) return socket.end(plain(404, "no such run"));
      void serve(socket, request, upstream).catch(() => socket.destroy());
    });
  });
  await new Promise<void>((go) => server.listen(0, "127.0.0.1", go));
  const address = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${address.port}`,
    open(id, faults) {
      let onHeld = () => {};
      const held = new Promise<void>((go) => (onHeld = go));
      const run: Run = { id, faults, seen: [], held, onHeld };
      runs.set(id, run);
      return run;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** One request a connection, so that every client opens a new one and none retries a stale one by itself. */
function readRequest(socket: Socket, whole: (head: string, body: Buffer) => void): void {
  let bytes = Buffer.alloc(0);
  const read = (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    const end = bytes.indexOf("\r\n\r\n");
    if (end < 0) return;
    const head = bytes.subarray(0, end).toString("latin1");
    const length = Number(/\r\ncontent-length:\s*(\d+)/i.exec(head)?.[1] ?? 0);
    const chunked = /\r\ntransfer-encoding:\s*chunked/i.test(head);
    const rest = bytes.subarray(end + 4);
    if (chunked ? !rest.toString("latin1").endsWith("0\r\n\r\n") : rest.length < length) return;
    socket.off("data", read);
    socket.on("data", () => {});
    whole(head, chunked ? unchunk(rest) : rest.subarray(0, length));
  };
  socket.on("data", read);
}

function unchunk(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = bytes.indexOf("\r\n", at);
    const size = Number.parseInt(bytes.subarray(at, line).toString("latin1"), 16);
    if (!(size > 0)) return Buffer.concat(parts);
    parts.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}

function understand(head: string, body: Buffer, runs: Map<string, Run>): Request | null {
  const [first, ...lines] = head.split("\r\n");
  const [method, target] = first.split(" ");
  const match = /^\/runs\/([^/]+)(\/.*)$/.exec(target);
  const run = match && runs.get(match[1]);
  if (!run) return null;
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  return { method, path: match[2], headers, body: body.toString("utf8"), forwarded: false, run };
}

async function serve(socket: Socket, request: Request, upstream: string): Promise<void> {
  const { run, ...seen } = request;
  run.seen.push(seen);
  const fault = run.faults[run.seen.length - 1] ?? { kind: "pass" as const };
  switch (fault.kind) {
    case "drop":
      return void socket.destroy();
    case "reset":
      return void socket.resetAndDestroy();
    case "silent_stream":
      return void socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n");
    case "hold":
      return run.onHeld();
    case "status":
      return void socket.end(
        plain(
          fault.status!,
          typeof fault.body === "string" ? fault.body : JSON.stringify(fault.body ?? {}),
          fault.headers,
        ),
      );
  }
  seen.forwarded = true;
  const gone = new AbortController();
  socket.on("close", () => gone.abort());
  const { host: _, connection: __, "accept-encoding": ___, ...headers } = seen.headers;
  const response = await fetch(upstream + seen.path, {
    method: seen.method,
    headers,
    redirect: "manual",
    ...(seen.body !== "" ? { body: seen.body } : {}),
    signal: fault.kind === "drop_answer" ? undefined : gone.signal,
  });
  if ((response.headers.get("content-type") ?? "").startsWith("text/event-stream"))
    return stream(socket, response, fault);
  const text = change(await response.text(), fault);
  if (fault.kind === "drop_answer") return void socket.destroy();
  if (fault.kind === "reset_answer") return void socket.resetAndDestroy();
  const whole = render(response.status, { ...Object.fromEntries(response.headers), ...fault.headers }, text);
  if (fault.kind !== "half_body") return void socket.end(whole);
  socket.write(whole.subarray(0, whole.length - Math.ceil(Buffer.byteLength(text) / 2)), () => socket.destroy());
}

async function stream(socket: Socket, response: Response, fault: Fault): Promise<void> {
  socket.write(`HTTP/1.1 ${response.status} OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n`);
  let events = 0;
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return void socket.end();
    for (const piece of decoder.decode(value, { stream: true }).split(/(?<=\n\n)/)) {
      socket.write(piece);
      if (/^data:/m.test(piece) && !/^event: ready$/m.test(piece)) events++;
      if (fault.kind === "cut_stream" && events >= (fault.after_events ?? 0)) {
        await reader.cancel();
        return void socket.end();
      }
    }
  }
}

function change(text: string, fault: Fault): string {
  if (!fault.set) return text;
  const answer = JSON.parse(text);
  for (const [path, value] of Object.entries(fault.set)) {
    const names = path.split(".");
    const last = names.pop()!;
    names.reduce((at, name) => at[name], answer.data)[last] = value;
  }
  return JSON.stringify(answer);
}

function render(status: number, given: Record<string, string | null>, body: string): Buffer {
  const skip = new Set(["connection", "content-length", "transfer-encoding", "content-encoding"]);
  const merged = new Map(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));
  const lines = [...merged]
    .filter(([name, value]) => !skip.has(name) && value !== null)
    .map(([name, value]) => `${name}: ${value}`);
  const head = [
    `HTTP/1.1 ${status} X`,
    ...lines,
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
    "",
    "",
  ].join("\r\n");
  return Buffer.concat([Buffer.from(head, "latin1"), Buffer.from(body)]);
}

const plain = (status: number, body: string, headers: Record<string, string | null> = {}) =>
  render(status, { "content-type": "application/json", ...headers }, body);
