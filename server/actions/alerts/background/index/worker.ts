// The thread itself: loads its share of the alerts over a connection of its own, then answers in the order it is asked.
import { connect } from "../../../../store/db.ts";
import { loadShard } from "./load.ts";
import { type Entry, type Question, Shard } from "./shard.ts";
import type { Share } from "../../store/index-rows.ts";

export type Request =
  | { ask: "load"; share: Share; databaseUrl: string }
  | { ask: "put"; entry: Entry }
  | { ask: "forget"; number: number }
  | { ask: "match"; question: Question };

export interface Reply {
  id: number;
  numbers?: number[][];
  /** How many alerts each tenant has here: all of them, or those whose number changed. */
  counts?: [tenantId: number, count: number][];
  size?: number;
  failed?: string;
}

declare const self: Worker;

let shard = new Shard();

async function load(share: Share, url: string): Promise<void> {
  const db = await connect({ url, pool: 4, timeoutMs: 60_000 });
  try {
    shard = new Shard();
    await loadShard(db, shard, share);
  } finally {
    await db.close();
  }
}

async function answer(request: Request): Promise<Omit<Reply, "id">> {
  switch (request.ask) {
    case "load":
      await load(request.share, request.databaseUrl);
      return { counts: shard.counts, size: shard.size };
    case "put":
      shard.put(request.entry);
      return { counts: [[request.entry.tenantId, shard.countOf(request.entry.tenantId)]], size: shard.size };
    case "forget": {
      const tenantId = shard.tenantOf(request.number);
      shard.forget(request.number);
      return { counts: tenantId === null ? [] : [[tenantId, shard.countOf(tenantId)]], size: shard.size };
    }
    case "match":
      return { numbers: shard.match(request.question) };
  }
}

self.onmessage = async ({ data: { id, request } }: MessageEvent<{ id: number; request: Request }>) => {
  let reply: Reply;
  try {
    reply = { id, ...(await answer(request)) };
  } catch (error) {
    reply = { id, failed: String(error) };
  }
  self.postMessage(reply);
};
