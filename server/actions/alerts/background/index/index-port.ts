// The in-memory index of alerts as the rest of the action sees it: held in this thread, or sharded over several.
import { createTurns } from "../../../../lib/turns.ts";
import type { Db } from "../../../../store/db.ts";
import type { IndexEntry } from "../../rows.ts";
import { loadShard } from "./load.ts";
import { type MatchRequest, Shard } from "./shard.ts";

export interface IndexPort {
  /** Loads everything from the store. */
  load(): Promise<void>;
  /** Replaces what is known of one alert; counts for the next request. */
  put(entry: IndexEntry): Promise<void>;
  remove(number: number): Promise<void>;
  /** For each content the numbers of the alerts it matches, in no order. */
  match(request: MatchRequest): Promise<number[][]>;
  countOf(tenantId: number): number;
  readonly size: number;
  stop(): void;
}

/** Characters matched between two turns of the event loop. */
const TEXT_PER_TURN = 100_000;

/** Content by content, so that a large request does not stall the others. */
async function matchInTurns(shard: Shard, request: MatchRequest): Promise<number[][]> {
  const turn = createTurns(TEXT_PER_TURN);
  const found: number[][] = [];
  for (let i = 0; i < request.contents.length; i++) {
    found.push(shard.matchOne(request, i));
    await turn((request.contents[i].text?.length ?? 0) + (request.contents[i].title?.length ?? 0));
  }
  return found;
}

/** The whole index in this thread. */
export function createLocalIndex(db: Db): IndexPort {
  const shard = new Shard();
  return {
    load: () => loadShard(db, shard, { part: 0, parts: 1 }),
    put: async (entry) => shard.put(entry),
    remove: async (number) => shard.remove(number),
    match: (request) => matchInTurns(shard, request),
    countOf: (tenantId) => shard.countOf(tenantId),
    get size() {
      return shard.size;
    },
    stop() {},
  };
}
