// The index sharded over threads, every n-th alert in each. Alerts are independent, so each content goes to all shards at
// once and their matches are merged. A large request goes in pieces, so that requests of other tenants come in between.
import { type Found, type IndexPort, piecesOf } from "./index-port.ts";
import { ShardThread, type ShardThreadDeps } from "./shard-thread.ts";
import type { MatchRequest } from "./shard.ts";

export function createShardedIndex({ threads: count, ...deps }: ShardThreadDeps & { threads: number }): IndexPort {
  const threads = Array.from({ length: count }, (_, part) => new ShardThread({ part, parts: count }, deps));
  const threadOf = (number: number) => threads[number % count];

  async function matchPiece(request: MatchRequest): Promise<Found> {
    const replies = await Promise.all(threads.map((thread) => thread.send({ type: "match", request })));
    const numbers = request.contents.map((_, i) => replies.flatMap((reply) => reply.numbers![i]));
    return { numbers, exceeded: replies.reduce((sum, reply) => sum + (reply.exceeded ?? 0), 0) };
  }

  return {
    async load() {
      await Promise.all(threads.map((thread) => thread.start()));
    },
    async put(entry) {
      await threadOf(entry.number).send({ type: "put", entry });
    },
    async remove(number) {
      await threadOf(number).send({ type: "remove", number });
    },
    async match(request) {
      const found: Found = { numbers: [], exceeded: 0 };
      for (const piece of piecesOf(request)) {
        const { numbers, exceeded } = await matchPiece(piece);
        found.numbers.push(...numbers);
        found.exceeded += exceeded;
      }
      return found;
    },
    countOf: (tenantId) => threads.reduce((sum, thread) => sum + thread.countOf(tenantId), 0),
    get size() {
      return threads.reduce((sum, thread) => sum + thread.size, 0);
    },
    stop() {
      for (const thread of threads) thread.stop();
    },
  };
}
