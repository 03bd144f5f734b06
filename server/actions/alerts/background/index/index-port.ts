// The in-memory index of alerts as the rest of the action sees it: held in this thread, or sharded over several.
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

/** The whole index in this thread. */
export function createLocalIndex(db: Db): IndexPort {
  const shard = new Shard();
  return {
    load: () => loadShard(db, shard, { part: 0, parts: 1 }),
    put: async (entry) => shard.put(entry),
    remove: async (number) => shard.remove(number),
    match: async (request) => shard.match(request),
    countOf: (tenantId) => shard.countOf(tenantId),
    get size() {
      return shard.size;
    },
    stop() {},
  };
}
