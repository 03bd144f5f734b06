// One thread that holds a shard of the alerts, seen from outside. If it dies, a new thread loads the shard from the
// store and answers the requests that were pending: nothing is lost, only late.
import type { Logger } from "pino";
import type { Clock } from "../../../../lib/clock.ts";
import type { ShardShare } from "../../rows.ts";
import type { Reply, Request } from "./worker.ts";

const RESTART_MS = 1000;
/** A request on which so many threads died is refused: it may be the cause. */
const MAX_TRIES = 3;
const LOAD_ID = 0;

export interface ShardThreadDeps {
  databaseUrl: string;
  clock: Clock;
  log: Logger;
  /** Starts the thread; tests keep hold of it. */
  spawn?(): Worker;
}

interface Pending {
  request: Request;
  tries: number;
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

export function createShardThread(
  share: ShardShare,
  { databaseUrl, clock, log, spawn = spawnWorker }: ShardThreadDeps,
) {
  const pending = new Map<number, Pending>();
  const counts = new Map<number, number>();
  let worker: Worker | null = null;
  /** False while it loads; requests wait meanwhile. */
  let ready = false;
  let size = 0;
  let nextId = LOAD_ID + 1;
  let stopped = false;
  let cancelRestart = () => {};

  function onReply(reply: Reply): void {
    if (reply.counts) for (const [tenant, count] of reply.counts) counts.set(tenant, count);
    if (reply.size !== undefined) size = reply.size;
    const waiting = pending.get(reply.id);
    pending.delete(reply.id);
    if (reply.failed !== undefined) waiting?.reject(new Error(reply.failed));
    else waiting?.resolve(reply);
  }

  function post(id: number): void {
    const waiting = pending.get(id)!;
    if (waiting.tries++ < MAX_TRIES) return worker!.postMessage({ id, request: waiting.request });
    pending.delete(id);
    waiting.reject(new Error(`${MAX_TRIES} threads died on this request`));
  }

  /** Resolves when the shard is in memory. */
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
        if (!stopped && ready) void restart(why);
        reject(new Error(why));
      };
      own.onmessage = ({ data: reply }: MessageEvent<Reply>) => {
        onReply(reply);
        if (reply.id !== LOAD_ID) return;
        if (reply.failed !== undefined) return die(reply.failed);
        ready = true;
        for (const id of pending.keys()) post(id);
        resolve();
      };
      own.onerror = (event) => die(event.message);
      own.addEventListener("close", () => die("it ended"));
      own.postMessage({ id: LOAD_ID, request: { type: "load", share, databaseUrl } satisfies Request });
    });
  }

  /** Starts again until it succeeds. */
  async function restart(why: string): Promise<void> {
    ready = false;
    log.error({ part: share.part, why }, "an index thread of alerts died; it is restarted");
    while (!stopped) {
      try {
        return await start();
      } catch (error) {
        log.error({ part: share.part, error: String(error) }, "an index thread of alerts did not start; tried again");
        await new Promise<void>((resolve) => {
          cancelRestart = clock.after(RESTART_MS, resolve);
        });
      }
    }
  }

  function send(request: Request): Promise<Reply> {
    if (stopped) return Promise.reject(new Error("alerts are stopping"));
    const id = nextId++;
    return new Promise((resolve, reject) => {
      pending.set(id, { request, tries: 0, resolve, reject });
      if (ready) post(id);
    });
  }

  function stop(): void {
    stopped = true;
    cancelRestart();
    worker?.terminate();
    for (const { reject } of pending.values()) reject(new Error("alerts are stopping"));
    pending.clear();
  }

  return {
    start,
    send,
    countOf: (tenantId: number) => counts.get(tenantId) ?? 0,
    get size() {
      return size;
    },
    stop,
  };
}

function spawnWorker(): Worker {
  return new Worker(new URL("./worker.ts", import.meta.url).href);
}
