// Who holds the alerts in memory: this thread, or several that share them. Both answer alike.
import type { Db } from "../../../../store/db.ts";
import { loadShard } from "./load.ts";
import { type Entry, type Question, Shard } from "./shard.ts";

export interface Holder {
  /** Takes over everything the store holds. */
  load(): Promise<void>;
  /** Takes over what is now true of one alert; counts for the next question. */
  put(entry: Entry): Promise<void>;
  forget(number: number): Promise<void>;
  /** For each content the numbers of the alerts it matches, in no order. */
  match(question: Question): Promise<number[][]>;
  countOf(tenantId: number): number;
  readonly size: number;
  stop(): void;
}

/** Everything in this thread. */
export function createOwnHolder(db: Db): Holder {
  const shard = new Shard();
  return {
    load: () => loadShard(db, shard, { part: 0, parts: 1 }),
    put: async (entry) => shard.put(entry),
    forget: async (number) => shard.forget(number),
    match: async (question) => shard.match(question),
    countOf: (tenantId) => shard.countOf(tenantId),
    get size() {
      return shard.size;
    },
    stop() {},
  };
}
