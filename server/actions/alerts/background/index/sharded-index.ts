// The index sharded over several threads, every n-th alert in each. Alerts are independent, so each content goes to all
// shards at once and their matches are merged.
import type { IndexPort } from "./index-port.ts";
import { createShardThread, type ShardThreadDeps } from "./shard-thread.ts";
import type { Reply } from "./worker.ts";

export function createShardedIndex({ threads: count, ...deps }: ShardThreadDeps & { threads: number }): IndexPort {
  const threads = Array.from({ length: count }, (_, part) => createShardThread({ part, parts: count }, deps));
  const threadOf = (number: number) => threads[number % count];

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
      const replies = await Promise.all(threads.map((thread) => thread.send({ type: "match", request })));
      return request.contents.map((_, i) => merge(replies, i));
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

function merge(replies: Reply[], i: number): number[] {
  return replies.flatMap((reply) => reply.numbers![i]);
}
