// Fans committed events out to the open streams of this process: each event is read once and encoded once.
// A reader gets every event it wants once and in order, and may leave at any moment.
import { nextTurn } from "../../lib/loop.ts";
import { encodeFrame } from "../../lib/sse-stream.ts";
import type { EventRow } from "./store.ts";

/** Where the hub reads from. */
export interface EventLog {
  /** Nothing can appear in the log at or before this seq any more. */
  horizon(): Promise<bigint>;
  /** Where an event lies, or null when it is not (or no longer) kept for this tenant. */
  findPosition(tenantId: number, id: string): Promise<bigint | null>;
  /** Events of the tenants behind `after` and up to the horizon, in order; at most `count`. */
  readAfter(tenantIds: number[], after: bigint, horizon: bigint, count: number): Promise<EventRow[]>;
}

export interface Reader {
  tenantId: number;
  wants(event: EventRow): boolean;
  /** Called before the first event: from now on nothing is missed. `kept` is false when the place to resume is gone. */
  joined(kept: boolean): void;
  /** False when the reader is gone. */
  send(frame: Uint8Array): boolean;
  /** Resolves when the reader has taken what was sent. */
  drained(): Promise<void>;
}

interface Membership {
  reader: Reader;
  /** Live events that wait while older ones are read from the table; null once the reader is up to date. */
  held: EventRow[] | null;
  /** Everything up to here was sent from the table. */
  seen: bigint;
  left: boolean;
}

const PAGE = 500;
const YIELD_EVERY = 16;

export type Hub = ReturnType<typeof createHub>;

export function createHub(log: EventLog) {
  /** Members that get live events, by tenant. */
  const live = new Map<number, Set<Membership>>();
  /** Members by reader, from the moment they ask to join until they leave. */
  const members = new Map<Reader, Membership>();
  const counts = new Map<number, number>();
  let position: bigint | null = null;
  let tenantsJoined = 0;

  /** Reads what is new for the tenants that listen, and hands it out. One call at a time. */
  async function pull(): Promise<void> {
    while (await round());
  }

  /** True when there is more to read at once. */
  async function round(): Promise<boolean> {
    if (live.size === 0 || position === null) return false;
    const known = tenantsJoined;
    const horizon = await log.horizon();
    if (horizon <= position) return false;
    const rows = await log.readAfter([...live.keys()], position, horizon, PAGE);
    // A tenant that joined meanwhile was not asked for, so what was read does not count.
    if (known !== tenantsJoined) return true;
    position = rows.length === PAGE ? rows.at(-1)!.seq : horizon;
    for (const [i, row] of rows.entries()) {
      deliver(row);
      // Lets sockets drain: a page for a thousand readers at once would have to be held in memory a thousand times.
      if (i % YIELD_EVERY === YIELD_EVERY - 1) await nextTurn();
    }
    return rows.length === PAGE;
  }

  function deliver(row: EventRow): void {
    let frame: Uint8Array | null = null;
    for (const member of live.get(row.tenantId) ?? []) {
      if (row.seq <= member.seen || !member.reader.wants(row)) continue;
      if (member.held) member.held.push(row);
      else member.reader.send((frame ??= frameOf(row)));
    }
  }

  /** Adds a reader; with `lastId` it first gets everything after that event. It counts from this very moment. */
  async function join(reader: Reader, lastId: string | null): Promise<void> {
    const { tenantId } = reader;
    const member: Membership = { reader, held: [], seen: -1n, left: false };
    members.set(reader, member);
    counts.set(tenantId, count(tenantId) + 1);
    const from = lastId === null ? null : await log.findPosition(tenantId, lastId);
    if (member.left) return;
    if (live.size === 0) {
      const horizon = await log.horizon();
      if (member.left) return;
      // Whoever joined an idle hub meanwhile began at its own horizon, and must not be moved past it.
      if (live.size === 0) position = horizon;
    }
    if (!live.has(tenantId)) {
      live.set(tenantId, new Set());
      tenantsJoined += 1;
    }
    live.get(tenantId)!.add(member);
    reader.joined(lastId === null || from !== null);
    if (from !== null) await catchUp(log, member, from);
    release(member);
  }

  function leave(reader: Reader): void {
    const member = members.get(reader);
    if (!member) return;
    const { tenantId } = reader;
    member.left = true;
    member.held = null;
    members.delete(reader);
    const left = count(tenantId) - 1;
    if (left > 0) counts.set(tenantId, left);
    else counts.delete(tenantId);
    const others = live.get(tenantId);
    others?.delete(member);
    if (others?.size === 0) live.delete(tenantId);
  }

  /** How many readers a tenant has, those that are still joining included. */
  function count(tenantId: number): number {
    return counts.get(tenantId) ?? 0;
  }

  return { pull, join, leave, count, size: () => members.size };
}

/** Sends from the table up to where live reading goes on. */
async function catchUp(log: EventLog, member: Membership, from: bigint): Promise<void> {
  const { reader } = member;
  member.seen = from;
  for (;;) {
    const horizon = await log.horizon();
    if (member.left) return;
    const rows = await log.readAfter([reader.tenantId], member.seen, horizon, PAGE);
    if (member.left) return;
    for (const row of rows) if (reader.wants(row)) reader.send(frameOf(row));
    member.seen = rows.length === PAGE ? rows.at(-1)!.seq : horizon;
    if (rows.length < PAGE) return;
    await reader.drained();
    if (member.left) return;
  }
}

/** Sends what was held back and not yet sent from the table; from here on events go straight through. */
function release(member: Membership): void {
  for (const row of member.held ?? []) {
    if (row.seq > member.seen && !member.left) member.reader.send(frameOf(row));
  }
  member.held = null;
}

function frameOf(row: EventRow): Uint8Array {
  return encodeFrame({ id: row.id, event: row.type, data: row.json });
}
