// What a well-behaved exchange looks like: redirects, validators, charsets, connections, headers, certificates.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { ManualClock } from "../clock.ts";
import { CERTIFICATE } from "../../../tests/certificate.ts";
import { createGuardFetch } from "./index.ts";
import type { GuardError, GuardFetch } from "./index.ts";
import { plain, rawServer } from "./raw-server.ts";
import type { RawServer } from "./raw-server.ts";

let server: RawServer;
let guard: GuardFetch;
const at = (path: string) => `http://${server.host}${path}`;
const codeOf = (p: Promise<unknown>) =>
  p.then(
    () => "none",
    (e: GuardError) => e.code,
  );

beforeAll(async () => {
  server = await rawServer(({ path, head, body, socket }) => {
    const [, name, arg] = path.split("/");
    if (name === "hello") return plain(socket, "hello");
    if (name === "echo") return plain(socket, JSON.stringify({ head, body }));
    if (name === "status") return plain(socket, "x", { "Retry-After": "7" }, Number(arg));
    if (name === "move") return plain(socket, "", { Location: decodeURIComponent(path.split("/")[3]) }, Number(arg));
    if (name === "loop") return plain(socket, "", { Location: "/loop" }, 302);
    if (name === "page") {
      if (/if-none-match: "v1"/i.test(head)) return void socket.write('HTTP/1.1 304 X\r\nETag: "v1"\r\n\r\n');
      return plain(socket, "page", { ETag: '"v1"', "Last-Modified": "Mon, 01 Jan 2024 00:00:00 GMT" });
    }
    if (name === "close") {
      plain(socket, "bye");
      return void socket.end();
    }
    if (name === "enc") {
      const text = "hello ".repeat(1000);
      const pack = {
        gzip: gzipSync,
        deflate: deflateSync,
        raw: deflateRawSync,
        br: brotliCompressSync,
        zstd: zstdCompressSync,
      };
      return plain(socket, pack[arg as "gzip"](text), { "Content-Encoding": arg === "raw" ? "deflate" : arg });
    }
    if (name === "twice")
      return plain(socket, brotliCompressSync(gzipSync("deep")), { "Content-Encoding": "gzip, br" });
    if (name === "thrice") return plain(socket, "x", { "Content-Encoding": "gzip, gzip, gzip" });
    if (name === "odd") return plain(socket, "x", { "Content-Encoding": "rot13" });
    if (name === "text") {
      const [type, bytes] = decodeURIComponent(arg).split("|");
      return plain(socket, Buffer.from(bytes, "hex"), type ? { "Content-Type": type } : {});
    }
  });
  guard = createGuardFetch({
    clock: new ManualClock(),
    userAgent: "ActionConnector/1.0 (+https://example.org/bot)",
    allowLoopback: [server.host],
    pace: { gapMs: 0 },
  });
});
afterAll(async () => {
  guard.close();
  await server.stop();
});

describe("redirects", () => {
  const move = (status: number, to: string) => at(`/move/${status}/${encodeURIComponent(to)}`);

  test("are followed by hand and named in finalUrl", async () => {
    const answer = await guard.fetch(move(302, "/hello#part"));
    expect([answer.status, answer.text(), answer.finalUrl]).toEqual([200, "hello", at("/hello")]);
  });

  test("end in an error after three hops", async () => {
    const before = server.calls.length;
    expect(await codeOf(guard.fetch(at("/loop")))).toBe("too_many_redirects");
    expect(server.calls.length - before).toBe(4);
  });

  test("are the answer itself when none may be followed, and for a POST", async () => {
    expect((await guard.fetch(move(301, "/hello"), { redirects: 0 })).status).toBe(301);
    expect((await guard.fetch(move(307, "/hello"), { method: "POST", body: "x" })).status).toBe(307);
  });

  test("303 turns a POST into a GET without its body; 307 keeps both", async () => {
    const post = { method: "POST", body: "cargo", redirects: 1, headers: { "Content-Type": "text/plain" } };
    const seen = async (status: number) => JSON.parse((await guard.fetch(move(status, "/echo"), post)).text());
    const changed = await seen(303);
    expect(changed.head).toStartWith("GET ");
    expect(changed.head).not.toMatch(/content-type/i);
    const kept = await seen(307);
    expect([kept.head.slice(0, 5), kept.body]).toEqual(["POST ", "cargo"]);
  });

  test("never carry secrets to another origin", async () => {
    const other = await rawServer(({ socket, head }) => plain(socket, head));
    const both = createGuardFetch({
      clock: new ManualClock(),
      userAgent: "t",
      allowLoopback: [server.host, other.host],
    });
    const headers = { Authorization: "Bearer s3cret", Cookie: "a=b", "X-Kept": "yes" };
    const text = (await both.fetch(move(302, `http://${other.host}/`), { headers })).text();
    expect(text).not.toContain("s3cret");
    expect(text).not.toMatch(/cookie/i);
    expect(text).toMatch(/x-kept: yes/i);
    both.close();
    await other.stop();
  });
});

describe("requests", () => {
  test("say who we are and cannot override framing", async () => {
    const headers = { Host: "evil.example", "Transfer-Encoding": "chunked", "Content-Length": "99", "X-A": "1" };
    const { head } = JSON.parse((await guard.fetch(at("/echo"), { headers })).text());
    expect(head).toContain(`host: ${server.host}`);
    expect(head).toContain("user-agent: ActionConnector/1.0 (+https://example.org/bot)");
    expect(head).not.toMatch(/evil|chunked|99/);
  });

  test("a header with a line break is refused by the HTTP layer", async () => {
    expect(await codeOf(guard.fetch(at("/echo"), { headers: { "x-a": "1\r\nx-b: 2" } }))).not.toBe("none");
  });

  test("keep connections for what may be repeated, and only for that", async () => {
    const before = server.connections();
    for (let i = 0; i < 5; i++) await guard.fetch(at("/hello"));
    expect(server.connections() - before).toBeLessThanOrEqual(1);
    const posts = server.connections();
    for (let i = 0; i < 2; i++) await guard.fetch(at("/echo"), { method: "POST", body: "x" });
    expect(server.connections() - posts).toBe(2);
  });

  test("a connection the other side closed is replaced, not an error", async () => {
    for (let i = 0; i < 5; i++) expect((await guard.fetch(at("/close"))).text()).toBe("bye");
  });

  test("conditional: validators out, 304 in", async () => {
    const first = await guard.fetch(at("/page"));
    expect(first.validators).toEqual({ etag: '"v1"', lastModified: "Mon, 01 Jan 2024 00:00:00 GMT" });
    const second = await guard.fetch(at("/page"), { conditional: first.validators });
    expect([second.status, second.notModified, second.body.length]).toEqual([304, true, 0]);
  });

  test("an abandoned request ends at once", async () => {
    const quiet = await rawServer(() => {});
    const own = createGuardFetch({ clock: new ManualClock(), userAgent: "t", allowLoopback: [quiet.host] });
    const giveUp = new AbortController();
    const pending = codeOf(own.fetch(`http://${quiet.host}/`, { signal: giveUp.signal }));
    giveUp.abort();
    expect(await pending).toBe("aborted");
    own.close();
    await quiet.stop();
  });
});

describe("bodies", () => {
  for (const coding of ["gzip", "deflate", "raw", "br", "zstd"]) {
    test(`${coding} is undone`, async () =>
      expect((await guard.fetch(at(`/enc/${coding}`))).text()).toBe("hello ".repeat(1000)));
  }
  test("two codings are undone in reverse; three or an unknown one are refused", async () => {
    expect((await guard.fetch(at("/twice"))).text()).toBe("deep");
    expect(await codeOf(guard.fetch(at("/thrice")))).toBe("upstream_protocol");
    expect(await codeOf(guard.fetch(at("/odd")))).toBe("upstream_protocol");
  });

  const charsets: [string, string, string, string][] = [
    ["the header's charset", "text/html; charset=Shift_JIS", "83658358", "テス"],
    ["quoted", 'text/html; charset="windows-1251"', "cff0e8", "При"],
    ["byte order mark before header", "text/html; charset=windows-1252", "efbbbfc3a9", "é"],
    ["UTF-16 by mark", "text/xml", "fffe41004200", "AB"],
    ["meta", "text/html", Buffer.from('<meta charset="gbk">').toString("hex") + "c4e3", '<meta charset="gbk">你'],
    [
      "XML declaration",
      "",
      Buffer.from("<?xml version='1.0' encoding='iso-8859-2'?>").toString("hex") + "b3",
      "<?xml version='1.0' encoding='iso-8859-2'?>ł",
    ],
    ["undeclared UTF-8", "", "c3a9", "é"],
    ["undeclared and not UTF-8", "text/plain", "e920", "é "],
    ["an unknown label falls through", "text/plain; charset=klingon", "c3a9", "é"],
  ];
  for (const [title, type, hex, text] of charsets) {
    test(`text: ${title}`, async () => {
      const answer = await guard.fetch(at(`/text/${encodeURIComponent(`${type}|${hex}`)}`));
      expect(answer.text()).toBe(text);
    });
  }
});

describe("certificates", () => {
  test("are checked against the name, while the checked address is dialed", async () => {
    const { key, cert } = CERTIFICATE;
    const secure = await rawServer(({ socket, head }) => plain(socket, head), { key, cert });
    const make = (ca?: string) =>
      createGuardFetch({
        clock: new ManualClock(),
        userAgent: "t",
        ca,
        resolver: async () => ["127.0.0.1"],
        allowLoopback: [`shop.example:${secure.port}`, `other.example:${secure.port}`],
      });
    const trusting = make(cert);
    const answer = await trusting.fetch(`https://shop.example:${secure.port}/x`);
    expect(answer.text()).toContain(`host: shop.example:${secure.port}`);
    expect(await codeOf(trusting.fetch(`https://other.example:${secure.port}/`))).toBe("upstream_tls");
    const strict = make();
    expect(await codeOf(strict.fetch(`https://shop.example:${secure.port}/`))).toBe("upstream_tls");
    trusting.close();
    strict.close();
    await secure.stop();
  });
});
