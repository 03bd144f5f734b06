// One thread that holds a shard of the alerts, seen from outside. If it dies, a new thread loads the shard from the
// store and answers the requests that were pending: nothing is lost, only late.
import type { Logger } from "pino";
import type { Clock } from "../../../../lib/clock.ts";
import { openThread, type Thread } from "../../../../lib/pool/index.ts";
import type { ShardShare } from "../../rows.ts";
import type { Reply, Request } from "./worker.ts";

const RESTART_MS = 1000;
/** A request on which so many threads died is refused: it may be the cause. */
const MAX_TRIES = 3;
const LOAD_ID = 0;
const SCRIPT = new URL("./worker.ts", import.meta.url).href;

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

export class ShardThread {
  size = 0;
  readonly #share: ShardShare;
  readonly #deps: ShardThreadDeps;
  readonly #pending = new Map<number, Pending>();
  readonly #counts = new Map<number, number>();
  #thread: Thread | null = null;
  /** False while it loads; requests wait meanwhile. */
  #ready = false;
  #nextId = LOAD_ID + 1;
  #stopped = false;
  #cancelRestart = () => {};

  constructor(share: ShardShare, deps: ShardThreadDeps) {
    this.#share = share;
    this.#deps = deps;
  }

  countOf(tenantId: number): number {
    return this.#counts.get(tenantId) ?? 0;
  }

  /** Resolves when the shard is in memory. */
  start(): Promise<void> {
    this.#ready = false;
    this.#counts.clear();
    return new Promise<void>((resolve, reject) => {
      const fail = (why: string) => {
        if (!this.#stopped && this.#ready) void this.#restart(why);
        reject(new Error(why));
      };
      const thread = openThread<Reply>({
        script: this.#deps.spawn ?? SCRIPT,
        onEnd: fail,
        onMessage: (reply) => {
          this.#take(reply);
          if (reply.id !== LOAD_ID) return;
          if (reply.failed !== undefined) {
            thread.end();
            return fail(reply.failed);
          }
          this.#ready = true;
          for (const id of this.#pending.keys()) this.#post(id);
          resolve();
        },
      });
      this.#thread = thread;
      const { databaseUrl } = this.#deps;
      thread.post({ id: LOAD_ID, request: { type: "load", share: this.#share, databaseUrl } satisfies Request });
    });
  }

  send(request: Request): Promise<Reply> {
    if (this.#stopped) return Promise.reject(new Error("alerts are stopping"));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { request, tries: 0, resolve, reject });
      if (this.#ready) this.#post(id);
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelRestart();
    this.#thread?.end();
    for (const { reject } of this.#pending.values()) reject(new Error("alerts are stopping"));
    this.#pending.clear();
  }

  #take(reply: Reply): void {
    if (reply.counts) for (const [tenant, count] of reply.counts) this.#counts.set(tenant, count);
    if (reply.size !== undefined) this.size = reply.size;
    const waiting = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if (reply.failed !== undefined) waiting?.reject(new Error(reply.failed));
    else waiting?.resolve(reply);
  }

  #post(id: number): void {
    const waiting = this.#pending.get(id)!;
    if (waiting.tries++ < MAX_TRIES) return this.#thread!.post({ id, request: waiting.request });
    this.#pending.delete(id);
    waiting.reject(new Error(`${MAX_TRIES} threads died on this request`));
  }

  /** Starts again until it succeeds. */
  async #restart(why: string): Promise<void> {
    const { log, clock } = this.#deps;
    const { part } = this.#share;
    this.#ready = false;
    log.error({ part, why }, "an index thread of alerts died; it is restarted");
    while (!this.#stopped) {
      try {
        return await this.start();
      } catch (error) {
        log.error({ part, error: String(error) }, "an index thread of alerts did not start; tried again");
        await new Promise<void>((resolve) => {
          this.#cancelRestart = clock.after(RESTART_MS, resolve);
        });
      }
    }
  }
}
