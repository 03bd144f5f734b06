// Kept connections: when one may carry another request, and that nothing of one exchange ever reaches the next.
import { afterEach, describe, expect, test } from "bun:test";
import { EventEmitter } from "node:events";
import { createServer, type Socket } from "node:net";
import { CERTIFICATE } from "../../../tests/certificate.ts";
import { ManualClock } from "../clock.ts";
import type { Connection } from "./connect.ts";
import { createConnections, MAX_AGE_MS, MAX_IDLE, MAX_IDLE_MS, MAX_IDLE_PER_KEY } from "./connections.ts";
import { createGuardFetch, type GuardError, type GuardFetchOptions } from "./index.ts";
import { type Call, plain, rawServer } from "./raw-server.ts";

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const REQUEST = { polite: false, idempotent: true, skipBody: true, method: "POST", body: "cargo" };
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "none",
    (error: GuardError) => error.code,
  );
const turns = async () => {
  for (let i = 0; i < 20; i++) await new Promise((go) => setImmediate(go));
};

/** A server, and a guard that may reach it under names of the test's choosing. */
async function pair(handle: (call: Call, n: number) => void, options: Partial<GuardFetchOptions> = {}) {
  let n = 0;
  const server = await rawServer((call) => handle(call, ++n));
  const clock = new ManualClock();
  const names = ["127.0.0.1", "a.example", "b.example"];
  const guard = createGuardFetch({
    clock,
    userAgent: "t",
    allowLoopback: names.map((name) => `${name}:${server.port}`),
    resolver: async () => ["127.0.0.1"],
    ...options,
  });
  endings.push(server.stop, guard.close);
  const post = (host = "127.0.0.1", more = {}) =>
    guard.fetch(`http://${host}:${server.port}/`, { ...REQUEST, ...more });
  return { server, clock, guard, post };
}

describe("a connection is used again", () => {
  test("for the same host and port, whatever the way its answer ended", async () => {
    const answers = [
      "HTTP/1.1 204 X\r\n\r\n",
      "HTTP/1.1 500 X\r\nContent-Length: 3\r\n\r\nbad",
      "HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 X\r\nContent-Length: 2\r\n\r\nok",
    ];
    const { server, post } = await pair(({ socket }, n) => void socket.write(answers[n % answers.length]));
    for (let i = 0; i < 12; i++) await post();
    expect([server.calls.length, server.connections()]).toEqual([12, 1]);
  });

  test("without a second lookup, but only for a minute: then the name is checked anew", async () => {
    const addresses: string[][] = [["127.0.0.1"], ["10.0.0.1"]];
    let asked = 0;
    const { clock, post } = await pair(({ socket }) => plain(socket, "ok"), {
      resolver: async () => addresses[asked++],
    });
    for (let passedMs = 0; passedMs < MAX_AGE_MS; passedMs += MAX_IDLE_MS / 2) {
      expect((await post("a.example")).status).toBe(200);
      await clock.advance(MAX_IDLE_MS / 2);
    }
    expect(asked).toBe(1);
    expect(await codeOf(post("a.example"))).toBe("target_not_allowed");
    expect(asked).toBe(2);
  });

  test("never under another name, though both lead to one address", async () => {
    const { server, post } = await pair(({ socket }) => plain(socket, "ok"));
    for (const host of ["a.example", "b.example", "127.0.0.1", "a.example", "b.example"]) await post(host);
    expect(server.connections()).toBe(3);
  });

  test("over TLS under its own name alone", async () => {
    const { key, cert } = CERTIFICATE;
    const secure = await rawServer(({ socket }) => plain(socket, "ok"), { key, cert });
    const allowLoopback = [`shop.example:${secure.port}`, `other.example:${secure.port}`];
    const clock = new ManualClock();
    const guard = createGuardFetch({
      clock,
      userAgent: "t",
      ca: cert,
      resolver: async () => ["127.0.0.1"],
      allowLoopback,
    });
    endings.push(secure.stop, guard.close);
    for (let i = 0; i < 3; i++) await guard.fetch(`https://shop.example:${secure.port}/`, REQUEST);
    expect([secure.calls.length, secure.connections()]).toEqual([3, 1]);
    expect(await codeOf(guard.fetch(`https://other.example:${secure.port}/`, REQUEST))).toBe("upstream_tls");
  });

  test("not after four silent seconds", async () => {
    const { server, clock, post } = await pair(({ socket }) => plain(socket, "ok"));
    await post();
    await clock.advance(MAX_IDLE_MS);
    await post();
    expect(server.connections()).toBe(2);
  });
});

describe("a connection is not used again", () => {
  const cases: [what: string, answer: string][] = [
    ["asked to close", "HTTP/1.1 200 X\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"],
    ["HTTP/1.0", "HTTP/1.0 200 X\r\nContent-Length: 2\r\n\r\nok"],
    ["a second answer came with the first", "HTTP/1.1 200 X\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 500 X\r\n\r\n"],
    ["a body came with 204", "HTTP/1.1 204 X\r\nContent-Length: 2\r\n\r\nok"],
    ["a body past 64 KiB was left unread", `HTTP/1.1 200 X\r\nContent-Length: 99999\r\n\r\n${"x".repeat(70_000)}`],
  ];
  for (const [what, answer] of cases) {
    test(`when ${what}`, async () => {
      const { server, post } = await pair(({ socket }) => void socket.write(answer));
      for (let i = 0; i < 3; i++) expect((await post()).status).toBeLessThan(300);
      expect(server.connections()).toBe(3);
    });
  }

  test("when the answer came before the request had been sent", async () => {
    const body = "x".repeat(30_000_000);
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.on("error", () => {});
      socket.once("data", () => {
        socket.pause();
        socket.write("HTTP/1.1 200 X\r\nContent-Length: 2\r\n\r\nok");
      });
      endings.push(() => socket.destroy());
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    endings.push(() => server.close());
    const host = `127.0.0.1:${(server.address() as { port: number }).port}`;
    const guard = createGuardFetch({ clock: new ManualClock(), userAgent: "t", allowLoopback: [host] });
    endings.push(guard.close);
    for (let i = 0; i < 2; i++) expect((await guard.fetch(`http://${host}/`, { ...REQUEST, body })).status).toBe(200);
    expect(connections).toBe(2);
  });

  test("when an answer is sent on it that nobody asked for", async () => {
    const { server, post } = await pair(({ socket, body }, n) => {
      plain(socket, body);
      // A packet of its own, behind the answer: the next request must not take it for its own answer.
      if (n % 2 === 1) setImmediate(() => plain(socket, "evil"));
    });
    for (let i = 0; i < 50; i++) {
      const answer = await post("127.0.0.1", { body: `cargo ${i}` });
      expect(answer.text()).toBe(`cargo ${i}`);
      await turns();
    }
    expect(server.connections()).toBe(26);
  });
});

describe("a kept connection that dies", () => {
  test("between two requests is replaced without a word", async () => {
    const { server, post } = await pair(({ socket }) => plain(socket, "ok"));
    await post();
    server.calls[0].socket.destroy();
    await turns();
    expect((await post()).status).toBe(200);
    expect([server.calls.length, server.connections()]).toEqual([2, 2]);
  });

  test("before the first byte of an answer has its request sent once more, on a fresh one", async () => {
    const { server, post } = await pair(({ socket }, n) => (n === 2 ? socket.destroy() : plain(socket, "ok")));
    await post();
    expect((await post()).status).toBe(200);
    expect([server.calls.length, server.connections()]).toEqual([3, 2]);
  });

  test("is replaced once only: the fresh one has no second chance", async () => {
    const { server, post } = await pair(({ socket }, n) => (n > 1 ? socket.destroy() : plain(socket, "ok")));
    await post();
    expect(await codeOf(post())).toBe("upstream_unreachable");
    expect(server.calls.length).toBe(3);
  });

  for (const part of ["H", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"]) {
    test(`after ${JSON.stringify(part)} is an error: the request may have been carried out`, async () => {
      const { server, post } = await pair(({ socket }, n) => void (n === 2 ? socket.end(part) : plain(socket, "ok")));
      await post();
      expect(await codeOf(post())).toBe("upstream_protocol");
      expect(server.calls.length).toBe(2);
    });
  }

  test("of silence is an error, and the request is not sent again", async () => {
    const { server, clock, post } = await pair(({ socket }, n) => (n === 1 ? plain(socket, "ok") : undefined));
    await post();
    const pending = codeOf(post());
    while (server.calls.length < 2) await new Promise((go) => setImmediate(go));
    await clock.advance(10_000);
    expect(await pending).toBe("upstream_timeout");
    expect(server.calls.length).toBe(2);
  });
});

test("what must not be sent twice never travels on a kept connection", async () => {
  const { server, post } = await pair(({ socket }) => plain(socket, "ok"));
  for (let i = 0; i < 3; i++) await post("127.0.0.1", { idempotent: false });
  await post();
  await post("127.0.0.1", { idempotent: false });
  expect(server.connections()).toBe(5);
  expect(server.calls.map(({ head }) => /connection: (\S+)/.exec(head)?.[1])).toEqual([
    "close",
    "close",
    "close",
    "keep-alive",
    "close",
  ]);
});

test("closing the guard ends what is under way and keeps nothing", async () => {
  const { server, guard, post } = await pair(() => {});
  const pending = codeOf(post());
  while (server.calls.length === 0) await new Promise((go) => setImmediate(go));
  guard.close();
  expect(await pending).toBe("aborted");
});

describe("the number of kept connections", () => {
  function opened(count: number, hosts: number) {
    const clock = new ManualClock();
    const sockets: (EventEmitter & { destroyed: boolean })[] = [];
    const dial = () => {
      const socket = Object.assign(new EventEmitter(), { destroyed: false, remoteAddress: "192.0.2.1" });
      sockets.push(Object.assign(socket, { destroy: () => void (socket.destroyed = true) }));
      return socket as unknown as Socket;
    };
    const connections = createConnections(clock, dial);
    const pinned = { address: "192.0.2.1", port: 80, tls: null };
    const open: Connection[] = [];
    for (let i = 0; i < count; i++) open.push(connections.open(pinned, `h${i % hosts}.example`, 0));
    for (const connection of open) connections.giveBack(connection, true);
    return { clock, sockets, connections, alive: () => sockets.filter((socket) => !socket.destroyed).length };
  }

  test("is bounded for one host", () => expect(opened(50, 1).alive()).toBe(MAX_IDLE_PER_KEY));

  test("is bounded in all: the longest unused goes first", () => {
    const { sockets, alive } = opened(MAX_IDLE + 10, MAX_IDLE + 10);
    expect(alive()).toBe(MAX_IDLE);
    expect(sockets.slice(0, 10).every((socket) => socket.destroyed)).toBe(true);
  });

  test("falls to none when nothing is sent", async () => {
    const { clock, alive } = opened(20, 5);
    await clock.advance(2 * MAX_IDLE_MS);
    expect(alive()).toBe(0);
  });
});
