// The in-memory index of alerts as the rest of the action sees it: sharded over threads, or held in this one.
import type { Db } from "../../../../store/db.ts";
import type { Content } from "../../engine/query/ast.ts";
import type { IndexEntry } from "../../rows.ts";
import { loadShard } from "./load.ts";
import { type MatchRequest, Shard } from "./shard.ts";

export interface Found {
  /** For each content the numbers of the alerts it matches, in no order. */
  numbers: number[][];
  /** How many contents took more steps than one tenant's alerts may: some of its phrases were not looked for there. */
  exceeded: number;
}

export interface IndexPort {
  /** Loads everything from the store. */
  load(): Promise<void>;
  /** Replaces what is known of one alert; counts for the next request. */
  put(entry: IndexEntry): Promise<void>;
  remove(number: number): Promise<void>;
  match(request: MatchRequest): Promise<Found>;
  countOf(tenantId: number): number;
  readonly size: number;
  stop(): void;
}

/** Characters of one piece: about 2 ms of reading. */
const PIECE_CHARACTERS = 100_000;
const PIECE_CONTENTS = 100;

const lengthOf = ({ title, text }: Content): number => (title?.length ?? 0) + (text?.length ?? 0);

/** The request in pieces of a bounded length, in order. */
export function* piecesOf(request: MatchRequest): Iterable<MatchRequest> {
  const { contents } = request;
  for (let from = 0, to = 0; from < contents.length; from = to) {
    let length = 0;
    do length += lengthOf(contents[to++]);
    while (to < contents.length && to - from < PIECE_CONTENTS && length + lengthOf(contents[to]) <= PIECE_CHARACTERS);
    const part = { contents: contents.slice(from, to) };
    yield "feed" in request
      ? { ...part, feed: request.feed }
      : { ...part, kind: request.kind, tenants: request.tenants.slice(from, to) };
  }
}

/** The whole index in this thread: for tests, benchmarks and the command line. */
export function createLocalIndex(db: Db): IndexPort {
  const shard = new Shard();
  return {
    load: () => loadShard(db, shard, { part: 0, parts: 1 }),
    put: async (entry) => shard.put(entry),
    remove: async (number) => shard.remove(number),
    match: async (request) => ({ numbers: shard.match(request), exceeded: shard.takeExceeded() }),
    countOf: (tenantId) => shard.countOf(tenantId),
    get size() {
      return shard.size;
    },
    stop() {},
  };
}
