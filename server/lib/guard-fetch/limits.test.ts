// What a hostile or broken peer can cost: bounded time and memory, and an error that says what happened.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { gzipSync, brotliCompressSync } from "node:zlib";
import { ManualClock } from "../clock.ts";
import { createGuardFetch } from "./index.ts";
import type { GuardError, GuardFetch } from "./index.ts";
import { plain, pour, rawServer } from "./raw-server.ts";
import type { RawServer } from "./raw-server.ts";

const MB = 1 << 20;
let server: RawServer;
let guard: GuardFetch;
const clock = new ManualClock();
const at = (path: string) => `http://${server.host}${path}`;
const codeOf = (p: Promise<unknown>) =>
  p.then(
    () => "none",
    (e: GuardError) => e.code,
  );

beforeAll(async () => {
  // 1 GiB of zeros packs to about 1 MB: gzip members may be concatenated, so one MiB packed serves 1,024 times.
  const member = gzipSync(new Uint8Array(MB), { level: 9 });
  const bomb = Buffer.concat(Array<Uint8Array>(1024).fill(member));
  const brotliBomb = brotliCompressSync(new Uint8Array(64 * MB));
  server = await rawServer(({ path, socket }) => {
    const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    if (path === "/bomb") return plain(socket, bomb, { "Content-Encoding": "gzip" });
    if (path === "/brotli-bomb") return plain(socket, brotliBomb, { "Content-Encoding": "br" });
    if (path === "/nested-bomb")
      return plain(socket, gzipSync(gzipSync(new Uint8Array(64 * MB))), { "Content-Encoding": "gzip, gzip" });
    if (path === "/large") return plain(socket, new Uint8Array(10 * MB));
    if (path === "/torn-gzip") return plain(socket, member.subarray(0, 100), { "Content-Encoding": "gzip" });
    if (path === "/not-gzip") return plain(socket, "plain text", { "Content-Encoding": "gzip" });
    if (path === "/half") {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
      return void socket.end();
    }
    if (path === "/garbage") return void socket.end("SSH-2.0-OpenSSH_9\r\n\r\n");
    if (path === "/smuggle")
      return void socket.write("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    if (path === "/hangup") return void socket.end();
    if (path === "/silent") return;
    if (path === "/drip") return void socket.write(`${chunked}1\r\nx\r\n`);
    if (path === "/headers") {
      socket.write("HTTP/1.1 200 OK\r\n");
      return void pour(socket, (i) => `X-${i}: ${"a".repeat(1000)}\r\n`, 1_000_000);
    }
    if (path === "/one-header") {
      socket.write("HTTP/1.1 200 OK\r\nX-Endless: ");
      return void pour(socket, () => "a".repeat(10_000), 1_000_000);
    }
    if (path === "/endless") {
      socket.write(chunked);
      const piece = `10000\r\n${"z".repeat(65536)}\r\n`;
      return void pour(socket, () => piece, 100_000);
    }
  });
  guard = createGuardFetch({ clock, userAgent: "t", allowLoopback: [server.host], pace: { gapMs: 0 } });
});
afterAll(async () => {
  guard.close();
  await server.stop();
});

async function grownMb(run: () => Promise<unknown>): Promise<number> {
  Bun.gc(true);
  const before = process.memoryUsage().rss;
  await run();
  return (process.memoryUsage().rss - before) / MB;
}

const impolite = { polite: false };

describe("size", () => {
  for (const path of ["/bomb", "/brotli-bomb", "/nested-bomb"]) {
    test(`${path}: stopped early with bounded memory`, async () => {
      let code = "";
      const grown = await grownMb(async () => (code = await codeOf(guard.fetch(at(path), impolite))));
      expect(code).toBe("too_large");
      expect(grown).toBeLessThan(96);
    });
  }

  test("wire bytes and decoded bytes have limits of their own", async () => {
    expect(await codeOf(guard.fetch(at("/large"), impolite))).toBe("too_large");
    const limits = { wireBytes: 20 * MB };
    expect((await guard.fetch(at("/large"), { ...impolite, limits })).body.length).toBe(10 * MB);
    expect(await codeOf(guard.fetch(at("/large"), { ...impolite, limits: { ...limits, decodedBytes: MB } }))).toBe(
      "too_large",
    );
  });

  test("an endless body is cut at the limit", async () => {
    const grown = await grownMb(async () =>
      expect(await codeOf(guard.fetch(at("/endless"), impolite))).toBe("too_large"),
    );
    expect(grown).toBeLessThan(96);
  });

  for (const path of ["/headers", "/one-header"]) {
    test(`endless headers ${path} are cut`, async () => {
      const grown = await grownMb(async () => expect(await codeOf(guard.fetch(at(path), impolite))).toBe("too_large"));
      expect(grown).toBeLessThan(64);
    });
  }
});

describe("broken answers", () => {
  for (const path of ["/torn-gzip", "/not-gzip", "/half", "/garbage", "/smuggle"]) {
    test(`${path} is upstream_protocol`, async () =>
      expect(await codeOf(guard.fetch(at(path), impolite))).toBe("upstream_protocol"));
  }
  test("/hangup is upstream_unreachable", async () => {
    expect(await codeOf(guard.fetch(at("/hangup"), impolite))).toBe("upstream_unreachable");
  });
});

describe("time, on an owned clock", () => {
  /** Moves the clock in steps while the exchange goes on, until it ends. */
  async function timeTo(url: string, stepMs: number): Promise<{ code: string; ms: number; detail: string }> {
    let done: GuardError | null = null;
    const start = clock.monotonic();
    const calls = server.calls.length;
    guard.fetch(url, impolite).catch((e: GuardError) => (done = e));
    while (server.calls.length === calls) await new Promise((go) => setImmediate(go));
    while (!done) {
      await clock.advance(stepMs);
      for (let i = 0; i < 20; i++) await new Promise((go) => setImmediate(go));
      server.calls.at(-1)?.socket.write(url.endsWith("/drip") ? "1\r\nx\r\n" : "");
      if (clock.monotonic() - start > 60_000) throw new Error("never ended");
    }
    const error = done as GuardError;
    return { code: error.code, ms: clock.monotonic() - start, detail: error.detail };
  }

  test("silence ends at the idle limit", async () => {
    const end = await timeTo(at("/silent"), 1000);
    expect(end).toEqual({ code: "upstream_timeout", ms: 10_000, detail: "Nothing was received within 10000 ms." });
  });

  test("a drip that never pauses ends at the total limit", async () => {
    const end = await timeTo(at("/drip"), 1000);
    expect(end).toEqual({
      code: "upstream_timeout",
      ms: 20_000,
      detail: "The answer was not complete within 20000 ms.",
    });
  });

  test("a name service that never answers ends at the connect limit", async () => {
    const deaf = createGuardFetch({ clock, userAgent: "t", resolver: () => new Promise(() => {}) });
    const pending = codeOf(deaf.fetch("http://slow.example/", impolite));
    await clock.advance(5000);
    expect(await pending).toBe("upstream_timeout");
  });
});
