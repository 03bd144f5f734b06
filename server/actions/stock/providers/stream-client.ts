// A WebSocket that stays up: hello, resubscription after a cut, backing off, and a watchdog for a socket that is
// connected but mute (a ping answers for hours while no data comes). Knows no provider.
import type { Clock } from "../../../lib/clock.ts";

export interface Protocol {
  url(): string;
  /** Says hello; calls `ready` now or when the other side has agreed. */
  hello(send: (message: unknown) => void, ready: () => void): void;
  message(
    data: string,
    link: { send(message: unknown): void; ready(): void; data(): void; fail(waitMs: number, why: string): void },
  ): void;
  subscribe(symbols: string[], send: (message: unknown) => void): void;
  unsubscribe(symbols: string[], send: (message: unknown) => void): void;
}

export interface StreamClientOptions {
  clock: Clock;
  protocol: Protocol;
  /** Silence longer than this is a fault when data is expected. */
  silenceMs?: number;
  expectsData(): boolean;
  onSilence(): void;
  log(message: string): void;
  open?(url: string): WebSocket;
}

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

export function createStreamClient(options: StreamClientOptions) {
  const { clock, protocol } = options;
  const silenceMs = options.silenceMs ?? 30_000;
  const wanted = new Set<string>();
  let socket: WebSocket | null = null;
  let agreed = false;
  let closed = false;
  let waitMs = FIRST_WAIT_MS;
  let heardAt = clock.monotonic();
  let cancelRetry = () => {};
  const stopWatching = clock.every(Math.max(1000, silenceMs / 3), watch);

  function connect(): void {
    cancelRetry();
    if (closed || wanted.size === 0 || socket) return;
    agreed = false;
    heardAt = clock.monotonic();
    const mine = (options.open ?? ((url) => new WebSocket(url)))(protocol.url());
    socket = mine;
    const send = (message: unknown) => sendOn(mine, message);
    const ready = () => {
      if (socket !== mine || agreed) return;
      agreed = true;
      waitMs = FIRST_WAIT_MS;
      heardAt = clock.monotonic();
      if (wanted.size > 0) protocol.subscribe([...wanted], send);
    };
    mine.onopen = () => protocol.hello(send, ready);
    mine.onmessage = (event) => {
      if (socket !== mine) return;
      protocol.message(String(event.data), {
        send,
        ready,
        data: () => void (heardAt = clock.monotonic()),
        fail: (ms, why) => drop(why, ms),
      });
    };
    mine.onclose = () => socket === mine && drop("the connection was closed");
    mine.onerror = () => socket === mine && drop("the connection failed");
  }

  function drop(why: string, atLeastMs = 0): void {
    const old = socket;
    socket = null;
    agreed = false;
    closeQuietly(old);
    options.log(why);
    options.onSilence();
    if (closed) return;
    const pause = Math.max(waitMs, atLeastMs);
    waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2);
    cancelRetry = clock.after(pause, connect);
  }

  function watch(): void {
    if (!socket || wanted.size === 0 || clock.monotonic() - heardAt < silenceMs || !options.expectsData()) return;
    drop(`nothing came for ${Math.round(silenceMs / 1000)} s while the market is open`);
  }

  const sendNow = (message: unknown) => socket && sendOn(socket, message);

  return {
    subscribe(symbol: string): void {
      if (wanted.has(symbol)) return;
      wanted.add(symbol);
      if (agreed) protocol.subscribe([symbol], sendNow);
      else connect();
    },
    unsubscribe(symbol: string): void {
      if (!wanted.delete(symbol)) return;
      if (agreed) protocol.unsubscribe([symbol], sendNow);
      if (wanted.size === 0) {
        const old = socket;
        socket = null;
        cancelRetry();
        old?.close();
      }
    },
    close(): void {
      closed = true;
      stopWatching();
      cancelRetry();
      const old = socket;
      socket = null;
      old?.close();
    },
  };
}

function closeQuietly(socket: WebSocket | null): void {
  try {
    socket?.close();
  } catch {
    // It is gone either way.
  }
}

function sendOn(socket: WebSocket, message: unknown): void {
  if (socket.readyState === WebSocket.OPEN)
    socket.send(typeof message === "string" ? message : JSON.stringify(message));
}
