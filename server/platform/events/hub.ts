// Fans committed events out to the open streams of this process: each event is read once and encoded once.
import type { Logger } from "pino";
import type { Db } from "../../store/db.ts";
import { within } from "../../lib/deadline.ts";
import { encodeFrame } from "../../lib/sse-stream.ts";
import type { Follower } from "./follower.ts";
import { findPosition, readAfter } from "./store.ts";
import type { EventRow } from "./store.ts";
import type { TypeFilter } from "./types.ts";

export interface Reader {
  tenantId: number;
  wants: TypeFilter;
  /** Called before the first event: from now on nothing is missed. `kept` is false when the place to resume is gone. */
  joined(kept: boolean): void;
  /** False when the reader is gone. */
  send(frame: Uint8Array): boolean;
  /** Resolves when the reader has taken what was sent. */
  drained(): Promise<void>;
}

interface Joined extends Reader {
  /** Live events that wait while older ones are read from the table; null once the reader is up to date. */
  held: EventRow[] | null;
}

const PAGE = 500;
const ROUND_MS = 30_000;
const YIELD_EVERY = 16;

export type Hub = ReturnType<typeof createHub>;

export function createHub(db: Db, follower: Follower, log: Logger) {
  const readers = new Map<number, Set<Joined>>();
  let position: bigint | null = null;
  let running = false;
  let again = false;
  let tenantsSeen = 0;

  /** Reads what is new for the tenants that listen, and hands it out. Calls while it runs lead to one more round. */
  async function pull(): Promise<void> {
    again = true;
    if (running) return;
    running = true;
    try {
      while (again) {
        again = false;
        await within(ROUND_MS, "a round of the streams", round());
      }
    } catch (error) {
      log.warn({ error: String(error) }, "events could not be read for the streams; tried again at the next news");
    } finally {
      running = false;
    }
  }

  async function round(): Promise<void> {
    if (readers.size === 0 || position === null) return;
    const known = tenantsSeen;
    const horizon = await follower.horizon();
    if (horizon <= position) return;
    const rows = await readAfter(db, [...readers.keys()], position, horizon, PAGE);
    // A tenant that joined meanwhile was not asked for, so what was read does not count.
    if (known !== tenantsSeen) return void (again = true);
    position = rows.length === PAGE ? rows.at(-1)!.seq : horizon;
    for (const [i, row] of rows.entries()) {
      deliver(row);
      // Lets sockets drain: a page for a thousand readers at once would have to be held in memory a thousand times.
      if (i % YIELD_EVERY === YIELD_EVERY - 1) await new Promise((go) => setImmediate(go));
    }
    if (rows.length === PAGE) again = true;
  }

  function deliver(row: EventRow): void {
    const listening = readers.get(row.tenantId);
    if (!listening) return;
    let frame: Uint8Array | null = null;
    for (const reader of listening) {
      if (!reader.wants(row.type)) continue;
      if (reader.held) reader.held.push(row);
      else reader.send((frame ??= frameOf(row)));
    }
  }

  /** Adds a reader; with `lastId` it first gets everything after that event. */
  async function join(reader: Reader, lastId: string | null): Promise<void> {
    const joined: Joined = { ...reader, held: [] };
    const from = lastId === null ? null : await findPosition(db, reader.tenantId, lastId);
    if (position === null || readers.size === 0) position = await follower.horizon();
    if (!readers.has(reader.tenantId)) {
      readers.set(reader.tenantId, new Set());
      tenantsSeen += 1;
    }
    readers.get(reader.tenantId)!.add(joined);
    handles.set(reader, joined);
    reader.joined(lastId === null || from !== null);
    if (from !== null) await catchUp(joined, from);
    else joined.held = release(joined, null);
  }

  /** From the table up to where live reading began, then what was held back meanwhile, each event once. */
  async function catchUp(reader: Joined, from: bigint): Promise<void> {
    for (let at = from; ; ) {
      const horizon = await follower.horizon();
      const rows = await readAfter(db, [reader.tenantId], at, horizon, PAGE);
      for (const row of rows) if (reader.wants(row.type) && !reader.send(frameOf(row))) return;
      await reader.drained();
      if (rows.length < PAGE) return void (reader.held = release(reader, horizon));
      at = rows.at(-1)!.seq;
    }
  }

  function release(reader: Joined, seen: bigint | null): null {
    for (const row of reader.held ?? []) {
      if (seen === null || row.seq > seen) reader.send(frameOf(row));
    }
    return null;
  }

  const handles = new WeakMap<Reader, Joined>();

  function leave(reader: Reader): void {
    const set = readers.get(reader.tenantId);
    const joined = handles.get(reader);
    if (!set || !joined) return;
    set.delete(joined);
    if (set.size === 0) readers.delete(reader.tenantId);
  }

  return { pull, join, leave, count: (tenantId: number) => readers.get(tenantId)?.size ?? 0 };
}

function frameOf(row: EventRow): Uint8Array {
  return encodeFrame({ id: row.id, event: row.type, data: row.json });
}
