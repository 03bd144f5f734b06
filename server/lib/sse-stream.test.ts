import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { ManualClock } from "./clock.ts";
import { openSseStream } from "./sse-stream.ts";
import type { SseStream } from "./sse-stream.ts";

const clock = new ManualClock();
const streams: SseStream[] = [];
let closed = 0;
let server: ReturnType<typeof Bun.serve>;

beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    fetch(request) {
      const stream = openSseStream({
        clock,
        signal: request.signal,
        maxQueuedBytes: 200_000,
        onClose: () => void closed++,
      });
      streams.push(stream);
      return stream.response;
    },
  });
});
afterAll(() => server.stop(true));

/** A reader on a raw socket that can stop reading. */
async function read() {
  const socket = connect(server.port!, "127.0.0.1");
  let text = "";
  socket.on("data", (data) => (text += data));
  const ended = new Promise<void>((go) => socket.on("close", () => go()));
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  const before = streams.length;
  while (streams.length === before) await new Promise((go) => setImmediate(go));
  const until = async (check: () => boolean) => {
    for (let i = 0; i < 200_000 && !check(); i++) await new Promise((go) => setImmediate(go));
  };
  return { socket, ended, stream: streams.at(-1)!, text: () => text, until };
}

describe("an open stream", () => {
  test("says that it is one, beats every 15 seconds, and ends when told", async () => {
    const reader = await read();
    reader.stream.send({ id: "1", event: "t", data: "a\nb" });
    await reader.until(() => reader.text().includes("data: b"));
    expect(reader.text()).toMatch(/content-type: text\/event-stream; charset=utf-8/i);
    expect(reader.text()).toMatch(/x-accel-buffering: no/i);
    await clock.advance(30_000);
    await reader.until(() => reader.text().split("\n:\n").length === 3);
    expect(reader.text().split("\n:\n").length).toBe(3);
    const before = closed;
    reader.stream.close();
    reader.stream.close();
    expect(closed - before).toBe(1);
    expect(reader.stream.send({ data: "late" })).toBe(false);
    reader.socket.destroy();
  });

  test("whose reader stops reading is dropped at the limit, and others go on", async () => {
    const [slow, quick] = [await read(), await read()];
    slow.socket.pause();
    const frame = { data: "x".repeat(20_000) };
    let sent = 0;
    while (slow.stream.send(frame)) {
      sent += 1;
      expect(quick.stream.send({ data: "small" })).toBe(true);
      if (sent > 5000) break;
      await new Promise((go) => setImmediate(go));
    }
    expect(sent).toBeLessThan(5000);
    expect(quick.stream.send({ data: "still here" })).toBe(true);
    await quick.until(() => quick.text().includes("still here"));
    expect(quick.text()).toContain("still here");
    slow.socket.destroy();
    quick.socket.destroy();
  });

  test("whose reader goes away is closed", async () => {
    const reader = await read();
    const before = closed;
    reader.socket.destroy();
    await reader.until(() => closed > before);
    expect(closed - before).toBe(1);
    expect(reader.stream.send({ data: "x" })).toBe(false);
  });

  test("`drained` waits until the reader has taken what was sent", async () => {
    const reader = await read();
    for (let i = 0; i < 40; i++) {
      expect(reader.stream.send({ data: "y".repeat(100_000) })).toBe(true);
      await reader.stream.drained();
    }
    await reader.until(() => reader.text().length > 4_000_000);
    expect(reader.text().length).toBeGreaterThan(4_000_000);
    reader.socket.destroy();
  });
});
