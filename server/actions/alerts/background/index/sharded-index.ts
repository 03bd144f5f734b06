// Several threads that share the alerts between them, each holding every so-manyth. Alerts are independent, so each
// content is put to all threads at once and what they find is put together.
import type { Holder } from "./index-port.ts";
import { createThread, type ThreadParts } from "./thread.ts";
import type { Reply } from "./worker.ts";

export function createCrew({ threads, ...parts }: ThreadParts & { threads: number }): Holder {
  const crew = Array.from({ length: threads }, (_, part) => createThread({ part, parts: threads }, parts));
  const holderOf = (number: number) => crew[number % threads];

  return {
    async load() {
      await Promise.all(crew.map((thread) => thread.start()));
    },
    async put(entry) {
      await holderOf(entry.number).ask({ ask: "put", entry });
    },
    async forget(number) {
      await holderOf(number).ask({ ask: "forget", number });
    },
    async match(question) {
      const replies = await Promise.all(crew.map((thread) => thread.ask({ ask: "match", question })));
      return question.contents.map((_, i) => merged(replies, i));
    },
    countOf: (tenantId) => crew.reduce((sum, thread) => sum + thread.countOf(tenantId), 0),
    get size() {
      return crew.reduce((sum, thread) => sum + thread.size, 0);
    },
    stop() {
      for (const thread of crew) thread.stop();
    },
  };
}

function merged(replies: Reply[], i: number): number[] {
  return replies.flatMap((reply) => reply.numbers![i]);
}
