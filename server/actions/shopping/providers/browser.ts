// Pages that only exist in a browser: a Chromium that the operator points at renders them. Off unless set up. Its traffic goes
// through a proxy of our own that asks the guard, so that a page cannot turn the browser inward.
import { lookup } from "node:dns/promises";
import { mkdtemp, rm } from "node:fs/promises";
import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import { type Socket, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../../../lib/clock.ts";
import { GuardError, type GuardFetch } from "../../../lib/guard-fetch/index.ts";
import { extractPage } from "../engine/page/extract.ts";
import { type PageAnswer, type PageReader, ReadError } from "./port.ts";

export interface BrowserOptions {
  executable: string;
  guard: GuardFetch;
  clock: Clock;
  userAgent: string;
  /** Of one page, start of the browser included. */
  timeoutMs?: number;
}

const BYTES_MAX = 30 * 1024 * 1024;
/** How long the page's own timers may run, in the page's time. */
const SCRIPT_MS = 6_000;

/** Reads plainly first; renders only a page that answered well and shows no price. */
export function withBrowser(
  web: PageReader,
  render: (url: string, signal?: AbortSignal) => Promise<Uint8Array>,
): PageReader {
  return {
    simulated: false,
    check: (url) => web.check(url),
    async read(url, request) {
      const plain = await web.read(url, request);
      if (!isShell(url, plain)) return plain;
      const body = await render(plain.finalUrl, request.signal);
      // The shell's validators say nothing about what scripts make of it.
      return { ...plain, body, contentType: "text/html; charset=utf-8", etag: null, lastModified: null };
    },
  };
}

function isShell(url: string, answer: PageAnswer): boolean {
  if (answer.status !== 200 || answer.notModified || !/html/i.test(answer.contentType ?? "html")) return false;
  const page = extractPage({ bytes: answer.body, url, contentType: answer.contentType });
  return (
    page.price === null &&
    page.status !== "blocked" &&
    page.status !== "gone" &&
    Buffer.from(answer.body).includes("<script")
  );
}

export function createBrowser(options: BrowserOptions) {
  return async function render(url: string, signal?: AbortSignal): Promise<Uint8Array> {
    const proxy = await startProxy(options.guard);
    const profile = await mkdtemp(join(tmpdir(), "connector-browser-"));
    const cancel = new AbortController();
    const stop = () => cancel.abort();
    signal?.addEventListener("abort", stop, { once: true });
    const giveUp = options.clock.after(options.timeoutMs ?? 25_000, stop);
    try {
      return await dump(options, url, proxy.port, profile, cancel.signal);
    } finally {
      giveUp();
      signal?.removeEventListener("abort", stop);
      await proxy.close();
      await rm(profile, { recursive: true, force: true });
    }
  };
}

async function dump(
  options: BrowserOptions,
  url: string,
  port: number,
  profile: string,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const root = process.getuid?.() === 0;
  const child = Bun.spawn(
    [
      options.executable,
      "--headless=new",
      "--disable-gpu",
      "--no-first-run",
      "--disable-extensions",
      "--disable-background-networking",
      "--disable-dev-shm-usage",
      "--blink-settings=imagesEnabled=false",
      `--user-data-dir=${profile}`,
      `--user-agent=${options.userAgent}`,
      `--proxy-server=http://127.0.0.1:${port}`,
      "--proxy-bypass-list=<-loopback>",
      // Names are resolved by the proxy alone.
      "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
      `--virtual-time-budget=${SCRIPT_MS}`,
      // Chromium refuses its sandbox to root; then the container is the sandbox.
      ...(root ? ["--no-sandbox"] : []),
      "--dump-dom",
      url,
    ],
    { stdout: "pipe", stderr: "ignore", stdin: "ignore", signal, killSignal: "SIGKILL" },
  );
  const body = new Uint8Array(await new Response(child.stdout).arrayBuffer());
  await child.exited;
  if (signal.aborted) throw new ReadError("timeout", "The browser did not finish the page in time.");
  if (body.length === 0) throw new ReadError("unreachable", "The browser gave back nothing.");
  return body.length > BYTES_MAX ? body.subarray(0, BYTES_MAX) : body;
}

/** A forward proxy on loopback for one page: every target is checked, bytes are counted. */
async function startProxy(guard: GuardFetch): Promise<{ port: number; close(): Promise<void> }> {
  const budget = { left: BYTES_MAX };
  const sockets = new Set<Socket>();
  const server: Server = createServer((request, response) => void forward(guard, request, response, budget));
  server.on(
    "connect",
    (request: IncomingMessage, client: Socket) => void tunnel(guard, request, client, budget, sockets),
  );
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as { port: number }).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function forward(
  guard: GuardFetch,
  request: IncomingMessage,
  response: ServerResponse,
  budget: { left: number },
): Promise<void> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const type = request.headers["content-type"];
    const answer = await guard.fetch(request.url ?? "", {
      method: request.method,
      polite: false,
      redirects: 0,
      headers: {
        ...(request.headers.accept ? { accept: request.headers.accept } : {}),
        ...(type ? { "content-type": type } : {}),
      },
      ...(body.length > 0 ? { body } : {}),
    });
    budget.left -= answer.body.length;
    if (budget.left < 0) return void response.writeHead(413).end();
    const headers: Record<string, string> = {};
    for (const name of ["content-type", "location", "access-control-allow-origin", "access-control-allow-headers"]) {
      const value = answer.headers.get(name);
      if (value) headers[name] = value;
    }
    response.writeHead(answer.status, headers).end(answer.body);
  } catch (error) {
    response.writeHead(error instanceof GuardError ? 403 : 502).end();
  }
}

/** TLS goes through untouched, to an address that was checked and to no other. */
async function tunnel(
  guard: GuardFetch,
  request: IncomingMessage,
  client: Socket,
  budget: { left: number },
  sockets: Set<Socket>,
): Promise<void> {
  try {
    const target = new URL(`https://${request.url}`);
    if (target.port !== "" && target.port !== "443") throw new Error("port");
    const [found] = await lookup(target.hostname.replaceAll(/[[\]]/g, ""), { all: true });
    await guard.check(`https://${found!.family === 6 ? `[${found!.address}]` : found!.address}/`);
    const upstream = connect(443, found!.address);
    sockets.add(upstream);
    const end = () => {
      upstream.destroy();
      client.destroy();
    };
    upstream.on("error", end).on("close", end);
    client.on("error", end).on("close", end);
    upstream.once("connect", () => client.write("HTTP/1.1 200 OK\r\n\r\n"));
    upstream.on("data", (chunk: Buffer) => ((budget.left -= chunk.length) < 0 ? end() : client.write(chunk)));
    client.on("data", (chunk: Buffer) => upstream.write(chunk));
  } catch {
    client.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  }
}
