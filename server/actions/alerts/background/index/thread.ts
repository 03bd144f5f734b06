// One thread that holds a share of the alerts, as the others see it. Should it die, another takes its place, loads what
// the store holds and answers what was asked: nothing is lost, only late.
import type { Logger } from "pino";
import type { Clock } from "../../../../lib/clock.ts";
import type { Share } from "../../store/index-rows.ts";
import type { Reply, Request } from "./worker.ts";

const AGAIN_MS = 1000;
/** A question on which so many threads died is refused: it may be what kills them. */
const MAX_TRIES = 3;

export interface ThreadParts {
  databaseUrl: string;
  clock: Clock;
  log: Logger;
  /** Starts the thread; tests keep hold of it. */
  spawn?(): Worker;
}

export function createThread(share: Share, { databaseUrl, clock, log, spawn = spawnWorker }: ThreadParts) {
  interface Asked {
    request: Request;
    tries: number;
    resolve(reply: Reply): void;
    reject(error: Error): void;
  }
  const waiting = new Map<number, Asked>();
  const counts = new Map<number, number>();
  let worker: Worker | null = null;
  /** Whether it has loaded; until then questions wait here. */
  let ready = false;
  let size = 0;
  let next = 1;
  let stopped = false;
  let cancel = () => {};
  const LOAD = 0;

  function onReply(reply: Reply): void {
    if (reply.counts) for (const [tenant, count] of reply.counts) counts.set(tenant, count);
    if (reply.size !== undefined) size = reply.size;
    const asked = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (reply.failed !== undefined) asked?.reject(new Error(reply.failed));
    else asked?.resolve(reply);
  }

  function send(id: number): void {
    const asked = waiting.get(id)!;
    if (asked.tries++ < MAX_TRIES) return worker!.postMessage({ id, request: asked.request });
    waiting.delete(id);
    asked.reject(new Error(`${MAX_TRIES} threads died while they were asked this`));
  }

  /** Resolves when the share is in memory. */
  function start(): Promise<void> {
    const own = (worker = spawn());
    ready = false;
    counts.clear();
    return new Promise<void>((resolve, reject) => {
      let dead = false;
      const die = (why: string) => {
        if (dead) return;
        dead = true;
        own.terminate();
        if (!stopped && ready) void revive(why);
        reject(new Error(why));
      };
      own.onmessage = ({ data: reply }: MessageEvent<Reply>) => {
        onReply(reply);
        if (reply.id !== LOAD) return;
        if (reply.failed !== undefined) return die(reply.failed);
        ready = true;
        for (const id of waiting.keys()) send(id);
        resolve();
      };
      own.onerror = (event) => die(event.message);
      own.addEventListener("close", () => die("it ended"));
      own.postMessage({ id: LOAD, request: { ask: "load", share, databaseUrl } satisfies Request });
    });
  }

  /** Starts again until it succeeds; what was asked meanwhile waits. */
  async function revive(why: string): Promise<void> {
    ready = false;
    log.error({ part: share.part, why }, "a thread of the alerts died; another takes its place");
    while (!stopped) {
      try {
        return await start();
      } catch (error) {
        log.error({ part: share.part, error: String(error) }, "a thread of the alerts did not start; tried again");
        await new Promise<void>((resolve) => {
          cancel = clock.after(AGAIN_MS, resolve);
        });
      }
    }
  }

  return {
    start,
    ask(request: Request): Promise<Reply> {
      if (stopped) return Promise.reject(new Error("alerts are stopping"));
      const id = next++;
      return new Promise((resolve, reject) => {
        waiting.set(id, { request, tries: 0, resolve, reject });
        if (ready) send(id);
      });
    },
    countOf: (tenantId: number) => counts.get(tenantId) ?? 0,
    get size() {
      return size;
    },
    stop(): void {
      stopped = true;
      cancel();
      worker?.terminate();
      for (const { reject } of waiting.values()) reject(new Error("alerts are stopping"));
      waiting.clear();
    },
  };
}

function spawnWorker(): Worker {
  return new Worker(new URL("./worker.ts", import.meta.url).href);
}
