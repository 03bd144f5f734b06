// The worker thread of a shard: loads it over its own connection, then answers requests in their order.
import { lowerPriority } from "../../../../lib/pool/priority.ts";
import { connect } from "../../../../store/db.ts";
import { loadShard } from "./load.ts";
import type { IndexEntry, ShardShare } from "../../rows.ts";
import { type MatchRequest, Shard } from "./shard.ts";

export type Request =
  | { type: "load"; share: ShardShare; databaseUrl: string }
  | { type: "put"; entry: IndexEntry }
  | { type: "remove"; number: number }
  | { type: "match"; request: MatchRequest };

export interface Reply {
  id: number;
  numbers?: number[][];
  /** Documents whose phrases took more steps than one tenant's alerts may. */
  exceeded?: number;
  /** How many alerts each tenant has here: all tenants, or those that changed. */
  counts?: [tenantId: number, count: number][];
  size?: number;
  failed?: string;
}

declare const self: Worker;

lowerPriority();

let shard = new Shard();

async function load(share: ShardShare, url: string): Promise<void> {
  const db = await connect({ url, pool: 4, timeoutMs: 60_000 });
  try {
    shard = new Shard();
    await loadShard(db, shard, share);
  } finally {
    await db.close();
  }
}

async function answer(request: Request): Promise<Omit<Reply, "id">> {
  switch (request.type) {
    case "load":
      await load(request.share, request.databaseUrl);
      return { counts: shard.counts, size: shard.size };
    case "put":
      shard.put(request.entry);
      return { counts: [[request.entry.tenantId, shard.countOf(request.entry.tenantId)]], size: shard.size };
    case "remove": {
      const tenantId = shard.tenantOf(request.number);
      shard.remove(request.number);
      return { counts: tenantId === null ? [] : [[tenantId, shard.countOf(tenantId)]], size: shard.size };
    }
    case "match":
      return { numbers: shard.match(request.request), exceeded: shard.takeExceeded() };
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
