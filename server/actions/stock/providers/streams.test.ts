// The WebSockets of Alpaca and Finnhub against a local server: hello, corrections, cuts, refusals and silence.
import { afterEach, describe, expect, test } from "bun:test";
import type { ServerWebSocket } from "bun";
import { ManualClock } from "../../../lib/clock.ts";
import type { Security } from "../engine/upstream/source.ts";
import type { Draft } from "../engine/quote/model.ts";
import { alpaca } from "./alpaca.ts";
import { securityFor } from "./conformance.ts";
import { finnhub } from "./finnhub.ts";
import type { Provider, ProviderDeps, StreamSource } from "./port.ts";

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

interface Room {
  sockets: ServerWebSocket<unknown>[];
  said: any[];
  drafts: { key: string; draft: Draft }[];
  silent: string[][];
  logs: string[];
  clock: ManualClock;
  stream: StreamSource;
  send(message: unknown): void;
  /** Resolves when the condition holds; checked on everything that happens. */
  until(condition: () => boolean): Promise<void>;
}

function openRoom(
  open: (deps: ProviderDeps) => Provider,
  onMessage: (room: Room, message: any, socket: ServerWebSocket<unknown>) => void,
  onOpen = (_s: ServerWebSocket<unknown>) => {},
): Room {
  const waiting = new Set<() => void>();
  const stir = () => [...waiting].forEach((check) => check());
  const room = {
    sockets: [],
    said: [],
    drafts: [],
    silent: [],
    logs: [],
    clock: new ManualClock("2026-11-03T15:30:00Z"),
  } as unknown as Room;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request, s) => (s.upgrade(request) ? undefined : new Response("no", { status: 400 })),
    websocket: {
      open(socket) {
        room.sockets.push(socket);
        onOpen(socket);
        stir();
      },
      message(socket, text) {
        const message = JSON.parse(String(text));
        room.said.push(message);
        onMessage(room, message, socket);
        stir();
      },
      close: stir,
    },
  });
  room.send = (message) => void room.sockets.at(-1)!.send(JSON.stringify(message));
  room.until = (condition) =>
    new Promise((resolve) => {
      const check = () => {
        if (!condition()) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  const provider = open({ fetch: (() => {}) as any, clock: room.clock, streamUrl: `ws://127.0.0.1:${server.port}` });
  room.stream = provider.openStream!({
    onDraft(security: Security, draft) {
      room.drafts.push({ key: security.key, draft });
      stir();
    },
    onSilence(list) {
      room.silent.push(list.map((security) => security.key));
      stir();
    },
    expectsData: () => true,
    log(message) {
      room.logs.push(message);
      stir();
    },
  });
  stops.push(() => {
    room.stream.close();
    server.stop(true);
  });
  return room;
}

const trade = (i: number, p: number, second: number) => ({
  T: "t",
  S: "AAPL",
  i,
  x: "V",
  p,
  s: 100,
  c: ["@"],
  t: `2026-11-03T15:30:${String(second).padStart(2, "0")}.123456789Z`,
  z: "C",
});

function alpacaRoom(refusal?: { T: string; code: number; msg: string }): Room {
  return openRoom(
    (deps) => alpaca({ key: "k", secret: "s", feed: "iex" }, deps),
    (room, m, socket) => {
      const say = (x: unknown) => socket.send(JSON.stringify([x]));
      if (m.action === "auth")
        say(refusal && room.sockets.length === 1 ? refusal : { T: "success", msg: "authenticated" });
      if (m.action === "subscribe") say({ T: "subscription", trades: m.trades });
    },
    (socket) => socket.send(JSON.stringify([{ T: "success", msg: "connected" }])),
  );
}

describe("Alpaca", () => {
  test("says hello, subscribes once for all readers, and a correction and a cancel undo what was said", async () => {
    const room = alpacaRoom();
    room.stream.subscribe(securityFor("AAPL"));
    room.stream.subscribe(securityFor("AAPL"));
    await room.until(() => room.said.some((m) => m.action === "subscribe"));
    expect(room.said).toEqual([
      { action: "auth", key: "k", secret: "s" },
      { action: "subscribe", trades: ["AAPL"], quotes: ["AAPL"], statuses: ["AAPL"] },
    ]);
    room.send([trade(1, 270, 1), trade(2, 275.5, 2), trade(3, 271, 3)]);
    await room.until(() => room.drafts.length === 3);
    expect(room.drafts[2].draft).toMatchObject({
      trade: { price: "271", at: "2026-11-03T15:30:03.123456789Z" },
      day: { high: "275.5", volume: 300 },
      source: "alpaca",
      feed: "iex",
    });
    room.send([
      {
        T: "c",
        S: "AAPL",
        x: "V",
        oi: 2,
        op: 275.5,
        os: 100,
        ci: 4,
        cp: 270.5,
        cs: 50,
        t: "2026-11-03T15:30:04Z",
        z: "C",
      },
    ]);
    await room.until(() => room.drafts.length === 4);
    expect(room.drafts[3].draft.day).toMatchObject({ high: "271", volume: 250 });
    room.send([{ T: "x", S: "AAPL", i: 3, x: "V", p: 271, s: 100, a: "C", t: "2026-11-03T15:30:05Z", z: "C" }]);
    await room.until(() => room.drafts.length === 5);
    expect(room.drafts[4].draft).toMatchObject({ trade: { price: "270.5" }, day: { volume: 150 } });
    room.send([
      {
        T: "s",
        S: "AAPL",
        sc: "H",
        sm: "Trading Halt",
        rc: "T12",
        rm: "Halt - News Pending",
        t: "2026-11-03T15:30:06Z",
        z: "C",
      },
    ]);
    await room.until(() => room.drafts.length === 6);
    expect(room.drafts[5].draft.trading).toMatchObject({ status: "halted", reason: "Halt - News Pending" });
  });

  test("subscribes again after a cut, waiting a little longer each time", async () => {
    const room = alpacaRoom();
    room.stream.subscribe(securityFor("AAPL"));
    await room.until(() => room.said.some((m) => m.action === "subscribe"));
    room.sockets[0].close();
    await room.until(() => room.silent.length === 1);
    expect(room.silent[0]).toEqual(["AAPL:XNAS"]);
    await room.clock.advance(1000);
    await room.until(() => room.said.filter((m) => m.action === "subscribe").length === 2);
    expect(room.sockets.length).toBe(2);
  });

  test("a mute socket is dropped by the watchdog though it is still connected", async () => {
    const room = alpacaRoom();
    room.stream.subscribe(securityFor("AAPL"));
    await room.until(() => room.said.some((m) => m.action === "subscribe"));
    await room.clock.advance(31_000);
    await room.until(() => room.silent.length > 0);
    expect(room.logs.join()).toContain("nothing came for 30 s");
    await room.clock.advance(2000);
    await room.until(() => room.said.filter((m) => m.action === "subscribe").length === 2);
  });

  test("406 (another connection is open) waits a minute and a half instead of hammering", async () => {
    const room = alpacaRoom({ T: "error", code: 406, msg: "connection limit exceeded" });
    room.stream.subscribe(securityFor("AAPL"));
    await room.until(() => room.logs.some((l) => l.includes("406")));
    await room.clock.advance(60_000);
    expect(room.sockets.length).toBe(1);
    await room.clock.advance(31_000);
    await room.until(() => room.sockets.length === 2);
  });
});

describe("Finnhub", () => {
  test("trades in milliseconds, older ones are left, pings are no data", async () => {
    const room = openRoom(
      (deps) => finnhub({ token: "sesame" }, deps),
      () => {},
    );
    room.stream.subscribe(securityFor("BRK.B"));
    await room.until(() => room.said.length === 1);
    expect(room.said[0]).toEqual({ type: "subscribe", symbol: "BRK-B" });
    room.send({ type: "ping" });
    room.send({
      type: "trade",
      data: [
        { s: "BRK-B", p: 129.58, t: 1793719800666, v: 1, c: ["1", "24"] },
        { s: "BRK-B", p: 100, t: 1793719800000, v: 1 },
        { s: "BRK-B", p: 129.6, t: 1793719801000, v: 2 },
      ],
    });
    await room.until(() => room.drafts.length === 2);
    expect(room.drafts.map((d) => [d.draft.trade!.price, d.draft.trade!.at])).toEqual([
      ["129.58", "2026-11-03T15:30:00.666Z"],
      ["129.6", "2026-11-03T15:30:01Z"],
    ]);
  });
});
