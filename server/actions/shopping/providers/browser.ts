// Pages that only exist in a browser: a Chromium that the operator points at renders them. Off unless set up. Its traffic goes
// through a proxy of our own that asks the guard, so that a page cannot turn the browser inward.
import { spawn } from "node:child_process";
import { lookup } from "node:dns/promises";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import { type Socket, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../../../lib/clock.ts";
import { GuardError, type GuardFetch } from "../../../lib/guard-fetch/index.ts";
import type { PageInput } from "../engine/page/extract.ts";
import type { ExtractedPage } from "../engine/page/result.ts";
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
const REQUEST_BYTES_MAX = 1024 * 1024;
const TIMEOUT_MS = 25_000;
/** How long the page's own timers may run, in the page's time. */
const SCRIPT_MS = 6_000;

/** Reads plainly first; renders only a page that answered well and shows no price. */
export function withBrowser(
  web: PageReader,
  render: (url: string, signal?: AbortSignal) => Promise<Uint8Array>,
  parse: Parse,
): PageReader {
  return {
    simulated: false,
    check: (url) => web.check(url),
    async read(url, request) {
      const plain = await web.read(url, request);
      if (!(await isShell(parse, url, plain))) return plain;
      const body = await render(plain.finalUrl, request.signal);
      // The shell's validators say nothing about what scripts make of it.
      return { ...plain, body, contentType: "text/html; charset=utf-8", etag: null, lastModified: null };
    },
  };
}

type Parse = (input: PageInput) => Promise<ExtractedPage> | ExtractedPage;

async function isShell(parse: Parse, url: string, answer: PageAnswer): Promise<boolean> {
  if (answer.status !== 200 || answer.notModified || !/html/i.test(answer.contentType ?? "html")) return false;
  const page = await parse({ bytes: answer.body, url, contentType: answer.contentType });
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
    const giveUp = options.clock.after(options.timeoutMs ?? TIMEOUT_MS, stop);
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

/** Chromium of a service that runs as root runs as `nobody`, as PostgreSQL does. */
const NOBODY = 65_534;
const IDENTITY = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : null;

/** The switches of Chromium. Every request goes through the proxy; WebRTC would bypass it. */
const switchesOf = (options: BrowserOptions, url: string, port: number, profile: string): string[] => [
  "--headless=new",
  "--disable-gpu",
  "--no-first-run",
  "--disable-extensions",
  "--disable-background-networking",
  "--disable-dev-shm-usage",
  "--blink-settings=imagesEnabled=false",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  `--user-data-dir=${profile}`,
  `--user-agent=${options.userAgent}`,
  `--proxy-server=http://127.0.0.1:${port}`,
  "--proxy-bypass-list=<-loopback>",
  // Names are resolved by the proxy alone.
  "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
  `--virtual-time-budget=${SCRIPT_MS}`,
  // A container that runs everything as root rarely lets a process build a sandbox of its own.
  ...(IDENTITY ? ["--no-sandbox"] : []),
  "--dump-dom",
  url,
];

/** The page as Chromium prints it. It is ended when it prints more than a page may have. */
async function dump(
  options: BrowserOptions,
  url: string,
  port: number,
  profile: string,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (IDENTITY) await chown(profile, IDENTITY.uid, IDENTITY.gid);
  const child = spawn(options.executable, switchesOf(options, url, port, profile), {
    ...IDENTITY,
    stdio: ["ignore", "pipe", "ignore"],
    env: { HOME: profile, PATH: "/usr/local/bin:/usr/bin:/bin" },
    signal,
    killSignal: "SIGKILL",
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()).once("error", () => resolve()));
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of child.stdout) {
      bytes += chunk.length;
      if (bytes > BYTES_MAX) throw new ReadError("too_large", "The rendered page is larger than a page may be.");
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof ReadError) throw error;
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
  if (signal.aborted) throw new ReadError("timeout", "The browser did not finish the page in time.");
  if (bytes === 0) throw new ReadError("unreachable", "The browser gave back nothing.");
  return Buffer.concat(chunks);
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
    const body = await readBody(request);
    if (body === null) return void response.writeHead(413).end();
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

/** What the page sends; null when it is more than a product page has to say. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > REQUEST_BYTES_MAX) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
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
