// Keeps connections for the next request to the same host, port and TLS name: few, young, and only while they are silent.
import type { Clock } from "../clock.ts";
import { type Connection, type Dial, type DialOptions, openConnection } from "./connect.ts";

/** Just below the five seconds after which many servers close. */
export const MAX_IDLE_MS = 4_000;
/** A name is looked up and checked anew at least this often, however busy its connections are. */
export const MAX_AGE_MS = 60_000;
export const MAX_IDLE_PER_KEY = 32;
export const MAX_IDLE = 256;

interface Kept {
  connection: Connection;
  sinceMs: number;
}

export function createConnections(clock: Clock, dial: Dial) {
  /** In each list, and in all together, the longest unused comes first. */
  const idle = new Map<string, Kept[]>();
  const inUse = new Set<Connection>();
  let count = 0;
  let closed = false;
  let stopSweep: (() => void) | null = null;

  const keyOf = ({ port, tls }: Omit<DialOptions, "address">, hostname: string) =>
    `${tls ? "https" : "http"}|${hostname}|${port}`;

  function open(pinned: DialOptions, hostname: string, checkedMs: number): Connection {
    const connection = openConnection(dial, pinned, keyOf(pinned, hostname), checkedMs);
    inUse.add(connection);
    return connection;
  }

  /** The connection used last, since that is the one least likely to have been closed meanwhile. */
  function take(key: string): Connection | null {
    const list = idle.get(key);
    while (list && list.length > 0) {
      const { connection, sinceMs } = list.pop()!;
      count -= 1;
      if (list.length === 0) idle.delete(key);
      if (!isFresh(connection, sinceMs)) connection.destroy();
      else {
        inUse.add(connection);
        return connection;
      }
    }
    return null;
  }

  /** Every connection comes back here once; it is kept only if its answer was read to the very end. */
  function giveBack(connection: Connection, mayKeep: boolean): void {
    inUse.delete(connection);
    const nowMs = clock.monotonic();
    const list = idle.get(connection.key) ?? [];
    if (!mayKeep || closed || list.length >= MAX_IDLE_PER_KEY || !isFresh(connection, nowMs))
      return connection.destroy();
    if (count >= MAX_IDLE) dropOldest();
    connection.used = true;
    list.push({ connection, sinceMs: nowMs });
    idle.set(connection.key, list);
    count += 1;
    stopSweep ??= clock.after(MAX_IDLE_MS, sweep);
  }

  function isFresh(connection: Connection, sinceMs: number): boolean {
    const nowMs = clock.monotonic();
    return connection.isOpen() && nowMs - sinceMs < MAX_IDLE_MS && nowMs - connection.checkedMs < MAX_AGE_MS;
  }

  function dropOldest(): void {
    let oldest: Kept[] | null = null;
    for (const list of idle.values()) if (!oldest || list[0].sinceMs < oldest[0].sinceMs) oldest = list;
    drop(oldest!, 1);
  }

  function drop(list: Kept[], many: number): void {
    const dropped = list.splice(0, many);
    count -= dropped.length;
    for (const { connection } of dropped) connection.destroy();
    if (list.length === 0 && dropped.length > 0) idle.delete(dropped[0].connection.key);
  }

  function sweep(): void {
    stopSweep = null;
    for (const list of idle.values()) {
      const firstFresh = list.findIndex(({ connection, sinceMs }) => isFresh(connection, sinceMs));
      drop(list, firstFresh < 0 ? list.length : firstFresh);
    }
    if (count > 0) stopSweep = clock.after(MAX_IDLE_MS, sweep);
  }

  /** Ends all of them, those in use too. */
  function close(): void {
    closed = true;
    stopSweep?.();
    for (const list of idle.values()) drop(list, list.length);
    for (const connection of inUse) connection.cut();
  }

  return { keyOf, open, take, giveBack, close };
}

export type Connections = ReturnType<typeof createConnections>;
